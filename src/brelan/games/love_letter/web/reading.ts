import type { Places, Knobs } from "$lib/vocabulary";

/** How many of each character there are, by value. */
const COPIES: Record<string, number[]> = {
  zman21: [2, 6, 2, 2, 2, 2, 2, 1, 1, 1],
  classic16: [0, 5, 2, 2, 2, 2, 0, 1, 1, 1],
};
const NO_BAR_BELOW = 2;

/** A card of the reader's hand: its value, and where it lies (`data-at`). */
export interface InHand {
  at: string;
  card: number;
  /** It was kept from the turn before, so that others may have seen it. */
  isKept: boolean;
}

/** Why a character is of no use to a Guard. */
export type Reason = "certain" | "excluded" | "absent" | "mine" | "under" | "elsewhere" | "open" | "played";

/** What can be written on the back of a card, before it is put in words. */
export type Knowledge =
  | { kind: "none" }
  | { kind: "known"; card: number; saw: boolean }
  | { kind: "chance"; odds: { card: number; share: number }[] }
  | { kind: "few"; cards: number[] }
  | { kind: "not"; cards: number[] }
  | { kind: "set"; cards: number[] };

const seen = (cards: unknown): number[] => ((cards ?? []) as (number | null)[]).filter((card) => card !== null).map(Number);
/** A row of what a seat keeps in mind; empty for whoever is not that seat. */
const mine = <T>(rows: (T[] | null)[] | undefined, me: number | null): T[] => (me === null ? [] : (rows?.[me] ?? []));

export function copiesOf(knobs: Knobs): number[] {
  return COPIES[String(knobs["deck"] ?? "zman21")] ?? (COPIES["zman21"] as number[]);
}

/** The cards that the reader holds: the one kept, then those drawn. */
export function handOf(places: Places, me: number | null): InHand[] {
  if (me === null) return [];
  const kept = places["hand"]?.[me];
  const drawn = mine<number | null>(places["drew"], me);
  return [
    ...(kept === null || kept === undefined ? [] : [{ at: `held-${me}`, card: Number(kept), isKept: true }]),
    ...drawn.flatMap((card, slot) => (card === null ? [] : [{ at: `drew-${me}-${slot}`, card: Number(card), isKept: false }])),
  ];
}

/** §4.1 The Countess must be played beside the King or a Prince. */
export function mustPlayCountess(hand: InHand[]): boolean {
  const cards = hand.map(({ card }) => card);
  return cards.includes(8) && (cards.includes(5) || cards.includes(7));
}

/** How many cards a seat holds besides the one it keeps, as all can see. */
export function drawnOf(places: Places, seat: number): number {
  return places["turn"] === seat && places["in_round"]?.[seat] ? Number(places["drew_size"] ?? 0) : 0;
}

export function knownOf(places: Places, me: number | null, other: number): number | null {
  const card = mine<number | null>(places["known"], me)[other];
  return card === null || card === undefined ? null : Number(card);
}

export function excludedOf(places: Places, me: number | null, other: number): number[] {
  return seen(mine<number[]>(places["not_held"], me)[other]);
}

/** The cards under the deck that the reader put there, from the last one up; null: one that is not known. */
export function bottomOf(places: Places, me: number | null): (number | null)[] {
  const last = Number(places["top"]) + Number(places["deck_size"]) - 1 - Number(places["packed"]);
  const tucked = mine<number | null>(places["tucked_known"], me);
  const bottom = Array.from({ length: Math.max(0, last + 1) }, (_, at) => tucked[last - at] ?? null).slice(0, Number(places["deck_size"]));
  while (bottom.length > 0 && bottom.at(-1) === null) bottom.pop();
  return bottom;
}

/** The card on top of the deck, if the reader knows it. */
export function topOf(places: Places, me: number | null): number | null {
  const bottom = bottomOf(places, me);
  return bottom.length === Number(places["deck_size"]) ? (bottom.at(-1) ?? null) : null;
}

/** How many of each character the reader has not seen in this round, by value. */
export function unseenOf(places: Places, me: number | null, knobs: Knobs): number[] {
  const counts = [...copiesOf(knobs)];
  const open = seen(places["out"]);
  const known = ["known", "known_drew", "tucked_known", "lost"].flatMap((name) => seen(mine(places[name], me)));
  const held = handOf(places, me).map(({ card }) => card);
  for (const card of [...open, ...known, ...held]) counts[card] = (counts[card] as number) - 1;
  return counts.map((count) => Math.max(0, count));
}

/** What the reader knows of the card that another seat keeps. */
export function knowledgeOf(places: Places, me: number | null, other: number, knobs: Knobs): Knowledge {
  const known = knownOf(places, me, other);
  if (known !== null) return { kind: "known", card: known, saw: Boolean(mine<number>(places["saw"], me)[other]) };
  if (me === null) return { kind: "none" };
  const excluded = excludedOf(places, me, other);
  const odds = oddsOf(places, me, other, knobs);
  const isDuel = Number(knobs["players"]) === 2;
  if (odds.length > 0 && odds.length <= (isDuel ? 6 : 1)) return { kind: "chance", odds };
  if (excluded.length === 0) return { kind: "none" };
  const left = odds.map(({ card }) => card).sort((a, b) => a - b);
  if (left.length <= 3) return { kind: "few", cards: left };
  if (excluded.length <= 3) return { kind: "not", cards: excluded };
  return left.length <= 6 ? { kind: "set", cards: left } : { kind: "not", cards: excluded };
}

/** How likely another seat keeps each character, if every unseen card is equally likely; the likeliest first. */
export function oddsOf(places: Places, me: number | null, other: number, knobs: Knobs): { card: number; share: number }[] {
  const excluded = excludedOf(places, me, other);
  const counts = unseenOf(places, me, knobs).map((count, card) => (excluded.includes(card) ? 0 : count));
  const all = counts.reduce((sum, count) => sum + count, 0);
  return counts
    .map((count, card) => ({ card, share: all ? count / all : 0 }))
    .filter(({ share }) => share > 0)
    .sort((a, b) => b.share - a.share || a.card - b.card);
}

/** Why it is of no use to name a character; null if the target may hold it. */
export function uselessOf(places: Places, me: number, target: number, card: number, knobs: Knobs): Reason | null {
  const known = knownOf(places, me, target);
  if (known !== null) return known === card ? null : "certain";
  if (excludedOf(places, me, target).includes(card)) return "excluded";
  if (copiesOf(knobs)[card] === 0) return "absent";
  if (unseenOf(places, me, knobs)[card] !== 0 || seen(mine(places["lost"], me)).includes(card)) return null;
  if (handOf(places, me).some((each) => each.card === card)) return "mine";
  if (bottomOf(places, me).includes(card)) return "under";
  if (mine<number | null>(places["known"], me).includes(card)) return "elsewhere";
  return seen(places["face_up"]).includes(card) ? "open" : "played";
}

/** How likely a card of the reader is higher than what a seat keeps; ties apart. */
export function comparisonOf(places: Places, me: number, target: number, card: number, knobs: Knobs): { win: number; tie: number; lose: number } {
  const known = knownOf(places, me, target);
  const odds = known === null ? oddsOf(places, me, target, knobs) : [{ card: known, share: 1 }];
  const share = (fits: (other: number) => boolean) => odds.reduce((sum, each) => sum + (fits(each.card) ? each.share : 0), 0);
  return { win: share((other) => other < card), tie: share((other) => other === card), lose: share((other) => other > card) };
}

/** Values in short: from three in a row on a range, with an en dash. */
export function inShort(cards: number[]): string {
  const parts: string[] = [];
  for (let at = 0; at < cards.length; at++) {
    let end = at;
    while (cards[end + 1] === (cards[end] as number) + 1) end++;
    if (end - at >= NO_BAR_BELOW) {
      parts.push(`${cards[at]}–${cards[end]}`);
      at = end;
    } else parts.push(String(cards[at]));
  }
  return parts.join(" ");
}
