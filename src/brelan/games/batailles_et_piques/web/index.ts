import type { GameTable } from "$lib/game";
import type { Scene } from "$lib/scene.svelte";
import { flights } from "./flights";
import { SLOTS } from "./knowledge";
import Memory from "./Memory.svelte";
import { aim, asks, parts } from "./moves";
import Table from "./Table.svelte";

const SECTIONS: Record<string, string> = {
  deal: "3", set_up: "3", turn: "5", kill: "6.1", bury: "7", refill: "8.1", reveal: "8.1", peek: "8.3", score: "10", over: "10",
};

function status(scene: Scene): string {
  const { places, players, knobs } = scene;
  if (places["phase"] === undefined) return "";
  const isStarted = Number(places["turn_no"]) > 0;
  const line = isStarted ? scene.t("bp.status", { turn: places["turn_no"], players }) : scene.t("bp.status_set_up", { players });
  if (knobs["end_rule"] === "points") return scene.t("bp.to_points", { status: line, count: Number(knobs["end_points"]) });
  if (knobs["end_rule"] === "rounds" && isStarted) {
    return scene.t("bp.round", { status: line, round: places["round_no"], rounds: Number(knobs["end_rounds"]) });
  }
  return line;
}

/** The table of Batailles et piques. */
export default {
  Table,
  Memory,
  parts,
  asks,
  flights,
  back: (place, seat, slot) => (place === "in_play" && seat !== null ? aim(seat, [SLOTS[slot]!]) : undefined),
  section: (scene) => SECTIONS[scene.places["phase"] as string],
  status,
  texts: { fr: () => import("./texts/fr.json"), en: () => import("./texts/en.json") },
} satisfies GameTable;
