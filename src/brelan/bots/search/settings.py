"""The levels of the search: how much it thinks, and how surely it plays what it found."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from typing import Any

from brelan.errors import Refused

COUNT = re.compile(r"[1-9][0-9]{0,8}")
NUMBER = re.compile(r"[0-9]{1,3}(\.[0-9]{1,3})?")
MAX_TEMPERATURE = 100.0  # at which all moves are nearly alike
MAX_THREADS = 64
BATCH = 200_000  # steps after which the belief is updated again


@dataclass(frozen=True)
class Level:
    """When a searcher has thought enough, and how it chooses then."""

    steps: float = math.inf  # made in imagined worlds: they take the same time everywhere
    simulations: float = math.inf
    seconds: float = math.inf
    temperature: float = 0.0  # how much chance may decide, in standard deviations of a match
    belief: bool = True  # whether it learns from what the others did
    threads: int = 1  # each of which thinks so much, at the same time


LEVELS = {
    "novice": Level(steps=1_000, temperature=0.6, belief=False),
    "club": Level(steps=5_000, temperature=0.15, belief=False),
    "expert": Level(steps=200_000),
}


def level_of(text: str) -> Level:
    """Return a level by its name, by a number of simulations, or by seconds for a decision.

    What else makes a level may follow, each after a plus sign.

    >>> level_of("5000").simulations, level_of("1.5s").seconds
    (5000, 1.5)
    >>> level_of("expert+steps=300000+belief=off").belief
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
            f"plus sign: steps=N, temperature=X (0 to {MAX_TEMPERATURE:g}), "
            f"belief=on or belief=off, threads=N (1 to {MAX_THREADS})"
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
    if name == "belief":
        return name, {"on": True, "off": False}[value]
    if name == "steps" and COUNT.fullmatch(value):
        return name, int(value)
    if name == "threads" and COUNT.fullmatch(value) and int(value) <= MAX_THREADS:
        return name, int(value)
    if name == "temperature" and NUMBER.fullmatch(value) and float(value) <= MAX_TEMPERATURE:
        return name, float(value)
    raise ValueError(text)
