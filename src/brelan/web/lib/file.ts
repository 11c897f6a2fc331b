import type { Exported } from "./wire";

let kept: Exported | null = null;

/** Keep an exported match that somebody has opened, so that other pages find it until the house is left. */
export function keepFile(file: Exported): void {
  kept = file;
}

/** The exported match that was opened last; null: none since the page was loaded. */
export const openedFile = (): Exported | null => kept;
