import type { Scene } from "$lib/scene.svelte";
import type { Places } from "$lib/vocabulary";
import { CARDS, FAMILIES, KING, printed, servedBy, valueOf } from "./court";
import { choicesOf, passedHeaps, playersOf, type Heap } from "./draft";
import { familyOf, type Family } from "./faces";

const BY_SEAT = 1024; // an entry of the log is the number of a move + so much × the seat
const GIVE = 10;
const LAY = 11;
const [GIVEN, DRAWN] = [0, 1];

interface Logged {
  kind: number;
  card: string | null;
  seat: number;
}

/** What a seat has a right to know of hidden cards in this game. */
export interface Knowledge {
  /** Cards that are surely in the hand of a seat. */
  sure: Map<number, string[]>;
  /** Cards that went to several takers, one each: not yet told apart. */
  shared: Heap[];
  /** The families that a seat may serve. */
  families: Map<number, Family[]>;
  /** Seats whose King has come to light, at the end or before any Jack had been at their hand. */
  shown: Set<number>;
  /** Cards out of sight, by family, weakest first. */
  unseen: Record<Family, string[]>;
  /** Cards that I burned. */
  burned: string[];
}

/** Read off what a seat has a right to know: its view holds all that it has seen. */
export function knowledgeOf(scene: Scene): Knowledge {
  const { places, me } = scene;
  const log = logOf(scene);
  const { families, shown } = familiesOf(places, me, log);
  const burned = me === null ? [] : choicesOf(places, me).flatMap((choice) => choice.burned);
  const unseen = unseenBy(places, me, burned);
  const hidden = new Set(Object.values(unseen).flat());
  const heaps = me === null ? [] : heapsOf(places, me, log).map((heap) => ({ ...heap, cards: heap.cards.filter((card) => hidden.has(card)) }));
  const sure = new Map<number, string[]>();
  for (const { cards, holders } of heaps) {
    const [holder] = holders;
    if (holders.length === 1 && holder !== undefined && cards.length > 0) sure.set(holder, [...(sure.get(holder) ?? []), ...cards]);
  }
  const shared = heaps.filter(({ cards, holders }) => cards.length > 0 && holders.length > 1);
  return { sure, shared, families, shown, unseen, burned };
}

function logOf(scene: Scene): Logged[] {
  return ((scene.places["log"] ?? []) as number[]).map((entry) => {
    const row = scene.dictionary?.row(entry % BY_SEAT) ?? {};
    return { kind: row["kind"] ?? 0, card: printed(row["card"] ?? 0), seat: Math.floor(entry / BY_SEAT) };
  });
}

/** What was passed on, less what has come to light, blurred by exchanges that the reader had no part in. */
function heapsOf(places: Places, me: number, log: Logged[]): Heap[] {
  const heaps = passedHeaps(places, me);
  let exchange = 0;
  for (const { kind, card, seat } of log) {
    if (kind === LAY && card) takeOut(heaps, card, seat);
    else if (kind === GIVE) {
      if (exchange < places["exchange_no"]) exchanged(heaps, places, me, exchange);
      exchange += 1;
    }
  }
  const held = places["held"] as number[];
  return heaps.map((heap) => ({ ...heap, holders: heap.holders.filter((holder) => held[holder] !== 0) }));
}

function takeOut(heaps: Heap[], card: string, holder: number): void {
  for (const heap of heaps) {
    if (!heap.cards.includes(card)) continue;
    heap.cards = heap.cards.filter((each) => each !== card);
    const at = heap.holders.indexOf(holder);
    if (heap.isMatched && at >= 0) heap.holders = heap.holders.filter((_, place) => place !== at);
  }
}

function exchanged(heaps: Heap[], places: Places, me: number, exchange: number): void {
  const parties = [places["giver"][exchange], places["receiver"][exchange]] as [number, number];
  if (!parties.includes(me)) {
    for (const heap of heaps) {
      if (!heap.holders.some((holder) => parties.includes(holder))) continue;
      heap.holders = [...new Set([...heap.holders, ...parties])].sort();
      heap.isMatched = false;
    }
    return;
  }
  const mine = parties[0] === me ? GIVEN : DRAWN;
  const other = parties[mine === GIVEN ? 1 : 0];
  const cards = places["exchanged"][me][exchange] as string[];
  if (cards[GIVEN] === cards[DRAWN]) return; // a card has come back to who gave it
  takeOut(heaps, cards[mine === GIVEN ? DRAWN : GIVEN] as string, other);
  heaps.push({ cards: [cards[mine] as string], holders: [other], isMatched: true });
}

/**
 * The families that each other seat may serve. Who lays or loses a King before any Jack has been at their hand
 * serves his family (§10).
 */
function familiesOf(places: Places, me: number | null, log: Logged[]): Pick<Knowledge, "families" | "shown"> {
  const players = playersOf(places);
  const seats = Array.from({ length: players }, (_, seat) => seat);
  const known = new Map<number, Family>();
  const touched = new Set<number>();
  let exchange = 0;
  for (const seat of seats) {
    const family = servedBy(places, seat);
    if (family) known.set(seat, family);
  }
  for (const { kind, card, seat } of log) {
    if (kind === LAY && card && valueOf(card) === KING && !touched.has(seat)) known.set(seat, familyOf(card));
    if (kind !== GIVE) continue;
    const [giver, receiver] = [places["giver"][exchange], places["receiver"][exchange]] as [number, number];
    const cards = me === giver || me === receiver ? (places["exchanged"][me][exchange] as (string | null)[]) : [];
    for (const [party, column] of [[giver, GIVEN], [receiver, DRAWN]] as const) {
      const lost = cards[column];
      if (lost && valueOf(lost) === KING && !touched.has(party)) known.set(party, familyOf(lost));
    }
    touched.add(giver).add(receiver);
    exchange += 1;
  }
  const dead = ((places["shown_aside"] ?? []) as (string | null)[]).flatMap((king) => (king ? [familyOf(king)] : []));
  const taken = new Set([...known.values(), ...dead]);
  const open = FAMILIES.filter((family) => !taken.has(family));
  const families = new Map(seats.map((seat) => [seat, known.has(seat) ? [known.get(seat) as Family] : open]));
  return { families, shown: new Set(known.keys()) };
}

function unseenBy(places: Places, me: number | null, burned: string[]): Record<Family, string[]> {
  const own = me === null ? [] : [...(places["hand"]?.[me] ?? []), places["king"]?.[me], ...(places["packet"]?.[me] ?? []), ...(places["chosen"]?.[me] ?? [])];
  const seen = new Set([...places["court"], ...places["discard"], ...places["removed"], ...places["shown_aside"], ...own, ...burned]);
  const cards = CARDS.filter((card) => !seen.has(card));
  return Object.fromEntries(FAMILIES.map((family) => [family, cards.filter((card) => familyOf(card) === family)])) as Record<Family, string[]>;
}
