"""Whole numbers from callers: Python's and numpy's become plain ints."""

from __future__ import annotations

import numpy as np


def whole_number(value: object) -> int | None:
    """Return a whole number as a plain one; None for everything else, truth values too."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer):
        return None
    return int(value)
