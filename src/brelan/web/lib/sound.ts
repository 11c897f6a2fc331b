import { settings } from "./settings.svelte";

/** What can be heard: a card laid, one's turn, a second of the last ten, a match won, a match lost. */
export type Sound = "card" | "knock" | "lost" | "tick" | "won";

let player: Promise<typeof import("./synth")> | undefined;

/**
 * Let something be heard, if sound is on. The synthesiser is loaded the first time; a browser lets a
 * page sound only after somebody has touched it, so nothing is heard before.
 */
export function sound(what: Sound): void {
  const { sound: isOn, volume } = settings;
  if (!isOn || volume === 0 || document.visibilityState === "hidden") return;
  if (navigator.userActivation && !navigator.userActivation.hasBeenActive) return;
  player ??= import("./synth");
  player.then(({ play }) => play(what, volume)).catch(() => (player = undefined));
}
