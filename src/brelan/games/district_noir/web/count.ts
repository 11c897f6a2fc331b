import type { Knobs, Places } from "$lib/vocabulary";

/** What is printed on a card: `S5`, `A2`, `T1`, `V1`. */
export type Printed = string;

export const SUPPORTS = ["S5", "S6", "S7", "S8"];
export const CITIES = ["V1", "V2", "V3"];
export const KINDS = [...SUPPORTS, "A2", "A3", "A4", "T1", "T2", "T3", ...CITIES];
const SET = 5;

export const many = (cards: Printed[], card: Printed): number => cards.filter((each) => each === card).length;
export const isCity = (card: Printed): boolean => card.startsWith("V");
const digit = (card: Printed): number => Number(card[1]);

/** What a collection scores against another (§7), by what it scores for. */
export interface Count {
  /** The Supports of which it has more. */
  majorities: Printed[];
  sets: number;
  alliances: number;
  betrayals: number;
  /** The different Cities in it. */
  cities: Printed[];
  points: number;
}

export function countOf(mine: Printed[], theirs: Printed[]): Count {
  const majorities = SUPPORTS.filter((card) => many(mine, card) > many(theirs, card));
  const sets = Math.min(...SUPPORTS.map((card) => many(mine, card)));
  const sum = (letter: string) => mine.filter((card) => card.startsWith(letter)).reduce((all, card) => all + digit(card), 0);
  const alliances = sum("A");
  const betrayals = 0 - sum("T");
  const points = majorities.reduce((all, card) => all + digit(card), SET * sets + alliances + betrayals);
  return { majorities, sets, alliances, betrayals, cities: CITIES.filter((city) => mine.includes(city)), points };
}

/** How many cards a take brings a seat now (§4, §5.6). */
export function takeSize(places: Places, knobs: Knobs, seat: number): number {
  const isWhole = knobs["forced_take"] === "whole_row" && places["held"][seat] === 0;
  return isWhole ? places["row_size"] : Math.min(Number(knobs["take_size"] ?? 5), places["row_size"]);
}

/** Who would take next: the seat in turn, or else the other one; null when both have taken. */
export function nextTaker(places: Places): number | null {
  if (places["phase"] !== "act" || places["turn"] === null) return null;
  const turn = places["turn"] as number;
  return [turn, 1 - turn].find((seat) => !places["has_taken"][seat]) ?? null;
}

/** What a take changes. */
export interface Forecast {
  seat: number;
  cards: Printed[];
  /** The points of both seats, before and after. */
  before: [number, number];
  after: [number, number];
  /** It completes the three Cities, which wins at once. */
  wins: boolean;
}

/** What the take of a seat would change now, from what lies open; Cities in a hand count where it is seen. */
export function forecast(places: Places, knobs: Knobs, seat: number): Forecast {
  const [first, second] = places["collection"] as [Printed[], Printed[]];
  const size = takeSize(places, knobs, seat);
  const row = places["row"] as Printed[];
  const cards = size > 0 ? row.slice(-size) : [];
  const taken = [first, second].map((each, at) => (at === seat ? [...each, ...cards] : each)) as [Printed[], Printed[]];
  const held = knobs["city_win"] === "hand_or_collected" ? ((places["hand"][seat] as Printed[] | null) ?? []) : [];
  const points = ([a, b]: [Printed[], Printed[]]): [number, number] => [countOf(a, b).points, countOf(b, a).points];
  const wins = knobs["city_win"] !== "off" && CITIES.every((city) => taken[seat].includes(city) || held.includes(city));
  return { seat, cards, before: points([first, second]), after: points(taken), wins };
}

/** The cards of a list, each with how many of its kind come before it. */
export function numbered(cards: Printed[]): { card: Printed; nth: number }[] {
  const seen: Record<Printed, number> = {};
  return cards.map((card) => ({ card, nth: (seen[card] = (seen[card] ?? -1) + 1) }));
}

/** A number as the cards write it: with its sign. */
export const signed = (number: number): string => (number > 0 ? `+${number}` : plain(number));
export const plain = (number: number): string => String(number).replace("-", "−");
