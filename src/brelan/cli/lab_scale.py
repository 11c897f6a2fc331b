"""`brelan lab scale`: how much sooner a study is done by several workers."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from brelan.cli.lab_report import Levels, Seed, planned
from brelan.cli.variants import Players, variant, whole

if TYPE_CHECKING:
    from brelan.lab.study.scale import Scale


def scale(
    game: str | None = None,
    /,
    *,
    players: Players = None,
    level: Levels = None,
    workers: Annotated[str, Parameter(metavar="N,…")] = "1,2",
    matches: Annotated[str, Parameter(metavar="N")] = "20000",
    repeats: Annotated[str, Parameter(metavar="N")] = "3",
    dask: Annotated[bool, Parameter(negative=())] = False,
    seed: Seed = "1",
    json_: Annotated[bool, Parameter(name="--json", negative=())] = False,
) -> int:
    """Play one study with several numbers of workers; print the times beside the ideal.

    Machines are noisy: each is measured several times, in turn. That the figures are the same is
    checked as well.

    Parameters
    ----------
    game
        The game; `brelan games` lists them.
    players
        How many seats there are.
    level
        Who plays; otherwise the strongest of the game's own bots.
    workers
        How many workers play, once for each number.
    matches
        How many matches are played.
    repeats
        How many times everything is measured.
    dask
        Measure a Dask cluster of as many worker processes, too: what it costs over no cluster.
    seed
        The luck of the deals.
    json_
        Print the figures as JSON.
    """
    chosen = variant(game, players, (), None)
    counts = [whole("--workers", count, 1) for count in workers.split(",")]
    times = whole("--repeats", repeats, 1)
    asked = planned(chosen, level, seed, "0.0001", matches)  # never settled: all are played
    from brelan.cli.progress import progress
    from brelan.lab.study.scale import DASK, PROCESSES, measure

    places = [PROCESSES, DASK] if dask else [PROCESSES]
    with tempfile.TemporaryDirectory() as home, progress("Measuring") as report:
        found = measure(asked, Path(home), counts, places, times, report)
    if json_:
        sys.stdout.write(json.dumps([each._asdict() for each in found], indent=2) + "\n")
    else:
        _print(found)
    return 0


def _print(found: list[Scale]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, header_style="bold", pad_edge=False)
    titles = ("workers", "where", "seconds", "from – to", "times as fast", "ideal", "overhead")
    for title in titles:
        table.add_column(title, justify="right")
    for each in found:
        table.add_row(
            str(each.workers), each.place, f"{each.seconds:.1f}",
            f"{each.least:.1f} – {each.most:.1f}", f"{each.speedup:.2f}", f"{each.ideal:.2f}",
            f"{each.overhead:+.0%}",
        )  # fmt: skip
    Console(highlight=False).print(table)
