"""Preparing a game: compiling its rules once, and saying how far that is."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from brelan.bots import RuleBot, SearchBot
from brelan.driver import MOST_DECISIONS, play_matches
from brelan.errors import Refused
from brelan.machine import Machine
from brelan.table import Game
from brelan.words import MOST_SEATS, desk

Progress = Callable[[int, int], None]


def prepare(game: Game, progress: Progress | None = None, mode: str = "compiled") -> Driver:
    """Return the driver of a game, compiled; the first time takes a while, later it is loaded.

    `progress` is called with how many rules are compiled, and how many there are in all.
    """
    driver = Driver(game, mode)
    if mode != "interpreted":
        with _watched(game.folder.machine(mode), progress):
            driver.play(np.zeros(1, np.uint64), np.zeros((1, MOST_SEATS), np.int64))
    return driver


def prepare_bot(bot: RuleBot | SearchBot, progress: Progress | None = None) -> None:
    """Compile a bot that thinks hard, before it is asked for a move."""
    matches = (bot.game.deal(seed=seed) for seed in itertools.count())
    match = next(match for match in matches if match.turn is not None)
    with _watched(bot.machine, progress):
        (bot.rehearse if isinstance(bot, SearchBot) else bot.choose)(match.view(match.turn))


@contextlib.contextmanager
def _watched(machine: Machine, progress: Progress | None) -> Iterator[None]:
    """Report how many rules are compiled, and how many there are in all."""
    from numba.core import event

    compiled = set()

    class Watch(event.Listener):
        def on_start(self, event: Any) -> None:
            pass

        def on_end(self, event: Any) -> None:
            compiled.add(event.data["dispatcher"])
            if progress is not None:
                progress(len(compiled), machine.size)

    with event.install_listener("numba:compile", Watch()):
        yield
    if progress is not None:
        progress(machine.size, machine.size)


class Driver:
    """A table of its own on which bots play whole matches; one for each thread."""

    def __init__(self, game: Game, mode: str = "compiled") -> None:
        self.game = game
        self.mode = mode
        self._play_matches = game.folder.machine(mode)(play_matches)
        self._board = game.folder.layout.board(game.blank().tobytes())
        self._desk = desk()
        self._metrics = len(game.folder.metrics.METRICS)

    def play(self, seeds: Any, seatings: Any) -> tuple[Any, Any, Any, Any]:
        """Play a match for each seed; return scores, winners, metrics and numbers of decisions."""
        scores, winners = np.zeros((2, len(seeds), MOST_SEATS), np.int64)
        metrics = np.zeros((len(seeds), self._metrics))
        decisions = np.zeros(len(seeds), np.int64)
        cards = np.array(self.game.pack, np.int16)
        results = (scores, winners, metrics, decisions)
        self._play_matches(*self._board, self._desk, seeds, seatings, cards, *results)
        if decisions.max() >= MOST_DECISIONS:
            raise Refused(
                f"a match of {self.game.variant} does not end: {MOST_DECISIONS} decisions"
            )
        players = self.game.players
        return scores[:, :players], winners[:, :players], metrics, decisions
