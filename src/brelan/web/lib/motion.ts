import type { Flight } from "./game";
import { moves, settings } from "./settings.svelte";

const OUT = "cubic-bezier(.2,.7,.2,1)";
const TRAVEL = 320;

export type Places = Map<string, DOMRect>;

/** Where everything with a `data-at` is drawn now. */
export function capture(root: ParentNode | null): Places {
  const found: Places = new Map();
  for (const each of root?.querySelectorAll<HTMLElement>("[data-at]") ?? []) {
    found.set(each.dataset["at"] as string, each.getBoundingClientRect());
  }
  return found;
}

/**
 * Show how things came to where they are now (FLIP): each flight goes from where its start was drawn
 * before to where its end is drawn now, and what only changed its place slides there. Where nothing
 * may travel, the ends are outlined for a second. Resolves when all has arrived.
 */
export async function fly(root: ParentNode | null, before: Places, flights: Flight[], hurry = 1): Promise<void> {
  if (!root) return;
  const now = new Map<string, HTMLElement>();
  for (const each of root.querySelectorAll<HTMLElement>("[data-at]")) now.set(each.dataset["at"] as string, each);
  const done: Promise<unknown>[] = [];
  const ends = new Set(flights.map(({ to }) => to));
  const pace = (settings.speed || 1) * hurry;
  if (!moves()) {
    for (const { to } of flights) {
      const end = now.get(to);
      const outline = [{ outline: "3px solid var(--on)" }, { outline: "3px solid transparent" }];
      end?.animate(outline, { duration: 1000 });
    }
    return;
  }
  for (const { from, to, after = 0, lasts = TRAVEL } of flights) {
    const end = now.get(to);
    const start = before.get(from);
    if (end && start) done.push(travel(end, start, after / pace, lasts / pace, true));
  }
  for (const [name, element] of now) {
    const start = before.get(name);
    if (start && !ends.has(name)) {
      const here = element.getBoundingClientRect();
      const hasMoved = Math.abs(start.x - here.x) + Math.abs(start.y - here.y) > 2;
      if (hasMoved) done.push(travel(element, start, 0, 160 / pace, false));
    }
  }
  await Promise.allSettled(done);
}

function travel(element: HTMLElement, from: DOMRect, delay: number, duration: number, isAbove: boolean): Promise<unknown> {
  const to = element.getBoundingClientRect();
  if (to.width === 0 || from.width === 0) return Promise.resolve();
  const scale = isAbove ? from.width / to.width : 1;
  const start = `translate(${from.x - to.x}px, ${from.y - to.y}px) scale(${scale})`;
  const above = isAbove ? { zIndex: 30 } : {};
  return element.animate(
    [
      { transform: start, transformOrigin: "0 0", ...above },
      { transform: "none", transformOrigin: "0 0", ...above },
    ],
    { duration, delay, easing: OUT, fill: "backwards" },
  ).finished;
}
