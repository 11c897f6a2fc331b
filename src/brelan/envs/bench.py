"""Benchmarks of the environments: each door beside the bare engine, measured in turn.

A door adds to this by a file `bench.py` in its folder: `tasks(game, seed)` returns what is
measured, `RATIOS` names pairs of rates to compare. `ENGINE` may stand in them.
"""

from __future__ import annotations

import importlib
import importlib.util
import random
import time
from dataclasses import dataclass
from typing import Any

from brelan.compiler.warmup import Progress
from brelan.engine.game import Game
from brelan.lab.bench import Counts, Paced, Rates, Task, summed_up

DOORS = ("pettingzoo", "gymnasium", "openspiel")
ENGINE = "bare engine, interpreted"
STEPS = "steps"


@dataclass(frozen=True)
class Figures:
    """What was measured of one game: rates by name, their ratios, and what was left out."""

    game: Game
    rates: dict[str, Rates]
    ratios: dict[str, Rates]
    notes: list[str]

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as plain data."""
        return {
            "variant": self.game.variant,
            "rates": {name: rates._asdict() for name, rates in self.rates.items()},
            "ratios": {name: rates._asdict() for name, rates in self.ratios.items()},
            "notes": self.notes,
        }


def measure(game: Game, repeats: int, seed: int, progress: Progress) -> Figures:
    """Measure all doors that are there in turn, `repeats` times."""
    tasks: dict[str, Task] = {ENGINE: Paced(lambda count: engine(game, seed, count))}
    ratios: dict[str, tuple[str, str]] = {}
    notes: list[str] = []
    for door in DOORS:
        found = _bench_of(door)
        if found is None:
            notes.append(f"Left out: {door}; to have it: pip install 'brelan[{door}]'.")
        else:
            tasks |= found.tasks(game, seed)
            ratios |= found.RATIOS
    for task in tasks.values():
        task(1)
    seen: dict[str, list[float]] = {name: [] for name in tasks}
    for turn in range(repeats):
        for name, task in tasks.items():
            seen[name].append(task(0)[STEPS])
        progress(turn + 1, repeats)
    compared = {
        name: [a / b for a, b in zip(seen[above], seen[below], strict=True)]
        for name, (above, below) in ratios.items()
    }
    return Figures(game, _summed_up(seen), _summed_up(compared), notes)


def _summed_up(values: dict[str, list[float]]) -> dict[str, Rates]:
    return {name: summed_up(each) for name, each in values.items()}


def _bench_of(door: str) -> Any:
    """Return the module that measures a door, or None if its library is not installed."""
    try:
        found = importlib.util.find_spec(f"brelan.envs.{door}.bench")
    except ImportError as error:
        if error.__cause__ is None:  # it is not what a door says without its library
            raise
        return None
    return None if found is None else importlib.import_module(f"brelan.envs.{door}.bench")


def engine(game: Game, seed: int, count: int) -> tuple[Counts, float]:
    """Make random moves in matches of the engine, one after another; nothing is observed."""
    choice, done = random.Random(seed), 0  # noqa: S311
    begun = time.process_time()
    match = game.deal(seed=seed)
    while done < count:
        if match.turn is None:
            match = game.deal(seed=seed + done)
        match.play_unchecked(choice.choice(match.legal_numbers()))
        done += 1
    return {STEPS: float(count)}, time.process_time() - begun
