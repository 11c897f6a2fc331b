import { page } from "$lib/page.svelte";

/** How a place in the order of play is called; 0 starts. */
export function placeName(place: number, players: number): string {
  if (place === 0) return page.t("lab.place.first");
  return place === players - 1 ? page.t("lab.place.last") : page.t("lab.place", { number: place + 1 });
}

/** What a bot is called: a level of the search by its name, a bot of the game as it is. */
export const levelName = (level: string): string => (["novice", "club", "expert"].includes(level) ? page.t(`new.level.${level}`) : level);
