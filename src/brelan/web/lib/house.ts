import type { GameTable } from "./game";
import { get } from "./http";
import { Texts, type Entries, type Lang } from "./texts";
import type { GameInfo } from "./wire";

const own: Record<Lang, () => Promise<{ default: Entries }>> = {
  fr: () => import("../texts/fr.json"),
  en: () => import("../texts/en.json"),
};

const kept = new Map<string, Promise<unknown>>();

/** What is asked for once, and kept; a request that failed is made again. */
function once<T>(key: string, ask: () => Promise<T>): Promise<T> {
  let found = kept.get(key) as Promise<T> | undefined;
  if (!found) {
    found = ask();
    kept.set(key, found);
    found.catch(() => kept.delete(key));
  }
  return found;
}

/** The texts of the page in a language. */
export const pageTexts = (lang: Lang): Promise<Texts> =>
  once(`page ${lang}`, async () => new Texts(lang, (await own[lang]()).default));

const serverTexts = (lang: Lang, game: string) =>
  once(`texts ${lang} ${game}`, () => get<Record<string, Entries>>(`/api/texts/${lang}?game=${encodeURIComponent(game)}`));

/** The texts of a game in a language: the server's, the page's, and those of its own page. */
export async function textsOf(lang: Lang, game: string, table?: GameTable): Promise<Texts> {
  const [server, page, own] = await Promise.all([serverTexts(lang, game), pageTexts(lang), table?.texts?.[lang]()]);
  return new Texts(lang, { ...page.entries, ...server[game], ...own?.default });
}

/** The games, and what a table may be opened with. */
export const games = (): Promise<GameInfo[]> => once("games", () => get<GameInfo[]>("/api/games"));

/** Ask for the games anew: whether they are compiled changes. */
export function freshGames(): Promise<GameInfo[]> {
  kept.delete("games");
  return games();
}

/** A rulebook, in Markdown. */
export const rulebook = (game: string, lang: Lang): Promise<string> =>
  once(`rules ${game} ${lang}`, () => get<string>(`/api/rules/${game}/${lang}`));
