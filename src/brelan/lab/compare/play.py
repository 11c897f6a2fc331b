"""Play both sides of a comparison on the same deals, until their difference is known."""

from __future__ import annotations

import dataclasses
import importlib.metadata
import os
import threading
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from brelan import bots as house
from brelan.compiler.warmup import Progress
from brelan.errors import Refused
from brelan.lab.compare.changes import Comparison, changes, difference_of
from brelan.lab.compare.sides import Side
from brelan.lab.study.intervals import SHARE, mean_of
from brelan.lab.study.plan import FEWEST_DEALS, QUICK, SEARCH
from brelan.lab.study.table import StudyTable
from brelan.lab.study.worker import match_columns

Values = npt.NDArray[Any]
AHEAD = 2  # batches for each thread that wait in line
LOOK = 1.1  # one looks again when there are so many times as many deals
COUNTED = ("decisions", "turns", "rounds", "minutes")
DUEL = "duel"


class Table:
    """Both sides of a comparison, as one thread plays them."""

    def __init__(self, a: Side, b: Side, seed: int) -> None:
        self.seed, self.players = seed, a.game.players
        self.sides = [(side, StudyTable(side.game, [side.level])) for side in (a, b)]
        is_duel = a.game.variant == b.game.variant and a.level != b.level
        self.duel = StudyTable(a.game, [b.level, a.level]) if is_duel else None

    def prepare(self, progress: Progress | None) -> None:
        """Compile what is needed, or load it."""
        for table in (*(table for _, table in self.sides), self.duel):
            if table is not None:
                table.prepare(progress)

    def play(self, deals: range) -> list[dict[str, Values]]:
        """Return the figures of both sides, a value for each deal; with the bots' duel, if any."""
        found = []
        for side, table in self.sides:
            rows = table.deals(deals, self.seed, sides=1)
            table.play(rows)
            found.append(figures_by_deal(rows, side.game.folder.metrics.METRICS, self.players))
        if self.duel is not None:
            rows = self.duel.deals(deals, self.seed, sides=2)
            self.duel.play(rows)
            wins = rows["won"][np.arange(len(rows)), rows["rotation"]]
            found[1][DUEL] = wins.reshape(-1, self.players).mean(axis=1)
        return found


def compare(
    a: Side,
    b: Side,
    seed: int = 1,
    *,
    precision: float | None = None,
    matches: int | None = None,
    threads: int | None = None,
    command: str = "",
    preparing: Progress | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Play both sides on the same deals; return what has changed, and how sure that is.

    It ends when the difference of each share of wins is known to within `precision`, or after so
    many matches of each side. Ctrl-C ends it early, with what is known by then. The figures do not
    depend on the threads.
    """
    if a.game.players != b.game.players:
        raise Refused("both sides need the same number of players; --players sets it")
    players = a.game.players
    quick = all(side.level in house.names(side.game) for side in (a, b))
    budget = QUICK if quick else SEARCH
    precision = budget.precision if precision is None else precision
    most = max(1, (budget.matches if matches is None else matches) // players)
    batches = [
        range(first, min(first + budget.batch, most)) for first in range(0, most, budget.batch)
    ]
    Table(a, b, seed).prepare(preparing)
    known: list[list[dict[str, Values]]] = []  # of each batch, the figures of both sides
    deals, look, is_settled = 0, float(FEWEST_DEALS), False
    is_stopped = False
    try:
        for found in _played(a, b, seed, batches, threads or os.cpu_count() or 1):
            known.append(found)
            deals += len(found[0]["ties"])
            if deals >= look:
                look = LOOK * deals
                margins = _margins(*_joined(known))
                is_settled = max(margins) <= precision
                if progress is not None:
                    needed = round(deals * (max(margins) / precision) ** 2)
                    progress(deals, max(deals, min(most, needed)))
            if is_settled:
                break
    except KeyboardInterrupt:
        if deals < FEWEST_DEALS:
            raise
        is_stopped = True
    whole_a, whole_b = _joined(known)
    whole = _comparison(a, b, seed, whole_a, whole_b, precision, command)
    return dataclasses.replace(whole, is_settled=is_settled, is_stopped=is_stopped)


def _comparison(
    a: Side,
    b: Side,
    seed: int,
    values_a: dict[str, Values],
    values_b: dict[str, Values],
    precision: float,
    command: str,
) -> Comparison:
    game, players = a.game, a.game.players
    deals = len(values_a["ties"])
    texts = {lang: game.folder.texts(lang) for lang in ("fr", "en")}
    duels = values_b.pop(DUEL, None)
    found, duel = changes(values_a, values_b, players, duels)
    return Comparison(
        game=game.id,
        names={lang: each("game.name") for lang, each in texts.items()},
        players=players,
        variants=(a.game.variant, b.game.variant),
        turned=(a.turned, b.turned),
        levels=(a.level, b.level),
        seed=seed,
        deals=deals,
        matches=deals * players,
        precision=precision,
        is_settled=False,
        is_stopped=False,
        version=importlib.metadata.version("brelan"),
        rules_version=game.folder.version,
        command=command,
        changes=found,
        duel=duel,
    )


def _played(
    a: Side, b: Side, seed: int, batches: list[range], threads: int
) -> Iterator[list[dict[str, Values]]]:
    """Yield the figures of batches in their order; closing it begins no more of them."""
    tables = threading.local()

    def play(deals: range) -> list[dict[str, Values]]:
        if not hasattr(tables, "own"):
            tables.own = Table(a, b, seed)
        played: list[dict[str, Values]] = tables.own.play(deals)
        return played

    pool = ThreadPoolExecutor(threads)
    waiting: deque[Future[list[dict[str, Values]]]] = deque()
    try:
        for deals in batches:
            waiting.append(pool.submit(play, deals))
            if len(waiting) > AHEAD * threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def figures_by_deal(rows: Any, metrics: tuple[str, ...], players: int) -> dict[str, Values]:
    """Return every figure of some matches, a value for each deal: the mean of its rotations."""
    columns = match_columns(rows, metrics)
    won, scores = rows["won"], np.sort(rows["scores"], axis=1)
    place = (np.arange(players) + columns["starter"][:, None]) % players
    ordered = np.take_along_axis(won, place, axis=1)
    figures: dict[str, Values] = {}
    for number in range(players):
        figures[f"order:{number}"] = ordered[:, number]
    for number in range(players):
        figures[f"seat:{number}"] = won[:, number]
    figures["ties"] = columns["winners"] != 1
    figures["forced"] = columns["forced"] / np.maximum(1, columns["decisions"])
    figures["legal"] = columns["legal"] / np.maximum(1, columns["decisions"])
    figures |= {name: columns[name] for name in COUNTED}
    figures["score"] = scores.mean(axis=1)
    figures["spread"] = scores[:, -1] - scores[:, 0]
    figures["lead"] = scores[:, -1] - scores[:, -2]
    figures |= {f"metric:{name}": columns[f"metric_{name}"] for name in metrics}
    return {name: each.reshape(-1, players).mean(axis=1) for name, each in figures.items()}


def _joined(batches: list[list[dict[str, Values]]]) -> Iterator[dict[str, Values]]:
    """Yield the figures of each side, of all batches."""
    for side in zip(*batches, strict=True):
        yield {name: np.concatenate([each[name] for each in side]) for name in side[0]}


def _margins(a: dict[str, Values], b: dict[str, Values]) -> list[float]:
    """Return how far the intervals of the differences that are to be settled reach."""
    names = [name for name in a if name.startswith(("order", "seat"))]
    margins = [difference_of(name, a[name], b[name]).margin for name in names]
    if DUEL in b:
        margins.append(mean_of(b[DUEL], SHARE).margin)
    return margins
