import { page } from "$lib/page.svelte";
import type { Scene } from "$lib/scene.svelte";

interface Row {
  seat: number | null;
  text: string;
}

/** Each place of a view with what it holds: a row for each seat where there is one, else one row. */
export function shown(scene: Scene): { name: string; rows: Row[] }[] {
  const places = scene.dictionary?.vocabulary.places ?? [];
  return places
    .filter((place) => !place.knob && place.name in scene.places)
    .map((place) => {
      const value = scene.places[place.name] as unknown;
      const isBySeat = place.seat_axes.includes(0) && Array.isArray(value);
      const rows = isBySeat ? (value as unknown[]).map((each, seat) => ({ seat, text: said(each) })) : [{ seat: null, text: said(value) }];
      return { name: place.name.replaceAll("_", " "), rows };
    });
}

function said(value: unknown): string {
  if (value === null || value === undefined) return page.t("plain.hidden");
  if (Array.isArray(value)) return value.length > 0 ? value.map(said).join(" · ") : page.t("plain.nothing");
  return String(value).replace(/^-/, "−").replaceAll("_", " ");
}
