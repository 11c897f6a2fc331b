"""Preparing a game: compiling its rules once, and saying how far that is."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from brelan.bots import RuleBot, SearchBot
from brelan.engine.game import Game
from brelan.engine.match_driver import Driver
from brelan.machine import Library
from brelan.rules import MAX_SEATS

Progress = Callable[[int, int], None]


def prepare(game: Game, progress: Progress | None = None, mode: str = "compiled") -> Driver:
    """Return the driver of a game, compiled; the first time takes a while, later it is loaded.

    `progress` is called with how many rules are compiled, and how many there are in all.
    """
    driver = Driver(game, mode)
    if mode != "interpreted":
        with _watched(game.folder.library(mode), progress):
            driver.play(np.zeros(1, np.uint64), np.zeros((1, MAX_SEATS), np.int64))
    return driver


def prepare_bot(bot: RuleBot | SearchBot, progress: Progress | None = None) -> None:
    """Compile a bot that thinks hard, before it is asked for a move."""
    matches = (bot.game.deal(seed=seed) for seed in itertools.count())
    match = next(match for match in matches if match.turn is not None)
    with _watched(bot.library, progress):
        (bot.rehearse if isinstance(bot, SearchBot) else bot.choose)(match.view(match.turn))


@contextlib.contextmanager
def _watched(library: Library, progress: Progress | None) -> Iterator[None]:
    """Report how many rules are compiled, and how many there are in all."""
    from numba.core import event

    compiled = set()

    class Watch(event.Listener):
        def on_start(self, event: Any) -> None:
            pass

        def on_end(self, event: Any) -> None:
            compiled.add(event.data["dispatcher"])
            if progress is not None:
                progress(len(compiled), library.size)

    with event.install_listener("numba:compile", Watch()):
        yield
    if progress is not None:
        progress(library.size, library.size)
