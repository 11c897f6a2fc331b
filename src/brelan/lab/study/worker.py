"""A worker of a study: it does jobs, whose results are tables."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from brelan import bots as house
from brelan.errors import Refused
from brelan.lab.study.exchange import exchange
from brelan.lab.study.idle_knobs import turn_knobs
from brelan.lab.study.plan import (
    CONTEST,
    EXCHANGE,
    KNOBS,
    PAIRS,
    PLAY,
    SAMPLE,
    Job,
    Plan,
    batch_of,
    code_of,
    default_level,
    weaker,
)
from brelan.lab.study.sample import Sampler
from brelan.lab.study.table import Events, Rows, StudyTable

Columns = dict[str, npt.NDArray[Any]]
Tables = dict[str, bytes]  # each a Parquet file, by its name

SECONDS_OF_DECISION = 3.0  # at a table of people, estimated: each decision takes so long,
SECONDS_OF_DOUBLING = 4.0  # and so much longer whenever there are twice as many moves


class Worker:
    """What one process knows of a study."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.game = plan, plan.open()
        if code_of(self.game) != plan.code:
            raise Refused(
                f"a worker has another version of {self.game.id}: {self.game.folder.path}"
            )
        self._tables: dict[tuple[str, ...], StudyTable] = {}
        self._samplers: dict[str, Sampler] = {}
        self._kinds: dict[str, Callable[[Job], dict[str, Columns]]] = {
            PLAY: self._play,
            CONTEST: self._contest,
            EXCHANGE: self._exchange,
            SAMPLE: self._sample,
            KNOBS: self._turn_knobs,
        }

    def work(self, job: Job) -> dict[str, Columns]:
        """Do a job; return its tables as columns."""
        return self._kinds[job.kind](job)

    def _table(self, *bots: str) -> StudyTable:
        if bots not in self._tables:
            self._tables[bots] = StudyTable(self.game, bots)
        return self._tables[bots]

    def _play(self, job: Job) -> dict[str, Columns]:
        budget = self.plan.budget(job.level)
        deals = batch_of(job, -(-budget.matches // self.game.players), budget.batch)
        table = self._table(job.level)
        rows = table.deals(deals, self.plan.seed, sides=1)
        events, _ = table.play(rows)
        return {
            "matches": match_columns(rows, self.game.folder.metrics.METRICS),
            "cards": card_columns(rows, events),
        }

    def _contest(self, job: Job) -> dict[str, Columns]:
        budget, other = self.plan.budget(job.level), weaker(self.game, job.level)
        assert other is not None
        table = self._table(job.level, other)
        deals = batch_of(job, budget.contest, budget.batch)
        rows = table.deals(deals, self.plan.seed, sides=2)
        table.play(rows)
        return {"contest": {name: rows[name] for name in ("deal", "rotation")} | _won(rows)}

    def _exchange(self, job: Job) -> dict[str, Columns]:
        budget = self.plan.budget(job.level)
        pairs = batch_of(job, budget.exchanges, PAIRS * budget.batch)
        return {"exchanges": exchange(self._table(job.level), pairs, self.plan.seed)}

    def _sample(self, job: Job) -> dict[str, Columns]:
        if job.level not in self._samplers:
            self._samplers[job.level] = Sampler(self._table(job.level))
        budget = self.plan.budget(job.level)
        deals = batch_of(job, budget.samples, budget.sampled)
        return self._samplers[job.level].sample(deals, self.plan.seed)

    def _turn_knobs(self, job: Job) -> dict[str, Columns]:
        quick = job.level in house.names(self.game)
        bot = job.level if quick else default_level(self.game)
        return {"knobs": turn_knobs(self.game, bot, job.batch, self.plan.seed)}


def match_columns(rows: Rows, metrics: tuple[str, ...]) -> Columns:
    """Return what is kept of each match."""
    columns: Columns = {name: rows[name] for name in ("deal", "rotation", "starter")}
    columns |= _won(rows)
    for seat in range(rows["scores"].shape[1]):
        columns[f"score_{seat}"] = rows["scores"][:, seat]
    columns["winners"] = rows["winners"].sum(axis=1)
    columns |= {name: rows[name] for name in ("decisions", "turns", "rounds", "legal", "forced")}
    seconds = SECONDS_OF_DECISION * rows["decisions"] + SECONDS_OF_DOUBLING * rows["bits"]
    columns["minutes"] = seconds / 60
    for number, name in enumerate(metrics):
        columns[f"metric_{name}"] = rows["metrics"][:, number]
    return {name: np.ascontiguousarray(values) for name, values in columns.items()}


def _won(rows: Rows) -> Columns:
    return {f"won_{seat}": rows["won"][:, seat] for seat in range(rows["won"].shape[1])}


def card_columns(rows: Rows, events: Events) -> Columns:
    """Return a row for each seat and kind of card to which something has happened."""
    match, seat, card = np.nonzero(events.any(axis=3))
    happened = events[match, seat, card]
    columns: Columns = {
        "deal": rows["deal"][match].astype(np.int32),
        "rotation": rows["rotation"][match].astype(np.int8),
        "seat": seat.astype(np.int8),
        "card": card.astype(np.int16),
        "won": rows["won"][match, seat],
    }
    for number, name in enumerate(("dealt", "held", "played", "targeted")):
        columns[name] = happened[:, number]
    return columns


# ---------------------------------------------------------------- in a process


_here = threading.local()  # a worker for each thread: its tables are its own


def work(plan: Plan, job: Job) -> Tables:
    """Do a job in this thread; return its tables as Parquet files."""
    if getattr(_here, "plan", None) != plan:
        _here.plan, _here.worker = plan, Worker(plan)
    worker: Worker = _here.worker
    return {name: as_parquet(columns) for name, columns in worker.work(job).items()}


def as_parquet(columns: Columns) -> bytes:
    """Return a table as the bytes of a Parquet file."""
    import polars

    file = io.BytesIO()
    polars.DataFrame(columns).write_parquet(file, compression="zstd")
    return file.getvalue()
