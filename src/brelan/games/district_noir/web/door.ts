import "./look.css";
import type { Door } from "$lib/game";

export default {
  order: 2,
  players: "2",
  minutes: 15,
  name: { fr: "District Noir", en: "District Noir" },
  sentence: { fr: "Poser une carte, ou rafler les cinq dernières.", en: "Lay a card, or sweep up the five newest." },
  Miniature: () => import("./Miniature.svelte"),
} satisfies Door;
