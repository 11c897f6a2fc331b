"""What a searcher thinks of a move."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import NormalDist

NORMAL = NormalDist()
DOUBT = 0.25  # the variance of what is worth nothing or a win, by even chances


@dataclass(frozen=True)
class Thought:
    """What is thought of a move: how often it was tried, and what came of it, summed up."""

    tries: int
    gains: float
    squares: float

    def __add__(self, other: Thought) -> Thought:
        """Return what two think of it together."""
        tries, gains = self.tries + other.tries, self.gains + other.gains
        return Thought(tries, gains, self.squares + other.squares)

    @property
    def worth(self) -> float:
        """What the move is worth: mostly the share of the win that it leads to."""
        return self.gains / self.tries

    @property
    def spread(self) -> float:
        """How far from its worth a single match ends: the standard deviation."""
        return math.sqrt(max(self.squares / self.tries - self.worth**2, 0.0))

    @property
    def error(self) -> float:
        """The standard error of its worth; that of a move tried once is not known to be small."""
        return math.sqrt((self.spread**2 + DOUBT / self.tries) / self.tries)

    @property
    def sure(self) -> float:
        """What the move is worth at least, unless chance deceives; less than any if never tried."""
        return self.worth - self.error if self.tries else -math.inf

    def doubt(self, other: Thought) -> float:
        """What may be gained by knowing whether another move, less sure so far, is not better."""
        if not other.tries:
            return math.inf
        error, gap = math.hypot(self.error, other.error), self.worth - other.worth
        return error * NORMAL.pdf(gap / error) - gap * NORMAL.cdf(-gap / error)


def together(thoughts: Iterable[Thought]) -> Thought:
    """Return what several think, summed up."""
    return functools.reduce(operator.add, thoughts)
