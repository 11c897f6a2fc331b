"""How many matches, examples or seeds a test tries: a hundred times as many with BRELAN_LONG=1."""

from __future__ import annotations

import os

FACTOR = 100 if os.environ.get("BRELAN_LONG", "0") not in ("", "0") else 1


def often(count: int) -> int:
    """Return how many matches, examples or seeds to try where `count` are enough for a day.

    >>> often(60) >= 60
    True
    """
    return FACTOR * count
