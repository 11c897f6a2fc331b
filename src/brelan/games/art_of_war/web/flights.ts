import type { Flight } from "$lib/game";
import type { Scene } from "$lib/scene.svelte";
import type { Places } from "$lib/vocabulary";
import type { Step } from "$lib/wire";
import { lifted } from "./lifted.svelte";
import { unitPart } from "./moves";
import { kindOf, SLOTS, sorted, type Unit, type War } from "./units";

const CAPTURE = 420;
const ADVANCE = 240;

/** Which cards travel in a step: drawn, deployed, swapped, captured, advancing, called up, demobilised. */
export function flights(was: Places, is: Places, _step: Step, _scene: Scene): Flight[] {
  if (!("unit" in was) || !("unit" in is)) return [];
  const before = was as unknown as War;
  const after = is as unknown as War;
  return [0, 1].flatMap((seat) => ofSeat(before, after, seat));
}

function ofSeat(before: War, after: War, seat: number): Flight[] {
  const found: Flight[] = [];
  const came = gained(before, after, seat);
  const queue = after.citizens[seat]! > before.citizens[seat]! ? `citizen-${seat}-${after.citizens[seat]! - 1}` : null;
  const reserve = after.reserve_size[seat]! > before.reserve_size[seat]! ? `reserved-${seat}-${after.reserve_size[seat]! - 1}` : null;
  const fallen = SLOTS.findIndex((_, slot) => before.unit[1 - seat]![slot] && lost(before, after, 1 - seat, slot));
  if (after.pile_size[seat]! < before.pile_size[seat]! && after.turn_no > 0 && came) found.push({ from: `deck-${seat}`, to: came });
  const isCapture = queue !== null && after.held[seat] === before.held[seat] && fallen >= 0;
  if (isCapture) found.push({ from: unitPart(1 - seat, fallen), to: queue, lasts: CAPTURE });
  else if (queue) found.push({ from: given(before, after, seat), to: queue });
  for (const slot of SLOTS.keys()) {
    const here = after.unit[seat]![slot];
    const old = before.unit[seat]![slot];
    if (!here) continue;
    const behind = slot + 3;
    const hasAdvanced = slot < 3 && before.unit[seat]![behind] === here && !after.unit[seat]![behind] && old;
    if (hasAdvanced) found.push({ from: unitPart(seat, behind), to: unitPart(seat, slot), after: CAPTURE, lasts: ADVANCE });
    else if (!old || old !== here) {
      found.push({ from: from(before, after, seat), to: unitPart(seat, slot) });
      if (old) found.push({ from: unitPart(seat, slot), to: reserve ?? came ?? "" });
    }
  }
  if (reserve && !found.some(({ to }) => to === reserve)) found.push({ from: given(before, after, seat), to: reserve });
  return found;
}

/** Whether what stood in a slot is gone from it: fallen, and perhaps another has advanced there. */
function lost(before: War, after: War, seat: number, slot: number): boolean {
  const count = (war: War) => war.unit[seat]!.filter(Boolean).length;
  if (count(after) >= count(before)) return false;
  return after.unit[seat]![slot] === null && !(slot >= 3 && before.unit[seat]![slot] === after.unit[seat]![slot - 3] && struck(after) !== slot) || struck(after) === slot;
}

function struck(war: War): number {
  return SLOTS.findIndex((name) => name.toLowerCase() === war.target);
}

/** Where a unit that is new on the field came from. */
function from(before: War, after: War, seat: number): string {
  if (after.reserve_size[seat]! < before.reserve_size[seat]!) return `reserved-${seat}-0`;
  if (before.reserve_size[seat]! > 0 && after.held[seat] === before.held[seat] && before.phase === "action") return `reserved-${seat}-0`;
  if (after.citizens[seat]! < before.citizens[seat]!) return `citizen-${seat}-${left(before.kingdom[seat]!, after.kingdom[seat]!)}`;
  return given(before, after, seat);
}

/** Where the first of two queues lacks what the other holds no more. */
function left(before: Unit[], after: Unit[]): number {
  const at = before.findIndex((card, place) => card !== after[place]);
  return Math.max(0, at);
}

/** The card that has left a hand, where it lay. */
function given(before: War, after: War, seat: number): string {
  const hand = before.hand[seat];
  const now = after.hand[seat];
  if (!hand || !now) return `held-${seat}-${before.held[seat]! - 1}`;
  const gone = hand.find((card) => hand.filter((each) => each === card).length > now.filter((each) => each === card).length) ?? hand[0]!;
  const copies = hand.filter((card) => card === gone).length;
  return `hand-${gone}-${Math.min(lifted.copies[kindOf(gone)] ?? copies - 1, copies - 1)}`;
}

/** The card that has come to a hand, where it lies. */
function gained(before: War, after: War, seat: number): string | null {
  const hand = before.hand[seat];
  const now = after.hand[seat];
  if (!hand || !now) {
    const swapped = after.known[seat]!.length > before.known[seat]!.length;
    if (after.held[seat]! > before.held[seat]!) return `held-${seat}-${after.held[seat]! - 1}`;
    return swapped ? `held-${seat}-0` : null;
  }
  const came = sorted(now).find(({ card, copy }) => copy >= hand.filter((each) => each === card).length);
  return came ? `hand-${came.card}-${came.copy}` : null;
}
