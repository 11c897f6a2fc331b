import type { Args } from "$lib/texts";
import type { ResultInfo } from "$lib/wire";

/** A match that has ended, as somebody looks at it. */
export interface Ended {
  result: ResultInfo | null;
  /** Whose eyes these are; null: nobody's who played. */
  me: number | null;
  name(seat: number): string;
  /** What decided, where points did not, in the words of the game. */
  decided?(reason: string): string | undefined;
}

/** How a match has ended, in a sentence. */
export function outcome(match: Ended, t: (key: string, args?: Args) => string): string {
  const { result, me } = match;
  if (!result) return "";
  const { winners, scores, reason } = result;
  const isEarly = reason === "resignation" || reason === "timeout";
  const score = isEarly ? t(`prompt.${reason}`) : (match.decided?.(reason) ?? standing(scores, winners));
  if (winners.length === 0) return t("prompt.nobody_wins");
  if (winners.length === 1) {
    const winner = winners[0] as number;
    return winner === me ? t("prompt.you_win", { score }) : t("prompt.one_wins", { who: match.name(winner), score });
  }
  const names = winners.map((seat) => match.name(seat));
  const who = names.reduce((first, last, at) => (at === names.length - 1 ? t("prompt.and", { first, last }) : `${first}, ${last}`));
  return t("prompt.many_win", { who });
}

/** The scores, the winner's first. */
function standing(scores: number[], winners: number[]): string {
  const seats = scores.map((_, seat) => seat).sort((a, b) => Number(winners.includes(b)) - Number(winners.includes(a)) || scores[b] - scores[a]);
  return seats.map((seat) => String(scores[seat]).replace("-", "−")).join("\u00a0–\u00a0");
}
