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

const FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex]";
/** The order of the zones: the prompt, what hangs from it, one's hand; then the rest of the table. */
const ORDER = [".prompt", ".picker", ".hand"];

/** What the Tab key leads to from a place of the page, on to the felt, over its zones in their order, and out of it. */
export function following(felt: HTMLElement, from: Element, isBack: boolean): HTMLElement | undefined {
  const isOpen = (each: HTMLElement) => each.tabIndex >= 0 && each.getClientRects().length > 0 && !each.matches(":disabled") && !each.closest("[inert]");
  const rank = (each: HTMLElement) => {
    const found = ORDER.findIndex((zone) => each.closest(zone));
    return found < 0 ? ORDER.length : found;
  };
  const all = [...document.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(isOpen);
  const inside = all.filter((each) => felt.contains(each)).sort((a, b) => rank(a) - rank(b));
  const outside = all.filter((each) => !felt.contains(each));
  const before = outside.filter((each) => felt.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_PRECEDING);
  const order = [...before, ...inside, ...outside.slice(before.length)];
  const at = order.indexOf(from as HTMLElement);
  const to = at < 0 ? undefined : order[at + (isBack ? -1 : 1)];
  return to && (felt.contains(from) || felt.contains(to)) ? to : undefined;
}

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
