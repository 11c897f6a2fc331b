import type { Icon } from "$lib/icons";
import type { CardFace } from "$parts/card";
import archer from "icon:game-icons/pocket-bow";
import firstKing from "icon:game-icons/crown";
import guard from "icon:game-icons/checked-shield";
import secondKing from "icon:game-icons/imperial-crown";
import soldier from "icon:game-icons/broadsword";

/** The emblem of each unit, by what is printed on it; K is either King. */
export const EMBLEMS: Record<string, Icon> = { S: soldier, G: guard, A: archer, K1: firstKing, K2: secondKing, K: firstKing };

/** The face of a unit by what is printed on it: `S`, `G`, `A`, `K1`, `K2`. `say` gives a text of the game by its key. */
export function face(printed: number | string, say: (key: string) => string): CardFace {
  return { index: "", emblem: EMBLEMS[printed]!, name: say(`card.${String(printed).toLowerCase()}.name`) };
}

/** What a sheet of samples shows of this game. */
export const SAMPLE: (number | string)[] = ["S", "G", "A", "K1", "K2"];
