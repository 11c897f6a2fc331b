"""Estimates: means and proportions with 95 % confidence intervals."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy.typing as npt

Z = 1.959963984540054  # 95 %


class Estimate(NamedTuple):
    """A figure with its 95 % interval."""

    mean: float
    low: float
    high: float

    def as_dict(self) -> dict[str, float | None]:
        """Return the figure as plain data; a bound that is not known is None."""
        values = self._asdict().items()
        return {name: None if math.isnan(value) else value for name, value in values}

    @property
    def margin(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


def proportion(clusters: npt.NDArray[Any]) -> Estimate:
    """Return a rate from the rates of independent deals, by Wilson's interval.

    The matches of one deal depend on each other. So the sample size is an effective one: that of
    independent matches whose mean would vary as much as the mean over deals.

    >>> import numpy as np
    >>> proportion(np.array([0.5, 0.5, 1.0, 0.5, 0.0, 0.5, 1.0, 0.5]))
    Estimate(mean=0.5625, low=0.349..., high=0.755...)
    """
    rate, count = float(clusters.mean()), float(len(clusters))
    spread = float(clusters.var(ddof=1)) if count > 1 else 0.0
    if spread > 0:
        count *= rate * (1 - rate) / spread
    middle = (rate + Z * Z / (2 * count)) / (1 + Z * Z / count)
    half = Z / (1 + Z * Z / count) * math.sqrt(rate * (1 - rate) / count + (Z / (2 * count)) ** 2)
    return Estimate(rate, max(0.0, middle - half), min(1.0, middle + half))


def mean(clusters: npt.NDArray[Any]) -> Estimate:
    """Return a mean over independent deals, with its normal interval.

    >>> import numpy as np
    >>> mean(np.array([1.0, 2.0, 3.0]))
    Estimate(mean=2.0, low=0.868..., high=3.131...)
    """
    middle, count = float(clusters.mean()), len(clusters)
    if count < 2:
        return Estimate(middle, math.nan, math.nan)  # one deal says nothing of the spread
    half = Z * float(clusters.std(ddof=1)) / math.sqrt(count)
    return Estimate(middle, middle - half, middle + half)
