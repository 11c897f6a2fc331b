import type { Component } from "svelte";

export type Page = Component<{ value: string; query: URLSearchParams }>;

/** The pages, by the first word behind `#`; each is loaded when somebody goes there. */
export const PAGES: Record<string, () => Promise<{ default: Page }>> = {
  home: () => import("./Home.svelte"),
  join: () => import("./Join.svelte"),
  learn: () => import("./Learn.svelte"),
  missing: () => import("./Missing.svelte"),
  new: () => import("./NewTable.svelte"),
  parts: () => import("./Parts.svelte") as never,
  replay: () => import("./Replay.svelte"),
  seat: () => import("./Seat.svelte"),
  table: () => import("./Table.svelte"),
};
