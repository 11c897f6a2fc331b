import { tick } from "svelte";
import { tableOf } from "./game";
import { get, Refused } from "./http";
import { textsOf } from "./house";
import { dictionaryOf } from "./live.svelte";
import { Scene } from "./scene.svelte";
import { settings } from "./settings.svelte";
import type { Lesson, LessonPart } from "./wire";

/** A prepared match that teaches a game: the learner makes the moves that it asks for. */
export class LessonScene extends Scene {
  lesson = $state.raw<Lesson | null>(null);
  error = $state.raw<Refused | null>(null);
  /** Which part is told now. */
  at = $state(0);

  async take(game: string): Promise<void> {
    try {
      const lesson = await get<Lesson>(`/api/lessons/${encodeURIComponent(game)}`);
      const [dictionary, table] = await Promise.all([dictionaryOf(lesson.game, lesson.knobs), tableOf(lesson.game)]);
      this.dictionary = dictionary;
      this.table = table;
      this.game = lesson.game;
      this.knobs = lesson.knobs;
      this.me = lesson.seat;
      this.seats = lesson.names.map((name, seat) => ({ kind: seat === lesson.seat ? "guest" : "bot", name, bot: null, connected: true, nonce: null }));
      await this.translate();
      this.lesson = lesson;
      this.again();
    } catch (error) {
      this.error = error instanceof Refused ? error : new Refused("internal");
    }
  }

  async translate(): Promise<void> {
    if (this.table) this.texts = (await textsOf(settings.lang, this.game, this.table)).named(this.naming);
  }

  get part(): LessonPart | null {
    return this.lesson?.parts[this.at] ?? null;
  }

  get isLast(): boolean {
    return this.lesson !== null && this.at === this.lesson.parts.length - 1;
  }

  /** Whether the learner is asked for a move, rather than to read on. */
  get asks(): boolean {
    return this.part?.move != null;
  }

  override get notice(): string | null {
    return this.part && !this.asks && !this.isMoving && !this.result ? "lesson.read" : null;
  }

  /** From the beginning. */
  again(): void {
    const { lesson } = this;
    if (!lesson) return;
    this.at = 0;
    this.lines = [];
    this.result = null;
    this.legal = [];
    this.jump(lesson.first);
    this.show(lesson.dealt, () => this.settle());
  }

  /** Go on to the next part, where no move is asked for. */
  next(): void {
    const { part } = this;
    if (!part || part.move !== null || this.isMoving) return;
    this.advance(part);
  }

  play(move: number): void {
    const { part } = this;
    if (part && part.move === move) this.advance(part);
  }

  private advance(part: LessonPart): void {
    this.legal = [];
    if (this.isLast) return;
    this.show(part.steps, () => {
      this.result = part.result;
      this.at += 1;
      this.settle();
    });
  }

  private settle(): void {
    const { part } = this;
    if (!part) return;
    this.turn = part.turn;
    this.choice.clear();
    this.legal = this.movesOf(part.legal, part.words).filter((move) => move.id === part.move);
    void tick().then(() => this.point(part.lit));
  }

  /** Mark what the text points at. */
  private point(names: string[]): void {
    for (const each of this.felt?.querySelectorAll<HTMLElement>("[data-at]") ?? []) {
      each.toggleAttribute("data-pointed", names.includes(each.dataset["at"] as string));
    }
  }
}
