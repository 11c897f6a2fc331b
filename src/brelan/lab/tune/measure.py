"""The work of a search: play some deals of a variant, and sum up what its objectives need."""

from __future__ import annotations

from typing import Any

import numpy as np

from brelan.lab.compare.play import figures_by_deal
from brelan.lab.study.exchange import exchange
from brelan.lab.study.plan import weaker
from brelan.lab.study.table import StudyTable
from brelan.lab.tune.objectives import CARD, LENGTHS, SKILL, TIES
from brelan.lab.tune.plan import Job, TunePlan
from brelan.lab.tune.space import Values
from brelan.lab.tune.sums import Sums

EXCHANGED = 4  # pairs of deals in which cards are exchanged, for each deal that is played


class Bench:
    """What one thread knows of a search: the tables of the variant that it played last."""

    def __init__(self, plan: TunePlan) -> None:
        self.plan = plan
        self._values: Values | None = None
        self._tables: dict[tuple[str, ...], StudyTable] = {}

    def prepare(self, progress: Any = None) -> None:
        """Compile what all variants need, or load it."""
        for level in self.plan.levels:
            self._table(self.plan.space.original, level).prepare(progress)

    def work(self, job: Job) -> dict[str, Sums]:
        """Do a job; return the sums of its figures."""
        plan, seed = self.plan, self.plan.seed_of(job.stage)
        table, deals = self._table(job.values, job.level), plan.deals(job)
        rows = table.deals(deals, seed, sides=1)
        table.play(rows)
        game = table.game
        figures = figures_by_deal(rows, game.folder.metrics.METRICS, game.players)
        found = {name: Sums.of(each) for name, each in figures.items() if _is_kept(name)}
        if any(objective.needs_contest for objective in plan.objectives):
            found[SKILL] = self._contest(job, deals, seed)
        if any(objective.needs_exchange for objective in plan.objectives):
            found |= self._exchange(table, deals, seed)
        return found

    def _table(self, values: Values, *bots: str) -> StudyTable:
        if values != self._values:
            self._values, self._tables = values, {}
        if bots not in self._tables:
            self._tables[bots] = StudyTable(self.plan.space.game(values), bots)
        return self._tables[bots]

    def _contest(self, job: Job, deals: range, seed: int) -> Sums:
        """Return how much one player of the level wins among the next weaker ones."""
        other = weaker(self.plan.space.base, job.level)
        assert other is not None
        table = self._table(job.values, job.level, other)
        rows = table.deals(deals, seed, sides=2)
        table.play(rows)
        wins = rows["won"][np.arange(len(rows)), rows["rotation"]]
        return Sums.of(wins.reshape(len(deals), -1).mean(axis=1))

    def _exchange(self, table: StudyTable, deals: range, seed: int) -> dict[str, Sums]:
        """Return what each card is worth against another one in its place."""
        pairs = range(deals.start * EXCHANGED, deals.stop * EXCHANGED)
        columns = exchange(table, pairs, seed)
        gain = columns["won"] - columns["won_other"]
        pair = np.concatenate([columns["pair"]] * 2) - pairs.start
        card = np.concatenate([columns["card"], columns["other"]])
        gain = np.concatenate([gain, -gain])
        found = {}
        for each in np.unique(card):
            count = np.bincount(pair[card == each])
            total = np.bincount(pair[card == each], weights=gain[card == each])
            found[f"{CARD}{each}"] = Sums.of((total / np.maximum(count, 1))[count > 0])
        return found


def _is_kept(name: str) -> bool:
    return name.startswith(("order:", "seat:")) or name in (TIES, *LENGTHS)
