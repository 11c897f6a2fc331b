import type { Flight } from "$lib/game";
import type { Scene } from "$lib/scene.svelte";
import type { Places } from "$lib/vocabulary";
import type { Step } from "$lib/wire";
import { printed, SLOTS } from "./court";
import { neighbours, playersOf } from "./draft";

const SLIDE = 260;
const CROSS = 420;
const HAND_ON = 1;
const DRAW = 4;
const KEEP = 8;
const BURN = 9;
const LAY = 11;
const SWAP = 12;

/** Which cards travel in a step. */
export function flights(before: Places, after: Places, step: Step, scene: Scene): Flight[] {
  const row = scene.dictionary?.row(step.move) ?? {};
  const { me } = scene;
  const card = printed(row["card"] ?? 0);
  const slot = `slot-${SLOTS[row["slot"] as number]}`;
  const other = `slot-${SLOTS[row["other"] as number]}`;
  switch (row["kind"]) {
    case LAY: {
      const from = step.seat === me ? `card-${card}` : `hand-${step.seat}`;
      const laid = { from, to: slot };
      return after["discard_size"] > before["discard_size"] ? [laid, { from: slot, to: "discard", lasts: SLIDE }] : [laid];
    }
    case SWAP:
      return [
        { from: slot, to: other, lasts: CROSS },
        { from: other, to: slot, lasts: CROSS },
      ];
    case DRAW:
      return exchanged(after, me);
    case KEEP:
    case BURN:
      return step.seat === me ? [{ from: `card-${card}`, to: `card-${card}` }] : [];
    case HAND_ON:
      return packets(before, after, me);
    default:
      return [];
  }
}

/** The Jack's two cards, one each way at the same time. */
function exchanged(after: Places, me: number | null): Flight[] {
  const exchange = (after["exchange_no"] as number) - 1;
  const giver = after["giver"][exchange] as number;
  const receiver = after["receiver"][exchange] as number;
  if (me !== giver && me !== receiver) {
    return [
      { from: `hand-${giver}`, to: `hand-${receiver}`, lasts: CROSS },
      { from: `hand-${receiver}`, to: `hand-${giver}`, lasts: CROSS },
    ];
  }
  const [given, drawn] = after["exchanged"][me][exchange] as [string, string];
  const [lost, won] = me === giver ? [given, drawn] : [drawn, given];
  const across = `hand-${me === giver ? receiver : giver}`;
  return [
    { from: `card-${lost}`, to: across, lasts: CROSS },
    { from: across, to: `card-${won}`, lasts: CROSS },
  ];
}

/** All packets one seat on at once; what was chosen goes to the hand. */
function packets(before: Places, after: Places, me: number | null): Flight[] {
  const players = playersOf(before);
  const found: Flight[] = [];
  for (let seat = 0; seat < players; seat++) {
    const { next } = neighbours(before, seat);
    const from = seat === me ? `card-${before["packet"]?.[me]?.[0]}` : `packet-${seat}`;
    if (next === me) for (const card of (after["packet"]?.[me] ?? []) as string[]) found.push({ from, to: `card-${card}`, lasts: CROSS });
    else found.push({ from, to: `packet-${next}`, lasts: CROSS });
  }
  const chosen = (me === null ? [] : (before["chosen"]?.[me] ?? [])) as (string | null)[];
  return [...found, ...chosen.flatMap((card) => (card ? [{ from: `card-${card}`, to: `card-${card}` }] : []))];
}
