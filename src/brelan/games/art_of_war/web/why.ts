import type { Scene } from "$lib/scene.svelte";
import { Action, SOURCE, source } from "./moves";
import { isKing, isRear, reached, warOf, type Unit } from "./units";

/** Why a slot may not be chosen now, where the rules make that clear. */
export function why(scene: Scene, seat: number, slot: number): string | undefined {
  const war = warOf(scene);
  if (!war || !scene.isMine || scene.me === null) return undefined;
  const card = war.unit[seat]![slot];
  const first = source(scene);
  const mayAttack = war.phase === "attack" || war.phase === "action";
  const isPlacing = first ? SOURCE.test(first) : war.phase === "opening" || war.phase === "conscription";
  if (seat === scene.me) {
    if (isPlacing && isRear(slot) && (war.phase === "opening" || war.phase === "conscription")) return scene.t("felt.why_front");
    if (isPlacing && isRear(slot) && !war.unit[seat]![slot - 3]) return scene.t("felt.why_closed");
    if (isPlacing || !card || !mayAttack) return undefined;
    if (war.posture[seat]![slot] === "offensive") return scene.t("felt.why_turned");
    if (reached(war, seat, slot, scene.knobs).length === 0) return scene.t("felt.why_nothing");
    return undefined;
  }
  const isAttacking = first !== null && !SOURCE.test(first) && mayAttack;
  if (!isAttacking) return undefined;
  return scene.t(card ? "felt.why_far" : "felt.why_empty");
}

/** Why a card of the hand may not be played now. */
export function whyNotPlayed(scene: Scene, card: Unit): string | undefined {
  const war = warOf(scene);
  if (!war || !scene.isMine) return undefined;
  const isSpent = !scene.legal.some(({ row }) => row["action"] === Action.SUPPORT);
  if (war.phase === "attack" && isSpent) return scene.t("felt.why_attacking");
  if (war.phase === "block") return scene.t("felt.why_no_guard");
  if (war.phase === "conscription") return scene.t("felt.why_called");
  if (war.phase === "action" && war.reserve_size[war.active]! > 0) return scene.t("felt.why_reserve");
  const isStaying = isKing(card) && scene.knobs["king_citizen"] === "off";
  if (isStaying && (war.phase === "development" || war.phase === "forced")) return scene.t("felt.why_king");
  return undefined;
}
