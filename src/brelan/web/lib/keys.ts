import { settings } from "./settings.svelte";
import type { Scene } from "./scene.svelte";
import { following, isThere, zoneOf } from "./zones";

/** What single keys do at a table, beside choosing. */
export interface Keys {
  hint(): void;
  memory(): void;
  story(): void;
  rules(): void;
  help(): void;
}

const DIGITS = "1234567890";

/** The lit things of the felt, in reading order; buttons of the prompt come last. */
export function lit(felt: HTMLElement | null): HTMLElement[] {
  const all = [...(felt?.querySelectorAll<HTMLElement>("[data-lit]") ?? [])].filter((each) => each.offsetParent !== null && !each.closest("[inert]"));
  const isButton = (each: HTMLElement) => Number(each.closest(".prompt") !== null);
  return all.sort((a, b) => isButton(a) - isButton(b));
}

function isText(target: EventTarget | null): boolean {
  const element = target as HTMLElement | null;
  return Boolean(element?.closest?.("input, textarea, select, [contenteditable]"));
}

/** Show the number of each lit thing while Alt is held. */
function number(felt: HTMLElement | null, isShown: boolean): void {
  document.documentElement.toggleAttribute("data-keys", isShown);
  lit(felt).forEach((each, at) => {
    if (isShown && at < DIGITS.length) each.dataset["nth"] = DIGITS[at];
    else delete each.dataset["nth"];
  });
}

/** Move the focus to the nearest thing in a direction: to the left and the right those of the same zone come first. */
function step(felt: HTMLElement, from: HTMLElement, key: string): boolean {
  const centre = (each: Element) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2 };
  };
  const [start, zone, isAlong] = [centre(from), zoneOf(from), key === "ArrowLeft" || key === "ArrowRight"];
  const found: { thing: HTMLElement; distance: number; isOwn: boolean }[] = [];
  for (const thing of felt.querySelectorAll<HTMLElement>("button, [tabindex]")) {
    if (thing === from || !isThere(thing)) continue;
    const { x, y } = centre(thing);
    const [dx, dy] = [x - start.x, y - start.y];
    const [along, across] = { ArrowRight: [dx, dy], ArrowLeft: [-dx, dy], ArrowDown: [dy, dx], ArrowUp: [-dy, dx] }[key] as [number, number];
    if (along >= 4) found.push({ thing, distance: along + 2.5 * Math.abs(across), isOwn: isAlong && zoneOf(thing) === zone });
  }
  found.sort((a, b) => Number(b.isOwn) - Number(a.isOwn) || a.distance - b.distance);
  found[0]?.thing.focus();
  return found.length > 0;
}

/** Let a table be played by keys alone; returns what ends that. */
export function listen(scene: Scene, keys: Keys): () => void {
  const down = (event: KeyboardEvent) => {
    if (event.key === "Alt") number(scene.felt, true);
    if (event.defaultPrevented || isText(event.target) || document.querySelector("dialog[open]")) return;
    const focus = document.activeElement as HTMLElement | null;
    if (event.key === "Tab" && scene.felt && focus && !event.ctrlKey && !event.altKey && !event.metaKey) {
      const to = following(scene.felt, focus, event.shiftKey);
      if (to) event.preventDefault();
      to?.focus();
      return;
    }
    if (event.key.startsWith("Arrow") && scene.felt && focus && scene.felt.contains(focus)) {
      if (step(scene.felt, focus, event.key)) event.preventDefault();
      return;
    }
    const digit = DIGITS.indexOf(event.code.startsWith("Digit") ? event.code.slice(5) : event.key);
    if (digit >= 0 && event.key.length === 1 && !event.ctrlKey && !event.metaKey) {
      const chosen = lit(scene.felt)[digit];
      if (chosen) {
        event.preventDefault();
        chosen.focus();
        chosen.click();
      }
      return;
    }
    if (event.key === "Escape") {
      if (scene.choice.undo()) event.preventDefault();
      return;
    }
    if (!settings.letters || event.ctrlKey || event.metaKey || event.altKey) return;
    const does: Record<string, () => void> = {
      h: keys.hint, m: keys.memory, s: keys.story, r: keys.rules, z: scene.skip, "?": keys.help,
    };
    const found = does[event.key.toLowerCase()];
    if (found) {
      event.preventDefault();
      found();
    }
  };
  const up = (event: KeyboardEvent) => {
    if (event.key === "Alt") number(scene.felt, false);
  };
  const blur = () => number(scene.felt, false);
  addEventListener("keydown", down);
  addEventListener("keyup", up);
  addEventListener("blur", blur);
  return () => {
    removeEventListener("keydown", down);
    removeEventListener("keyup", up);
    removeEventListener("blur", blur);
  };
}
