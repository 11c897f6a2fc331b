"""One who thinks, on one thread: it reads what the others did, then it searches."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
import numpy.typing as npt

from brelan.bots.house import is_heavy, names
from brelan.bots.levels import Level
from brelan.bots.deduction import deduce
from brelan.bots.mind import CHARACTERS, mind
from brelan.bots.search import FEW, ROOT, forget, ponder, tree
from brelan.bots.stretches import Stretch, after_table, deals, stretch, stretches
from brelan.bots.thought import Thought
from brelan.table import Game, View
from brelan.verbs import credence, uncover
from brelan.words import MOST_SEATS, desk

CHUNK = 20_000  # moves made in imagined worlds between two looks at the clock
READING = 0.25  # of all moves, how many may be spent on the last stretch of what has happened
PACE, LONG = 200_000, 2.0  # about so many are made in a second; how long it reads at most
ATTEMPTS = 8000  # at reliving the last stretch of the match
EVIDENCE = 20_000  # moves to spend on each earlier stretch, to tell whom the others are like
LATELY = 20  # such stretches that are looked at
WEIGHT = 0.5  # moves that could be made while one that was made is weighed
SHARED = 30.0  # of the worlds that were weighed, how many must share what chance there is
DOUBTED = 5.0  # worlds that each bot is granted, so that few of them prove little
DOUBT = 0.02  # how likely it stays at least that a seat is like any of the bots
MEMORIES = 5000  # stretches whose evidence is kept
UNKNOWN = np.zeros((MOST_SEATS, CHARACTERS))  # whom the others are like
DEDUCING = 200_000  # moves to spend on going through all that may have happened in a deal
TINY = 1e-300
NO_END = 2**62


class Thinker:
    """A board, a desk, a tree and a mind of one's own."""

    def __init__(self, game: Game) -> None:
        machine, meanings = game.folder.machine("compiled"), game.folder.meanings
        self._deduces = meanings[uncover] is not uncover and game.players == 2
        self._board = game.folder.layout.board(game.blank().tobytes())
        self._desk, self._tree = desk(), tree()
        self._mind = mind(game.folder.layout, self._deduces)
        self._ponder, self._deduce = machine(ponder), machine(deduce)
        self._light = [n for n, name in enumerate(names(game)) if not is_heavy(game, name)]
        self._mind.model = self._light[-1]
        self._weighs = meanings[credence] is not credence and len(self._light) > 1
        self._evidence: dict[tuple[Stretch, int | None], npt.NDArray[Any]] = {}

    def think(self, view: View, level: Level, luck: int) -> dict[int, Thought]:
        """Think until the level has enough; return what is thought of each legal move.

        What there is to spend is cut into equal parts, and after each of them the worse half of the
        moves is left out.
        """
        begun = time.perf_counter()
        self._desk.bots[:] = self._light[-1]  # as which it plays itself where its tree ends
        self._read(view, level, luck)
        parts = max(1, math.ceil(math.log2(self._tree.width)))
        read, done = int(self._mind.moved), 0
        for part in range(1, parts + 1):
            share = part / parts
            count = _whole(level.simulations * share)
            moves = _whole(read + max(level.moves - read, 1) * share)
            while done < count and self._mind.moved < moves:
                done += self._simulate(
                    view, count - done, min(self._mind.moved + CHUNK // parts, moves)
                )
                if time.perf_counter() >= begun + level.seconds * share:
                    break
            if part < parts:
                self._halve()
        edges = range(self._tree.count[ROOT])
        return {int(self._tree.moves[edge]): self._thought(edge) for edge in edges}

    def _thought(self, edge: int) -> Thought:
        tree = self._tree
        return Thought(int(tree.tries[edge]), float(tree.gains[edge]), float(tree.squares[edge]))

    def _halve(self) -> None:
        """Leave out the worse half of the moves that are still tried."""
        tree = self._tree
        best = sorted(tree.open[: tree.width], key=lambda edge: -self._thought(edge).sure)
        tree.width = math.ceil(len(best) / 2)
        tree.open[: tree.width] = best[: tree.width]

    def _simulate(self, view: View, count: int, moves: int) -> int:
        board = (*self._board, self._desk, self._tree, self._mind)
        return int(self._ponder(*board, view.seat, count, moves))

    def _look_back(self, view: View) -> None:
        """Relive or weigh worlds, as it was begun, and plant a tree."""
        self._simulate(view, 0, 0)

    def _begin(self, stretch: Stretch, luck: int, attempts: int = 0, moves: float = NO_END) -> None:
        """Begin a new tree, after a stretch of the match that is to be relived so many times."""
        forget(self._tree)
        self._desk.luck[0] = self._mind.luck[0] = luck % 2**64
        self._mind.plies, self._mind.attempts = len(stretch.moves), attempts
        self._mind.reading, self._mind.moved, self._mind.believed = math.ceil(moves), 0, 0
        for ply, record in enumerate(stretch.seen):
            self._mind.past[ply] = np.frombuffer(record, np.uint64)
        for ply, number in enumerate(stretch.moves):
            self._mind.moves[ply] = number

    # ------------------------------------------------------------ reading the others

    def _read(self, view: View, level: Level, luck: int) -> None:
        """Find out which worlds are likely, and plant a tree."""
        moves = READING * min(level.moves, PACE * min(level.seconds, LONG))
        if level.reads and self._deduces and deals(view):
            self._go_through(view, luck, moves)
        elif level.reads:
            (self._weigh if self._weighs else self._relive)(view, luck, moves)
        else:
            self._set_odds(UNKNOWN)
            self._begin(stretch(view, len(view.history), len(view.history)), luck)
            self._look_back(view)

    def _weigh(self, view: View, luck: int, moves: float) -> None:
        """Imagine worlds, and keep those that explain what the others did."""
        mind = self._mind
        self._set_odds(UNKNOWN)
        self._begin(stretch(view, len(view.history), len(view.history)), luck, moves=moves)
        mind.toll = max(1, math.ceil(WEIGHT * len(view.history)))
        self._look_back(view)
        count = int(mind.believed)
        shares = np.cumsum(tempered(mind.credence[:count]))
        chosen = np.searchsorted(shares, shares[-1] * (np.arange(count) + 0.5) / count)
        mind.worlds[:count], mind.casts[:count] = mind.worlds[chosen], mind.casts[chosen]

    def _relive(self, view: View, luck: int, moves: float) -> None:
        """Relive the last stretch, in the light of what the earlier ones tell of the others."""
        *earlier, (first, last) = stretches(view)
        support = UNKNOWN
        for start, stop in earlier[-LATELY:]:
            support = support + self._support(view, stretch(view, start, stop))
        self._set_odds(support)
        for start in sorted({first, after_table(view, first)}):
            self._begin(stretch(view, start, last), luck, ATTEMPTS, moves)
            self._look_back(view)
            if self._mind.believed >= FEW:
                return

    def _go_through(self, view: View, luck: int, moves: float) -> None:
        """Go through all that may have happened since the deal, in the light of earlier deals."""
        *earlier, last = deals(view)
        support = UNKNOWN
        for deal in earlier[-LATELY:]:
            support = support + self._deduced(view, stretch(view, *deal))
        self._set_odds(support)
        self._begin(stretch(view, *last), luck, moves=DEDUCING)
        self._deduce(*self._board, self._desk, self._mind, view.seat)
        if self._mind.believed == 0:
            self._relive(view, luck, moves)
        self._look_back(view)

    def _deduced(self, view: View, past: Stretch) -> npt.NDArray[Any]:
        """Return for each seat and bot how well it explains all that happened in a deal."""
        key = (past, view.seat)
        if key not in self._evidence:
            if len(self._evidence) >= MEMORIES:
                self._evidence.clear()
            self._set_odds(UNKNOWN)
            self._begin(past, past.luck, moves=DEDUCING)
            self._deduce(*self._board, self._desk, self._mind, view.seat)
            support = UNKNOWN.copy()
            assert view.seat is not None
            if self._mind.believed:
                chances = self._mind.chances[: self._mind.guessed].sum(axis=0)
                support[1 - view.seat] = np.log(np.maximum(chances, TINY))
            self._evidence[key] = support
        return self._evidence[key]

    def _set_odds(self, support: npt.NDArray[Any]) -> None:
        """Set how likely each seat is like each bot; if nothing is known, like any of them."""
        odds = np.exp(support - np.max(support, axis=-1, keepdims=True))
        odds[:, [bot for bot in range(CHARACTERS) if bot not in self._light]] = 0.0
        odds /= odds.sum(axis=-1, keepdims=True)
        odds[:, self._light] += DOUBT
        self._mind.odds[:] = odds / odds.sum(axis=-1, keepdims=True)

    def _support(self, view: View, past: Stretch) -> npt.NDArray[Any]:
        """Return for each seat and bot how well it explains a stretch, as a logarithm."""
        key = (past, view.seat)
        if key not in self._evidence:
            if len(self._evidence) >= MEMORIES:
                self._evidence.clear()
            self._set_odds(UNKNOWN)
            self._begin(past, past.luck, ATTEMPTS, EVIDENCE)
            self._look_back(view)
            casts = self._mind.casts[: self._mind.believed]
            kept = np.array([(casts == bot).sum(axis=0) for bot in range(CHARACTERS)]).T
            self._evidence[key] = np.log(kept + DOUBTED)
        return self._evidence[key]


def tempered(credence: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return chances by credence, tempered until enough worlds share them."""
    low, high = 0.0, 1.0
    shifted = credence - credence.max()
    for _ in range(20):
        middle = (low + high) / 2
        chances = np.exp(middle * shifted)
        if chances.sum() ** 2 / (chances**2).sum() < SHARED:
            high = middle
        else:
            low = middle
    chances = np.exp(low * shifted)
    return np.asarray(chances / chances.sum())


def _whole(number: float) -> int:
    return math.ceil(min(number, NO_END))
