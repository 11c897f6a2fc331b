"""How much sooner a study is done by several processes than by one."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from brelan.compiler.warmup import Progress
from brelan.errors import Refused
from brelan.lab.study.folder import StudyFolder
from brelan.lab.study.forecast import forecast
from brelan.lab.study.plan import Plan
from brelan.lab.study.run import run


class Scale(NamedTuple):
    """The seconds by the clock that a study takes with some processes: median, least and most."""

    workers: int
    seconds: float
    least: float
    most: float
    speedup: float  # against the first number of processes
    ideal: float


def measure(
    plan: Plan, home: Path, workers: Sequence[int], repeats: int, progress: Progress
) -> list[Scale]:
    """Play a study with each number of processes, several times in turn."""
    forecast(StudyFolder(home / "ready", plan), 1)  # then all is compiled
    seconds: list[list[float]] = [[] for _ in workers]
    figures = None
    for done in range(repeats * len(workers)):
        progress(done, repeats * len(workers))
        turn = done % len(workers)
        begun = time.perf_counter()
        found = run(plan, home / str(done), workers=workers[turn]).as_dict()
        seconds[turn].append(time.perf_counter() - begun)
        if figures not in (None, found):
            raise Refused(f"{workers[turn]} processes have given other figures")
        figures = found
    progress(repeats * len(workers), repeats * len(workers))
    first = statistics.median(seconds[0])
    return [
        Scale(
            count,
            statistics.median(taken),
            min(taken),
            max(taken),
            first / statistics.median(taken),
            count / workers[0],
        )
        for count, taken in zip(workers, seconds, strict=True)
    ]
