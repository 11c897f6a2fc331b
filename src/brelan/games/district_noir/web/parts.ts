import type { LegalMove, Scene } from "$lib/scene.svelte";

/** The choices of a move: a card and the end of the row, or to take. */
export function partsOf(move: LegalMove): string[] {
  return move.notation === "take" ? ["take"] : [`card-${move.notation}`, "row"];
}

/** Whether the table draws what a move begins with: a card of the hand, or the newest of the row. */
export function drawn(part: string, scene: Scene): boolean {
  if (part === "take") return scene.places["row_size"] > 0;
  const hand = (scene.me === null ? null : scene.places["hand"]?.[scene.me]) as string[] | null;
  return hand?.some((card) => part === `card-${card}`) ?? false;
}
