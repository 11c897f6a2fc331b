import "./look.css";
import type { Door } from "$lib/game";

export default {
  order: 3,
  players: "2–4",
  minutes: 25,
  name: { fr: "La cour du Roi", en: "La cour du Roi" },
  sentence: { fr: "Un Roi secret, une pyramide pour tous.", en: "A secret King, one pyramid for all." },
  Miniature: () => import("./Miniature.svelte"),
} satisfies Door;
