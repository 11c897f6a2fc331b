import type { Component } from "svelte";

export type Page = Component<{ value: string; query: URLSearchParams }>;

/** The pages, by the first word behind `#`; each is loaded when somebody goes there. */
export const PAGES: Record<string, (value: string) => Promise<{ default: Page }>> = {
  bots: () => import("./Bots.svelte"),
  credits: () => import("./Credits.svelte"),
  history: () => import("./History.svelte"),
  home: () => import("./Home.svelte"),
  join: () => import("./Join.svelte"),
  keys: () => import("./Keys.svelte"),
  learn: (value) => (value ? import("./Learn.svelte") : import("./Lessons.svelte")),
  missing: () => import("./Missing.svelte"),
  new: () => import("./NewTable.svelte"),
  parts: () => import("./Parts.svelte") as never,
  replay: () => import("./Replay.svelte"),
  rules: () => import("./Rules.svelte"),
  seat: () => import("./Seat.svelte"),
  settings: () => import("./Settings.svelte"),
  table: () => import("./Table.svelte"),
  verify: () => import("./Verify.svelte"),
};
