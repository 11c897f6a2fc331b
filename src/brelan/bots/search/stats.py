"""Statistics of a move: its value, how certain that is, and what knowing it better would gain."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import NormalDist

NORMAL = NormalDist()
PRIOR_VARIANCE = 0.25  # of a result that is 0 or 1 with equal probability


@dataclass(frozen=True)
class MoveStats:
    """How often a move of the root was simulated, and the sums of the values and their squares."""

    visits: int
    value_sum: float
    value_sq_sum: float

    def __add__(self, other: MoveStats) -> MoveStats:
        """Return the statistics of both samples together."""
        visits, value_sum = self.visits + other.visits, self.value_sum + other.value_sum
        return MoveStats(visits, value_sum, self.value_sq_sum + other.value_sq_sum)

    @property
    def value(self) -> float:
        """The mean value of the simulations: mostly the share of the win."""
        return self.value_sum / self.visits

    @property
    def std(self) -> float:
        """The standard deviation of the value of one simulation."""
        return math.sqrt(max(self.value_sq_sum / self.visits - self.value**2, 0.0))

    @property
    def standard_error(self) -> float:
        """The standard error of the mean value; few visits do not make it small."""
        return math.sqrt((self.std**2 + PRIOR_VARIANCE / self.visits) / self.visits)

    @property
    def lower_bound(self) -> float:
        """The value less its standard error; minus infinity without visits."""
        return self.value - self.standard_error if self.visits else -math.inf

    def expected_improvement(self, other: MoveStats) -> float:
        """Return what knowing the difference of two moves exactly would gain, if this one is best.

        The difference is taken as normal. Infinite if the other move has no visits.
        """
        if not other.visits:
            return math.inf
        error, gap = math.hypot(self.standard_error, other.standard_error), self.value - other.value
        return error * NORMAL.pdf(gap / error) - gap * NORMAL.cdf(-gap / error)


def combined(stats: Iterable[MoveStats]) -> MoveStats:
    """Return the statistics of several samples together."""
    return functools.reduce(operator.add, stats)
