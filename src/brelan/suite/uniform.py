"""A chi-square test: whether samples are as evenly distributed as they should be."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable
from typing import TypeVar

World = TypeVar("World", bound=Hashable)


def surprise(expected: Counter[World], samples: Counter[World]) -> float:
    """Return how many standard deviations the chi-square of the samples lies above its mean.

    `expected` counts the ways to each world; every way should be equally likely.

    >>> surprise(Counter(heads=1, tails=1), Counter(heads=50, tails=50)) < 0
    True
    >>> surprise(Counter(heads=1, tails=1), Counter(heads=90, tails=10)) > 40
    True
    """
    total, drawn = sum(expected.values()), sum(samples.values())
    parts = [(drawn * count / total, samples[world]) for world, count in expected.items()]
    chi = sum((seen - mean) ** 2 / mean for mean, seen in parts)
    free = max(1, len(parts) - 1)
    return (chi - free) / math.sqrt(2 * free)
