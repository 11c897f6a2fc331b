import { get, post } from "./http";
import { page } from "./page.svelte";
import type { Listed, Me, Named } from "./wire";

/** Who plays in this browser, as the server knows them, and their tables. */
class Guest {
  /** Null: the server has not met them yet. */
  name = $state<string | null>(null);
  tables = $state.raw<Listed[]>([]);

  /** Ask who it is; throws `Refused`. */
  async load(): Promise<void> {
    const me = await get<Me>("/api/me");
    this.name = me.name;
    this.tables = me.tables;
  }

  /** Be known to the server, under a name in the language of the page until another is chosen; throws `Refused`. */
  async greet(): Promise<void> {
    if (this.name === null) await this.load();
    if (this.name === null) await this.rename(page.t("me.default"));
  }

  /** Take another name; throws `Refused`. */
  async rename(name: string): Promise<void> {
    this.name = (await post<Named>("/api/me", { name })).name;
  }

  /** Tables that are not over: those that wait for this guest first, then the latest. */
  get running(): Listed[] {
    const open = this.tables.filter(({ status }) => status === "waiting" || status === "playing");
    return open.sort((a, b) => Number(waits(b)) - Number(waits(a)) || b.created - a.created);
  }

  /** Matches that are over, the latest first. */
  get recent(): Listed[] {
    const over = this.tables.filter(({ status, result }) => status === "over" && result);
    return over.sort((a, b) => (b.ended ?? b.created) - (a.ended ?? a.created));
  }
}

/** Whether a match waits for its reader. */
export function waits({ status, turn, mine }: Listed): boolean {
  return status === "playing" && typeof turn === "number" && mine.includes(turn);
}

/** The names of all others at a table; a bot alone has its level beside the name. */
export function others({ seats, mine }: Listed): string[] {
  const rest = seats.filter(({ kind }, seat) => kind !== "open" && !mine.includes(seat));
  return rest.map(({ name, bot }) => (rest.length === 1 && bot && bot !== name ? `${name} (${bot})` : name));
}

/** Where a table of one's own is played. */
export const hashOf = ({ table, mine }: Listed): string => `#table=${table}&seat=${mine[0]}`;

export const guest = new Guest();
