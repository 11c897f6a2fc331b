import type { Icon } from "$lib/icons";
import type { CardFace } from "$parts/card";
import baron from "icon:game-icons/crossed-sabres";
import chancellor from "icon:game-icons/quill-ink";
import countess from "icon:game-icons/handheld-fan";
import guard from "icon:game-icons/sharp-halberd";
import handmaid from "icon:game-icons/keyring";
import king from "icon:game-icons/imperial-crown";
import priest from "icon:game-icons/prayer";
import prince from "icon:game-icons/fleur-de-lys";
import princess from "icon:game-icons/rose";
import spy from "icon:game-icons/domino-mask";

/** The ten characters by value: the name of each in the texts, and its emblem. */
export const CHARACTERS: { key: string; emblem: Icon }[] = [
  { key: "spy", emblem: spy },
  { key: "guard", emblem: guard },
  { key: "priest", emblem: priest },
  { key: "baron", emblem: baron },
  { key: "handmaid", emblem: handmaid },
  { key: "prince", emblem: prince },
  { key: "chancellor", emblem: chancellor },
  { key: "king", emblem: king },
  { key: "countess", emblem: countess },
  { key: "princess", emblem: princess },
];

/** The face of a character by what is printed on it, 0 to 9. `say` gives a text of the game by its key. */
export function face(printed: number | string, say: (key: string) => string): CardFace {
  const { key, emblem } = CHARACTERS[Number(printed)]!;
  return { index: String(printed), emblem, name: say(`card.${key}.name`), effect: say(`card.${key}.effect`) };
}

/** What a sheet of samples shows of this game. */
export const SAMPLE: (number | string)[] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
