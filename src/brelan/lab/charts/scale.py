"""Scales: where a value stands along an axis, and which values are printed there."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Scale:
    """An axis from one value to another."""

    low: float
    high: float

    @classmethod
    def around(cls, values: Iterable[float], *, least: float = 0.0) -> Scale:
        """Return a scale that holds all values that are known, with round ends.

        `least` is the least distance of its ends.

        >>> Scale.around([0.13, 0.47])
        Scale(low=0.1, high=0.5)
        """
        known = [value for value in values if math.isfinite(value)] or [0.0, 1.0]
        low, high = min(known), max(known)
        missing = max(0.0, least - (high - low)) / 2
        low, high = low - missing, high + missing
        if low == high:
            low, high = low - 0.5, high + 0.5
        step = _round_step((high - low) / 4)
        return cls(_tidy(math.floor(low / step + 1e-9) * step), _tidy(_ceil(high, step)))

    def place(self, value: float) -> float:
        """Return where a value stands, in per cent of the axis; outside ones stand at its ends."""
        part = (value - self.low) / (self.high - self.low)
        return 100 * min(1.0, max(0.0, part))

    def at(self, value: float) -> str:
        """Return where a value stands, as an attribute of SVG."""
        return f"{self.place(value):.2f}%"

    def ticks(self, most: int = 5) -> list[float]:
        """Return at most so many round values along the axis.

        >>> Scale(0.0, 1.0).ticks()
        [0.0, 0.25, 0.5, 0.75, 1.0]
        """
        step = _round_step((self.high - self.low) / (most - 1))
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        return [_tidy(number * step) for number in range(first, last + 1)]


def _ceil(value: float, step: float) -> float:
    return math.ceil(value / step - 1e-9) * step


def _round_step(least: float) -> float:
    """Return the smallest round number that is not below another."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(power * part for part in (1, 2, 2.5, 5, 10) if power * part >= least * (1 - 1e-9))


def _tidy(value: float) -> float:
    return round(value, 12) + 0.0
