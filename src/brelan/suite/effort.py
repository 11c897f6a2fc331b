"""How much is tried: a hundred times as much where BRELAN_LONG=1 asks for a night of tests."""

from __future__ import annotations

import os

FACTOR = 100 if os.environ.get("BRELAN_LONG", "0") not in ("", "0") else 1


def often(count: int) -> int:
    """Return how many matches, examples or seeds to try where `count` are enough for a day.

    >>> often(60) >= 60
    True
    """
    return FACTOR * count
