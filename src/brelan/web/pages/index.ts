import type { Component } from "svelte";

export type Page = Component<{ value: string; query: URLSearchParams }>;

/** The pages, by the first word behind `#`; each is loaded when somebody goes there. */
export const PAGES: Record<string, () => Promise<{ default: Page }>> = {
  home: () => import("./Home.svelte"),
  table: () => import("./Table.svelte"),
  new: () => import("./NewTable.svelte"),
  join: () => import("./Join.svelte"),
  seat: () => import("./Seat.svelte"),
  missing: () => import("./Missing.svelte"),
};
