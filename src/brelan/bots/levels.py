"""The levels of the search: how much it thinks, and how surely it plays what it found."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from typing import Any

from brelan.errors import Refused

COUNT = re.compile(r"[1-9][0-9]{0,8}")
NUMBER = re.compile(r"[0-9]{1,3}(\.[0-9]{1,3})?")
MOST_HEAT = 100.0  # at which all moves are nearly alike
MOST_THREADS = 64


@dataclass(frozen=True)
class Level:
    """When a searcher has thought enough, and how it chooses then."""

    moves: float = math.inf  # made in imagined worlds: they take the same time everywhere
    simulations: float = math.inf
    seconds: float = math.inf
    temperature: float = 0.0  # how much chance may decide, in standard deviations of a match
    reads: bool = True  # whether it learns from what the others did
    threads: int = 1  # each of which thinks so much, at the same time


LEVELS = {
    "novice": Level(moves=1_000, temperature=0.6, reads=False),
    "club": Level(moves=5_000, temperature=0.15, reads=False),
    "expert": Level(moves=200_000),
}


def level_of(text: str) -> Level:
    """Return a level by its name, by a number of simulations, or by seconds for a decision.

    What else makes a level may follow, each after a plus sign.

    >>> level_of("5000").simulations, level_of("1.5s").seconds
    (5000, 1.5)
    >>> level_of("expert+moves=300000+reads=off").reads
    False
    """
    name, *settings = text.split("+")
    try:
        varied = dict(map(_setting, settings))
        if len(varied) < len(settings):
            raise ValueError(text)  # one of them is set twice
        return replace(_basis(name), **varied)
    except (KeyError, ValueError):
        raise Refused(
            f"unknown level {text!r}; there are: {', '.join(LEVELS)}, a number of simulations such "
            "as 5000, or seconds for each decision such as 1.5s; after it may stand, each after a "
            f"plus sign: moves=N, temperature=X (0 to {MOST_HEAT:g}), reads=on or reads=off, "
            f"threads=N (1 to {MOST_THREADS})"
        ) from None


def _basis(name: str) -> Level:
    if COUNT.fullmatch(name):
        return Level(simulations=int(name))
    if name.endswith("s") and NUMBER.fullmatch(name[:-1]) and float(name[:-1]) > 0:
        return Level(seconds=float(name[:-1]))
    return LEVELS[name]


def _setting(text: str) -> tuple[str, Any]:
    """Return a field of a level and its value."""
    name, _, value = text.partition("=")
    if name == "reads":
        return name, {"on": True, "off": False}[value]
    if name == "moves" and COUNT.fullmatch(value):
        return name, int(value)
    if name == "threads" and COUNT.fullmatch(value) and int(value) <= MOST_THREADS:
        return name, int(value)
    if name == "temperature" and NUMBER.fullmatch(value) and float(value) <= MOST_HEAT:
        return name, float(value)
    raise ValueError(text)
