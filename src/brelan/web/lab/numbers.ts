import type { Lang } from "$lib/texts";
import type { Interval } from "$lib/wire";

/** How figures are printed: shares as percentages, as precisely as their interval allows. */
export class Numbers {
  constructor(private readonly lang: Lang) {}

  share(value: number, digits = 1): string {
    return new Intl.NumberFormat(this.lang, { style: "percent", minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
  }
  plain(value: number, digits = 0): string {
    return new Intl.NumberFormat(this.lang, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
  }
  /** "49.8–52.2", in per cent for a share. */
  range({ low, high }: Interval, isShare: boolean): string {
    if (low === null || high === null) return "";
    const digits = isShare || high < 20 ? 1 : 0;
    const [from, to] = [low, high].map((bound) => this.plain(isShare ? 100 * bound : bound, digits));
    return `${from}–${to}`;
  }
}
