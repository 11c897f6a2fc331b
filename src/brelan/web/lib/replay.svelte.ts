import { tableOf } from "./game";
import { get, post, Refused } from "./http";
import { textsOf } from "./house";
import { dictionaryOf } from "./live.svelte";
import { linesOf, Scene } from "./scene.svelte";
import { settings } from "./settings.svelte";
import type { Knobs, Places } from "./vocabulary";
import type { Checked, Exported, ResultInfo, SeatInfo, Step, TableInfo, Telling, Text, Told } from "./wire";

/** Whose eyes: a seat, `null` a spectator, `open` everybody's together. */
export type Eyes = number | null | "open";

const SENTENCES = 2; // of a step, that the prompt has room for

interface Played {
  game: string;
  knobs: Knobs;
  seats: SeatInfo[];
  readers: Telling[];
  result: ResultInfo | null;
}

/** A match that was played, step by step, through the eyes of any seat or of all. */
export class Replay extends Scene {
  /** How many steps are shown. */
  at = $state(0);
  eyes = $state<Eyes>(null);
  error = $state.raw<Refused | null>(null);
  isPlaying = $state(false);
  /** The table that it comes from; null: a file. */
  info = $state.raw<TableInfo | null>(null);
  private readers = $state.raw<Telling[]>([]);
  private result_: ResultInfo | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** @param marks Whose plate is marked: who made the step that is told, or whose decision comes next. */
  constructor(private readonly marks: "step" | "decision" = "step") {
    super();
  }

  /** Take a match of the server: all of it when it is over, else what one's own seat has seen. */
  async take(id: string): Promise<void> {
    try {
      const info = await get<TableInfo>(`/api/tables/${encodeURIComponent(id)}`);
      const path = `/api/tables/${encodeURIComponent(id)}/history`;
      const own = info.mine[0];
      const asked = info.status === "over" ? ["?seat=all", ""] : own === undefined ? [""] : [`?seat=${own}`];
      const told = await Promise.all(asked.map((query) => get<Told>(path + query)));
      const first = told[0] as Told;
      const readers = told.flatMap((each) => each.readers);
      this.info = info;
      await this.set({ game: info.game, knobs: info.knobs, seats: info.seats, readers, result: first.result });
      this.look(info.status === "over" ? (own ?? "open") : (own ?? null));
    } catch (error) {
      this.error = error instanceof Refused ? error : new Refused("internal");
    }
  }

  /** Take a match from an exported file, which the server works out again. */
  async takeFile(file: Exported): Promise<Checked> {
    const checked = await post<Checked>("/api/replay", file);
    if (!checked.verified || !checked.readers || !checked.game || !checked.knobs) return checked;
    const seats = (checked.names ?? []).map((name): SeatInfo => ({ kind: "guest", name, bot: null, connected: true, nonce: null }));
    await this.set({ game: checked.game, knobs: checked.knobs, seats, readers: checked.readers, result: checked.result ?? null });
    this.look("open");
    return checked;
  }

  async translate(): Promise<void> {
    if (this.table) this.texts = (await textsOf(settings.lang, this.game, this.table)).named(this.naming);
  }

  play(): void {
    // Nothing can be played in what is over.
  }

  get length(): number {
    return this.readers[0]?.steps.length ?? 0;
  }

  /** Through whose eyes it can be seen. */
  get choices(): Eyes[] {
    const seats: Eyes[] = this.readers.map((reader) => reader.seat);
    return this.seesAll ? [...seats, "open"] : seats;
  }

  private get seesAll(): boolean {
    return this.readers.filter((reader) => reader.seat !== null).length === this.players && this.players > 0;
  }

  /** Who made each step; null: the table. */
  get movers(): (number | null)[] {
    return this.readers[0]?.steps.map((step) => step.seat) ?? [];
  }

  /** Look through other eyes, at the same moment. */
  look(eyes: Eyes): void {
    this.eyes = this.choices.includes(eyes) ? eyes : (this.choices[0] ?? null);
    this.me = this.eyes === "open" ? (this.info?.mine[0] ?? 0) : this.eyes;
    this.stand(this.at);
  }

  /** Go to a moment: one step on is shown as it happens, all else at once. */
  go(at: number): void {
    const wanted = Math.max(0, Math.min(Math.trunc(at) || 0, this.length));
    if (wanted === this.at + 1) {
      this.at = wanted;
      const step = this.telling?.steps[wanted - 1];
      if (step) this.show([{ ...step, story: this.story(wanted) }], () => this.settle());
    } else this.stand(wanted);
  }

  toggle(): void {
    if (this.isPlaying) this.pause();
    else {
      if (this.at >= this.length) this.stand(0);
      this.isPlaying = true;
      this.next();
    }
  }

  pause(): void {
    this.isPlaying = false;
    clearTimeout(this.timer);
  }

  close(): void {
    this.pause();
  }

  // ---------------------------------------------------------------- inside

  private next(): void {
    if (!this.isPlaying) return;
    if (this.at >= this.length) {
      this.pause();
      return;
    }
    this.go(this.at + 1);
    this.timer = setTimeout(() => this.next(), 1300 / (settings.speed || 1));
  }

  private async set(played: Played): Promise<void> {
    const [dictionary, table] = await Promise.all([dictionaryOf(played.game, played.knobs), tableOf(played.game)]);
    this.dictionary = dictionary;
    this.table = table;
    this.game = played.game;
    this.knobs = played.knobs;
    this.seats = played.seats;
    this.readers = played.readers;
    this.result_ = played.result;
    await this.translate();
  }

  private get telling(): Telling | undefined {
    const seat = this.eyes === "open" ? this.me : this.eyes;
    return this.readers.find((reader) => reader.seat === seat) ?? this.readers[0];
  }

  /** Who tells the story: with open eyes nobody is "you". */
  private get teller(): Telling | undefined {
    return this.eyes === "open" ? this.readers.find((reader) => reader.seat === null) : undefined;
  }

  /** What is told of the step before a moment. */
  private story(at: number): Text[] {
    return (this.teller ?? this.telling)?.steps[at - 1]?.story ?? [];
  }

  override get recounts(): Text[] {
    let at = this.at; // of a step that tells nothing, what was told last
    while (at > 1 && this.story(at).length === 0) at -= 1;
    return this.story(at).slice(0, SENTENCES);
  }

  override get marked(): number | null {
    return this.marks === "decision" ? this.turn : (this.movers[this.at - 1] ?? null);
  }

  /** With open eyes only one's own seat is "you". */
  override name(seat: number): string {
    const isOwn = this.info ? this.info.mine.includes(seat) : false;
    return this.eyes === "open" && !isOwn ? this.seats[seat]?.name || super.name(seat) : super.name(seat);
  }

  private stand(at: number): void {
    const telling = this.telling;
    if (!telling) return;
    this.at = at;
    this.jump(at === 0 ? telling.first : (telling.steps[at - 1] as Step).view);
    this.lines = (this.teller ?? telling).steps.slice(0, at).flatMap((step) => linesOf(step.story, step.seat));
    this.last = telling.steps[at - 1] ?? null;
    this.settle();
  }

  private settle(): void {
    this.turn = (this.places["turn"] as number | null | undefined) ?? null;
    this.result = this.at >= this.length ? this.result_ : null;
  }

  /** What is seen; with open eyes, what each seat sees of its own is put together. */
  protected override read(view: number[]): Places {
    const own = super.read(view);
    if (this.eyes !== "open" || !this.dictionary) return own;
    const at = this.at;
    const views = this.readers
      .filter((reader) => reader.seat !== null)
      .map((reader) => {
        const seen = at === 0 ? reader.first : (reader.steps[at - 1]?.view ?? reader.first);
        return { seat: reader.seat as number, places: this.dictionary?.read(seen, reader.seat, this.knobs) };
      });
    for (const place of this.dictionary.vocabulary.places) {
      if (place.sight !== "owner" || place.knob) continue;
      own[place.name] = (own[place.name] as unknown[]).map((row, seat) => {
        const found = views.find((each) => each.seat === seat);
        return found?.places ? (found.places[place.name] as unknown[])[seat] : row;
      });
    }
    return own;
  }
}
