import type { Scene } from "$lib/scene.svelte";

/** The seats of the others, from the reader's left neighbour on; all seats for those who watch. */
export function othersOf(scene: Scene): number[] {
  const { me, players } = scene;
  const all = Array.from({ length: players }, (_, seat) => seat);
  return me === null ? all : all.slice(1).map((step) => (me + step) % players);
}
