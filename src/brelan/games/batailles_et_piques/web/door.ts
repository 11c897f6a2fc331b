import "./look.css";
import type { Door } from "$lib/game";

export default {
  order: 4,
  players: "3–6",
  minutes: 30,
  name: { fr: "Batailles et piques", en: "Batailles et piques" },
  sentence: { fr: "Des armées face cachée : attaquer, voir, retenir.", en: "Armies face down: attack, look, remember." },
  Miniature: () => import("./Miniature.svelte"),
} satisfies Door;
