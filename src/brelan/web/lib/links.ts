import type { TableInfo } from "./wire";

/**
 * The links of tables that were opened or joined from this browser. The server tells their secrets
 * once; they are kept here so that an invitation can be sent again.
 */

const KEY = "brelan.links";
const MOST = 20;

/** Secrets by what they lead to: `seat 0`, `invitation 1`. */
export type Links = Record<string, string>;

function kept(): [string, Links][] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? (found as [string, Links][]) : [];
  } catch {
    return [];
  }
}

/** Keep the links of a table, beside those that are known of it; the oldest tables are dropped. */
export function keepLinks(table: string, links: Links): void {
  const others = kept().filter(([name]) => name !== table);
  const all = [...others, [table, { ...linksOf(table), ...links }]];
  try {
    localStorage.setItem(KEY, JSON.stringify(all.slice(-MOST)));
  } catch {
    // A browser that keeps nothing shows no links again.
  }
}

/** The links of a table that this browser knows. */
export function linksOf(table: string): Links {
  return kept().find(([name]) => name === table)?.[1] ?? {};
}

/** The decision of another match, analysed, that a match goes on from; null: nobody is told, or there is none. */
export function originOf(info: TableInfo | null): string | null {
  const { table, seat, ply } = info?.origin ?? {};
  return table ? `#analysis=${table}&seat=${seat}&at=${ply}` : null;
}

/** The address of a link: what stands behind `#` is not sent to the server by browsers. */
export function address(kind: "join" | "seat" | "table", key: string): string {
  return `${location.origin}/#${kind}=${encodeURIComponent(key)}`;
}
