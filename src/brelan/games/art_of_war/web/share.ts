import { count, type Unit } from "./units";

/** How many of some unseen cards are of a kind, as a part of all. */
export function share(unseen: Unit[], unit: Unit): number {
  return unseen.length > 0 ? count(unseen, unit) / unseen.length : 0;
}

/** A part of all in whole per cent. */
export function percent(part: number): string {
  return `${Math.round(part * 100)}\u00a0%`;
}
