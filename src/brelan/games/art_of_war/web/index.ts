import type { GameTable } from "$lib/game";
import { flights } from "./flights";
import Memory from "./Memory.svelte";
import { parts, SOURCE, source } from "./moves";
import Table from "./Table.svelte";
import { warOf } from "./units";

const OPENING_CARDS = 4;
const SECTIONS: Record<string, string> = {
  opening: "4", reserve_opening: "16.5", action: "5", attack: "7", block: "16.6", sweep: "16.2", conscription: "8", forced: "10", development: "10", over: "9",
};

/** The table of Art of War. */
export default {
  Table,
  Memory,
  parts,
  // what a choice leads to is always chosen by hand: a blow or a citizen cannot be taken back
  asks: (part) => part !== "confirm",
  flights,
  back: (place, seat, slot) => (place === "hand" ? `held-${seat}-${slot}` : undefined),
  section(scene) {
    const war = warOf(scene);
    if (!war) return undefined;
    const first = source(scene);
    if (war.phase === "action" && first) return SOURCE.test(first) ? "6" : "7";
    return war.phase === "conscription" && scene.knobs["conscription"] === "two" ? "16.4" : SECTIONS[war.phase];
  },
  status(scene) {
    const war = warOf(scene);
    if (!war) return "";
    const cards = ["copies_S", "copies_G", "copies_A"].reduce((sum, knob) => sum + Number(scene.knobs[knob]), 0);
    return war.turn_no === 0 ? scene.t("felt.opening") : scene.t("felt.turn", { turn: war.turn_no, turns: 2 * (cards - OPENING_CARDS) });
  },
  texts: { fr: () => import("./texts/fr.json"), en: () => import("./texts/en.json") },
} satisfies GameTable;
