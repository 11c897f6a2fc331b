import type { Icon } from "$lib/icons";
import type { CardFace } from "$parts/card";
import alliance from "icon:game-icons/shaking-hands";
import betrayal from "icon:game-icons/plain-dagger";
import cabaret from "icon:game-icons/saxophone";
import cityHall from "icon:game-icons/greek-temple";
import docks from "icon:game-icons/anchor";
import hat from "icon:game-icons/fedora";
import police from "icon:game-icons/police-badge";
import press from "icon:game-icons/newspaper";
import workers from "icon:game-icons/factory";

/** What the cards of a kind look like. */
export interface Kind {
  emblem: Icon;
  ink: string;
  soft: string;
}

const ALLIANCE = { ink: "#1C6547", soft: "#AFD8BF", emblem: alliance };
const BETRAYAL = { ink: "#A3221B", soft: "#F1B6AE", emblem: betrayal };
const CITY = { ink: "#1B1A20", soft: "#C9C6CE" };

/** The thirteen kinds by what is printed on them. */
export const KINDS: Record<string, Kind> = {
  S5: { emblem: press, ink: "#1F4E8C", soft: "#B5CDEE" },
  S6: { emblem: cabaret, ink: "#9A2A63", soft: "#EDB8D2" },
  S7: { emblem: workers, ink: "#A0430F", soft: "#F3C29F" },
  S8: { emblem: hat, ink: "#6E5606", soft: "#E8D48B" },
  A2: ALLIANCE,
  A3: ALLIANCE,
  A4: ALLIANCE,
  T1: BETRAYAL,
  T2: BETRAYAL,
  T3: BETRAYAL,
  V1: { ...CITY, emblem: docks },
  V2: { ...CITY, emblem: police },
  V3: { ...CITY, emblem: cityHall },
};

/** The face of a card by what is printed on it: `S5`, `A2`, `T1`, `V1`. `say` gives a text of the game by its key. */
export function face(printed: number | string, say: (key: string) => string): CardFace {
  const kind = KINDS[printed]!;
  const whole = say(`card.${String(printed).toLowerCase()}.name`);
  if (String(printed).startsWith("V")) {
    const name = whole.replace(/^(the |les |le |la |l’)/i, "");
    return { index: "", glyph: kind.emblem, ...kind, name: name[0]!.toLocaleUpperCase() + name.slice(1), label: whole };
  }
  // "Support 5", "Alliance +2", "Betrayal −1": the name, and what stands in the corner.
  const [, name, index] = /^(.*?)\s+(\S+)$/.exec(whole)!;
  return { index: index!, ...kind, name, label: whole };
}

/** What a sheet of samples shows of this game. */
export const SAMPLE: (number | string)[] = Object.keys(KINDS);
