import type { GameTable } from "$lib/game";
import { flights } from "./flights";
import Memory from "./Memory.svelte";
import { asks, parts } from "./moves";
import Table from "./Table.svelte";

/** How Love Letter is drawn. */
export default {
  Table,
  Memory,
  parts,
  asks,
  flights,
  back: (place, seat, slot) => (place === "hand" ? `held-${seat}` : place === "drew" ? `drew-${seat}-${slot}` : undefined),
  section(scene) {
    switch (scene.places["phase"]) {
      case "choose_chancellor":
        return "4.2";
      case "choose_play":
        return scene.choice.picked.length > 0 ? "4" : "4.1";
      case "over":
        return "8";
      default:
        return Number(scene.places["round_no"] ?? 0) > 0 ? "7" : "3";
    }
  },
  status(scene) {
    const round = Math.max(1, Number(scene.places["round_no"] ?? 1));
    const args = { round, goal: Number(scene.knobs["tokens_to_win"] ?? 6), players: scene.players };
    return scene.texts ? scene.t(scene.players > 2 ? "web.status_many" : "web.status", args) : "";
  },
  texts: { fr: () => import("./texts/fr.json"), en: () => import("./texts/en.json") },
} satisfies GameTable;
