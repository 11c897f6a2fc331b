"""Changes: figures of two sides on the same deals, their differences, and how sure these are."""

from __future__ import annotations

import dataclasses
import json
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from brelan.lab import sequences
from brelan.lab.multiplicity import ALPHA, holm
from brelan.lab.study.figures import Figure, read
from brelan.lab.study.intervals import ANYTHING, COUNT, SHARE, mean_of

Values = npt.NDArray[Any]
DIFFERENCE = (-1.0, 1.0)

KINDS = {  # of figures, by the beginning of their key: what kind, and how much it is worth telling
    "order": ("fairness", 1.0),
    "seat": ("fairness", 0.98),
    "ties": ("ties", 1.0),
    "forced": ("choices", 0.5),
    "legal": ("choices", 0.15),
    "rounds": ("length", 0.25),
    "turns": ("length", 0.24),
    "decisions": ("length", 0.23),
    "minutes": ("length", 0.22),
    "spread": ("scores", 0.15),
    "lead": ("scores", 0.14),
    "score": ("scores", 0.13),
    "metric": ("metrics", 0.03),
}
SHARES = ("order", "seat", "ties", "forced")


def is_share(name: str) -> bool:
    """Whether a figure is a share, and not a number of something."""
    return name.partition(":")[0] in SHARES


@dataclass(frozen=True)
class Change:
    """A figure of both sides; `number` is a seat's or a place's, or a metric's name."""

    key: str
    number: int | str | None
    a: Figure
    b: Figure
    difference: Figure  # b - a on the same deals; null: 0
    fair: float | None
    p: float
    adjusted: float = 1.0  # p, corrected for all figures that are compared

    @property
    def is_share(self) -> bool:
        """Whether it is a share, and not a number of something."""
        return is_share(self.key)

    @property
    def is_significant(self) -> bool:
        """Whether it has changed, as far as one can know."""
        return self.adjusted <= ALPHA

    @property
    def kind(self) -> str:
        """What kind of figure it is."""
        return KINDS[self.key][0]

    @property
    def effect(self) -> float:
        """How much it is worth telling."""
        weight, size = KINDS[self.key][1], abs(self.difference.mean)
        if self.is_share:
            return weight * size
        least = 1.0 if self.key == "metric" else 1e-9  # what is rare is not worth much
        return weight * min(1.0, size / max(abs(self.a.mean), abs(self.b.mean), least))

    @property
    def is_fairer(self) -> bool | None:
        """Whether it came nearer to what is fair; None where nothing is."""
        if self.fair is None:
            return None
        return abs(self.b.mean - self.fair) < abs(self.a.mean - self.fair)


@dataclass(frozen=True)
class Duel:
    """One bot of the side b among bots of the side a, on the same deals from every seat."""

    wins: Figure  # of the one bot; null: the fair share
    p: float
    adjusted: float = 1.0

    @property
    def is_significant(self) -> bool:
        """Whether one of both is stronger, as far as one can know."""
        return self.adjusted <= ALPHA


@dataclass(frozen=True)
class Comparison:
    """What has changed between two sides."""

    game: str
    names: dict[str, str]
    players: int
    variants: tuple[str, str]
    turned: tuple[dict[str, str], dict[str, str]]
    levels: tuple[str, str]
    seed: int
    deals: int
    matches: int  # of each side
    precision: float  # asked for
    is_settled: bool
    is_stopped: bool  # by Ctrl-C
    version: str
    rules_version: int
    command: str
    changes: list[Change]
    duel: Duel | None  # where only the bots differ

    @property
    def significant(self) -> list[Change]:
        """What has changed for sure, the strongest effect first."""
        found = [change for change in self.changes if change.is_significant]
        # What one place gains another one loses: the one that won more before is told first.
        return sorted(found, key=lambda change: (-round(change.effect, 3), -change.a.mean))

    def as_dict(self) -> dict[str, Any]:
        """Return the comparison as plain data: what is not known is None."""
        text = json.dumps(dataclasses.asdict(self))
        values: dict[str, Any] = json.loads(text, parse_constant=lambda _: None)
        return values


def from_dict(plain: dict[str, Any]) -> Comparison:
    """Return the comparison that `as_dict` wrote."""
    found = read(plain, Comparison)
    assert isinstance(found, Comparison)
    return found


def changes(
    a: dict[str, Values], b: dict[str, Values], players: int, duel: Values | None = None
) -> tuple[list[Change], Duel | None]:
    """Return the changes of all figures of both sides, and the duel, corrected for their number.

    A figure is named by its key, and behind a colon by the number of a seat, or a metric's name.
    What is 0 in all matches of both sides is left out.
    """
    counted = [name for name in a if name in b and (a[name].any() or b[name].any())]
    found = [_change(name, a[name], b[name], players) for name in counted]
    ps = [change.p for change in found]
    if duel is not None:
        wins = mean_of(duel, SHARE, 1 / players)
        ps.append(_p(wins, 1 / players))
    corrected = holm(ps)
    adjusted = [
        dataclasses.replace(change, adjusted=adjusted)
        for change, adjusted in zip(found, corrected, strict=False)
    ]
    return adjusted, None if duel is None else Duel(wins, ps[-1], corrected[-1])


def difference_of(name: str, a: Values, b: Values) -> Figure:
    """Return the difference of a figure on the same deals, with its confidence sequence."""
    return mean_of(b - a, DIFFERENCE if is_share(name) else ANYTHING, 0.0)


def _change(name: str, a: Values, b: Values, players: int) -> Change:
    key, _, rest = name.partition(":")
    bounds = SHARE if key in SHARES else ANYTHING if key in ("metric", "score") else COUNT
    difference = difference_of(name, a, b)
    number = int(rest) if rest.isdecimal() else rest or None
    fair = 1 / players if key in ("seat", "order") else None
    return Change(
        key, number, mean_of(a, bounds), mean_of(b, bounds), difference, fair, _p(difference)
    )


def _p(figure: Figure, null: float = 0.0) -> float:
    if figure.deals < 2 or not np.isfinite(figure.sd):
        return 1.0
    low, high = figure.span or (-math.inf, math.inf)
    return sequences.p_value(figure.mean, figure.sd, figure.deals, null, low=low, high=high)
