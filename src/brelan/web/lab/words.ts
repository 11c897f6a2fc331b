import { page } from "$lib/page.svelte";
import type { Texts } from "$lib/texts";
import type { GameInfo } from "$lib/wire";
import { knobName, valueName } from "../draft/words";
import type { Variant } from "./setup.svelte";

/** How a place in the order of play is called; 0 starts. */
export function placeName(place: number, players: number): string {
  if (place === 0) return page.t("lab.place.first");
  return place === players - 1 ? page.t("lab.place.last") : page.t("lab.place", { number: place + 1 });
}

/** What a bot is called: a level of the search by its name, a bot of the game as it is. */
export const levelName = (level: string): string => (["novice", "club", "expert"].includes(level) ? page.t(`new.level.${level}`) : level);

/** What a variant is: the rules that are turned, or that none is, and who plays. */
export function variantName(game: GameInfo, texts: Texts, { turned, level }: Variant): string {
  const rules = game.knobs
    .filter(({ name }) => name in turned)
    .map((knob) => page.t("new.ticket.value", { knob: knobName(texts, knob), value: valueName(texts, knob, turned[knob.name]!) }));
  return [rules.join(", ") || page.t("lab.as_printed"), page.t("lab.played_by", { level: levelName(level) })].join(" · ");
}
