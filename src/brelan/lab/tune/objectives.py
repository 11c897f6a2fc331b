"""Objectives: what is to be better, how it is measured, and how sure that is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from brelan.engine.game import Game
from brelan.errors import Refused
from brelan.lab.study.cells import cells_of
from brelan.lab.study.plan import weaker
from brelan.lab.tune.sums import Sums

ALPHA = 0.05
SEATS, TIES, SKILL, CARDS, CHANGES = "seats", "ties", "skill", "cards", "changes"
LENGTHS = ("minutes", "decisions", "turns", "rounds")
NAMES = (SEATS, *LENGTHS, TIES, SKILL, CARDS, CHANGES)
SHARES = {TIES: 0.0, SKILL: 1.0}  # with what is wanted if nothing is said
CARD = "card:"  # begins the key of what a card is worth


class Measured(NamedTuple):
    """A value with its interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Objective:
    """One thing that is wanted: a measure as near as possible to its target."""

    name: str
    target: float = 0.0

    @property
    def is_share(self) -> bool:
        """Whether it is a share of matches."""
        return self.name in SHARES

    @property
    def needs_contest(self) -> bool:
        """Whether a stronger player must meet weaker ones."""
        return self.name == SKILL

    @property
    def needs_exchange(self) -> bool:
        """Whether cards must be exchanged."""
        return self.name == CARDS

    @property
    def written(self) -> str:
        """As one asks for it."""
        usual = SHARES.get(self.name, 0.0)
        return self.name if self.target == usual else f"{self.name}={self.target:g}"

    def measure(
        self, sums: dict[str, Sums], players: int, changes: int, alpha: float = ALPHA
    ) -> Measured:
        """Return what it is in a variant, with an interval of which `alpha` may miss.

        The interval of the largest of several figures holds for all of them together.
        """
        if self.name == CHANGES:
            return Measured(changes, changes, changes)
        if self.name == SEATS:
            return _gap(sums, players, alpha)
        if self.name == CARDS:
            return _loss(sums, alpha)
        known = sums[self.name]
        bounds = (0.0, 1.0) if self.is_share else (-math.inf, math.inf)
        low, high = known.interval(alpha, *bounds)
        return Measured(known.mean, low if self.is_share else max(0.0, low), high)

    def distance(self, measured: Measured) -> Measured:
        """Return how far a measure is from what is wanted: less is better."""
        value, low, high = (abs(each - self.target) for each in measured)
        holds = measured.low <= self.target <= measured.high
        return Measured(value, 0.0 if holds else min(low, high), max(low, high))


def objectives(text: str, game: Game, level: str) -> tuple[Objective, ...]:
    """Return the objectives that are asked for: names, or `name=target`, divided by commas."""
    found = [_objective(part.strip()) for part in text.split(",") if part.strip()]
    if not found:
        raise Refused(f"--objective needs a name; there are: {', '.join(NAMES)}")
    names = [objective.name for objective in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise Refused(f"--objective names {twice} twice; each may be named once")
    if SKILL in names and weaker(game, level) is None:
        raise Refused(f"skill needs a level with a weaker one below it, not {level}")
    if "rounds" in names and cells_of(game).round_no < 0:
        raise Refused(f"{game.id} counts no rounds; there are: minutes, decisions, turns")
    if names == [CHANGES]:
        raise Refused("changes alone is best as printed; name another objective beside it")
    return tuple(found)


def _objective(part: str) -> Objective:
    name, equals, given = (each.strip() for each in part.partition("="))
    if name not in NAMES:
        raise Refused(f"unknown objective {name!r}; there are: {', '.join(NAMES)}")
    if name in LENGTHS and not equals:
        raise Refused(f"{name} needs a target; write it as {name}=20")
    if not equals:
        return Objective(name, SHARES.get(name, 0.0))
    most = 1.0 if name in SHARES else 1e6
    target = _number(given)
    if (name not in SHARES and name not in LENGTHS) or target is None or not 0 <= target <= most:
        allowed = f"{name}=TARGET, from 0 to {most:g}" if name in (*SHARES, *LENGTHS) else name
        raise Refused(f"{part} is not allowed; write it as {allowed}")
    return Objective(name, target)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _gap(sums: dict[str, Sums], players: int, alpha: float) -> Measured:
    """Return how far the share of wins of any seat, or place in the order, is from fair."""
    fair = 1 / players
    shares = [each for name, each in sums.items() if name.startswith(("order:", "seat:"))]
    low = high = value = 0.0
    for share in shares:
        below, above = share.interval(alpha / len(shares), 0.0, 1.0)
        value = max(value, abs(share.mean - fair))
        low = max(low, below - fair, fair - above)
        high = max(high, above - fair, fair - below)
    return Measured(value, low, high)


def _loss(sums: dict[str, Sums], alpha: float) -> Measured:
    """Return how much win chance the least useful card costs against another in its place."""
    values = [each for name, each in sums.items() if name.startswith(CARD) and each.deals > 1]
    if not values:
        return Measured(0.0, 0.0, 1.0)
    bounds = [each.interval(alpha / len(values), -1.0, 1.0) for each in values]
    loss = max(0.0, *(-each.mean for each in values))
    return Measured(
        loss, max(0.0, *(-above for _, above in bounds)), max(0.0, *(-below for below, _ in bounds))
    )


def surely_better(
    objective: Objective,
    one: tuple[dict[str, Sums], int],
    other: tuple[dict[str, Sums], int],
    players: int,
) -> float:
    """Return the p-value of the claim that one variant is nearer to what is wanted than another.

    It is the smallest part of error that the intervals of both may have and still lie apart.
    """

    def is_apart(alpha: float) -> bool:
        mine, theirs = (
            objective.distance(objective.measure(*each, alpha=alpha / 2))
            for each in ((one[0], players, one[1]), (other[0], players, other[1]))
        )
        return mine.high < theirs.low

    if not is_apart(1.0):
        return 1.0
    low, high = -40.0, 0.0  # of the log of alpha
    if is_apart(math.exp(low)):
        return math.exp(low)
    while high - low > 0.05:
        middle = (low + high) / 2
        low, high = (low, middle) if is_apart(math.exp(middle)) else (middle, high)
    return math.exp(high)
