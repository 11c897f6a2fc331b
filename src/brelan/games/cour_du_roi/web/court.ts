import type { Places } from "$lib/vocabulary";
import type { Word } from "$lib/texts";
import { familyOf, type Family } from "./faces";

/** The families and ranks in the order in which cards are numbered, and the slots as the Court is read. */
export const FAMILIES: Family[] = ["H", "D", "C", "S"];
const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
export const SLOTS = ["4.1", "3.1", "3.2", "2.1", "2.2", "2.3", "1.1", "1.2", "1.3", "1.4"];
export const KING = 13;

/** All cards, as they are printed. */
export const CARDS = FAMILIES.flatMap((family) => RANKS.map((rank) => family + rank));

/** What is printed on a card by its number; null for 0, a card that the reader may not know. */
export function printed(number: number): string | null {
  return CARDS[number - 1] ?? null;
}

/** The value of a card: Ace 1 to King 13. */
export function valueOf(card: string): number {
  return RANKS.indexOf(card.slice(1)) + 1;
}

export function rowOf(slot: string): number {
  return Number(slot[0]);
}

/** The two slots that a slot stands on; none for row 1. */
export function supportsOf(slot: string): string[] {
  const row = rowOf(slot);
  const place = Number(slot[2]);
  return row === 1 ? [] : [`${row - 1}.${place}`, `${row - 1}.${place + 1}`];
}

/** The card on a slot. */
export function on(places: Places, slot: string): string | null {
  return places["court"]?.[SLOTS.indexOf(slot)] ?? null;
}

/** A card as a word of a text. */
export function cardWord(card: string): Word {
  return { key: "card", args: { rank: rankWord(card), family: familyWord(familyOf(card)) } };
}

export function rankWord(card: string): Word {
  const rank = card.slice(1);
  return /^\d+$/.test(rank) ? { key: "rank.number", args: { value: rank } } : { key: `rank.${rank.toLowerCase()}` };
}

export function familyWord(family: Family): Word {
  return { key: `family.${family.toLowerCase()}` };
}

/** Cards of one family after the other, the strongest first: black and red in turn, whichever family is one's own. */
export function sorted(cards: (string | null)[]): string[] {
  const order = "SHCD";
  const known = cards.filter((card): card is string => Boolean(card));
  return known.sort((a, b) => order.indexOf(a[0] as string) - order.indexOf(b[0] as string) || valueOf(b) - valueOf(a));
}

/** A card of the Court that counts for its family. */
export interface Term {
  value: number;
  row: number;
}

/** The visible cards of a family, from the top down. */
export function termsOf(places: Places, family: Family): Term[] {
  return SLOTS.flatMap((slot) => {
    const card = on(places, slot);
    return card && familyOf(card) === family ? [{ value: valueOf(card), row: rowOf(slot) }] : [];
  });
}

export function pointsOf(places: Places, family: Family): number {
  return termsOf(places, family).reduce((sum, { value, row }) => sum + value * row, 0);
}

/** The family that a seat serves, as far as the view says it. */
export function servedBy(places: Places, seat: number): Family | null {
  const king = places["revealed"]?.[seat] ?? places["serves"]?.[seat];
  return king ? familyOf(king) : null;
}

/** What a family gains when a card is laid on a slot. */
export function layGain(places: Places, card: string, slot: string, family: Family): number {
  const worth = (each: string | null) => (each && familyOf(each) === family ? valueOf(each) * rowOf(slot) : 0);
  return worth(card) - worth(on(places, slot));
}

/** What a family gains when the cards of two slots change places. */
export function swapGain(places: Places, one: string, two: string, family: Family): number {
  const worth = (slot: string, at: string) => {
    const card = on(places, slot);
    return card && familyOf(card) === family ? valueOf(card) * (rowOf(at) - rowOf(slot)) : 0;
  };
  return worth(one, two) + worth(two, one);
}

/** Why a card may not be laid on a slot: its place is not built, its family is missing below, or who lies there is stronger. */
export type Hindrance = { kind: "support" } | { kind: "family"; family: Family } | { kind: "stronger"; card: string };

export function hindrance(places: Places, card: string, slot: string): Hindrance {
  const lying = on(places, slot);
  if (lying) return { kind: "stronger", card: lying };
  const below = supportsOf(slot).filter((support) => on(places, support));
  const wanted = places["knobs"]?.["single_support"] === "on" ? 1 : 2;
  return below.length < wanted ? { kind: "support" } : { kind: "family", family: familyOf(card) };
}
