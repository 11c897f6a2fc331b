import { tick } from "svelte";
import { Choice } from "./choice.svelte";
import type { GameTable } from "./game";
import { capture, fly } from "./motion";
import { moves, settings } from "./settings.svelte";
import type { Args, Part, Texts, Word } from "./texts";
import type { Dictionary, Knobs, Places, Row } from "./vocabulary";
import type { Choice as Wording, Clocks, Hinted, ResultInfo, SeatInfo, Step, Text } from "./wire";

export interface LegalMove {
  id: number;
  row: Row;
  notation: string;
  label: Text | null;
}

/** A sentence of the story, and whose mark stands before it (null: the table's). */
export interface Line {
  seat: number | null;
  text: Text;
}

/** Sentences, each with the mark of the person it is about. Where the first names nobody, it tells of who moved. */
export function linesOf(story: Text[], mover: number | null): Line[] {
  return story.map((text, at) => {
    const who = text.args?.["who"] as Word | undefined;
    return { seat: who?.key === "seat" ? Number(who.args?.["number"]) : at === 0 ? mover : null, text };
  });
}

/** What may be chosen on a table, for the components that draw it. */
export interface Piece {
  at: string;
  lit: boolean;
  chosen: boolean;
  refused?: boolean;
  drop?: string;
  onpick?: () => void;
  ondrop?: (onto: string) => void;
  onlift?: () => void;
}

/** Hints, where they are to be had. */
export interface Hinting {
  readonly isThinking: boolean;
  /** What is advised, and what the expert expects of it. */
  readonly found: Hinted | null;
  ask(): void;
  forget(): void;
}

interface Waiting {
  step: Step;
  /** It is the last step of a move. */
  ends: boolean;
  then?: () => void;
}

/** More moves than that are told, and not played one by one unless somebody wants to see them. */
export const AT_ONCE = 8;
const QUICKER = 3;
const PAUSE = 350;

/**
 * A table as somebody looks at it: what its game draws. A match that goes on, a replay and a lesson
 * are scenes; each gives it views, and takes what is played.
 */
export abstract class Scene {
  game = $state("");
  table = $state.raw<GameTable | null>(null);
  dictionary = $state.raw<Dictionary | null>(null);
  texts = $state.raw<Texts | null>(null);
  knobs = $state.raw<Knobs>({});
  seats = $state.raw<SeatInfo[]>([]);
  /** Whose eyes these are; null: a spectator. */
  me = $state<number | null>(null);
  /** What is shown now. */
  places = $state.raw<Places>({});
  lines = $state.raw<Line[]>([]);
  turn = $state<number | null>(null);
  /** What may be played, as soon as all that came before is shown. */
  legal = $state.raw<LegalMove[]>([]);
  clocks = $state.raw<(Clocks & { at: number }) | null>(null);
  result = $state.raw<ResultInfo | null>(null);
  isMoving = $state(false);
  /** The last move that is shown. */
  last = $state.raw<Step | null>(null);
  /** The felt, where things travel. */
  felt = $state.raw<HTMLElement | null>(null);
  readonly choice = new Choice(this);
  /** Whether it is known who listens. */
  readonly isWatched: boolean = false;
  private waiting: Waiting[] = [];
  private isPumping = false;
  private hurry = 1;
  /** Whether all that waits is played, however much it is. */
  protected isWanted = false;

  /** What may be asked for beside a move, and what is: a hint. */
  get hinting(): Hinting | null {
    return null;
  }

  /** Make a move. */
  abstract play(move: number): void;

  /** What the prompt says in place of whose turn it is: the key of a text of the page. */
  get notice(): string | null {
    return null;
  }

  /** What the prompt tells where nothing is asked of anybody: what has just happened. */
  get recounts(): Text[] | null {
    return null;
  }

  /** Whose plate is marked where nobody is to move: who made the step that is told. */
  get marked(): number | null {
    return null;
  }

  /** Whether there is anything to draw yet. */
  get isReady(): boolean {
    return "turn" in this.places;
  }

  get players(): number {
    return Number(this.knobs["players"] ?? this.seats.length);
  }

  get isMine(): boolean {
    return this.turn !== null && this.turn === this.me && this.legal.length > 0;
  }

  /** What a part of the table shares with `Card`, `Seat` and `Place`: whether it may be chosen, and how. */
  piece(part: string): Piece {
    const { choice } = this;
    const lit = choice.lit(part);
    const chosen = choice.has(part);
    if (!lit && !chosen) return { at: part, lit, chosen, refused: choice.refused === part };
    return { at: part, lit, chosen, drop: part, onpick: () => choice.pick(part) };
  }

  /** The same for a thing that may be dragged onto another. */
  card(part: string): Piece {
    const piece = this.piece(part);
    const { choice } = this;
    return piece.onpick ? { ...piece, ondrop: (onto) => choice.drop(part, onto), onlift: () => choice.lift(part) } : piece;
  }

  // ---------------------------------------------------------------- words

  /** How a seat is called. */
  name(seat: number): string {
    if (seat === this.me) return this.t("house.you");
    return this.seats[seat]?.name || this.t("seat.name", { number: seat + 1 });
  }

  /** What decided a match where points did not: a text `outcome.REASON` of the game, if it has one. */
  decided(reason: string): string | undefined {
    const key = `outcome.${reason}`;
    return this.texts?.has(key) ? this.t(key) : undefined;
  }

  /** A text of the game, the page or the house. */
  t(key: string, args: Args = {}): string {
    return this.texts?.say(key, args) ?? "";
  }

  /** The same in pieces, which say what is a card and what is a person. */
  parts(text: Text): Part[] {
    return this.texts?.parts(text.key, (text.args ?? {}) as Args) ?? [];
  }

  said(text: Text): string {
    return this.texts?.say(text.key, (text.args ?? {}) as Args) ?? "";
  }

  /** A seat as an argument of a text. */
  who(seat: number): Word {
    return { key: "seat", kind: seat === this.me ? "you" : "other", args: { number: seat } };
  }

  protected naming = (word: Word): string | undefined => {
    if (word.key !== "seat") return undefined;
    const seat = Number(word.args?.["number"]);
    return this.seats[seat]?.name || undefined;
  };

  // ---------------------------------------------------------------- what is shown

  protected read(view: number[]): Places {
    return this.dictionary?.read(view, this.me, this.knobs) ?? {};
  }

  protected movesOf(numbers: number[], words: Wording[]): LegalMove[] {
    const said = new Map(words.map((each) => [each.move, each]));
    return numbers.map((id) => {
      const found = said.get(id) ?? this.dictionary?.worded(this.me ?? 0, id);
      return { id, row: this.dictionary?.row(id) ?? {}, notation: found?.notation ?? String(id), label: found?.label ?? null };
    });
  }

  /** Show a view at once, and forget what waits. */
  protected jump(view: number[]): void {
    this.waiting = [];
    this.places = this.read(view);
  }

  /** Show steps one after another; `then` is done when the last of them is shown. */
  protected show(steps: Step[], then?: () => void): void {
    if (steps.length === 0) {
      if (this.isPumping && this.waiting.length > 0) {
        const last = this.waiting[this.waiting.length - 1];
        const before = last.then;
        last.then = () => (before?.(), then?.());
      } else then?.();
      return;
    }
    this.waiting.push(
      ...steps.map((step, at) => {
        const ends = at === steps.length - 1;
        return { step, ends, then: ends ? then : undefined };
      }),
    );
    if (!this.isPumping) void this.pump();
  }

  /** Change what is shown, and let what changes its place by that slide there. */
  protected async glide(change: () => void): Promise<void> {
    if (document.visibilityState === "hidden" || !moves()) {
      change();
      return;
    }
    const drawn = capture(this.felt);
    change();
    await tick();
    await fly(this.felt, drawn, []);
  }

  /** Something was told and not played: too much waited, or nobody looked. */
  protected unseen(): void {}

  /** All that waited is shown. */
  protected rested(): void {}

  /** Show at once all that is still to be shown. */
  skip = (): void => {
    if (!this.isPumping) return;
    this.hurry = 100;
    for (const each of this.felt?.getAnimations({ subtree: true }) ?? []) {
      if (!(each instanceof CSSAnimation)) each.finish();
    }
  };

  private async pump(): Promise<void> {
    this.isPumping = true;
    this.isMoving = true;
    let isTold = false;
    try {
      while (this.waiting.length > 0) {
        const count = this.waiting.length;
        isTold ||= this.waiting.filter(({ ends }) => ends).length > AT_ONCE && !this.isWanted;
        const isUnseen = isTold || document.visibilityState === "hidden";
        const hurry = Math.max(this.hurry, count > QUICKER ? 2 : 1);
        const next = this.waiting.shift() as Waiting;
        if (isUnseen) this.unseen();
        await this.step(next.step, isUnseen ? 0 : hurry);
        next.then?.();
      }
    } finally {
      this.isPumping = false;
      this.isMoving = false;
      this.hurry = 1;
      this.isWanted = false;
      this.rested();
    }
  }

  /** Show one step; with `hurry` 0 nothing travels. */
  protected async step(step: Step, hurry: number): Promise<void> {
    const before = this.places;
    const after = this.read(step.view);
    const drawn = hurry > 0 ? capture(this.felt) : null;
    this.places = after;
    this.turn = (after["turn"] as number | null | undefined) ?? null;
    this.last = step;
    this.lines = [...this.lines, ...linesOf(step.story, step.seat)];
    if (!drawn) return;
    await tick();
    const flights = this.table?.flights?.(before, after, step, this) ?? [];
    await fly(this.felt, drawn, flights, hurry);
    const isOwn = step.seat === this.me || step.seat === null;
    const rest = isOwn || !moves() ? 0 : PAUSE / (settings.speed || 1) / Math.max(hurry, this.hurry);
    if (rest > 1) await new Promise((done) => setTimeout(done, rest));
  }
}
