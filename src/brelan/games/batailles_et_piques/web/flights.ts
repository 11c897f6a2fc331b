import type { Flight } from "$lib/game";
import type { Scene } from "$lib/scene.svelte";
import type { Places } from "$lib/vocabulary";
import type { Step } from "$lib/wire";
import { counted, SLOTS, slotsOf, type Printed, type SlotName } from "./knowledge";
import { ACT } from "./moves";

const BETWEEN = 60;

/** Where a card in play is drawn. */
export function standAt(seat: number, slot: SlotName, me: number | null): string {
  return seat === me ? `own-${slot}` : `slot-${seat}-${slot}`;
}

/** Where a card of the last combat is drawn. */
export function fightAt(side: number, slot: SlotName): string {
  return `fight-${side}-${slot}`;
}

/** Which cards travel in a step. */
export function flights(before: Places, after: Places, step: Step, scene: Scene): Flight[] {
  const { me } = scene;
  const act = scene.dictionary?.row(step.move)["act"];
  const mover: number = before.turn ?? me;
  switch (act) {
    case ACT.place: {
      if (mover !== me) return [];
      const slot = slotsOf(after).find((each) => !stands(before, mover, each) && stands(after, mover, each));
      const card = slot && after.in_play[mover]?.[SLOTS.indexOf(slot)];
      return slot ? [{ from: `hand-${card}`, to: `own-${slot}` }] : [];
    }
    case ACT.reveal:
      return [...filled(before, after, me), ...drawn(before, after, me)];
    case ACT.attack: {
      const sides = [[after.attacker, after.attacking], [after.defender, after.attacked]] as [number, SlotName[]][];
      return sides.flatMap(([seat, slots], side) =>
        slots.map((slot) => ({ from: standAt(seat, slot, me), to: fightAt(side, slot), after: side * BETWEEN })),
      );
    }
    case ACT.bury: {
      const sides = [[before.attacker, before.dying[0]], [before.defender, before.dying[1]]] as [number, SlotName[]][];
      return sides.flatMap(([seat, slots], side) =>
        slots.map((slot, at) => ({ from: standAt(seat, slot, me), to: fightAt(side, slot), after: at * BETWEEN })),
      );
    }
    case ACT.slack: {
      const slot = slotsOf(after).find((each) => (scene.dictionary?.row(step.move)["own"] ?? 0) === 1 << SLOTS.indexOf(each));
      if (!slot) return [];
      if (mover !== me) return [{ from: `seat-${mover}`, to: `slot-${mover}-${slot}` }];
      const at = SLOTS.indexOf(slot);
      return [
        { from: `hand-${after.in_play[mover][at]}`, to: `own-${slot}` },
        { from: `own-${slot}`, to: `hand-${before.in_play[mover][at]}`, after: BETWEEN },
      ];
    }
    default:
      return [];
  }
}

function stands(places: Places, seat: number, slot: SlotName): boolean {
  return places.filled[seat].includes(slot) || places.placed[seat].includes(slot);
}

/** Others put cards from their hands. */
function filled(before: Places, after: Places, me: number | null): Flight[] {
  return before.placed.flatMap((slots: SlotName[], seat: number) =>
    seat === me ? [] : slots.filter((slot) => after.filled[seat].includes(slot)).map((slot) => ({ from: `seat-${seat}`, to: `slot-${seat}-${slot}` })),
  );
}

/** The reader draws cards. */
function drawn(before: Places, after: Places, me: number | null): Flight[] {
  if (me === null) return [];
  const had = counted((before.hand[me] ?? []) as Printed[]);
  const fresh = [...counted((after.hand[me] ?? []) as Printed[])].filter(([card, count]) => count > (had.get(card) ?? 0));
  return fresh.map(([card], at) => ({ from: `seat-${me}`, to: `hand-${card}`, after: at * BETWEEN }));
}
