import type { Component } from "svelte";
import { doorOf } from "./game";
import { games, textsOf } from "./house";
import type { Lang } from "./texts";
import type { GameInfo } from "./wire";

/** A game as its door tells of it. */
export interface DoorInfo {
  id: string;
  name: string;
  sentence: string;
  /** "2", "2–6". */
  players: string;
  minutes: number | null;
  Miniature: (() => Promise<{ default: Component }>) | null;
}

/** The doors that this page knows by itself, before the server has answered. */
export function ownDoors(lang: Lang): DoorInfo[] {
  return Object.entries(doorOf)
    .sort(([, a], [, b]) => a.order - b.order)
    .map(([id, door]) => ({ ...door, id, name: door.name[lang], sentence: door.sentence[lang] }));
}

/** The doors of all games of the server; a game without one has what its texts say. */
export async function allDoors(lang: Lang): Promise<DoorInfo[]> {
  const there = await games();
  const own = ownDoors(lang).filter(({ id }) => there.some((game) => game.id === id));
  const others = there.filter(({ id }) => !doorOf[id]).map((game) => doorFrom(game, lang));
  return [...own, ...(await Promise.all(others))];
}

/** The name of a game, wherever it is known from. */
export async function nameOf(game: string, lang: Lang): Promise<string> {
  return doorOf[game]?.name[lang] ?? (await textsOf(lang, game)).say("game.name");
}

async function doorFrom({ id, players }: GameInfo, lang: Lang): Promise<DoorInfo> {
  const texts = await textsOf(lang, id);
  const [least, most] = [Math.min(...players), Math.max(...players)];
  return {
    id,
    name: texts.say("game.name"),
    sentence: texts.say("game.summary"),
    players: least === most ? `${least}` : `${least}–${most}`,
    minutes: null,
    Miniature: null,
  };
}
