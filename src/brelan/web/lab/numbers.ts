import { page } from "$lib/page.svelte";
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
  /** "+3.2", with a true minus. */
  signed(value: number, digits = 0): string {
    const format = new Intl.NumberFormat(this.lang, { minimumFractionDigits: digits, maximumFractionDigits: digits, signDisplay: "negative" });
    return (Number(value.toFixed(digits)) > 0 ? "+" : "") + format.format(value).replace("-", "−");
  }
  /** "−0.4 to +3.2", of so many times what the bounds are. */
  signedRange({ low, high }: Interval, digits: number, times = 1): string {
    if (low === null || high === null) return "";
    return page.t("lab.range", { low: this.signed(times * low, digits), high: this.signed(times * high, digits) });
  }
  /** "49.8–52.2", in per cent for a share. */
  range({ low, high }: Interval, isShare: boolean, digits = isShare || (high ?? 0) < 20 ? 1 : 0): string {
    if (low === null || high === null) return "";
    const [from, to] = [low, high].map((bound) => this.plain(isShare ? 100 * bound : bound, digits));
    return `${from}–${to}`;
  }
}
