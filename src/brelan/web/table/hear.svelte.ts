import type { Scene } from "$lib/scene.svelte";
import { settings } from "$lib/settings.svelte";
import { sound } from "$lib/sound";
import type { Step } from "$lib/wire";

const LOW = 10; // seconds

/** Let a table be heard; call it while a component is set up. Nothing happens while sound is off. */
export function hear(scene: Scene): void {
  let last: Step | null = null;
  $effect(() => {
    const step = scene.last;
    if (step && last && step !== last && step.seat !== null) sound("card");
    last = step;
  });

  let wasMine = true; // whoever comes to a table where it is their turn sees it
  $effect(() => {
    const { isMine } = scene;
    if (isMine && !wasMine) sound("knock");
    wasMine = isMine;
  });

  let wasPlaying = false;
  $effect(() => {
    const { result, me } = scene;
    if (result && wasPlaying && me !== null) sound(result.winners.includes(me) ? "won" : "lost");
    wasPlaying = result === null && scene.last !== null;
  });

  $effect(() => {
    const { clocks, me } = scene;
    if (!settings.sound || !clocks || me === null || clocks.running !== me) return;
    const end = clocks.at + (clocks.left[me] ?? 0);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const next = () => {
      const left = end - Date.now();
      if (left <= 0) return;
      if (left <= LOW * 1000) sound("tick");
      timer = setTimeout(next, left > LOW * 1000 ? left - LOW * 1000 : 1000);
    };
    if (end > Date.now() + LOW * 1000) timer = setTimeout(next, end - Date.now() - LOW * 1000);
    else next();
    return () => clearTimeout(timer);
  });
}
