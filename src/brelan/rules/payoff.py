"""The payoff of a match: its winners share 1 equally, or all seats do if nobody has won."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from brelan.rules.rule import rule


@rule
def payoff(winners: Any, seat: int, players: int) -> Any:
    """Return one seat's share of the win, in a rule; `winners` holds 1 or 0 for each seat."""
    count = 0
    for other in range(players):
        count += winners[other]
    return winners[seat] / count if count > 0 else 1.0 / players


def payoffs(winners: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return the share of each seat, for one match or for a row of each match.

    >>> payoffs([[1, 0], [1, 1], [0, 0]]).tolist()
    [[1.0, 0.0], [0.5, 0.5], [0.5, 0.5]]
    """
    won = np.array(winners, np.int64)
    won[won.sum(axis=-1) == 0] = 1
    return np.asarray(won / won.sum(axis=-1, keepdims=True))
