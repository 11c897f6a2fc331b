/**
 * A felt has zones: the prompt, the choices that hang from it, each hand, and the rest of the table.
 * Each is one stop of the Tab key; inside a zone arrows lead from thing to thing.
 */

const ZONES = ".prompt, .picker, .hand";
const THINGS = ".prompt button, .picker button, .hand button, button[data-at], button[data-lit]";
/** Where Tab leads first, if nothing in the zone had the focus: what ends the move, what may be chosen. */
const FIRST = ["[data-confirm]", "[aria-pressed='true']", "[data-lit]", "*"];
const WATCHED = ["class", "disabled", "data-lit", "data-confirm", "aria-pressed", "inert"];

/** The zone of a thing on a felt. */
export const zoneOf = (thing: Element): Element | null => thing.closest(ZONES) ?? thing.closest(".felt");

/** Whether somebody can go there. */
export const isThere = (thing: HTMLElement): boolean => thing.offsetParent !== null && !thing.matches(":disabled") && !thing.closest("[inert]");

/** Let each zone of a felt be one stop of the Tab key, whatever is drawn there; returns what ends that. */
export function rove(felt: HTMLElement): () => void {
  let isPlanned = false;
  const lay = () => {
    isPlanned = false;
    const zones = new Map<Element | null, HTMLElement[]>();
    for (const each of felt.querySelectorAll<HTMLElement>(THINGS)) {
      if (!isThere(each)) continue;
      const zone = zoneOf(each);
      zones.set(zone, [...(zones.get(zone) ?? []), each]);
    }
    for (const things of zones.values()) {
      const stop = things.find((each) => each === document.activeElement) ?? FIRST.map((kind) => things.find((each) => each.matches(kind))).find(Boolean);
      for (const each of things) if (each.tabIndex !== (each === stop ? 0 : -1)) each.tabIndex = each === stop ? 0 : -1;
    }
  };
  const plan = () => {
    if (!isPlanned) queueMicrotask(lay);
    isPlanned = true;
  };
  const changes = new MutationObserver(plan);
  changes.observe(felt, { subtree: true, childList: true, attributeFilter: WATCHED });
  felt.addEventListener("focusin", plan);
  lay();
  return () => (changes.disconnect(), felt.removeEventListener("focusin", plan));
}
