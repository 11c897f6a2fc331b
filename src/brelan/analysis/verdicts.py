"""Verdicts: words and scores for what moves lose. All win chances are whole thousandths."""

from __future__ import annotations

VERDICTS = ("best", "good", "inaccuracy", "mistake")
INACCURACY, MISTAKE = 20, 60  # thousandths of a match; docs/analysis.md shows what levels lose


def verdict(loss: int) -> str:
    """Return the word for a move that loses so many thousandths of a match.

    >>> [verdict(loss) for loss in (0, 1, 20, 60)]
    ['best', 'good', 'inaccuracy', 'mistake']
    """
    if loss >= MISTAKE:
        return "mistake"
    if loss >= INACCURACY:
        return "inaccuracy"
    return "good" if loss > 0 else "best"


def match_score(losses: list[int], at_random: list[int]) -> int | None:
    """Return the score of a match: 100 if nothing was lost, 0 for as much as random moves lose.

    `at_random` is what a random move would have lost at each decision. None without any choice.

    >>> match_score([0, 30], [40, 80])
    75
    """
    total = sum(at_random)
    return None if total <= 0 else max(0, round(100 * (1 - sum(losses) / total)))
