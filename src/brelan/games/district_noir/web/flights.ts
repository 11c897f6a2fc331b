import type { Flight } from "$lib/game";
import type { Scene } from "$lib/scene.svelte";
import type { Places } from "$lib/vocabulary";
import type { Step } from "$lib/wire";
import { many, numbered, type Printed } from "./count";

/** The names of the places of cards, as `data-at`. */
export const inRow = (place: number): string => `row-${place}`;
export const inHand = (card: Printed, nth: number): string => (nth === 0 ? `card-${card}` : `card-${card}-${nth}`);
export const asBack = (seat: number, place: number): string => `back-${seat}-${place}`;
export const taken = (seat: number, card: Printed, nth: number): string => `taken-${seat}-${card}-${nth}`;

/** Which cards travel: a card to the row, the newest to a collection, the pile to the hands. */
export function flights(before: Places, after: Places, step: Step, _scene: Scene): Flight[] {
  if (!before["row"] || !after["row"]) return [];
  if (step.seat === null) return after["round_no"] === before["round_no"] ? [] : dealt(before, after);
  return after["row_size"] > before["row_size"] ? played(before, after, step.seat) : swept(before, after, step.seat);
}

function played(before: Places, after: Places, seat: number): Flight[] {
  const card = (after["row"] as Printed[]).at(-1) as Printed;
  const hand = before["hand"][seat] as Printed[] | null;
  const from = hand ? inHand(card, many(hand, card) - 1) : asBack(seat, before["held"][seat] - 1);
  return [{ from, to: inRow(after["row_size"] - 1) }];
}

/** The newest card goes first. */
function swept(before: Places, after: Places, seat: number): Flight[] {
  const had = [...before["collection"][seat]] as Printed[];
  const cards = (before["row"] as Printed[]).slice(after["row_size"]);
  return [...cards].reverse().map((card, at) => {
    const nth = many(had, card);
    had.push(card);
    return { from: inRow(before["row_size"] - 1 - at), to: taken(seat, card, nth), after: 40 * at, lasts: 480 };
  });
}

function dealt(before: Places, after: Places): Flight[] {
  const ends: string[] = [];
  for (const seat of [0, 1]) {
    const hand = after["hand"][seat] as Printed[] | null;
    if (hand) ends.push(...numbered(hand).map(({ card, nth }) => inHand(card, nth)));
    else ends.push(...Array.from({ length: after["held"][seat] }, (_, place) => asBack(seat, place)));
  }
  for (let place = before["row_size"]; place < after["row_size"]; place++) ends.push(inRow(place));
  return ends.map((to, at) => ({ from: "pile", to, after: 40 * at }));
}
