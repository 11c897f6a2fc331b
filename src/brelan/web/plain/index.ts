import type { GameTable } from "$lib/game";
import Table from "./Table.svelte";

/** The table of a game that has none of its own: its places by name, its moves as buttons. */
export default {
  Table,
  parts: (move) => [`move-${move.id}`],
} satisfies GameTable;
