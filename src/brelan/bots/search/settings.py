"""The levels of the search: how much it computes for a decision, and how it chooses then."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from typing import Any

from brelan.errors import Refused

COUNT = re.compile(r"[1-9][0-9]{0,8}")
NUMBER = re.compile(r"[0-9]{1,3}(\.[0-9]{1,3})?")
MAX_TEMPERATURE = 100.0  # at which choices are nearly uniform
MAX_THREADS = 64
BATCH = 200_000  # steps of a batch; each batch begins with an update of the belief
BELIEF_SHARE = 0.25  # of the steps of a batch: the budget of that update
STEPS_PER_SECOND = 500_000  # assumed, to give a level that counts seconds a belief budget


@dataclass(frozen=True)
class Level:
    """When a search ends, and how it chooses a move then. It ends at the first limit reached."""

    steps: float = math.inf  # moves played in imagined worlds: the same on every machine
    simulations: float = math.inf
    seconds: float = math.inf
    temperature: float = 0.0  # scale of the noise on values, in standard deviations of a match
    belief: bool = True  # whether it infers worlds and models from what the opponents did
    threads: int = 1  # independent trees; the limits hold for each

    @property
    def belief_budget(self) -> float:
        """The steps that an update of the belief may take."""
        return BELIEF_SHARE * min(self.steps, BATCH, STEPS_PER_SECOND * self.seconds)


LEVELS = {
    "novice": Level(steps=1_000, temperature=0.6, belief=False),
    "club": Level(steps=5_000, temperature=0.15, belief=False),
    "expert": Level(steps=200_000),
}


def parse_level(text: str) -> Level:
    """Return the level of a name, a number of simulations, or seconds for each decision.

    Settings that change it may follow, each after a plus sign. Anything else is `Refused`.

    >>> parse_level("5000").simulations, parse_level("1.5s").seconds
    (5000, 1.5)
    >>> parse_level("expert+steps=300000+belief=off").belief
    False
    """
    name, *settings = text.split("+")
    try:
        changes = dict(map(_parse_setting, settings))
        if len(changes) < len(settings):
            raise ValueError(text)  # one of them is set twice
        return replace(_parse_base(name), **changes)
    except (KeyError, ValueError):
        raise Refused(
            f"unknown level {text!r}; there are: {', '.join(LEVELS)}, a number of simulations such "
            "as 5000, or seconds for each decision such as 1.5s; after it may stand, each after a "
            f"plus sign: steps=N, temperature=X (0 to {MAX_TEMPERATURE:g}), "
            f"belief=on or belief=off, threads=N (1 to {MAX_THREADS})"
        ) from None


def _parse_base(name: str) -> Level:
    if COUNT.fullmatch(name):
        return Level(simulations=int(name))
    if name.endswith("s") and NUMBER.fullmatch(name[:-1]) and float(name[:-1]) > 0:
        return Level(seconds=float(name[:-1]))
    return LEVELS[name]


def _parse_setting(text: str) -> tuple[str, Any]:
    """Return the name of a field of a level, and its value."""
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
