import type { LegalMove, Scene } from "$lib/scene.svelte";
import type { Args, Word } from "$lib/texts";
import type { Fate } from "$parts/card";
import { defence, KINDS, nearSeat, SLOTS, warOf, type Kind, type War } from "./units";

/** What a move does: the first column of the table of moves. */
export const Action = {
  NOTHING: 3, STOP: 4, END: 5, PASS: 6, DEPLOY: 7, ATTACK: 8, CONSCRIPT: 9, DEMOBILISE: 10, RESERVE: 11, SWEEP: 12, SUPPORT: 13,
} as const;
const NOWHERE = 6;
const GUARD = 2;
const ARCHER = 3;

export const unitPart = (seat: number, slot: number): string => `unit-${seat}-${SLOTS[slot]}`;
export const handPart = (kind: Kind): string => `hand-${kind}`;
/** All that a sweep reaches. */
export const ALL = "all";
/** More strength for the attacks of this turn. */
export const STRONGER = "stronger";
export const SOURCE = /^(hand|reserved|citizen)-/;

/** The choices that a move consists of: what is taken in hand, then where it goes. */
export function parts({ id, row, notation }: LegalMove, scene: Scene): string[] {
  const war = warOf(scene);
  const me = nearSeat(scene);
  const { action, card, slot, target, effect } = row as { action: number; card: number; slot: number; target: number; effect: number };
  const kind = KINDS[card - 1];
  if (!war) return [`move-${id}`];
  switch (action) {
    case Action.NOTHING:
    case Action.STOP:
    case Action.END:
    case Action.PASS:
      return [notation];
    case Action.DEPLOY: {
      const isQueue = war.phase !== "opening" && war.reserve_size[me]! > 0;
      return [isQueue ? `reserved-${me}-0` : handPart(kind!), unitPart(me, slot)];
    }
    case Action.ATTACK:
      return [unitPart(me, slot), unitPart(1 - me, target)];
    case Action.SWEEP:
      return [unitPart(me, slot), ALL];
    case Action.CONSCRIPT:
      if (!kind) return [unitPart(me, slot)];
      return [scene.knobs["conscription"] === "two" ? `citizen-${kind}` : handPart(kind), unitPart(me, slot)];
    case Action.DEMOBILISE:
      return [handPart(kind!), `kingdom-${me}`];
    case Action.RESERVE:
      return [handPart(kind!), `reserve-${me}`];
    case Action.SUPPORT:
      if (effect === GUARD) return [handPart(kind!), struckPart(war, me)];
      return [handPart(kind!), effect === ARCHER && target !== NOWHERE ? unitPart(1 - me, target) : STRONGER];
  }
  return [`move-${id}`];
}

/** The unit that an attack which was declared is to strike; the attacker if it strikes all in reach. */
function struckPart(war: War, me: number): string {
  if (war.target === "nowhere") return `unit-${1 - me}-${war.attacker.toUpperCase()}`;
  return `unit-${me}-${war.target.toUpperCase()}`;
}

/** The part that was chosen first. */
export function source(scene: Scene): string | null {
  return scene.choice.picked[0] ?? null;
}

/** What would come of a blow at a part that may be chosen now, if nobody stops it. */
export function fate(scene: Scene, part: string, seat: number, slot: number): Fate | undefined {
  const war = warOf(scene);
  const found = scene.choice.next.get(part)?.[0];
  if (!war || !found || scene.choice.picked.length === 0) return undefined;
  if (found.row["action"] === Action.DEPLOY) return war.unit[seat]![slot] ? { text: scene.t("felt.swap") } : undefined;
  if (found.row["action"] === Action.SUPPORT && found.row["effect"] === GUARD) return { text: scene.t("felt.stopped") };
  const args = found.label?.args as Args | undefined;
  const outcome = args?.["outcome"] as Word | undefined;
  if (!outcome) return undefined;
  const text = scene.t(`${outcome.key}.name`);
  const blow = Number(args!["blow"]);
  const wounds = war.damage[seat]![slot]!;
  const needed = defence(war, seat, slot);
  const kind = outcome.key.split(".")[1]!;
  if (kind === "wounded") return { text, kind, note: scene.t("felt.of", { wounds: wounds + blow, defence: needed }) };
  if (kind === "unhurt") return { text, kind };
  if (wounds + blow === needed || blow === needed) {
    const isClean = wounds === 0 || blow === needed;
    if (kind !== "dead") return { text, kind, note: isClean ? `${blow} = ${needed}` : `${blow} = ${needed} − ${wounds}` };
  }
  return { text, kind, note: wounds ? `${wounds} + ${blow} ≥ ${needed}` : blow > needed ? `${blow} > ${needed}` : `${blow} = ${needed}` };
}
