"""How long a game takes to get ready: a fresh process up to its first decision, cold and warm.

Cold is with an empty cache of machine code, warm with a full one. Seconds are the processor's.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from brelan.compiler.warmup import Progress
from brelan.engine.game import Game
from brelan.errors import Refused
from brelan.lab.bench import Rates, Task, all_tasks, summed_up

GOALS = {"cold": 6.0, "warm": 0.8}  # CPU-seconds until the first decision, at most
RATES = {"simulate": "matches", "search": "simulations"}  # measured besides, in these units
Seconds = dict[str, float]  # by part
CHILD = "brelan.lab.bench_child"


@dataclass(frozen=True)
class Readiness:
    """What was measured of a game: seconds cold and warm, all and by part, and rates."""

    game: Game
    seconds: dict[str, dict[str, Rates]]
    rates: dict[str, Rates]

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as plain data."""
        return {
            "variant": self.game.variant,
            "seconds": {
                start: {part: rates._asdict() for part, rates in parts.items()}
                for start, parts in self.seconds.items()
            },
            "rates": {name: rates._asdict() for name, rates in self.rates.items()},
        }


def measure(games: Sequence[Game], repeats: int, seed: int, progress: Progress) -> list[Readiness]:
    """Measure games in turn, `repeats` times."""
    tasks = [_tasks(game, seed) for game in games]  # first: then Python's own files are compiled
    seconds: list[dict[str, list[Seconds]]] = [{start: [] for start in GOALS} for _ in games]
    rates: list[dict[str, list[float]]] = [{} for _ in games]
    total = repeats * len(games)
    for done in range(total):
        place = done % len(games)
        progress(done, total)
        with tempfile.TemporaryDirectory() as folder:
            for start in GOALS:
                seconds[place][start].append(first_decision(games[place], Path(folder)))
        for name, unit in RATES.items():
            rates[place].setdefault(f"{unit}, {name}", []).append(tasks[place][name](0)[unit])
    progress(total, total)
    return [
        Readiness(
            game,
            {start: _by_part(measured) for start, measured in seconds[place].items()},
            {name: summed_up(values) for name, values in rates[place].items()},
        )
        for place, game in enumerate(games)
    ]


def _tasks(game: Game, seed: int) -> dict[str, Task]:
    tasks = {name: task for name, task in all_tasks(game, seed).items() if name in RATES}
    for task in tasks.values():
        task(1)
    return tasks


def _by_part(measured: list[Seconds]) -> dict[str, Rates]:
    return {part: summed_up([each[part] for each in measured]) for part in measured[0]}


def first_decision(game: Game, cache: Path) -> Seconds:
    """Return what the first decision of a fresh process takes, by part, with a cache."""
    from brelan.games import ids

    name = game.id if game.id in ids() else str(game.folder.path)
    run = subprocess.run(  # noqa: S603 - this program itself
        [sys.executable, "-m", CHILD, name],
        stdout=subprocess.PIPE,
        env={**os.environ, "BRELAN_CACHE": str(cache)},
        check=False,
    )
    if run.returncode:
        raise Refused(f"{game.id}: a fresh process failed before its first decision")
    return dict(json.loads(run.stdout))
