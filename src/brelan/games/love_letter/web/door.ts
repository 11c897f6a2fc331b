import "./look.css";
import type { Door } from "$lib/game";

export default {
  order: 1,
  players: "2–6",
  minutes: 15,
  name: { fr: "Love Letter", en: "Love Letter" },
  sentence: { fr: "Une seule carte en main, et tout le monde la cherche.", en: "One card in your hand, and everybody is after it." },
  Miniature: () => import("./Miniature.svelte"),
} satisfies Door;
