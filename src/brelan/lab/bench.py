"""Benchmarks: rates measured in turn, many times, so that their ratios can be trusted.

A rate is a count divided by the processor's seconds of this process, not by those of a clock: what
else runs on the machine matters less. Only the ratio of two threads to one is by the clock: where
the system tells how busy its cores are, only what was measured on free cores counts.

A game adds to this by a file `benches.py` in its folder: `tasks(game, seed)` returns what else is
measured; `RATIOS`, optional, names pairs of rates; `check(game, seed)`, optional, makes sure that
what is compared does the same, and returns what it found.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from brelan.bots.search.searcher import Searcher
from brelan.bots.search.settings import Level
from brelan.compiler.warmup import Progress
from brelan.engine.driver import imagine_often
from brelan.engine.game import Game
from brelan.engine.match_driver import RANDOM, Driver, Results, blank_results
from brelan.lab.simulate import simulate
from brelan.rules import new_scratch

SECONDS = 0.3  # of the processor, about, for one measurement
SIMULATIONS, DECISIONS = 2000, 10  # for one measurement of the search
TWO_TO_ONE = "two threads to one, by the clock"
TRIES = 3  # in each turn, to find the cores free
STAT = Path("/proc/stat")  # how busy the cores are, on Linux
FREE = 0.15  # of a core that other programs may use meanwhile

Counts = dict[str, float]  # what was done, by its unit
Task = Callable[[int], Counts]  # returns rates by their unit; runs a little when given 1
Work = Callable[[int], tuple[Counts, float]]  # does so much; returns what, and in which seconds


class Rates(NamedTuple):
    """A figure measured several times."""

    median: float
    low: float
    high: float


@dataclass(frozen=True)
class Bench:
    """What was measured, by name: rates for a second of the processor, and their ratios."""

    game: Game
    repeats: int
    rates: dict[str, Rates]
    ratios: dict[str, Rates]
    notes: list[str] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as plain data."""
        return {
            "variant": self.game.variant,
            "repeats": self.repeats,
            "per": "CPU-second",
            "rates": {name: rates._asdict() for name, rates in self.rates.items()},
            "ratios": {name: rates._asdict() for name, rates in self.ratios.items()},
            "notes": self.notes,
        }


class Paced:
    """A task that does as much of some work as takes about `SECONDS`."""

    def __init__(self, work: Work) -> None:
        self._work, self._count = work, 1

    def __call__(self, few: int) -> Counts:
        """Do the work and return the rates; when given 1, find out only how much to do."""
        if few:
            self._work(1)  # what happens only once is not measured
        done, seconds = self._work(self._count)
        while few and seconds < SECONDS / 10:
            self._count *= 4
            done, seconds = self._work(self._count)
        if few:
            self._count = max(1, round(self._count * SECONDS / seconds))
        return {unit: count / seconds for unit, count in done.items()}


def measure(game: Game, repeats: int, seed: int, progress: Progress) -> Bench:
    """Measure everything in turn, `repeats` times."""
    tasks, wanted = all_tasks(game, seed), _ratios(game)
    own = _own(game, "benches")
    notes = [own.check(game, seed)] if hasattr(own, "check") else []
    for task in tasks.values():
        task(1)
    seen: dict[str, list[float]] = {}
    scaling: list[float] = []
    for turn in range(repeats):
        for name, task in tasks.items():
            for unit, rate in task(0).items():
                seen.setdefault(f"{unit}, {name}", []).append(rate)
        scaling += two_threads_to_one(game, seed, seen["matches, driver"][-1])
        progress(turn + 1, repeats)
    ratios = {
        name: [a / b for a, b in zip(seen[above], seen[below], strict=True)]
        for name, (above, below) in wanted.items()
        if above in seen and below in seen
    }
    if scaling:
        ratios[TWO_TO_ONE] = scaling
    else:
        notes.append(f"Left out: {TWO_TO_ONE}; other programs used the cores.")
    return Bench(game, repeats, _summed_up(seen), _summed_up(ratios), notes)


def summed_up(values: list[float]) -> Rates:
    """Return the median of what was measured, and its range."""
    return Rates(float(np.median(values)), min(values), max(values))


def _summed_up(seen: Mapping[str, list[float]]) -> dict[str, Rates]:
    return {name: summed_up(values) for name, values in seen.items()}


def all_tasks(game: Game, seed: int) -> dict[str, Task]:
    """Return what is measured, by name."""
    tasks: dict[str, Task] = {
        "driver": Paced(lambda count: drive(game, seed, count)),
        "simulate": Paced(lambda count: simulate_random(game, seed, count)),
        "imagine": Paced(lambda count: imagine(game, seed, count)),
        "search": lambda few: search(game, seed, few),
    }
    reference, own = _own(game, "reference"), _own(game, "benches")
    if reference is not None:
        tasks["reference"] = Paced(lambda count: _timed(reference.random_matches, count, seed))
    if own is not None:
        tasks |= own.tasks(game, seed)
    return tasks


def _ratios(game: Game) -> dict[str, tuple[str, str]]:
    """Return which rates are compared, by the name of their ratio."""
    unit = "rounds" if "rounds" in game.folder.metrics.METRICS else "matches"
    pairs = [("driver", "reference"), ("simulate", "driver")]
    found = {f"{unit}, {a} to {b}": (f"{unit}, {a}", f"{unit}, {b}") for a, b in pairs}
    return found | getattr(_own(game, "benches"), "RATIOS", {})


def _own(game: Game, name: str) -> Any:
    """Return a module in the game's folder, or None."""
    name = f"{game.folder.rules.__package__}.{name}"
    return importlib.import_module(name) if importlib.util.find_spec(name) else None


def _timed(work: Callable[..., Any], *arguments: Any) -> tuple[Any, float]:
    """Return the result of a call, and how many seconds of the processor it took."""
    begun = time.process_time()
    result = work(*arguments)
    return result, time.process_time() - begun


def drive(game: Game, seed: int, count: int) -> tuple[Counts, float]:
    """Play random matches by the driver, with the game's general library: all seats remember."""
    driver, results = _set_up(game, seed, count)
    _, seconds = _timed(driver.play, results)
    return _counts(game, results), seconds


def _set_up(game: Game, seed: int, count: int) -> tuple[Driver, Results]:
    driver, results = Driver(game), blank_results(game, count)
    driver.set_up(results, 0, seed)
    results["seating"] = RANDOM
    return driver, results


def simulate_random(game: Game, seed: int, count: int) -> tuple[Counts, float]:
    """Let `simulate` play matches between random bots, by code made for the variant."""

    def play() -> Results:
        return simulate(game, ["random"] * game.players, count, seed, threads=1).results

    results, seconds = _timed(play)
    return _counts(game, results), seconds


def _counts(game: Game, results: Results) -> Counts:
    """Return how much was played."""
    counts = {"matches": float(len(results)), "decisions": float(results["decisions"].sum())}
    if "rounds" in game.folder.metrics.METRICS:
        counts["rounds"] = float(results["rounds"].sum())
    return counts


def two_threads_to_one(game: Game, seed: int, rate: float) -> list[float]:
    """Return how much faster two drivers play at the same time than one, by the clock.

    Nothing, if other programs used the cores whenever it was tried.
    """
    count = max(1, round(rate * SECONDS))
    drivers, results = zip(*(_set_up(game, seed, count) for _ in range(2)), strict=True)
    with ThreadPoolExecutor(2) as pool:
        for _ in range(TRIES):
            begun, clocks = _used_by_others(), [time.perf_counter()]
            for threads in (1, 2):
                list(pool.map(Driver.play, drivers[:threads], results[:threads]))
                clocks.append(time.perf_counter())
            if _used_by_others() - begun <= FREE * (clocks[2] - clocks[0]):
                return [2 * (clocks[1] - clocks[0]) / (clocks[2] - clocks[1])]
    return []


def _used_by_others() -> float:
    """Return how many CPU-seconds other processes have used; 0 where the system does not tell."""
    try:
        line = STAT.read_text(encoding="ascii").partition("\n")[0]
    except OSError:
        return 0.0
    ticks = [int(part) for part in line.split()[1:9]]  # guests are counted among users
    busy = sum(ticks) - ticks[3] - ticks[4]  # but idle, and waiting for a disk
    return busy / os.sysconf("SC_CLK_TCK") - time.process_time()


def imagine(game: Game, seed: int, count: int) -> tuple[Counts, float]:
    """Complete the view of the seat that begins into worlds, one after another."""
    match = game.deal(seed=seed)
    assert match.turn is not None
    _, view, raw = game.folder.layout.buffers(match.view(match.turn).record.tobytes())
    often = game.folder.library("compiled")(imagine_often)
    _, seconds = _timed(often, view, raw, match.turn, count, new_scratch(seed))
    return {"worlds": float(count)}, seconds


def search(game: Game, seed: int, few: int) -> Counts:
    """Search the first decisions of a match, without a belief."""
    searcher, level = Searcher(game), Level(simulations=1 if few else SIMULATIONS, belief=False)
    match, decisions, seconds = game.deal(seed=seed), 0, 0.0
    while match.turn is not None and decisions < (1 if few else DECISIONS):
        view = match.view(match.turn)
        moves = [move.id for move in view.legal()]
        if len(moves) > 1:
            stats, spent = _timed(searcher.search, view, level, seed)
            seconds += spent
            decisions += 1
            moves = sorted(moves, key=lambda move: -stats[move].lower_bound)
        match.play_unchecked(moves[0])
    return {"simulations": decisions * level.simulations / seconds}
