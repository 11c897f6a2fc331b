import type { LegalMove, Scene } from "$lib/scene.svelte";
import { handOf } from "./reading";

/** The row of a move writes a card as its value and one more; 0 is none. */
export const valueOf = (number: number): number => number - 1;
export const PRINCESS = 9;
const NOBODY = 99;

export interface Move {
  /** The value of the card played. */
  card: number;
  target: number | null;
  /** The value that a Guard names. */
  name: number | null;
  /** The Chancellor's choice: the value kept, and the first that goes under the deck. */
  keep: number | null;
  under: number | null;
}

/** What a move consists of, by the values of cards. */
export function readMove(row: Record<string, number>): Move {
  const card = (column: string) => (row[column] ? valueOf(row[column]) : null);
  const target = row["target"] ?? NOBODY;
  return { card: card("card") ?? -1, target: target === NOBODY ? null : target, name: card("name"), keep: card("keep"), under: card("under") };
}

/** Cards that need a target. */
const AIMED = new Set([1, 2, 3, 5, 7]);

/**
 * The parts of a move: the card of the hand, whom it is for, whom it names; of the Chancellor's choice what goes
 * under the deck first and last. To play the Princess is asked for twice.
 */
export function parts(move: LegalMove, scene: Scene): string[] {
  const { card, target, name, keep, under } = readMove(move.row);
  if (keep !== null && under !== null) {
    const cards = handOf(scene.places, scene.me).map((each) => each.card);
    cards.splice(cards.indexOf(keep), 1);
    cards.splice(cards.indexOf(under), 1);
    return [`first-${under}`, ...cards.slice(0, 1).map((last) => `last-${last}`)];
  }
  const first = `card-${card}`;
  if (card === PRINCESS) return [first, "lose"];
  if (target === null) return AIMED.has(card) ? [first, "fizzle"] : [first];
  return [first, `seat-${target}`, ...(name === null ? [] : [`name-${name}`])];
}

/** The Princess, and the Chancellor's choice, are confirmed; a name is always given by hand. */
export function asks(part: string, scene: Scene): boolean {
  return part === "lose" || part.startsWith("name-") || (part === "confirm" && scene.places["phase"] === "choose_chancellor");
}

/** The value in the name of a part, and what kind of part it is. */
export function readPart(part: string): { kind: string; value: number } {
  const [kind, value] = part.split("-") as [string, string?];
  return { kind, value: Number(value ?? -1) };
}
