import { guest } from "./guest.svelte";
import { post } from "./http";
import { keepLinks } from "./links";
import { router } from "./router.svelte";
import type { Branch, GameInfo, NewTable, Opened, Sitting } from "./wire";

/** Open a table and go to one's seat at it; throws `Refused`. */
export async function open(wanted: NewTable): Promise<void> {
  await guest.greet();
  const { table, links } = await post<Opened>("/api/tables", wanted);
  keepLinks(table, links);
  const seat = wanted.seats.findIndex(({ kind }) => kind === "me");
  router.go(`#table=${table}&seat=${seat}`);
}

/** Play a match that is over otherwise, from a decision on, at a table of one's own; throws `Refused`. */
export async function playOn(before: string, wanted: Branch): Promise<void> {
  await guest.greet();
  const { table, links } = await post<Opened>(`/api/tables/${encodeURIComponent(before)}/branch`, wanted);
  keepLinks(table, links);
  router.go(`#table=${table}&seat=${wanted.seat}`);
}

/** A table against bots of the middle level. */
export function againstBots(game: string, players: number): NewTable {
  return tableWith(game, players, { kind: "bot", bot: "club" });
}

/** A table whose other seats are open. */
export function withFriends(game: string, players: number): NewTable {
  return tableWith(game, players, { kind: "open" });
}

/** How many sit at a table when nobody says otherwise. */
export const usual = ({ players, default_players }: GameInfo): number => default_players || Math.min(...players);

function tableWith(game: string, players: number, other: Sitting): NewTable {
  const rest = Array.from({ length: players - 1 }, () => other);
  return { game, seats: [{ kind: "me" }, ...rest], options: { hints: true } };
}
