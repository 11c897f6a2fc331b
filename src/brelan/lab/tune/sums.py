"""Sums of values of deals: all that a mean and its interval need, and they add up."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy.typing as npt

from brelan.lab import sequences


class Sums(NamedTuple):
    """How many deals, the sum of their values, and the sum of their squares."""

    deals: int = 0
    total: float = 0.0
    squares: float = 0.0

    @classmethod
    def of(cls, values: npt.NDArray[Any]) -> Sums:
        """Return the sums of some values."""
        return cls(len(values), float(values.sum()), float((values * values).sum()))

    @property
    def mean(self) -> float:
        """The mean; nan without a deal."""
        return self.total / self.deals if self.deals else math.nan

    @property
    def sd(self) -> float:
        """The standard deviation."""
        if self.deals < 2:
            return 0.0
        rest = self.squares - self.deals * self.mean**2
        return math.sqrt(max(0.0, rest) / (self.deals - 1))

    def interval(
        self, alpha: float, low: float = -math.inf, high: float = math.inf
    ) -> tuple[float, float]:
        """Return the bounds of the mean, whenever one looks."""
        if not self.deals:
            return low, high
        found = sequences.interval(self.mean, self.sd, self.deals, low=low, high=high, alpha=alpha)
        return (-math.inf, math.inf) if math.isnan(found[0]) else found


def added(parts: Iterable[dict[str, Sums]]) -> dict[str, Sums]:
    """Return the sums of several batches together."""
    found: dict[str, Sums] = {}
    for part in parts:
        for name, sums in part.items():
            one = found.get(name, Sums())
            found[name] = Sums(
                one.deals + sums.deals, one.total + sums.total, one.squares + sums.squares
            )
    return found
