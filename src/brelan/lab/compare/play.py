"""Play both sides of a comparison on the same deals, until their difference is known."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np

from brelan.compiler.warmup import Progress
from brelan.lab.compare.changes import Comparison
from brelan.lab.compare.course import DUEL, Course, Played, Values
from brelan.lab.compare.sides import Side
from brelan.lab.study.plan import FEWEST_DEALS
from brelan.lab.study.table import StudyTable
from brelan.lab.study.worker import match_columns

AHEAD = 2  # batches for each thread that wait in line
COUNTED = ("decisions", "turns", "rounds", "minutes")


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

    def play(self, deals: range) -> Played:
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
    course = Course(a, b, seed, precision, matches)
    Table(a, b, seed).prepare(preparing)
    is_stopped = False
    try:
        for played in _played(course, threads or os.cpu_count() or 1):
            course.add(played)
            if progress is not None:
                progress(course.deals, course.expected)
            if course.is_settled:
                break
    except KeyboardInterrupt:
        if course.deals < FEWEST_DEALS:
            raise
        is_stopped = True
    return course.comparison(command, is_stopped=is_stopped)


def _played(course: Course, threads: int) -> Iterator[Played]:
    """Yield the figures of batches in their order; closing it begins no more of them."""
    tables = threading.local()

    def play(deals: range) -> Played:
        if not hasattr(tables, "own"):
            tables.own = Table(course.a, course.b, course.seed)
        played: Played = tables.own.play(deals)
        return played

    pool = ThreadPoolExecutor(threads)
    waiting: deque[Future[Played]] = deque()
    try:
        for deals in course.batches:
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
