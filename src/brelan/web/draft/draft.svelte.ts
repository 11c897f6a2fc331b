import { changedOf, presetOf, turnable, usualValue, type Value, type Values } from "$lib/rules";
import type { Clock, GameInfo, KnobInfo, NewTable, Options, Sitting } from "$lib/wire";

/** A seat of the table that is being set up; the first one is one's own. */
export interface DraftSeat {
  id: number;
  kind: Sitting["kind"];
  bot: string;
  name: string;
}

export type ClockKind = "none" | "per_move" | "total" | "days";

const DAY = 24 * 3600;
let made = 0;

/** A table before it is opened: what the page of a new table turns, and the ticket tells. */
export class Draft {
  seats = $state<DraftSeat[]>([]);
  turned = $state<Values>({});
  clock = $state<ClockKind>("none");
  seconds = $state(30);
  minutes = $state(5);
  increment = $state(10);
  days = $state(1);
  takeover = $state("");
  hints = $state(true);
  spectators = $state<NonNullable<Options["spectators"]>>("public");
  listed = $state(false);

  /** A table of a game; clock and options are those of the draft before it. */
  constructor(
    readonly game: GameInfo,
    before: Draft | null = null,
  ) {
    this.seats = Array.from({ length: game.default_players }, (_, seat) => newSeat(seat === 0 ? "me" : "bot"));
    if (!before) return;
    const { clock, seconds, minutes, increment, days, takeover, hints, spectators, listed } = before;
    Object.assign(this, { clock, seconds, minutes, increment, days, takeover, hints, spectators, listed });
  }

  get players(): number {
    return this.seats.length;
  }
  get least(): number {
    return Math.min(...this.game.players);
  }
  get most(): number {
    return Math.max(...this.game.players);
  }
  get open(): number {
    return this.seats.filter(({ kind }) => kind === "open").length;
  }
  get bots(): DraftSeat[] {
    return this.seats.filter(({ kind }) => kind === "bot");
  }
  /** People on this device. */
  get here(): DraftSeat[] {
    return this.seats.filter(({ kind }) => kind === "me");
  }

  add(kind: Sitting["kind"]): void {
    if (this.players < this.most) this.seats.push(newSeat(kind));
  }
  remove(seat: number): void {
    if (seat > 0 && this.players > this.least) this.seats.splice(seat, 1);
  }

  /** Let so many sit there, bots at the places that are new. */
  seat(players: number): void {
    while (this.players < players && this.players < this.most) this.add("bot");
    while (this.players > players && this.players > this.least) this.remove(this.players - 1);
  }

  /** Take over what an address says; 0 players are as many as are usual. */
  take(players: number, turned: Values): void {
    if (this.game.players.includes(players)) this.seat(players);
    this.turned = { ...turned };
  }

  /** The rules that differ from those of the house. */
  get changed(): Values {
    return changedOf(this.game, this.turned, this.players);
  }
  /** The preset that the rules are; null: none of them. */
  get preset(): string | null {
    return presetOf(this.game, this.turned, this.players);
  }
  value(knob: KnobInfo): Value {
    return this.turned[knob.name] ?? usualValue(knob, this.players);
  }
  turn(knob: KnobInfo, value: Value): void {
    if (value === usualValue(knob, this.players)) delete this.turned[knob.name];
    else this.turned[knob.name] = value;
  }
  choose(preset: string): void {
    this.turned = { ...(this.game.presets[preset] ?? {}) };
  }
  get knobs(): KnobInfo[] {
    return turnable(this.game);
  }

  /** What is asked of the server. */
  wanted(nameOf: (seat: number) => string): NewTable {
    const seats = this.seats.map(({ kind, bot, name }, seat): Sitting => {
      if (kind === "bot") return { kind, bot };
      if (kind === "me" && seat > 0) return { kind, name: name.trim() || nameOf(seat) };
      return { kind };
    });
    const options: Options = { hints: this.hints, spectators: this.spectators, clock: this.asClock };
    if (this.clock !== "none" && this.takeover) options.takeover = this.takeover;
    if (this.open > 0 && this.listed) options.listed = true;
    return { game: this.game.id, seats, knobs: this.changed, options };
  }

  private get asClock(): Clock {
    if (this.clock === "per_move") return { kind: "per_move", seconds: this.seconds };
    if (this.clock === "days") return { kind: "per_move", seconds: this.days * DAY };
    if (this.clock === "total") return { kind: "total", seconds: this.minutes * 60, increment: this.increment };
    return {};
  }
}

function newSeat(kind: Sitting["kind"]): DraftSeat {
  made += 1;
  return { id: made, kind, bot: "club", name: "" };
}
