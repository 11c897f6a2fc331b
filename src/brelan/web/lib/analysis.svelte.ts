import { get, Refused } from "./http";
import type { Lang } from "./texts";
import type { AnalysedDecision, Analysis, AnalysisEnd } from "./wire";

const AGAIN = 4000; // milliseconds until a question that failed is asked again
const PASSING = ["offline", "shutting_down", "database_unavailable", "too_many_requests", "too_many_analyses"];

/** A stretch of the win chance: what luck made of it, or a choice. */
export interface Stretch {
  kind: "luck" | "choice";
  from: { at: number; chance: number };
  to: { at: number; chance: number };
}

/** The analysis of a match that is over, from one seat's views; it grows while the server makes it. */
export class SeatAnalysis {
  decisions = $state.raw<AnalysedDecision[]>([]);
  names = $state.raw<Analysis["names"]>({});
  start = $state(500);
  /** How many decisions there are in all; null: not known yet. */
  count = $state<number | null>(null);
  end = $state.raw<AnalysisEnd | null>(null);
  error = $state.raw<Refused | null>(null);
  private isClosed = false;
  private isAsking = false;

  constructor(
    readonly table: string,
    readonly seat: number,
  ) {}

  /** Ask for what there is until it is whole, or until it is closed. */
  async follow(): Promise<void> {
    this.isClosed = false;
    if (this.isAsking) return;
    this.isAsking = true;
    try {
      while (!this.isClosed && !this.end) await this.ask();
    } finally {
      this.isAsking = false;
    }
  }

  close(): void {
    this.isClosed = true;
  }

  private async ask(): Promise<void> {
    try {
      const path = `/api/tables/${encodeURIComponent(this.table)}/analysis?seat=${this.seat}&from=${this.decisions.length}`;
      const found = await get<Analysis>(path);
      this.start = found.start;
      this.count = found.count;
      this.names = found.names;
      this.decisions = [...this.decisions, ...found.decisions];
      this.end = found.end;
      this.error = null;
    } catch (error) {
      this.error = error instanceof Refused ? error : new Refused("internal");
      if (!PASSING.includes(this.error.code)) this.isClosed = true;
      else await new Promise((done) => setTimeout(done, AGAIN));
    }
  }

  /** The decision that a moment belongs to: the last one before which the match stands, or stood. */
  decisionAt(at: number): AnalysedDecision | null {
    return this.decisions.findLast(({ ply }) => ply <= at) ?? null;
  }

  /** The win chance as it went, stretch by stretch. */
  stretches(length: number): Stretch[] {
    const found: Stretch[] = [];
    let from = { at: 0, chance: this.start };
    for (const { ply, chance, loss } of this.decisions) {
      const before = { at: ply, chance };
      const after = { at: ply + 1, chance: chance - loss };
      found.push({ kind: "luck", from, to: before }, { kind: "choice", from: before, to: after });
      from = after;
    }
    if (this.end) {
      const last = { at: length, chance: this.end.chance + this.end.given_up };
      found.push({ kind: "luck", from, to: last });
      if (this.end.given_up) found.push({ kind: "choice", from: last, to: { at: length, chance: this.end.chance } });
    }
    return found;
  }
}

/** A chance in thousandths: "53.1%". */
export function percent(chance: number, lang: Lang, digits = 1): string {
  const form = new Intl.NumberFormat(lang, { style: "percent", minimumFractionDigits: digits, maximumFractionDigits: digits });
  return form.format(chance / 1000).replace("\u202f", "\u00a0");
}

/** A change in thousandths, in points with its sign: "−6.2". */
export function points(change: number, lang: Lang): string {
  const number = new Intl.NumberFormat(lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(Math.abs(change) / 10);
  return `${change > 0 ? "+" : change < 0 ? "−" : "±"}${number}`;
}
