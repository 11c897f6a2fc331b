import type { LegalMove, Piece, Scene } from "$lib/scene.svelte";
import { printed, SLOTS } from "./court";

const PASS = 6;
const DECLINE = 7;
const KEEP = 8;
const BURN = 9;
const GIVE = 10;
const LAY = 11;
const SWAP = 12;

/** The choices that a move consists of. Those of a swap and of an exchange may be made in any order. */
export function partsOf(move: LegalMove, scene: Scene): string[] {
  const parts = inOrder(move);
  if (!isLoose(move)) return parts;
  const picked = scene.choice.picked.filter((part) => parts.includes(part));
  return [...picked, ...parts.filter((part) => !picked.includes(part))];
}

function inOrder({ id, row }: LegalMove): string[] {
  const card = `card-${printed(row["card"] as number)}`;
  const slot = (name: string) => `slot-${SLOTS[row[name] as number]}`;
  switch (row["kind"]) {
    case KEEP:
    case BURN:
      return [card];
    case LAY:
      return [card, slot("slot")];
    case SWAP:
      return [slot("slot"), slot("other")];
    case GIVE:
      return [card, `seat-${row["seat"]}`];
    case PASS:
      return ["pass"];
    case DECLINE:
      return ["decline"];
    default:
      return [`move-${id}`];
  }
}

function isLoose(move: LegalMove): boolean {
  return move.row["kind"] === SWAP || move.row["kind"] === GIVE;
}

/** Places are chosen by hand even where there is one only, and a gift is confirmed. */
export function asks(part: string, scene: Scene): boolean {
  if (part === "confirm") return scene.legal.some((move) => move.row["kind"] === GIVE);
  return part.startsWith("slot-");
}

/** Moves that nothing on the table stands for: buttons. */
export function buttons(scene: Scene): LegalMove[] {
  return scene.legal.filter((move) => !/^(card|slot|seat)-/.test(inOrder(move)[0] as string));
}

/** Like `scene.card`, for choices that may be made in any order. */
export function loose(scene: Scene, part: string): Piece {
  const { choice } = scene;
  const moves = scene.legal.filter(isLoose).map(inOrder);
  const { picked } = choice;
  const chosen = choice.has(part);
  const fits = (kept: string[]) => moves.some((parts) => parts.includes(part) && kept.every((each) => parts.includes(each)));
  const lit = !chosen && fits([]);
  if (!lit && !chosen) return { at: part, lit, chosen, refused: choice.refused === part };
  const take = () => {
    if (!choice.has(part)) choice.picked = fits(picked) && picked.length < 2 ? picked : picked.filter((each) => fits([each])).slice(0, 1);
    if (choice.picked.length === 0) {
      choice.picked = [part];
      alone(scene);
    } else choice.pick(part);
  };
  const lift = () => {
    if (!choice.has(part)) choice.picked = [part];
  };
  const drop = (onto: string) => {
    lift();
    if (onto !== part && choice.next.has(onto)) choice.pick(onto);
  };
  return { at: part, lit, chosen, drop: part, onpick: take, onlift: lift, ondrop: drop };
}

/** The other half of an exchange, where there is one only. */
function alone(scene: Scene): void {
  const { choice } = scene;
  const [only, another] = choice.next.keys();
  if (only && !another && !only.startsWith("slot-")) choice.picked = [...choice.picked, only];
}
