const KEY = "brelan.links.";

/** Links of a table that was opened here: `seat 0`, `invitation 1` …, as the server named them. */
export type Links = Record<string, string>;

/** Keep the secrets of a table's links on this device: the server tells them once. */
export function keepLinks(table: string, links: Links): void {
  try {
    localStorage.setItem(KEY + table, JSON.stringify({ ...linksOf(table), ...links }));
  } catch {
    // Without them the table can be played here, and nobody can be invited later.
  }
}

export function linksOf(table: string): Links {
  try {
    return JSON.parse(localStorage.getItem(KEY + table) ?? "{}") as Links;
  } catch {
    return {};
  }
}

/** The address of a link: what stands behind `#` is not sent to the server by browsers. */
export function address(kind: "join" | "seat" | "table", key: string): string {
  return `${location.origin}/#${kind}=${encodeURIComponent(key)}`;
}
