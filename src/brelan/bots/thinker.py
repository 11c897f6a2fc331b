"""The bot `search`: it thinks ahead from its view, for as long as its level says."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from brelan.bots.house import check_view, is_heavy, luck_of, names
from brelan.bots.search import WINDOW, forget, mind, ponder, tree
from brelan.errors import Refused
from brelan.table import Game, Move, View
from brelan.words import desk

CHUNK = 500  # simulations between two looks at the clock


@dataclass(frozen=True)
class Level:
    """How much a searcher thinks, and how surely it plays what it found best."""

    simulations: float = math.inf
    seconds: float = math.inf
    temperature: float = 0.0  # 0: always the move it tried most
    attempts: int = 0  # at reliving a world since its last decision, by which it reads the others


LEVELS = {
    "novice": Level(simulations=20, temperature=1.0),
    "club": Level(simulations=200, temperature=0.5),
    "expert": Level(simulations=4000, attempts=8000),
}


def level_of(name: str) -> Level:
    """Return a level by its name, by a number of simulations, or by seconds for a decision.

    >>> level_of("5000").simulations, level_of("1.5s").seconds
    (5000, 1.5)
    """
    expert = LEVELS["expert"]
    if name in LEVELS:
        return LEVELS[name]
    if re.fullmatch(r"[1-9]\d{0,8}", name):
        return Level(simulations=int(name), attempts=expert.attempts)
    if re.fullmatch(r"\d{1,3}(\.\d{1,3})?s", name) and float(name[:-1]) > 0:
        return Level(seconds=float(name[:-1]), attempts=expert.attempts)
    raise Refused(
        f"unknown level {name!r}; there are: {', '.join(LEVELS)}, a number of simulations such as "
        "5000, or seconds for each decision such as 1.5s"
    )


class SearchBot:
    """A bot that searches over the worlds it can imagine, in machine code.

    What it does follows from its view and its seed, unless its level counts seconds. Each thread
    grows a tree of its own.
    """

    def __init__(self, game: Game, level: str = "expert", seed: int = 0, threads: int = 1) -> None:
        self.name = level if level in LEVELS else f"search:{level}"
        self.game, self.seed, self.level = game, seed, level_of(level)
        self.machine = game.folder.machine("compiled")
        self._threads = [_Thread(game) for _ in range(threads)]

    def choose(self, view: View) -> Move:
        """Return the move that looks best in a view of the bot's own turn."""
        check_view(view, self.game)
        legal = view.legal()
        if len(legal) == 1:
            return legal[0]
        tries = self.think(view)
        luck = np.random.default_rng(luck_of(self.seed, view))
        return max(legal, key=lambda move: self._appeal(tries[move.id], luck))

    def think(self, view: View) -> dict[int, int]:
        """Return how often each legal move was tried, by its id: the better, the more."""
        luck = luck_of(self.seed, view)
        shares = [(thread, view, self.level, luck + n) for n, thread in enumerate(self._threads)]
        with ThreadPoolExecutor(len(shares)) as pool:
            counts = list(pool.map(lambda share: share[0].think(*share[1:]), shares))
        return {number: sum(count[number] for count in counts) for number in counts[0]}

    def _appeal(self, tries: int, luck: np.random.Generator) -> float:
        """Return the appeal of a move: its tries; with a temperature, others win at times."""
        if self.level.temperature == 0:
            return tries
        chance = 1.0 - luck.random()
        return math.log(1 + tries) / self.level.temperature - math.log(1e-300 - math.log(chance))


class _Thread:
    """A board, a desk and a tree of one's own."""

    def __init__(self, game: Game) -> None:
        self._board = game.folder.layout.board(game.blank().tobytes())
        self._desk, self._tree, self._mind = desk(), tree(), mind(game.folder.layout)
        self._ponder = game.folder.machine("compiled")(ponder)
        light = [number for number, name in enumerate(names(game)) if not is_heavy(game, name)]
        self._desk.bots[:] = light[-1]  # who plays in imagined worlds

    def think(self, view: View, level: Level, luck: int) -> dict[int, int]:
        """Simulate until the level has enough; return how often each move was tried."""
        self._remember(view, level)
        self._desk.luck[0] = luck % 2**64
        forget(self._tree)
        for count in _chunks(level):
            self._ponder(*self._board, self._desk, self._tree, self._mind, view.seat, count)
        root = self._tree.root
        edges = slice(self._tree.first[root], self._tree.first[root] + self._tree.count[root])
        moves, tries = self._tree.moves[edges], self._tree.tries[edges]
        return {int(move): int(count) for move, count in zip(moves, tries, strict=True)}

    def _remember(self, view: View, level: Level) -> None:
        """Take in what the seat saw since its last decision, and what it did then."""
        own = [ply for ply, move in enumerate(view.history) if move.seat == view.seat]
        plies = len(view.history) - own[-1] if own else 0
        if plies >= WINDOW:
            plies = 0
        self._mind.plies, self._mind.attempts = plies, level.attempts
        seen = [*view.past[len(view.past) - plies :], view.record.tobytes()]
        for ply, record in enumerate(seen):
            self._mind.past[ply] = np.frombuffer(record, np.uint64)
        for ply, move in enumerate(view.history[len(view.history) - plies :]):
            self._mind.moves[ply] = move.id


def _chunks(level: Level) -> Iterator[int]:
    """Yield how many simulations to run next, until there are enough or the time is over."""
    end, done = time.perf_counter() + level.seconds, 0
    while done < level.simulations and (done == 0 or time.perf_counter() < end):
        count = int(min(CHUNK, level.simulations - done))
        yield count
        done += count
