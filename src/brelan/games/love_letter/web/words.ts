import type { Scene } from "$lib/scene.svelte";
import type { Known, Slip } from "$parts/card";
import { CHARACTERS } from "./faces";
import { inShort, knowledgeOf, type Knowledge } from "./reading";

/** A character as an argument of a text. */
export const cardWord = (card: number) => ({ key: `card.${CHARACTERS[card]!.key}` });
/** What a character is called. */
export const nameOf = (scene: Scene, card: number): string => scene.t(`card.${CHARACTERS[card]!.key}.name`);
/** Whether the house writes down what was seen (§6). */
export const remembers = (scene: Scene): boolean => scene.knobs["memory_aid"] !== "off";

/** A share in per cent, as it is written in the language of the page. */
export function percent(scene: Scene, share: number): string {
  return new Intl.NumberFormat(scene.texts?.lang ?? "en", { style: "percent", maximumFractionDigits: 0 }).format(share).replace("\u202f", "\u00a0");
}

/** Things in a row, the last of them after a word: "Guard, Baron or King". */
export function listed(names: string[], last: string): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} ${last} ${names.at(-1)}`;
}

/** What is written on the back of the card that another seat keeps. */
export interface Back {
  known: Known | null;
  slip: Slip | null;
  /** The same in words, for those who do not see it. */
  said: string;
}

/** What the back of a hidden card says to the reader. */
export function backOf(scene: Scene, seat: number): Back {
  if (!remembers(scene)) return { known: null, slip: null, said: "" };
  return inWords(scene, knowledgeOf(scene.places, scene.me, seat, scene.knobs));
}

function inWords(scene: Scene, knowledge: Knowledge): Back {
  const names = (cards: number[], last: string) => listed(cards.map((card) => nameOf(scene, card)), scene.t(last));
  switch (knowledge.kind) {
    case "known":
      return { known: { index: String(knowledge.card), name: nameOf(scene, knowledge.card) }, slip: null, said: nameOf(scene, knowledge.card) };
    case "few":
      return slip({ bold: listed(knowledge.cards.map(String), scene.t("web.or")) }, names(knowledge.cards, "web.or"));
    case "not":
      return slip({ bold: scene.t("web.slip_not", { cards: inShort(knowledge.cards) }) }, scene.t("web.slip_not", { cards: names(knowledge.cards, "web.nor") }));
    case "set":
      return slip({ bold: inShort(knowledge.cards) }, names(knowledge.cards, "web.or"));
    case "chance":
      return chance(scene, knowledge.odds);
    default:
      return { known: null, slip: null, said: "" };
  }
}

/** The likeliest first; those that are equally likely share a per cent. */
function chance(scene: Scene, odds: { card: number; share: number }[]): Back {
  const levels: { cards: number[]; share: number }[] = [];
  for (const { card, share } of odds) {
    const level = levels.at(-1);
    if (level && Math.abs(level.share - share) < 1e-9) level.cards.push(card);
    else levels.push({ cards: [card], share });
  }
  const [first, second] = levels as [{ cards: number[]; share: number }, { cards: number[]; share: number }?];
  const figure = percent(scene, first.share);
  const said = odds.map(({ card, share }) => `${nameOf(scene, card)} ${percent(scene, share)}`).join(", ");
  if (first.cards.length === 1) {
    const rest = second && `${second.cards.join("\u2009")} · ${percent(scene, second.share)}`;
    return slip({ bold: `${nameOf(scene, first.cards[0] as number)} ${figure}`, text: rest?.replaceAll("\u2009", " "), bar: first.share }, said);
  }
  if (!second) return slip({ bold: first.cards.join(" "), text: figure, bar: first.share }, said);
  return slip({ bold: `${first.cards.join(" ")} · ${figure}`, text: `${second.cards.join(" ")} · ${percent(scene, second.share)}`, bar: first.share }, said);
}

const slip = (written: Slip, said: string): Back => ({ known: null, slip: written, said });
