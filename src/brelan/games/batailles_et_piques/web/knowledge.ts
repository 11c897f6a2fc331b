import type { Places } from "$lib/vocabulary";

/** A card by what is printed on it: its strength, `K` the King, `M` a mine. */
export type Printed = number | "K" | "M";
export type SlotName = "left" | "right" | "centre";

/** Slots in the order in which they are numbered, and as they stand side by side. */
export const SLOTS: SlotName[] = ["left", "right", "centre"];
const STANDING: SlotName[] = ["left", "centre", "right"];
/** Every kind of card, by its number in the table of moves less one. */
export const KINDS: Printed[] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, "K", "M"];

/** A card that a hand is known to hold, and the slots in which it may stand instead. */
export interface Minded {
  card: Printed;
  unless: SlotName[];
}

/** Kinds that a card in play can be, each with the copies of it that are unseen. */
export type Counts = Map<Printed, number>;

/** The slots of the game, as they stand side by side. */
export function slotsOf(places: Places): SlotName[] {
  return STANDING.slice(0, 3).filter((slot) => SLOTS.indexOf(slot) < Number(places.knobs.slots));
}

/** The card of a number in the table of moves; null for none. */
export function cardOf(number: number): Printed | null {
  return KINDS[number - 1] ?? null;
}

/** The slots of a set held as a number. */
export function slotsIn(set: number): SlotName[] {
  return SLOTS.filter((_, at) => (set >> at) & 1);
}

/** The kinds that an army has at first. */
export function army(places: Places): Printed[] {
  const name = (card: Printed) => ({ K: "kings", M: "mines" })[String(card)] ?? `copies_${card}`;
  return KINDS.filter((card) => Number(places.knobs[name(card)]) > 0);
}

/** How many of each kind there are among some cards. */
export function counted(cards: Printed[]): Counts {
  const found: Counts = new Map();
  for (const card of cards) found.set(card, (found.get(card) ?? 0) + 1);
  return found;
}

function seen(places: Places, seat: number, slot: SlotName, reader: number | null): Printed | null {
  const at = SLOTS.indexOf(slot);
  const own = places.in_play[seat]?.[at] ?? null;
  if (own !== null && (reader === null ? places.seat === null : seat === reader)) return own;
  return reader === null || seat === reader ? null : (places.known[reader]?.[seat]?.[at] ?? null);
}

function openList(places: Places, seat: number, slot: SlotName): Printed[] {
  return places.can_be[seat]?.[SLOTS.indexOf(slot)] ?? [];
}

/** A card that a reader (null: anybody) has seen, or of which all know what it is. */
function sureOf(places: Places, seat: number, slot: SlotName, reader: number | null): Printed | null {
  const found = seen(places, seat, slot, reader);
  if (found !== null) return found;
  const kinds = openList(places, seat, slot);
  return kinds.length === 1 ? kinds[0] : null;
}

/** Whether the reader has seen a card with their own eyes. */
export function hasSeen(places: Places, seat: number, slot: SlotName): boolean {
  return seen(places, seat, slot, places.seat) !== null;
}

/**
 * The kinds that are left for a card in play, with the copies of each that are unseen: those that are alive and not
 * known to be elsewhere. One mine at most is in play.
 */
function left(places: Places, seat: number, slot: SlotName, reader: number | null): Counts {
  const beside = slotsOf(places).filter((other) => other !== slot).map((other) => sureOf(places, seat, other, reader));
  const counts = counted(places.living[seat] as Printed[]);
  const elsewhere = [...beside, ...mindedBy(places, seat, reader, sureOf).filter(({ unless }) => unless.length === 0).map(({ card }) => card)];
  for (const card of elsewhere) if (card !== null) counts.set(card, (counts.get(card) ?? 0) - 1);
  for (const [card, count] of counts) if (count <= 0 || (card === "M" && beside.includes("M"))) counts.delete(card);
  return counts;
}

/** What is left for a card in play, whether or not its open list still has it. */
export function leftFor(places: Places, seat: number, slot: SlotName, reader: number | null = places.seat): Counts {
  return left(places, seat, slot, reader);
}

/** What a card in play can be for a reader, with the unseen copies of each kind. */
export function possible(places: Places, seat: number, slot: SlotName, reader: number | null = places.seat): Counts {
  const known = seen(places, seat, slot, reader);
  if (known !== null) return new Map([[known, 1]]);
  const list = openList(places, seat, slot);
  return new Map([...left(places, seat, slot, reader)].filter(([card]) => list.includes(card)));
}

/** The card in a slot, if the reader is sure of it. */
export function sure(places: Places, seat: number, slot: SlotName, reader: number | null = places.seat): Printed | null {
  const found = sureOf(places, seat, slot, reader);
  if (found !== null) return found;
  const kinds = [...possible(places, seat, slot, reader).keys()];
  return kinds.length === 1 ? kinds[0] : null;
}

type Sure = typeof sureOf;

/** The cards that a hand is known to hold; a card that surely stands in a slot tells nothing more. */
function mindedBy(places: Places, seat: number, me: number | null, sureBy: Sure): Minded[] {
  const reader = me === seat ? null : me;
  const cards: (Printed | null)[] = (reader === null ? places.open_hand_holds[seat] : places.hand_holds[reader]?.[seat]) ?? [];
  const unless: SlotName[][] = (reader === null ? places.open_unless_in[seat] : places.unless_in[reader]?.[seat]) ?? [];
  const inPlay: (Printed | "counted" | null)[] = SLOTS.map((slot) => sureBy(places, seat, slot, reader));
  return cards.flatMap((card, at) => {
    if (card === null) return [];
    const may = unless[at].filter((slot) => {
      const stands = inPlay[SLOTS.indexOf(slot)];
      return openList(places, seat, slot).includes(card) && (stands === null || stands === card);
    });
    const found = may.find((slot) => inPlay[SLOTS.indexOf(slot)] === card);
    if (found === undefined) return [{ card, unless: may }];
    inPlay[SLOTS.indexOf(found)] = "counted";
    return [];
  });
}

/** The cards that a hand is known to hold; of one's own, what everybody knows. */
export function minded(places: Places, seat: number): Minded[] {
  return mindedBy(places, seat, places.seat, sure);
}

/** The cards of an army that the reader knows where to find: in play, and in the hand. */
export function located(places: Places, seat: number): Printed[] {
  const inHand: Printed[] = seat === places.seat ? places.hand[seat] : minded(places, seat).map(({ card }) => card);
  const inPlay = slotsOf(places).map((slot) => sure(places, seat, slot));
  return [...inHand, ...inPlay].filter((card) => card !== null);
}

/** The living cards of an army that the reader has seen nowhere. */
export function unseen(places: Places, seat: number): Printed[] {
  const rest = counted(located(places, seat));
  return (places.living[seat] as Printed[]).filter((card) => {
    const found = rest.get(card) ?? 0;
    if (found > 0) rest.set(card, found - 1);
    return found === 0;
  });
}

/** The seats that have seen a card in play. */
export function observers(places: Places, seat: number, slot: SlotName): number[] {
  const names: string[] = places.seen_by[seat]?.[SLOTS.indexOf(slot)] ?? [];
  return names.map((name) => Number(name.split("_")[1]));
}
