"""Benchmarks: rates measured in turn, many times, so that their ratios can be trusted."""

from __future__ import annotations

import importlib
import importlib.util
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from brelan.bots.search.searcher import Searcher
from brelan.bots.search.settings import Level
from brelan.compiler.warmup import Progress
from brelan.engine.driver import imagine_often
from brelan.engine.game import Game
from brelan.engine.match_driver import RANDOM, Driver, blank_results
from brelan.rules import new_scratch

MATCHES = 20_000  # for one measurement of the compiled rules
SLOW_MATCHES = 200  # for one of the reference engine
WORLDS = 100_000
SIMULATIONS, DECISIONS = 2000, 10  # for one measurement of the search


class Rates(NamedTuple):
    """A rate measured several times."""

    median: float
    low: float
    high: float


@dataclass(frozen=True)
class Bench:
    """What was measured, by name."""

    game: Game
    repeats: int
    rates: dict[str, Rates]
    ratios: dict[str, Rates]

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as plain data."""
        rates = {name: rate._asdict() for name, rate in self.rates.items()}
        ratios = {name: ratio._asdict() for name, ratio in self.ratios.items()}
        return {"variant": self.game.variant, "rates": rates, "ratios": ratios}


def measure(game: Game, repeats: int, seed: int, progress: Progress) -> Bench:
    """Measure everything in turn, `repeats` times."""
    tasks = _tasks(game, seed)
    for task in tasks.values():
        task(1)
    seen: dict[str, list[float]] = {}
    for turn in range(repeats):
        for name, task in tasks.items():
            for unit, rate in task(0).items():
                seen.setdefault(f"{unit}, {name}", []).append(rate)
        progress(turn + 1, repeats)
    rates = {name: _rates(values) for name, values in seen.items()}
    one, two = seen["decisions, compiled, one thread"], seen["decisions, compiled, two threads"]
    ratios = {"two threads to one": _rates([b / a for a, b in zip(one, two, strict=True)])}
    for unit in ("matches", "rounds", "decisions"):
        fast, slow = (seen.get(f"{unit}, {kind}") for kind in ("compiled, one thread", "reference"))
        if fast and slow:
            ratio = _rates([a / b for a, b in zip(fast, slow, strict=True)])
            ratios[f"{unit}, compiled to reference"] = ratio
    return Bench(game, repeats, rates, ratios)


def _rates(values: list[float]) -> Rates:
    return Rates(float(np.median(values)), min(values), max(values))


Task = Callable[[int], dict[str, float]]


def _tasks(game: Game, seed: int) -> dict[str, Task]:
    """Return what is measured; each task runs a little when given 1, to warm up."""
    tasks: dict[str, Task] = {
        "compiled, one thread": lambda few: _play(game, seed, 1, few),
        "compiled, two threads": lambda few: _play(game, seed, 2, few),
        "imagined": lambda few: _imagine(game, seed, few),
        "search": lambda few: _search(game, seed, few),
    }
    reference, own = _own(game, "reference"), _own(game, "benches")
    if reference is not None:
        tasks["reference"] = lambda few: _play_slowly(reference, seed, few)
    if own is not None:
        tasks |= own.tasks(game, seed)
    return tasks


def _own(game: Game, name: str) -> Any:
    """Return a module in the game's folder, or None."""
    name = f"{game.folder.rules.__package__}.{name}"
    return importlib.import_module(name) if importlib.util.find_spec(name) else None


def _play(game: Game, seed: int, threads: int, few: int) -> dict[str, float]:
    """Play random matches on every thread, all knowledge kept."""
    results = [blank_results(game, 10 if few else MATCHES) for _ in range(threads)]
    drivers = [Driver(game) for _ in range(threads)]
    for driver, rows in zip(drivers, results, strict=True):
        driver.set_up(rows, 0, seed)
        rows["seating"] = RANDOM
    with ThreadPoolExecutor(threads) as pool:
        begun = time.perf_counter()
        list(pool.map(Driver.play, drivers, results))
        seconds = time.perf_counter() - begun
    rates = {"matches": sum(len(rows) for rows in results) / seconds}
    if "rounds" in game.folder.metrics.METRICS:
        rates["rounds"] = sum(float(rows["rounds"].sum()) for rows in results) / seconds
    rates["decisions"] = sum(int(rows["decisions"].sum()) for rows in results) / seconds
    return rates


def _imagine(game: Game, seed: int, few: int) -> dict[str, float]:
    """Complete the view of the seat that begins, many times."""
    count = 10 if few else WORLDS
    match = game.deal(seed=seed)
    assert match.turn is not None
    _, view, raw = game.folder.layout.buffers(match.view(match.turn).record.tobytes())
    imagine = game.folder.library("compiled")(imagine_often)
    begun = time.perf_counter()
    imagine(view, raw, match.turn, count, new_scratch(seed))
    return {"worlds": count / (time.perf_counter() - begun)}


def _search(game: Game, seed: int, few: int) -> dict[str, float]:
    """Think about the first decisions of a match, without looking back."""
    searcher, level = Searcher(game), Level(simulations=1 if few else SIMULATIONS, belief=False)
    match, decisions, seconds = game.deal(seed=seed), 0, 0.0
    while match.turn is not None and decisions < (1 if few else DECISIONS):
        view = match.view(match.turn)
        moves = [move.id for move in view.legal()]
        if len(moves) > 1:
            begun = time.perf_counter()
            stats = searcher.search(view, level, luck=seed)
            seconds += time.perf_counter() - begun
            decisions += 1
            moves = sorted(moves, key=lambda move: -stats[move].lower_bound)
        match.play_unchecked(moves[0])
    return {"simulations": decisions * level.simulations / seconds}


def _play_slowly(reference: Any, seed: int, few: int) -> dict[str, float]:
    begun = time.perf_counter()
    played = reference.random_matches(1 if few else SLOW_MATCHES, seed)
    seconds = time.perf_counter() - begun
    return {unit: count / seconds for unit, count in played.items()}
