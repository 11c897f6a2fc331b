import type { Flight } from "$lib/game";
import type { Scene } from "$lib/scene.svelte";
import type { Places } from "$lib/vocabulary";
import type { Step } from "$lib/wire";
import { readMove } from "./moves";
import { drawnOf, handOf, knownOf } from "./reading";

const PLAY = 320;
const SWAP = 420;
const THEN = 260; // what a card brings about comes after it lies
const APART = 70;
const LOOK = 2400; // how long the hands of a round that is over can be looked at

/** Which cards travel in a step. */
export function flights(before: Places, after: Places, step: Step, scene: Scene): Flight[] {
  const { players, me } = scene;
  const seats = Array.from({ length: players }, (_, seat) => seat);
  if (before["phase"] === "score") return [{ from: "table", to: "table", lasts: LOOK }];
  if (before["phase"] === "deal") return dealt(after, seats);
  const mover = Number(before["turn"]);
  const found: Flight[] = [];
  if (before["phase"] === "choose_chancellor") found.push(...tucked(before, after, mover, me));
  else {
    const { card, target } = readMove(scene.dictionary?.row(step.move) ?? {});
    found.push(...played(before, after, mover, me, card), ...effects(before, after, mover, card, target, seats));
  }
  const next = after["turn"];
  const isNext = after["phase"] === "choose_play" && after["turn_no"] !== before["turn_no"];
  if (isNext && typeof next === "number") found.push({ from: "deck", to: `drew-${next}-0`, after: found.length ? THEN : 0, lasts: PLAY });
  return found;
}

function dealt(after: Places, seats: number[]): Flight[] {
  const first = Number(after["starter"]);
  const ends = [
    ...seats.map((_, at) => `held-${(first + at) % seats.length}`),
    "burned",
    ...((after["face_up"] ?? []) as unknown[]).map((_, at) => `up-${at}`),
    `drew-${first}-0`,
  ];
  return ends.map((to, at) => ({ from: "deck", to, after: at * APART, lasts: PLAY }));
}

/** The card goes to the area; the one that was drawn may take the place of the one that was kept. */
function played(before: Places, after: Places, mover: number, me: number | null, card: number): Flight[] {
  const kept = mover === me ? before["hand"]?.[mover] : knownOf(before, me, mover);
  const isKept = kept !== null && kept !== undefined && Number(kept) === card;
  const drawn = drawnOf(before, mover) > 0;
  const from = isKept || !drawn ? `held-${mover}` : `drew-${mover}-0`;
  const at = (before["area_size"]?.[mover] ?? 0) as number;
  const found: Flight[] = [{ from, to: `area-${mover}-${at}`, lasts: PLAY }];
  if (isKept && drawn && after["in_round"]?.[mover]) found.push({ from: `drew-${mover}-0`, to: `held-${mover}`, lasts: 160 });
  return found;
}

function effects(before: Places, after: Places, mover: number, card: number, target: number | null, seats: number[]): Flight[] {
  const found: Flight[] = [];
  for (const seat of seats) {
    const added = Number(after["area_size"]?.[seat] ?? 0) - Number(before["area_size"]?.[seat] ?? 0) - (seat === mover ? 1 : 0);
    if (added < 1) continue;
    const from = seat === mover && drawnOf(before, seat) > 0 ? `drew-${seat}-0` : `held-${seat}`;
    found.push({ from, to: `area-${seat}-${Number(after["area_size"][seat]) - 1}`, after: THEN, lasts: PLAY });
    if (!after["in_round"]?.[seat]) continue;
    const source = before["burned_left"] && !after["burned_left"] ? "burned" : "deck";
    found.push({ from: source, to: `held-${seat}`, after: 2 * THEN, lasts: PLAY });
  }
  if (card === 7 && target !== null) {
    found.push({ from: `held-${target}`, to: `held-${mover}`, after: THEN, lasts: SWAP }, { from: `held-${mover}`, to: `held-${target}`, after: THEN, lasts: SWAP });
  }
  if (card === 6) {
    for (let slot = 0; slot < Number(after["phase"] === "choose_chancellor" ? after["drew_size"] : 0); slot++) {
      found.push({ from: "deck", to: `drew-${mover}-${slot}`, after: THEN + slot * APART, lasts: PLAY });
    }
  }
  return found;
}

/** What the Chancellor does not keep goes under the deck. */
function tucked(before: Places, after: Places, mover: number, me: number | null): Flight[] {
  if (mover !== me) return [{ from: `drew-${mover}-0`, to: "deck", lasts: PLAY }];
  const kept = handOf(before, me).find(({ card }) => card === Number(after["hand"]?.[mover]));
  return [{ from: "under-0", to: "deck", lasts: PLAY }, ...(kept && !kept.isKept ? [{ from: kept.at, to: `held-${mover}`, lasts: 160 }] : [])];
}
