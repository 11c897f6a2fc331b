"""The levels of the search: how much it thinks, and how surely it plays what it found."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from brelan.errors import Refused


@dataclass(frozen=True)
class Level:
    """When a searcher has thought enough, and how it chooses then."""

    moves: float = math.inf  # made in imagined worlds: they take the same time everywhere
    simulations: float = math.inf
    seconds: float = math.inf
    temperature: float = 0.0  # 0: always the move it tried most
    reads: bool = True  # whether it learns from what the others did


LEVELS = {
    "novice": Level(moves=1_000, temperature=1.0, reads=False),
    "club": Level(moves=10_000, temperature=0.5, reads=False),
    "expert": Level(moves=100_000),
}


def level_of(name: str) -> Level:
    """Return a level by its name, by a number of simulations, or by seconds for a decision.

    >>> level_of("5000").simulations, level_of("1.5s").seconds
    (5000, 1.5)
    """
    if name in LEVELS:
        return LEVELS[name]
    if re.fullmatch(r"[1-9]\d{0,8}", name):
        return Level(simulations=int(name))
    if re.fullmatch(r"\d{1,3}(\.\d{1,3})?s", name) and float(name[:-1]) > 0:
        return Level(seconds=float(name[:-1]))
    raise Refused(
        f"unknown level {name!r}; there are: {', '.join(LEVELS)}, a number of simulations such as "
        "5000, or seconds for each decision such as 1.5s"
    )
