import type { Icon } from "$lib/icons";
import { PIKES } from "$parts/suits";
import type { CardFace } from "$parts/card";
import king from "icon:game-icons/crown";
import mine from "icon:game-icons/unlit-bomb";
import sapper from "icon:game-icons/war-pick";
import slacker from "icon:game-icons/night-sleep";
import spy from "icon:game-icons/cloak-dagger";
import teamwork from "icon:game-icons/linked-rings";

/** What a unit is, as the knobs `nature_1` … `nature_13` say. */
export type Nature = "plain" | "spy" | "sapper" | "both";

/** The natures that are printed, when no knob says otherwise. */
export const NATURES: Record<number, Nature> = { 1: "spy", 2: "spy", 4: "sapper", 8: "sapper" };

const EMBLEMS: Record<Nature, Icon> = { plain: PIKES, spy, sapper, both: spy };

/**
 * The face of a card by what is printed on it, its strength, `K` or `M`, or of a special card by its name. `say` gives a
 * text of the game by its key, as it is written in the texts; `natures` is what the units are where the knobs have
 * changed it.
 */
export function face(printed: number | string, say: (key: string) => string, natures: Record<number, Nature> = NATURES): CardFace {
  if (printed === "teamwork" || printed === "slacker") return special(printed, say);
  if (printed === "M") return { index: "", emblem: mine, name: capital(say("card.mine.name")) };
  if (printed === "K") {
    const name = capital(say("card.king.name"));
    return { index: name[0]!, emblem: king, name, label: name };
  }
  const nature = natures[Number(printed)] ?? "plain";
  const index = String(printed);
  if (nature === "plain") return { index, emblem: PIKES };
  // "{card} Spy": the word alone
  return { index, emblem: EMBLEMS[nature], name: say(`nature.${nature}`).replace(/\{[^}]*\}/, "").trim() };
}

/** The two special cards. */
export function special(card: "teamwork" | "slacker", say: (key: string) => string): CardFace {
  return { index: "", emblem: card === "teamwork" ? teamwork : slacker, name: say(`face.${card}`) };
}

function capital(word: string): string {
  return word[0]!.toLocaleUpperCase() + word.slice(1);
}

/** What a sheet of samples shows of this game. */
export const SAMPLE: (number | string)[] = [1, 2, 3, 4, 8, 13, "K", "M", "teamwork", "slacker"];
