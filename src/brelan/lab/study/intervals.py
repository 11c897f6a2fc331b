"""Figures from the values of deals: means, and ratios of sums."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from brelan.lab import sequences
from brelan.lab.study.figures import Figure

Values = npt.NDArray[Any]
SHARE = (0.0, 1.0)
ANYTHING = (-math.inf, math.inf)
COUNT = (0.0, math.inf)


def figure(
    mean: float,
    sd: float,
    deals: int,
    bounds: tuple[float, float] = ANYTHING,
    null: float | None = None,
    *,
    is_bounded: bool = True,
) -> Figure:
    """Return a figure with its interval, which lies within bounds.

    Unless the value of each deal lies within them too, the interval is asymptotic. What has never
    varied has none that is: the interval is then that of values within the bounds.
    """
    is_finite = all(map(math.isfinite, bounds))
    span = bounds if is_finite and (is_bounded or sd == 0) else None
    known = {} if span is None else {"low": span[0], "high": span[1]}
    low, high = sequences.interval(mean, sd, deals, **known)
    return Figure(mean, max(bounds[0], low), min(bounds[1], high), sd, deals, null, span)


def nothing(null: float | None = None) -> Figure:
    """Return a figure of no deals."""
    return Figure(math.nan, math.nan, math.nan, math.nan, 0, null)


def mean_of(
    values: Values, bounds: tuple[float, float] = ANYTHING, null: float | None = None
) -> Figure:
    """Return the mean of one value for each deal."""
    if not len(values):
        return nothing(null)
    sd = float(values.std(ddof=1)) if len(values) > 1 else 0.0
    return figure(float(values.mean()), sd, len(values), bounds, null)


def ratio_of(
    above: Values,
    below: Values,
    bounds: tuple[float, float] = ANYTHING,
    null: float | None = None,
) -> Figure:
    """Return the ratio of two sums over deals, such as wins of the matches that count.

    Its spread is that of the linearised ratio.
    """
    value, residuals = _linearised(above, below)
    if not math.isfinite(value):
        return nothing(null)
    return figure(value, _spread(residuals), len(above), bounds, null, is_bounded=False)


def difference_of(one: tuple[Values, Values], other: tuple[Values, Values]) -> Figure:
    """Return the difference of two ratios of sums over the same deals; no difference is 0."""
    (first, residuals), (second, others) = _linearised(*one), _linearised(*other)
    if not math.isfinite(first - second):
        return nothing(0.0)
    sd = _spread(residuals - others)
    return figure(first - second, sd, len(residuals), (-1.0, 1.0), 0.0, is_bounded=False)


def _linearised(above: Values, below: Values) -> tuple[float, Values]:
    total = float(below.sum())
    if not total:
        return math.nan, np.zeros(len(below))
    value = float(above.sum()) / total
    return value, (above - value * below) * (len(below) / total)


def _spread(values: Values) -> float:
    return float(values.std(ddof=1)) if len(values) > 1 else math.nan
