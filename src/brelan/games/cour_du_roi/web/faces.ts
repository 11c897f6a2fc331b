import type { Icon } from "$lib/icons";
import type { CardFace } from "$parts/card";
import { SUITS, type Suit } from "$parts/suits";
import jack from "icon:game-icons/feather";
import king from "icon:game-icons/imperial-crown";
import queen from "icon:game-icons/queen-crown";

const COURT: Record<string, Icon> = { J: jack, Q: queen, K: king };

/** A family by its letter. */
export type Family = keyof typeof SUITS;

/** The family of a card, by what is printed on it. */
export function familyOf(printed: number | string): Family {
  return String(printed)[0] as Family;
}

/** The shape and ink of a card's family. */
export function suitOf(printed: number | string): Suit {
  return SUITS[familyOf(printed)];
}

/**
 * The face of a card by what is printed on it: the letter of the family, then the rank; `H10`, `SK`. `say` gives a
 * text of the game by its key, as it is written in the texts.
 */
export function face(printed: number | string, say: (key: string) => string): CardFace {
  const family = familyOf(printed);
  const rank = String(printed).slice(1);
  const { icon, ink, soft } = SUITS[family];
  const isNumber = /^\d+$/.test(rank);
  const name = isNumber ? rank : say(`rank.${rank.toLowerCase()}.name`);
  const label = say("card.name").replace("{rank}", name).replace("{family}", say(`family.${family.toLowerCase()}.name`));
  const index = isNumber ? rank : say(`rank.${rank.toLowerCase()}.short`);
  const emblem = COURT[rank];
  if (emblem) return { index, glyph: icon, emblem, ink, soft, name, label };
  return { index, glyph: icon, emblem: icon, ink, soft, label, mirrored: true };
}

/** What a sheet of samples shows of this game. */
export const SAMPLE: (number | string)[] = ["SA", "H2", "D9", "C10", "SJ", "HQ", "DK", "CK"];
