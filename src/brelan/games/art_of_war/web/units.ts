import type { Scene } from "$lib/scene.svelte";

export type Unit = "S" | "G" | "A" | "K1" | "K2";
/** As a move names a card: it does not say which King. */
export type Kind = "S" | "G" | "A" | "K";

/** The places of a view, by their names. */
export interface War {
  phase: string;
  first: number;
  active: number;
  turn_no: number;
  unit: (Unit | null)[][];
  posture: ("defensive" | "offensive")[][];
  damage: number[][];
  hand: (Unit[] | null)[];
  held: number[];
  kingdom: Unit[][];
  citizens: number[];
  reserves: Unit[][];
  reserve_size: number[];
  graveyard: Unit[][];
  kills: number[];
  pile_size: number[];
  attacker: string;
  target: string;
  bonus: number;
  outcome: string;
  winner: number | null;
  reason: string;
  to_conscript: number;
  must_demobilise: number;
  king: (Unit | null)[];
  king_seen: (Unit | null)[];
  known: Unit[][];
  unseen: Unit[][];
}

export const SLOTS = ["F1", "F2", "F3", "A1", "A2", "A3"] as const;
export type Slot = (typeof SLOTS)[number];
export const KINDS: Kind[] = ["S", "G", "A", "K"];
/** In the order in which a hand is sorted and unseen cards are counted. */
export const UNITS: Unit[] = ["K1", "K2", "G", "A", "S"];
const FRONT = 3;

const DEFENCE = {
  defensive: { S: 2, G: 3, A: 2, K1: 4, K2: 5 },
  offensive: { S: 1, G: 2, A: 1, K1: 4, K2: 4 },
};
/** Steps sideways and forward (§3). */
const STEPS: Record<Unit, [number, number][]> = {
  S: [[0, 1]],
  G: [[0, 1]],
  A: [[-1, 2], [1, 2], [-2, 1], [2, 1]],
  K1: [[-1, 1], [0, 1], [1, 1], [0, 2]],
  K2: [[-1, 1], [0, 1], [1, 1]],
};
const WHOLE_ROW: [number, number][] = [[-2, 1], [2, 1]];

/** The table as it is shown now; null before the first view has come. */
export function warOf(scene: Scene): War | null {
  return "unit" in scene.places ? (scene.places as unknown as War) : null;
}

export const isKing = (card: Unit | null): boolean => card === "K1" || card === "K2";
export const kindOf = (card: Unit): Kind => (isKing(card) ? "K" : (card as Kind));
export const isRear = (slot: number): boolean => slot >= FRONT;
/** Whose side is drawn below. */
export const nearSeat = (scene: Scene): number => scene.me ?? 0;

/** The slots of a battlefield as they are drawn, row by row: the far one is turned round. */
export function drawn(isFar: boolean): number[] {
  return isFar ? [5, 4, 3, 2, 1, 0] : [0, 1, 2, 3, 4, 5];
}

/** The enemy slots that a unit reaches, occupied or not. */
export function reach(card: Unit, slot: number, knobs: Scene["knobs"]): number[] {
  const row = Math.floor(slot / FRONT);
  const column = slot % FRONT;
  const steps = knobs["king_row"] === "whole" && isKing(card) ? [...STEPS[card], ...WHOLE_ROW] : STEPS[card];
  return steps
    .map(([sideways, forward]) => ({ ahead: forward - 1 - row, across: FRONT - 1 - column - sideways }))
    .filter(({ ahead, across }) => (ahead === 0 || ahead === 1) && across >= 0 && across < FRONT)
    .map(({ ahead, across }) => FRONT * ahead + across)
    .sort((one, other) => one - other);
}

/** The enemies in range of a unit. */
export function reached(war: War, seat: number, slot: number, knobs: Scene["knobs"]): number[] {
  const card = war.unit[seat]![slot];
  return card ? reach(card, slot, knobs).filter((each) => war.unit[1 - seat]![each]) : [];
}

/** The defence printed for the posture in which a unit stands. */
export function defence(war: War, seat: number, slot: number): number {
  return DEFENCE[war.posture[seat]![slot]!][war.unit[seat]![slot]!];
}

/** What a blow of a unit is worth now; a Soldier's is the size of the hand. */
export function strength(war: War, seat: number, slot: number): number {
  const bonus = seat === war.active ? war.bonus : 0;
  return bonus + (war.unit[seat]![slot] === "S" ? war.held[seat]! : 1);
}

/** Of two Kings in a hand a move means the player's own; the captive once he has gone. */
export function kingMeant(war: War, seat: number): Unit | undefined {
  const hand = war.hand[seat] ?? [];
  return hand.find((card) => card === war.king[seat]) ?? hand.find(isKing);
}

/** The cards of a hand, sorted; each with what makes it one of its kind. */
export function sorted(hand: Unit[]): { card: Unit; copy: number }[] {
  return UNITS.flatMap((unit) => hand.filter((card) => card === unit).map((card, copy) => ({ card, copy })));
}

export function count(cards: Unit[], unit: Unit): number {
  return cards.filter((card) => card === unit).length;
}

/** What is certain of a hand that is not seen: cards that all have seen, then the others. */
export function hiddenHand(war: War, seat: number): { known: Unit[]; isKingThere: boolean; others: number } {
  const known = UNITS.flatMap((unit) => war.known[seat]!.filter((card) => card === unit));
  const isKingThere = war.phase !== "deal" && war.king_seen[seat] === null;
  return { known, isKingThere, others: Math.max(0, war.held[seat]! - known.length - Number(isKingThere)) };
}

/** What one's own deck still holds: cards never shown, less those in hand. */
export function leftInDeck(war: War, seat: number): Unit[] {
  const left = [...war.unseen[seat]!];
  const shown = [...war.known[seat]!];
  for (const card of war.hand[seat] ?? []) {
    const at = shown.indexOf(card);
    if (at >= 0) shown.splice(at, 1);
    else if (left.includes(card)) left.splice(left.indexOf(card), 1);
  }
  return left;
}
