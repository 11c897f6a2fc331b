import type { Scene } from "$lib/scene.svelte";
import type { Args } from "$lib/texts";

/** How a match has ended, in a sentence. */
export function outcome(scene: Scene, t: (key: string, args?: Args) => string): string {
  const { result, me } = scene;
  if (!result) return "";
  const { winners, scores, reason } = result;
  const isEarly = reason === "resignation" || reason === "timeout";
  const own = `outcome.${reason}`; // a game may say what decided, where points did not
  const score = isEarly ? t(`prompt.${reason}`) : scene.texts?.has(own) ? scene.t(own) : standing(scores, winners);
  if (winners.length === 0) return t("prompt.nobody_wins");
  if (winners.length === 1) {
    const winner = winners[0] as number;
    return winner === me ? t("prompt.you_win", { score }) : t("prompt.one_wins", { who: scene.name(winner), score });
  }
  const names = winners.map((seat) => scene.name(seat));
  const who = names.reduce((first, last, at) => (at === names.length - 1 ? t("prompt.and", { first, last }) : `${first}, ${last}`));
  return t("prompt.many_win", { who });
}

/** The scores, the winner's first. */
function standing(scores: number[], winners: number[]): string {
  const seats = scores.map((_, seat) => seat).sort((a, b) => Number(winners.includes(b)) - Number(winners.includes(a)) || scores[b] - scores[a]);
  return seats.map((seat) => String(scores[seat]).replace("-", "−")).join(" – ");
}
