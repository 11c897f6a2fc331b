import type { Places } from "$lib/vocabulary";

/** How a packet is shared out (§5): by step, the first card taken from it; by card, the step at which it is taken. */
interface Style {
  firstTaken: number[];
  takenAt: number[];
}

const PACKET = 4;
const ONE_BY_ONE: Style = { firstTaken: [0, 1, 2, 3, 4], takenAt: [1, 2, 3, 4] };
const TWO_FIRST: Style = { firstTaken: [0, 2, 3, 4, 4], takenAt: [1, 1, 2, 3] };
const KEEP_AND_BURN: Style = { firstTaken: [0, 2, 4, 4, 4], takenAt: [1, 1, 2, 2] };

/** What a seat has done with a packet at a step of a deal. */
export interface Choice {
  deal: number;
  step: number;
  kept: string[];
  burned: string[];
  passed: string[];
  /** To whom the rest went. */
  next: number;
}

/** Cards of which it is known who may have them; if matched, each holder has one of them. A holder may be `BURNED`. */
export interface Heap {
  cards: string[];
  holders: number[];
  isMatched: boolean;
}

export const BURNED = 4;

export function playersOf(places: Places): number {
  return Number(places["knobs"]?.["players"]);
}

function styleOf(places: Places): Style {
  const players = playersOf(places);
  const knobs = places["knobs"] ?? {};
  if (players === 3) return TWO_FIRST;
  if (players === 4 || knobs["two_player_draft"] === "full" || knobs["dead_family"] === "removed") return ONE_BY_ONE;
  return KEEP_AND_BURN;
}

/** Whether every second card of a packet is burned. */
export function burns(places: Places): boolean {
  return styleOf(places) === KEEP_AND_BURN;
}

/** Which way the packets of a deal go: 1 to the left, −1 to the right. */
export function direction(places: Places, deal: number): 1 | -1 {
  return places["knobs"]?.["draft"] === "alternate" && deal % 2 === 0 ? -1 : 1;
}

function around(places: Places, seat: number): number {
  const players = playersOf(places);
  return ((seat % players) + players) % players;
}

/** To whom a seat passes packets now, and from whom they come. */
export function neighbours(places: Places, me: number): { next: number; previous: number; way: 1 | -1 } {
  const way = direction(places, places["deal_no"]);
  return { next: around(places, me + way), previous: around(places, me - way), way };
}

/** How many cards of a packet are chosen at the step that goes on, and how many pass on after it. */
export function stepOf(places: Places): { chosen: number; passed: number } {
  const { firstTaken } = styleOf(places);
  const step = places["step"] as number;
  const [from, to] = [firstTaken[step - 1] as number, firstTaken[step] as number];
  return { chosen: to - from, passed: PACKET - to };
}

/** How many choices a deal has, counting the last card that is kept by itself. */
export function stepsInDeal(places: Places): number {
  return new Set(styleOf(places).takenAt).size;
}

/** How many deals there are in a game. */
export function deals(places: Places): number {
  const removed = (places["removed"] as (string | null)[]).filter(Boolean).length;
  return (48 - removed) / (PACKET * playersOf(places));
}

/** How many cards each seat keeps in a game. */
export function keptInAll(places: Places): number {
  return deals(places) * (burns(places) ? 2 : 4);
}

/** Which of the cards of a packet, in the order in which they are taken, are burned. */
function isBurned(places: Places, place: number): boolean {
  return burns(places) && place % 2 === 1;
}

/** What a seat has chosen and passed in this game, as it remembers it, in order. */
export function choicesOf(places: Places, me: number): Choice[] {
  const rows = places["remembered"]?.[me] as (string | null)[][] | null;
  if (!rows) return [];
  const { firstTaken } = styleOf(places);
  const players = playersOf(places);
  const found: Choice[] = [];
  for (let deal = 1; deal <= places["deal_no"]; deal++) {
    for (let step = 1; step <= PACKET; step++) {
      const way = direction(places, deal);
      const row = rows[(deal - 1) * players + around(places, me - way * (step - 1))] ?? [];
      const [from, to] = [firstTaken[step - 1] as number, firstTaken[step] as number];
      const taken = row.slice(from, to).flatMap((card, at) => (card ? [{ card, out: isBurned(places, from + at) }] : []));
      if (taken.length === 0) continue;
      const only = (out: boolean) => taken.filter((each) => each.out === out).map(({ card }) => card);
      const passed = row.slice(to).filter((card): card is string => Boolean(card));
      found.push({ deal, step, kept: only(false), burned: only(true), passed, next: around(places, me + way) });
    }
  }
  return found;
}

/** The cards of each packet that a seat passed on, with those who took them after it; for when the draft is over. */
export function passedHeaps(places: Places, me: number): Heap[] {
  const rows = (places["remembered"]?.[me] ?? []) as (string | null)[][];
  const { takenAt } = styleOf(places);
  const players = playersOf(places);
  return rows.flatMap((row, number) => {
    const way = direction(places, Math.floor(number / players) + 1);
    const takers = takenAt.map((step) => around(places, number + way * (step - 1)));
    const mine = takers.flatMap((taker, place) => (taker === me && row[place] ? [place] : []));
    if (mine.length === 0) return [];
    const holders = takers.map((taker, place) => (isBurned(places, place) ? BURNED : taker));
    const first = mine[0] as number;
    const last = mine[mine.length - 1] as number;
    const heaps: Heap[] = [];
    for (let place = first; place < last; place++) {
      if (takers[place] !== me) heaps.push({ cards: [row[place] as string], holders: [holders[place] as number], isMatched: true });
    }
    const after = row.slice(last + 1).filter((card): card is string => Boolean(card));
    if (after.length > 0) heaps.push({ cards: after, holders: holders.slice(last + 1), isMatched: true });
    return heaps;
  });
}
