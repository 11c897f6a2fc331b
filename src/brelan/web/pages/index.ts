import type { Component } from "svelte";

export type Page = Component<{ value: string; query: URLSearchParams }>;

/** A page that does not mind what stands behind its name in the address. */
type Plain = Component<Record<string, never>>;

// Each import is a function of its own: of two in one expression the bundler loads the styles of the last alone.
const learn = () => import("./Learn.svelte");
const lessons = () => import("./Lessons.svelte");

/** The pages, by the first word behind `#`; each is loaded when somebody goes there. */
export const PAGES: Record<string, (value: string) => Promise<{ default: Page | Plain }>> = {
  analysis: () => import("./Analysis.svelte"),
  bots: () => import("./Bots.svelte"),
  compare: () => import("./Compare.svelte"),
  credits: () => import("./Credits.svelte"),
  history: () => import("./History.svelte"),
  home: () => import("./Home.svelte"),
  join: () => import("./Join.svelte"),
  keys: () => import("./Keys.svelte"),
  lab: () => import("./Lab.svelte"),
  learn: (value) => (value ? learn() : lessons()),
  missing: () => import("./Missing.svelte"),
  new: () => import("./NewTable.svelte"),
  parts: () => import("./Parts.svelte"),
  replay: () => import("./Replay.svelte"),
  rules: () => import("./Rules.svelte"),
  seat: () => import("./Seat.svelte"),
  settings: () => import("./Settings.svelte"),
  table: () => import("./Table.svelte"),
  verify: () => import("./Verify.svelte"),
};
