import type { Component } from "svelte";

export type Page = Component<{ value: string; query: URLSearchParams }>;

/** The pages, by the first word behind `#`; each is loaded when somebody goes there. */
export const PAGES: Record<string, () => Promise<{ default: Page }>> = {
  learn: () => import("./Learn.svelte"),
  parts: () => import("./Parts.svelte") as never,
  replay: () => import("./Replay.svelte"),
  table: () => import("./Table.svelte"),
};
