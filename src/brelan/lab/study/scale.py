"""How much sooner a study is done by several workers than by one."""

from __future__ import annotations

import contextlib
import logging
import statistics
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from brelan.compiler.warmup import Progress
from brelan.errors import Refused
from brelan.lab.study.cluster import Cluster
from brelan.lab.study.executors import Executor, Processes
from brelan.lab.study.folder import StudyFolder
from brelan.lab.study.forecast import forecast
from brelan.lab.study.plan import Plan
from brelan.lab.study.run import run

PROCESSES, DASK = "processes", "dask"


class Scale(NamedTuple):
    """The seconds by the clock that a study takes with some workers: median, least and most."""

    place: str  # processes of this machine, or a Dask cluster of as many
    workers: int
    seconds: float
    least: float
    most: float
    speedup: float  # against the first number of workers in the same place
    ideal: float
    overhead: float  # against as many processes without Dask, as a share


def measure(
    plan: Plan,
    home: Path,
    workers: Sequence[int],
    places: Sequence[str],
    repeats: int,
    progress: Progress,
) -> list[Scale]:
    """Play a study with each number of workers in each place, several times in turn."""
    forecast(StudyFolder(home / "ready", plan), 1)  # then all is compiled
    ways = [(place, count) for place in places for count in workers]
    seconds: dict[tuple[str, int], list[float]] = {way: [] for way in ways}
    figures = None
    total = repeats * len(ways)
    for done in range(total):
        progress(done, total)
        place, count = way = ways[done % len(ways)]
        with executor(place, count) as chosen:
            begun = time.perf_counter()
            found = run(plan, home / str(done), executor=chosen).as_dict()
            seconds[way].append(time.perf_counter() - begun)
        if figures not in (None, found):
            raise Refused(f"{count} workers, {place}, have given other figures")
        figures = found
    progress(total, total)
    median = {way: statistics.median(taken) for way, taken in seconds.items()}
    return [
        Scale(
            place,
            count,
            median[place, count],
            min(seconds[place, count]),
            max(seconds[place, count]),
            median[place, workers[0]] / median[place, count],
            count / workers[0],
            median[place, count] / median[places[0], count] - 1,
        )
        for place, count in ways
    ]


@contextlib.contextmanager
def executor(place: str, workers: int) -> Iterator[Executor]:
    """Give so many workers of a place; those of Dask are started first."""
    if place == PROCESSES:
        yield Processes(workers)
        return
    try:
        from distributed import LocalCluster
    except ImportError:
        raise Refused("Dask is needed; install it: pip install 'brelan[lab,cluster]'") from None
    with (
        LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            dashboard_address=None,
            silence_logs=logging.CRITICAL,
        ) as cluster,
        contextlib.closing(Cluster(cluster.scheduler_address)) as chosen,
    ):
        yield chosen
