import type { Line, Scene } from "$lib/scene.svelte";
import { shapeOf } from "$parts/shapes";
import type { StoryLine, StoryPart } from "$parts/story";

/** The story as the page tells it: marks of seats, cards in the ink of the game, headings. */
export function storyOf(scene: Scene): StoryLine[] {
  const last = scene.lines.length - 1;
  return scene.lines.map((line, at) => told(scene, line, at === last && scene.isMine));
}

/** A line of the story. What only its reader is told begins with "You", and names nobody: it bears the reader's mark. */
function told(scene: Scene, line: Line, lit: boolean): StoryLine {
  const parts: StoryPart[] = scene.parts(line.text).map(({ text, words, seat }) => {
    if (seat !== undefined) return { text, kind: seat === scene.me ? "you" : "name" };
    if (/^[♥♦♣♠]$/.test(text)) return { text, kind: "suit", said: scene.t(`${words?.at(-1)}.name`) };
    return { text, kind: words?.some((key) => /^(card|unit|city)/.test(key)) ? "card" : undefined };
  });
  const whole = parts.map(({ text }) => text).join("");
  if (/^—.*—$/.test(whole.trim())) {
    return { seat: null, heading: true, parts: [{ text: whole.replaceAll("—", "").trim() }] };
  }
  const seat = line.seat ?? (whole.startsWith(`${scene.t("house.you")} `) ? scene.me : null);
  return { seat: seat === null ? null : { name: scene.name(seat), shape: shapeOf(seat, scene.me) }, parts, lit, own: seat !== null && seat === scene.me };
}
