import type { Scene } from "$lib/scene.svelte";
import type { Places } from "$lib/vocabulary";
import { CITIES, KINDS, many, type Printed } from "./count";

/** What a reader has not seen, and where it can be. */
export interface Unseen {
  /** How many of each kind. */
  counts: Record<Printed, number>;
  total: number;
  /** Cards in hands that the reader does not see, by seat. */
  held: [number, number];
  pile: number;
  aside: number;
}

/** What is left of the pack when all that the reader sees is taken out (§6). */
export function unseenBy(places: Places): Unseen {
  const hands = places["hand"] as (Printed[] | null)[];
  const shown = [places["row"], ...places["collection"], ...places["shown_hand"], places["shown_aside"], ...hands.map((hand) => hand ?? [])].flat() as Printed[];
  const copies = places["copies"] as Printed[];
  const counts = Object.fromEntries(KINDS.map((card) => [card, Math.max(0, many(copies, card) - many(shown, card))]));
  const held = [0, 1].map((seat) => (hands[seat] ? 0 : places["held"][seat])) as [number, number];
  const total = Object.values(counts).reduce((sum, each) => sum + each, 0);
  return { counts, total, held, pile: places["pile_size"], aside: places["aside_size"] };
}

/** The unseen cards when all of them are in one hand: then that hand is known. */
export function knownHand(unseen: Unseen, seat: number): Printed[] | null {
  if (unseen.held[seat] === 0 || unseen.held[seat] !== unseen.total) return null;
  return KINDS.flatMap((card) => Array<Printed>(unseen.counts[card]).fill(card));
}

/** The one unseen City that somebody lacks for all three, if there is one. */
export function lackedCity(places: Places, unseen: Unseen): Printed | null {
  for (const seat of [0, 1]) {
    const lacked = CITIES.filter((city) => !places["collection"][seat].includes(city));
    if (lacked.length === 1 && unseen.counts[lacked[0]] > 0) return lacked[0];
  }
  return null;
}

/** Whether a seat may still collect all three Cities, as far as the collections tell. */
export function canGather(places: Places, seat: number): boolean {
  return CITIES.every((city) => {
    const isOwned = places["collection"][seat].includes(city);
    return isOwned || many(places["copies"], city) > many(places["collection"][1 - seat], city);
  });
}

/** Whether the reader wants slips, corners and counts. */
export const isAided = (scene: Scene): boolean => scene.knobs["memory_aid"] !== "off";

/** A share in per cent, as the page writes it. */
export const percent = (part: number, whole: number): string => `${Math.round((100 * part) / whole)} %`;
