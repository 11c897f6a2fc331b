import type { LegalMove, Scene } from "$lib/scene.svelte";
import type { Places } from "$lib/vocabulary";
import { cardOf, SLOTS, slotsIn, type SlotName } from "./knowledge";

/** Kinds of moves, by their number in the table of moves. */
export const ACT = { bury: 1, reveal: 2, place: 4, attack: 5, slack: 6, stop: 7, kill: 8, peek: 9, pass: 10 } as const;
const ONE_SLOT = 1;

/** The slots of a seat that are aimed at together, as one thing on the table. */
export function aim(seat: number, slots: SlotName[]): string {
  return slots.length === 1 ? `slot-${seat}-${slots[0]}` : `both-${seat}-${slots.join("-")}`;
}

/** The seat among whose cards the owner of a lone unit chooses. */
export function foeOf(places: Places): number {
  return places.attacking.length === ONE_SLOT ? places.defender : places.attacker;
}

/** The first slot of a seat where a card can be put. */
export function emptySlot(places: Places, seat: number): SlotName | undefined {
  return SLOTS.find((slot) => !places.filled[seat].includes(slot) && !places.placed[seat].includes(slot));
}

/** §12 A move by the things on the table of which it consists. */
export function parts(move: LegalMove, scene: Scene): string[] {
  const { act, own, target, at, card } = move.row;
  const { places, me } = scene;
  switch (act) {
    case ACT.place:
      return [`hand-${cardOf(card)}`, `own-${emptySlot(places, me ?? 0)}`];
    case ACT.attack: {
      const mine = slotsIn(own);
      const theirs = aim(target, slotsIn(at));
      return mine.length === 1 ? [`own-${mine[0]}`, theirs] : ["team", ...mine.map((slot) => `mate-${slot}`), theirs];
    }
    case ACT.slack:
      return ["slack", `hand-${cardOf(card)}`, `swap-${slotsIn(own)[0]}`];
    case ACT.kill:
      return at === 0 ? ["spare"] : [aim(foeOf(places), slotsIn(at))];
    case ACT.peek:
      if (target >= scene.players) return ["decline"];
      return [at === 0 ? `seat-${target}` : aim(target, slotsIn(at))];
    case ACT.stop:
      return ["stop"];
    case ACT.pass:
      return ["pass"];
    default:
      return [`move-${move.id}`];
  }
}

/** Whom to attack is said even where there is one target; the end of the match is confirmed. */
export function asks(part: string, scene: Scene): boolean {
  return /^(slot|both|swap)-/.test(part) || (part === "confirm" && scene.choice.has("stop"));
}
