import type { Known, Slip } from "$parts/card";
import { inWords, type CardFace } from "$parts/card";
import type { Scene } from "$lib/scene.svelte";
import type { Word } from "$lib/texts";
import { face, type Nature, NATURES } from "./faces";
import { army, leftFor, possible, sure, type Counts, type Printed, type SlotName } from "./knowledge";

const FEW = 3;
const MANY = 6;
/** A run of fewer cards is written out. */
const SHORTEST_RUN = 3;
/** As many letters as a slip holds on one line. */
const LINE = 13;

/** The face of a card as the knobs have made it. */
export function faceOf(scene: Scene, card: Printed): CardFace {
  const natures: Record<number, Nature> = { ...NATURES };
  for (let strength = 1; strength <= 13; strength++) {
    const nature = scene.knobs[`nature_${strength}`];
    if (nature !== undefined) natures[strength] = nature as Nature;
  }
  return face(card, (key) => scene.texts?.entries[key] ?? key, natures);
}

/** A card as an argument of a text. */
export function word(card: Printed): Word {
  if (card === "K") return { key: "card.king" };
  if (card === "M") return { key: "card.mine" };
  return { key: "card.unit", args: { value: card } };
}

/** A card as short as it is written: 12, R, mine. */
export function short(scene: Scene, card: Printed): string {
  if (card === "K") return faceOf(scene, card).index;
  return card === "M" ? scene.t("card.mine.name") : String(card);
}

/** A card in words: "4, Sapper". */
export function said(scene: Scene, card: Printed): string {
  return inWords(faceOf(scene, card));
}

/** A slot, as the game calls it: "at the left". */
export function slotWord(slot: SlotName): Word {
  return { key: `slot.${slot[0]}` };
}

/** Cards in a row, neighbours of an army as a run: 1 3–7 9. Mines are left out. */
export function runs(scene: Scene, cards: Iterable<Printed>): string {
  const among = army(scene.places).filter((card) => card !== "M");
  const held = new Set(cards);
  const found: string[] = [];
  let run: Printed[] = [];
  const close = () => {
    if (run.length < SHORTEST_RUN) found.push(...run.map((card) => short(scene, card)));
    else found.push(`${short(scene, run[0])}–${short(scene, run.at(-1) as Printed)}`);
    run = [];
  };
  for (const card of among) held.has(card) ? run.push(card) : close();
  close();
  return found.join(" ");
}

/** Cards as alternatives: 9, 12 or 13. */
export function either(scene: Scene, cards: Printed[]): string {
  const names = cards.map((card) => short(scene, card));
  if (names.length < 2) return names.join("");
  return scene.t("bp.or", { first: names.slice(0, -1).join(", "), last: names.at(-1) as string });
}

export function percent(scene: Scene, share: number): string {
  return scene.t("bp.percent", { number: Math.round(share * 100) });
}

/** What is turned up of a card of which the reader is sure; on a small card a unit is its number alone. */
export function corner(scene: Scene, card: Printed, isSmall = false): Known {
  const { index, emblem, name } = faceOf(scene, card);
  const isUnit = typeof card === "number";
  return { index: index || undefined, icon: emblem, name: isUnit ? (name && !isSmall ? `${index} ${name}` : index) : name };
}

/** A strip for the back of a card that can be several: the strongest that may be said, or none. */
export function slip(scene: Scene, seat: number, slot: SlotName): Slip | null {
  const { places } = scene;
  const kinds = possible(places, seat, slot);
  const left = leftFor(places, seat, slot);
  if (kinds.size === 0 || kinds.size === left.size) return null;
  const cards = [...kinds.keys()];
  if (kinds.size <= FEW) return { bold: either(scene, cards) };
  const listed = runs(scene, cards);
  const missing = [...left.keys()].filter((card) => !kinds.has(card));
  const mine = kinds.get("M");
  if (missing.includes("M") && kinds.size > MANY) {
    return { bold: scene.t("bp.no_mine"), text: listed.length <= LINE && missing.length > 1 ? listed : undefined };
  }
  if (kinds.size <= MANY || listed.length < LINE) {
    if (mine === undefined) return { bold: listed };
    const bar = share(kinds, mine);
    return { bold: listed, text: `${scene.t("card.mine.name")} ${percent(scene, bar)}`, bar };
  }
  if (missing.length <= FEW) return { bold: scene.t("bp.not", { cards: missing.map((card) => short(scene, card)).join(" ") }) };
  return null;
}

function share(kinds: Counts, count: number): number {
  return count / [...kinds.values()].reduce((sum, each) => sum + each, 0);
}

/** What the reader knows of a card in play, in words: "mine", "12 or 13", "unknown". */
export function known(scene: Scene, seat: number, slot: SlotName): string {
  const card = sure(scene.places, seat, slot);
  if (card !== null) return said(scene, card);
  const strip = slip(scene, seat, slot);
  return strip ? [strip.bold, strip.text].filter(Boolean).join(", ") : scene.t("bp.unknown");
}

/** Names of several seats: "Anna, Basile and Chloé". */
export function people(scene: Scene, seats: number[]): string {
  const names = seats.map((seat) => (seat === scene.me ? scene.t("bp.you") : scene.name(seat)));
  if (names.length < 2) return names.join("");
  return scene.t("bp.and", { first: names.slice(0, -1).join(", "), last: names.at(-1) as string });
}
