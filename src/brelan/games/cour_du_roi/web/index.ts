import type { GameTable } from "$lib/game";
import type { Scene } from "$lib/scene.svelte";
import { asks, partsOf } from "./choosing";
import { deals } from "./draft";
import { flights } from "./flights";
import Memory from "./Memory.svelte";
import Table from "./Table.svelte";

const SECTIONS: Record<string, string> = {
  deal: "4", keep: "5", burn: "5", hand_on: "5", packets: "5", begin: "4", play: "6", swap: "6.4", give: "6.5", draw: "6.5", score: "9", over: "9",
};

function status(scene: Scene): string {
  const { places } = scene;
  const phase = places["phase"] as string | undefined;
  if (!phase) return "";
  const games = Number(scene.knobs["games"]);
  const before = games > 1 && places["game_no"] > 0 ? `${scene.t("face.game", { game: places["game_no"], games })} · ` : "";
  const now = stage(scene, phase);
  const whole = before + now;
  return whole.charAt(0).toUpperCase() + whole.slice(1);
}

function stage(scene: Scene, phase: string): string {
  const { places } = scene;
  if (phase === "over") return scene.t("face.over");
  if (phase === "score") return scene.t("face.counted");
  if (phase === "deal" || phase === "begin") return scene.t("face.setting_up");
  if (["keep", "burn", "hand_on", "packets"].includes(phase)) {
    return `${scene.t("face.draft", { deal: places["deal_no"], deals: deals(places) })} · ${scene.t("cdr.step", { step: places["step"] })}`;
  }
  return scene.t("face.round", { round: places["round_no"] });
}

/** La cour du Roi: the draft, then one Court in the middle of everybody. */
export default {
  Table,
  Memory,
  parts: partsOf,
  asks,
  flights,
  back: (place, seat) => (place === "king" ? `king-${seat}` : undefined),
  section: (scene) => SECTIONS[scene.places["phase"] as string],
  status,
  texts: { fr: () => import("./texts/fr.json"), en: () => import("./texts/en.json") },
} satisfies GameTable;
