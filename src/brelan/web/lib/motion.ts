import type { Flight } from "./game";
import { moves, settings } from "./settings.svelte";

const OUT = "cubic-bezier(.2,.7,.2,1)";
const TRAVEL = 320;
const SLIDE = 160;
const LEAST = 1; // pixels; less is not seen
/** What is not looked into: it has a motion of its own, or moves as one. */
const WHOLE = ".card, svg, [role=log], dialog";

/** Where things were drawn: those with a `data-at` by it, since another element may take their place. */
export interface Drawn {
  named: Map<string, DOMRect>;
  all: Map<Element, DOMRect>;
}

/** Where everything on a felt and beside it is drawn now. */
export function capture(felt: Element | null): Drawn {
  const drawn: Drawn = { named: new Map(), all: new Map() };
  const look = (element: Element): void => {
    const rect = element.getBoundingClientRect();
    const name = nameOf(element);
    drawn.all.set(element, rect);
    if (name !== undefined) drawn.named.set(name, rect);
    for (const each of inside(element)) look(each);
  };
  const room = roomOf(felt);
  if (room) look(room);
  return drawn;
}

/** Something that goes to where it is now from somewhere else, so far away. */
interface Way {
  element: HTMLElement;
  x: number;
  y: number;
}

/**
 * Show how things came to where they are now (FLIP): each flight goes from where its start was drawn
 * before to where its end is drawn now, and what only changed its place slides there. Where nothing
 * may travel, the ends are outlined for a second. Resolves when all has arrived.
 */
export async function fly(felt: Element | null, before: Drawn, flights: Flight[], hurry = 1): Promise<void> {
  const room = roomOf(felt);
  if (!room) return;
  if (!moves()) {
    const ends = new Set(flights.map(({ to }) => to));
    const outline = [{ outline: "3px solid var(--on)" }, { outline: "3px solid transparent" }];
    for (const each of room.querySelectorAll("[data-at]")) if (ends.has(nameOf(each) as string)) each.animate(outline, { duration: 1000 });
    return;
  }
  const pace = (settings.speed || 1) * hurry;
  const flying = new Map(flights.map((flight) => [flight.to, flight]));
  const travels: (() => Animation)[] = [];
  const slides: Way[] = [];
  // All is measured before anything is moved. `x` and `y` are how far what an element lies in will carry it.
  const look = (element: Element, x: number, y: number): void => {
    const name = nameOf(element);
    const flight = name === undefined ? undefined : flying.get(name);
    const from = flight ? before.named.get(flight.from) : name === undefined ? before.all.get(element) : before.named.get(name);
    const to = element.getBoundingClientRect();
    if (from && element instanceof HTMLElement && (flight ? from.width > 0 && to.width > 0 : isDrawn(from) && isDrawn(to))) {
      const way = { element, x: from.x - to.x - x, y: from.y - to.y - y };
      if (flight) travels.push(() => travel(way, from.width / to.width, flight, pace));
      else if (Math.abs(way.x) + Math.abs(way.y) > LEAST && getComputedStyle(element).display !== "inline") {
        slides.push(way);
        [x, y] = [from.x - to.x, from.y - to.y];
      }
    }
    for (const each of inside(element)) look(each, x, y);
  };
  look(room, 0, 0);
  const begun = [...travels.map((begin) => begin()), ...slides.map((way) => slide(way, pace))];
  await Promise.allSettled(begun.map(({ finished }) => finished));
}

const nameOf = (element: Element): string | undefined => (element instanceof HTMLElement ? element.dataset["at"] : undefined);
const roomOf = (felt: Element | null): Element | null => felt?.closest("main") ?? felt;
const inside = (element: Element): Iterable<Element> => (element.matches(WHOLE) ? [] : element.children);
const isDrawn = ({ width, height }: DOMRect): boolean => width > 0 || height > 0;

function travel({ element, x, y }: Way, scale: number, { after = 0, lasts = TRAVEL }: Flight, pace: number): Animation {
  const start = { transform: `translate(${x}px, ${y}px) scale(${scale})`, transformOrigin: "0 0", zIndex: 30 };
  const end = { transform: "none", transformOrigin: "0 0", zIndex: 30 };
  return element.animate([start, end], { duration: lasts / pace, delay: after / pace, easing: OUT, fill: "backwards" });
}

/** Added to where it is drawn otherwise, so that it may be raised, or still be sliding. */
function slide({ element, x, y }: Way, pace: number): Animation {
  return element.animate([{ translate: `${x}px ${y}px` }, { translate: "0px 0px" }], { duration: SLIDE / pace, easing: OUT, composite: "add" });
}
