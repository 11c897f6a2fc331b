import type { Icon } from "$lib/icons";

/** What is printed on a card. */
export interface CardFace {
  /** In the corner: a value, a rank, a sum; empty when the card has none. */
  index: string;
  /** Under the index: a suit, a city. */
  glyph?: Icon;
  /** In the middle, ink over a stencilled shadow. */
  emblem?: Icon;
  name?: string;
  /** What the card does; printed from 112 px on. */
  effect?: string;
  /** Colour of the index, of the edge and of a suit; the ink of the game when absent. */
  ink?: string;
  /** Colour of the stencilled shadow; the tint of the game when absent. */
  soft?: string;
  /** Whether the index is printed once more, bottom right, on large cards. */
  mirrored?: boolean;
  /** The card in words, when name and index do not say it: "10 of hearts". */
  label?: string;
}

/** What its reader knows for certain of a hidden card: its corner is turned up. */
export interface Known {
  index?: string;
  icon?: Icon;
  /** On a black slip under the corner. */
  name?: string;
  ink?: string;
}

/** A paper strip on the back of a card. */
export interface Slip {
  /** The first line: "Guard 29 %", "not 3", "12 or 13". */
  bold?: string;
  /** The second line; alone, it is what was known and has ended. */
  text?: string;
  /** A bar at the foot, 0 to 1. */
  bar?: number;
}

/** What a choice does to the card, as a tab on its upper edge. */
export interface Fate {
  text: string;
  /** After the word: "1 of 5". */
  note?: string;
  kind?: string;
}

/** A card in words: name, index, effect. */
export function inWords(face: CardFace): string {
  const named = face.label ?? [face.name, face.index].filter(Boolean).join(", ");
  return face.effect ? `${named}. ${face.effect}` : named;
}
