"""What a match is worth to each seat, as a reward: the sum over all seats is 0."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from brelan.engine.match import Match
from brelan.rules import payoffs

LOST = -1.0


def rewards(match: Match) -> list[float]:
    """Return the reward of each seat when a match is over: 1 for the only winner, -1 for a loser.

    With n seats a loser gets -1 / (n - 1). Winners share what one would get; a draw is 0 for all.
    """
    result = match.result
    assert result is not None
    won = np.zeros(match.game.players, np.int64)
    won[result.winners] = 1
    return [float(each) for each in from_payoffs(payoffs(won))]


def from_payoffs(shares: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return rewards for the shares of a win of each seat.

    >>> from_payoffs(np.array([1.0, 0.0, 0.0])).tolist()
    [1.0, -0.5, -0.5]
    >>> from_payoffs(np.array([0.5, 0.5])).tolist()
    [0.0, 0.0]
    """
    seats = shares.shape[-1]
    return np.asarray((shares * seats - 1) / (seats - 1))
