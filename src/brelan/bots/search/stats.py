"""Statistics of a move: its value, how certain it is, and what knowing more would gain."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import NormalDist

NORMAL = NormalDist()
PRIOR_VARIANCE = 0.25  # the variance of what is worth nothing or a win, by even chances


@dataclass(frozen=True)
class MoveStats:
    """What is thought of a move: how often it was tried, and what came of it, summed up."""

    visits: int
    value_sum: float
    value_sq_sum: float

    def __add__(self, other: MoveStats) -> MoveStats:
        """Return what two think of it together."""
        visits, value_sum = self.visits + other.visits, self.value_sum + other.value_sum
        return MoveStats(visits, value_sum, self.value_sq_sum + other.value_sq_sum)

    @property
    def value(self) -> float:
        """What the move is worth: mostly the share of the win that it leads to."""
        return self.value_sum / self.visits

    @property
    def std(self) -> float:
        """How far from its worth a single match ends: the standard deviation."""
        return math.sqrt(max(self.value_sq_sum / self.visits - self.value**2, 0.0))

    @property
    def standard_error(self) -> float:
        """The standard error of its worth; that of a move tried once is not known to be small."""
        return math.sqrt((self.std**2 + PRIOR_VARIANCE / self.visits) / self.visits)

    @property
    def lower_bound(self) -> float:
        """What the move is worth at least, unless chance deceives; less than any if never tried."""
        return self.value - self.standard_error if self.visits else -math.inf

    def expected_improvement(self, other: MoveStats) -> float:
        """What may be gained by knowing whether another move, less sure so far, is not better."""
        if not other.visits:
            return math.inf
        error, gap = math.hypot(self.standard_error, other.standard_error), self.value - other.value
        return error * NORMAL.pdf(gap / error) - gap * NORMAL.cdf(-gap / error)


def combined(stats: Iterable[MoveStats]) -> MoveStats:
    """Return what several think, summed up."""
    return functools.reduce(operator.add, stats)
