import "./look.css";
import type { Door } from "$lib/game";

export default {
  order: 5,
  players: "2",
  minutes: 25,
  name: { fr: "L’art de la guerre", en: "Art of War" },
  sentence: { fr: "Frappez juste assez fort, et l’ennemi est à vous.", en: "Strike just hard enough, and the enemy is yours." },
  Miniature: () => import("./Miniature.svelte"),
} satisfies Door;
