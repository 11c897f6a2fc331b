"""One who thinks, on one thread: it reads what the others did, then it searches."""

from __future__ import annotations

import hashlib
import math
import time
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from brelan.bots.house import is_heavy, names
from brelan.bots.levels import Level
from brelan.bots.search import CHARACTERS, FEW, WINDOW, forget, mind, ponder, tree
from brelan.table import Game, View
from brelan.words import MOST_SEATS, desk

CHUNK = 20_000  # moves made in imagined worlds between two looks at the clock
READING = 0.25  # of all moves, how many may be spent on what has happened
PACE, LONG = 200_000, 2.0  # about so many are made in a second; how long it reads at most
ATTEMPTS = 8000  # at reliving the last stretch of the match
EVIDENCE = 20_000  # moves to spend on each earlier stretch, to tell whom the others are like
DOUBTED = 5.0  # worlds that each bot is granted, so that few of them prove little
DOUBT = 0.02  # how likely it stays at least that a seat is like any of the bots
MEMORIES = 5000  # stretches whose evidence is kept
NO_END = 2**62


class Thought(NamedTuple):
    """What is thought of a move: how often it was tried, and what came of it in all."""

    tries: int
    gains: float


class Stretch(NamedTuple):
    """What a seat saw of some moves: before each, and after the last; and which they were."""

    seen: tuple[bytes, ...]
    moves: tuple[int, ...]


class Thinker:
    """A board, a desk, a tree and a mind of one's own."""

    def __init__(self, game: Game) -> None:
        self._board = game.folder.layout.board(game.blank().tobytes())
        self._desk, self._tree, self._mind = desk(), tree(), mind(game.folder.layout)
        self._ponder = game.folder.machine("compiled")(ponder)
        self._light = [n for n, name in enumerate(names(game)) if not is_heavy(game, name)]
        self._evidence: dict[tuple[Stretch, int | None], npt.NDArray[Any]] = {}

    def think(self, view: View, level: Level, luck: int) -> dict[int, Thought]:
        """Think until the level has enough; return what is thought of each legal move.

        The time is cut into equal parts, and the worse half of the moves left out after each.
        """
        begun = time.perf_counter()
        self._desk.bots[:] = self._light[-1]  # as which it plays itself where its tree ends
        if level.reads:
            self._read(view, luck, READING * min(level.moves, PACE * min(level.seconds, LONG)))
        else:
            self._set_odds(0.0)
            self._begin(stretch(view, len(view.history), len(view.history)), luck)
        self._simulate(view, 0, 0)
        parts = max(1, math.ceil(math.log2(self._tree.width)))
        read, done = int(self._mind.moved), 0
        for part in range(1, parts + 1):
            share = part / parts
            count = _whole(level.simulations * share)
            moves = _whole(read + max(level.moves - read, 0) * share)
            while done < count and self._mind.moved < moves:
                done += self._simulate(view, count - done, min(self._mind.moved + CHUNK, moves))
                if time.perf_counter() >= begun + level.seconds * share:
                    break
            self._halve()
        edges = range(self._tree.count[self._tree.root])
        return {
            int(self._tree.moves[edge]): Thought(
                int(self._tree.tries[edge]), float(self._tree.gains[edge])
            )
            for edge in edges
        }

    def _halve(self) -> None:
        """Leave the worse half of the moves out."""
        tree = self._tree
        worths = [
            (-tree.gains[edge] / tree.tries[edge] if tree.tries[edge] else 1e9, edge)
            for edge in tree.open[: tree.width]
        ]
        tree.width = math.ceil(tree.width / 2)
        tree.open[: tree.width] = [edge for _, edge in sorted(worths)[: tree.width]]

    def _simulate(self, view: View, count: int, moves: int) -> int:
        board = (*self._board, self._desk, self._tree, self._mind)
        return int(self._ponder(*board, view.seat, count, moves))

    def _begin(self, stretch: Stretch, luck: int, attempts: int = 0, moves: float = NO_END) -> None:
        """Begin a new tree, after a stretch of the match that is to be relived so many times."""
        forget(self._tree)
        self._desk.luck[0] = self._mind.luck[0] = luck % 2**64
        self._mind.plies, self._mind.attempts = len(stretch.moves), attempts
        self._mind.reading, self._mind.moved, self._mind.relived = int(moves), 0, 0
        for ply, record in enumerate(stretch.seen):
            self._mind.past[ply] = np.frombuffer(record, np.uint64)
        for ply, number in enumerate(stretch.moves):
            self._mind.moves[ply] = number

    # ------------------------------------------------------------ reading the others

    def _read(self, view: View, luck: int, moves: float) -> None:
        """Relive the last stretch, in the light of what the earlier ones tell of the others."""
        *earlier, (first, last) = stretches(view)
        support = np.zeros((MOST_SEATS, CHARACTERS))
        for start, stop in earlier:
            support += self._support(view, stretch(view, start, stop))
        self._set_odds(support)
        for start in sorted({first, after_table(view, first)}):
            self._begin(stretch(view, start, last), luck, ATTEMPTS, moves)
            self._simulate(view, 0, 0)
            if self._mind.relived >= FEW:
                return

    def _set_odds(self, support: npt.NDArray[Any] | float) -> None:
        """Set how likely each seat is like each bot; if nothing is known, like any of them."""
        odds = np.zeros((MOST_SEATS, CHARACTERS))
        odds += np.exp(support - np.max(support, axis=-1, keepdims=True))
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
            self._set_odds(0.0)
            self._begin(past, luck_in(past), ATTEMPTS, EVIDENCE)
            self._simulate(view, 0, 0)
            casts = self._mind.casts[: self._mind.relived]
            kept = np.array([(casts == bot).sum(axis=0) for bot in range(CHARACTERS)]).T
            self._evidence[key] = np.log(kept + DOUBTED)
        return self._evidence[key]


def _whole(number: float) -> int:
    return math.ceil(min(number, NO_END))


def stretches(view: View) -> list[tuple[int, int]]:
    """Cut a match where a seat decided after others had moved; return from which ply to which."""
    cut: list[tuple[int, int]] = []
    start, have_moved = None, False
    for ply, move in enumerate(view.history):
        if move.seat == view.seat:
            if start is not None and have_moved:
                cut.append((start, ply))
            start, have_moved = ply, False
        elif move.seat is not None:
            start, have_moved = ply if start is None else start, True
    now = len(view.history)
    if not have_moved and cut:  # nobody else has moved since: the last stretch goes on
        start, _ = cut.pop()
    return [*cut, (now if start is None else start, now)]


def after_table(view: View, start: int) -> int:
    """Return the ply after the table's last move, if others have moved since; else the start."""
    for ply in range(len(view.history) - 1, start - 1, -1):
        if view.history[ply].seat is None:
            return ply + 1 if ply + 1 < len(view.history) else start
    return start


def stretch(view: View, start: int, stop: int) -> Stretch:
    """Return what a seat saw from one ply to another; nothing but its end if it is too long."""
    if stop - start >= WINDOW:
        start = stop
    seen = view.record.tobytes() if stop == len(view.history) else view.past[stop]
    moves = tuple(move.id for move in view.history[start:stop])
    return Stretch((*view.past[start:stop], seen), moves)


def luck_in(past: Stretch) -> int:
    """Return luck that follows from what was seen."""
    return int.from_bytes(hashlib.blake2b(b"".join(past.seen), digest_size=8).digest(), "little")
