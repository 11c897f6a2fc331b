import type { Component } from "svelte";
import type { LegalMove, Scene } from "./scene.svelte";
import type { Entries, Lang } from "./texts";
import type { Places } from "./vocabulary";
import type { Step } from "./wire";

/** A card that goes from one place to another: the `data-at` of both. */
export interface Flight {
  from: string;
  to: string;
  /** After how many milliseconds it starts. */
  after?: number;
  /** How long it takes; otherwise 320 ms. */
  lasts?: number;
}

/** How a game is drawn: `games/<game>/web/index.ts` exports one as its default. */
export interface GameTable {
  /** What lies on the felt, and the prompt among it. */
  Table: Component<{ scene: Scene }>;
  /** What the reader legitimately knows, beside the table. */
  Memory?: Component<{ scene: Scene }>;
  /** The choices that a move consists of, in their order: names of things on the table. */
  parts(move: LegalMove, scene: Scene): string[];
  /** Whether a choice must be made by hand even where it is the only one. */
  asks?(part: string, scene: Scene): boolean;
  /** Which cards travel in a step, named as they lay before it and lie after it. */
  flights?(before: Places, after: Places, step: Step, scene: Scene): Flight[];
  /** Where the back lies of what a hidden place holds in a slot, as `data-at`; of a hand without order, some back for each. */
  back?(place: string, seat: number | null, slot: number): string | undefined;
  /** The section of the rulebook that tells of this moment: "3" or "3.2". */
  section?(scene: Scene): string | undefined;
  /** One line under the name of the game: the round, what wins. */
  status?(scene: Scene): string;
  /** Texts of the page of this game; those of a language are loaded when it is chosen. */
  texts?: Record<Lang, () => Promise<{ default: Entries }>>;
}

/** What the door of a game says on the home page: `games/<game>/web/door.ts`. */
export interface Door {
  order: number;
  players: string;
  minutes: number;
  name: Record<Lang, string>;
  sentence: Record<Lang, string>;
  Miniature: () => Promise<{ default: Component }>;
}

const tables = import.meta.glob<{ default: GameTable }>("../../games/*/web/index.ts");
const doors = import.meta.glob<{ default: Door }>("../../games/*/web/door.ts", { eager: true });

function idOf(path: string): string {
  return (path.split("/games/")[1] as string).split("/")[0].replaceAll("_", "-");
}

/** How a game is drawn; a game without a table of its own has the plain one. */
export async function tableOf(game: string): Promise<GameTable> {
  const found = Object.entries(tables).find(([path]) => idOf(path) === game);
  return (await (found ? found[1]() : import("../plain/index"))).default;
}

export const doorOf: Record<string, Door> = Object.fromEntries(
  Object.entries(doors).map(([path, module]) => [idOf(path), module.default]),
);
