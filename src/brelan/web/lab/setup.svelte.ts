import { allDoors, type DoorInfo } from "$lib/doors.svelte";
import { games, textsOf } from "$lib/house";
import { get, Refused } from "$lib/http";
import type { Values } from "$lib/rules";
import { settings } from "$lib/settings.svelte";
import type { Lang, Texts } from "$lib/texts";
import type { GameInfo, LabInfo } from "$lib/wire";
import { Draft } from "../draft/draft.svelte";

const LEVELS = ["novice", "club", "expert"];

/** A variant, and who plays it. */
export interface Variant {
  turned: Values;
  level: string;
}

/** A variant as it is being turned. */
export class Side {
  level = $state("");

  constructor(
    readonly draft: Draft,
    level: string,
  ) {
    this.level = level;
  }

  /** Whether it is this variant. */
  is({ turned, level }: Variant): boolean {
    const { changed } = this.draft;
    return this.level === level && Object.keys({ ...turned, ...changed }).every((name) => turned[name] === changed[name]);
  }

  /** Turn everything as it is there. */
  turnTo({ turned, level }: Variant, players: number): void {
    this.draft.seat(players);
    this.draft.turned = { ...turned };
    this.level = level;
  }
}

/** What a page of the lab chooses from, and what is chosen: one variant, or two of the same game. */
export class Setup {
  lab = $state.raw<LabInfo | null>(null);
  doors = $state.raw<DoorInfo[]>([]);
  texts = $state.raw<Texts | null>(null);
  sides = $state.raw<Side[]>([]);

  constructor(private readonly count: 1 | 2) {}

  get game(): GameInfo | null {
    return this.sides[0]?.draft.game ?? null;
  }
  get players(): number {
    return this.sides[0]?.draft.players ?? 0;
  }

  /** Ask whether anything can be run here; throws `Refused`. */
  async load(): Promise<void> {
    this.lab = await get<LabInfo>("/api/lab");
  }

  /** Take a game, as it is usually played; the first one if it is not said. Throws `Refused`. */
  async choose(wanted: string): Promise<void> {
    const [there, known] = await Promise.all([games(), allDoors(settings.lang)]);
    const game = there.find(({ id }) => id === (wanted || known[0]?.id));
    if (!game) throw new Refused("no_such_game");
    const found = await textsOf(settings.lang, game.id);
    this.texts = found;
    this.sides = Array.from({ length: this.count }, () => new Side(new Draft(game), usualLevel(game)));
  }

  /** Let so many play, on every side. */
  seat(players: number): void {
    for (const { draft } of this.sides) draft.seat(players);
  }

  /** Take the names of a language. */
  async speak(lang: Lang): Promise<void> {
    const [doors, texts] = await Promise.all([allDoors(lang), this.game ? textsOf(lang, this.game.id) : null]);
    if (settings.lang !== lang) return;
    this.doors = doors;
    if (texts) this.texts = texts;
  }
}

/** The strongest bot of the game's own: it plays thousands of matches while one of the search thinks. */
const usualLevel = (game: GameInfo): string => game.bots.findLast((bot) => bot !== "random" && !LEVELS.includes(bot)) ?? "novice";

/** Who plays against people where a study was played by this bot. */
export const opponent = (level: string): string => (LEVELS.includes(level) ? level : "club");
