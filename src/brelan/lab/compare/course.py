"""The course of a comparison: what both sides have played, and whether that is enough."""

from __future__ import annotations

import importlib.metadata
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from brelan import bots as house
from brelan.errors import Refused
from brelan.lab.compare.changes import Comparison, changes, difference_of, is_share
from brelan.lab.compare.sides import Side
from brelan.lab.study.intervals import SHARE, mean_of
from brelan.lab.study.plan import FEWEST_DEALS, QUICK, SEARCH

Values = npt.NDArray[Any]
Played = list[dict[str, Values]]  # the figures of both sides, a value for each deal
LOOK = 1.1  # one looks again when there are so many times as many deals
DUEL = "duel"  # a figure of the second side: what one of its bots wins among the first one's


class Course:
    """How far a comparison is; batches are added in their order, so that the figures do not
    depend on who has played them.
    """

    def __init__(
        self,
        a: Side,
        b: Side,
        seed: int,
        precision: float | None = None,
        matches: int | None = None,
    ) -> None:
        if a.game.players != b.game.players:
            raise Refused("both sides need the same number of players; --players sets it")
        self.a, self.b, self.seed = a, b, seed
        quick = all(side.level in house.names(side.game) for side in (a, b))
        budget = QUICK if quick else SEARCH
        self.precision = budget.precision if precision is None else precision
        self.most = max(1, (budget.matches if matches is None else matches) // a.game.players)
        self._batch = budget.batch
        self._known: list[Played] = []
        self._look = float(FEWEST_DEALS)
        self.deals, self.margin, self.is_settled = 0, math.inf, False

    @property
    def batches(self) -> Iterator[range]:
        """The deals of each batch, at most."""
        for first in range(0, self.most, self._batch):
            yield range(first, min(first + self._batch, self.most))

    def add(self, played: Played) -> None:
        """Add the next batch; look, now and then, whether that is enough."""
        self._known.append(played)
        self.deals += len(played[0]["ties"])
        if self.deals >= self._look:
            self._look = LOOK * self.deals
            self.margin = max(_margins(*self._joined()))
            self.is_settled = self.margin <= self.precision

    @property
    def is_over(self) -> bool:
        """Whether no more deals are to be played."""
        return self.is_settled or self.deals >= self.most

    @property
    def expected(self) -> int:
        """How many deals will be needed, as far as one can tell."""
        if self.is_over:
            return self.deals
        if not math.isfinite(self.margin):
            return self.most
        needed = round(self.deals * (self.margin / self.precision) ** 2)
        return max(self.deals, min(self.most, needed))

    def comparison(self, command: str = "", *, is_stopped: bool = False) -> Comparison:
        """Return what is known by now; of a few deals, the shares alone."""
        a, b = self.a, self.b
        game, players = a.game, a.game.players
        texts = {lang: game.folder.texts(lang) for lang in ("fr", "en")}
        values_a, values_b = self._joined()
        duels = values_b.pop(DUEL, None)
        if self.deals < FEWEST_DEALS:
            values_a = {name: values for name, values in values_a.items() if is_share(name)}
        found, duel = changes(values_a, values_b, players, duels)
        return Comparison(
            game=game.id,
            names={lang: each("game.name") for lang, each in texts.items()},
            players=players,
            variants=(a.game.variant, b.game.variant),
            turned=(a.turned, b.turned),
            levels=(a.level, b.level),
            seed=self.seed,
            deals=self.deals,
            matches=self.deals * players,
            precision=self.precision,
            is_settled=self.is_settled,
            is_stopped=is_stopped,
            version=importlib.metadata.version("brelan"),
            rules_version=game.folder.version,
            command=command,
            changes=found,
            duel=duel,
        )

    def _joined(self) -> Iterator[dict[str, Values]]:
        """Yield the figures of each side, of all batches, which are then kept as one."""
        joined: Played = [
            {name: np.concatenate([each[name] for each in side]) for name in side[0]}
            for side in zip(*self._known, strict=True)
        ]
        self._known = [joined]
        return (dict(side) for side in joined)


def _margins(a: dict[str, Values], b: dict[str, Values]) -> list[float]:
    """Return how far the intervals of the differences that are to be settled reach."""
    names = [name for name in a if name.startswith(("order", "seat"))]
    margins = [difference_of(name, a[name], b[name]).margin for name in names]
    if DUEL in b:
        margins.append(mean_of(b[DUEL], SHARE).margin)
    return margins
