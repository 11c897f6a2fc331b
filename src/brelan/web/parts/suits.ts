import type { Icon } from "$lib/icons";
import bot from "../art/emblem-bot.svg?raw";
import pike from "../art/emblem-pike.svg?raw";
import sword from "../art/emblem-sword.svg?raw";
import mark from "../art/mark.svg?raw";
import club from "../art/suit-club.svg?raw";
import diamond from "../art/suit-diamond.svg?raw";
import heart from "../art/suit-heart.svg?raw";
import spade from "../art/suit-spade.svg?raw";

/** What was drawn for this house, as icons: the mark, the four suits, the emblems. */
export const MARK = drawing(mark);
export const BOT_KEY = drawing(bot);
export const PIKES = drawing(pike);
export const SWORD = drawing(sword);

/** A suit: its shape, its ink and the tint of its stencilled shadow. */
export interface Suit {
  icon: Icon;
  ink: string;
  soft: string;
}

/** The four suits by the letter that the rules write for them. */
export const SUITS: Record<"H" | "D" | "C" | "S", Suit> = {
  H: { icon: drawing(heart), ink: "var(--heart)", soft: "#F0B4BB" },
  D: { icon: drawing(diamond), ink: "var(--diamond)", soft: "#F1CF9C" },
  C: { icon: drawing(club), ink: "var(--club)", soft: "#AFD8BF" },
  S: { icon: drawing(spade), ink: "var(--spade)", soft: "#B7C1E6" },
};

/** Take the `<svg>` off a drawing: what stands inside it, and its `viewBox`. */
function drawing(svg: string): Icon {
  const [, box, body] = /viewBox="([^"]+)"[^>]*>([\s\S]*)<\/svg>/.exec(svg)!;
  return { body, box };
}
