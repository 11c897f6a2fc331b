import type { GameTable } from "$lib/game";
import type { Scene } from "$lib/scene.svelte";
import { asBack, flights } from "./flights";
import Memory from "./Memory.svelte";
import { partsOf } from "./parts";
import Table from "./Table.svelte";

function status(scene: Scene): string {
  const { places, knobs } = scene;
  if (places["round_no"] === undefined) return "";
  const number = { round: places["round_no"], rounds: Number(knobs["rounds"] ?? 4) };
  if (places["phase"] === "over") return scene.t(`table.by_${places["reason"]}`);
  const actions = 2 * (Number(knobs["hand_size"] ?? 5) + 1);
  return scene.t("table.status", { ...number, action: Math.min(places["action_no"] + 1, actions), actions });
}

function section({ places, legal }: Scene): string {
  if (places["phase"] === "over" || places["phase"] === "score") return "7";
  return legal.some((move) => move.notation === "take") ? "4" : "4.1";
}

const back: GameTable["back"] = (place, seat, slot) => (place === "hand" && seat !== null ? asBack(seat, slot) : undefined);

const texts = { fr: () => import("./texts/fr.json"), en: () => import("./texts/en.json") };

export default { Table, Memory, parts: partsOf, flights, back, section, status, texts } satisfies GameTable;
