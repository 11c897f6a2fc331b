import type { Places } from "$lib/vocabulary";
import { possible, type Printed, type SlotName } from "./knowledge";

/** Who dies in a combat: attackers and defenders, by their place among those who fight. */
interface Result {
  attackers: boolean[];
  defenders: boolean[];
}

const NOBODY: boolean[] = [false, false];

/** What a card is worth to whoever kills it. */
export function worth(places: Places, card: Printed): number {
  return card === "K" ? Number(places.knobs.king_points) : card === "M" ? Number(places.knobs.mine_points) : 1;
}

/** §6.1 What can come of a combat; with several results the owner of the lone unit chooses. */
function results(places: Places, attackers: Printed[], defenders: Printed[]): Result[] {
  const { knobs } = places;
  const isSpy = (card: Printed) => places.spies.includes(card);
  const strength = (card: Printed) => (card === "K" ? Number(knobs.king_strength) : card === "M" ? 0 : card);
  const mine = defenders.indexOf("M");
  if (mine >= 0 && !attackers.some((card) => places.sappers.includes(card))) {
    return [{ attackers: attackers.map(() => true), defenders: defenders.map((card) => card === "M" && knobs.mine_explodes === "on") }];
  }
  const others = defenders.filter((card) => card !== "M");
  const withMine = (dead: boolean[]) => defenders.map((card) => card === "M" || dead[others.indexOf(card)]);
  if (others.length === 0) return [{ attackers: attackers.map(() => false), defenders: withMine([]) }];

  const isDefence = attackers.length === 2;
  const lone = isDefence ? others[0] : attackers[0];
  const foes = isDefence ? attackers : others;
  const price = (foe: Printed) => (lone === "K" && isSpy(foe) ? Infinity : strength(foe === "K" && isSpy(lone) ? lone : foe));
  const blow = (foe: Printed) => (foe === "K" && isSpy(lone) ? 0 : strength(foe));
  const dies = (lone === "K" && foes.some(isSpy)) || foes.reduce<number>((sum, foe) => sum + blow(foe), 0) >= strength(lone);

  const canPay = foes.map((foe) => price(foe) <= strength(lone));
  const either = foes.flatMap((_, at) => (canPay[at] ? [foes.map((_, each) => each === at)] : []));
  const isBoth = foes.length === 2 && price(foes[0]) + price(foes[1]) <= strength(lone);
  const both = isBoth ? [[true, true]] : [];
  const isWasteful = knobs.allow_waste === "on" && foes.length === 2;
  let kills = isBoth ? both : either.length > 0 ? either : [NOBODY];
  if (isWasteful) kills = [...(dies ? [NOBODY] : []), ...either, ...both];
  if (kills.length === 0) kills = [NOBODY];
  return kills.map((dead) =>
    isDefence ? { attackers: foes.map((_, at) => dead[at]), defenders: [dies] } : { attackers: [dies], defenders: withMine(dead) },
  );
}

/** Whether an attack takes more points than it costs; two who attack together succeed when their foe dies. */
function isWon(places: Places, attackers: Printed[], defenders: Printed[]): boolean {
  const found = results(places, attackers, defenders);
  if (attackers.length === 2) return found.every((result) => result.defenders[0]);
  const sum = (cards: Printed[], dead: boolean[]) => cards.reduce<number>((total, card, at) => total + (dead[at] ? worth(places, card) : 0), 0);
  return found.some((result) => sum(defenders, result.defenders) > sum(attackers, result.attackers));
}

/**
 * The chance that an attack takes more than it costs, or that the foe of two dies, every unseen copy being equally
 * likely; null when nothing can be counted.
 */
export function chance(places: Places, attackers: Printed[], seat: number, slots: SlotName[]): number | null {
  const [first, second] = slots.map((slot) => possible(places, seat, slot));
  let all = 0;
  let won = 0;
  const weigh = (weight: number, defenders: Printed[]) => {
    all += weight;
    if (weight > 0 && isWon(places, attackers, defenders)) won += weight;
  };
  for (const [card, count] of first) {
    if (second === undefined) weigh(count, [card]);
    else {
      for (const [other, copies] of second) {
        if (card === "M" && other === "M") continue;
        const isSame = card === other && first.size > 1 && second.size > 1;
        weigh(count * (copies - (isSame ? 1 : 0)), [card, other]);
      }
    }
  }
  return all > 0 ? won / all : null;
}
