"""Readiness: machine code is made in the background, while matches are played at already."""

from __future__ import annotations

import logging
import threading
import time

import numpy as np

from brelan import games
from brelan.bots.search.settings import LEVELS
from brelan.compiler.warmup import warm_up
from brelan.engine.folder import open_folder
from brelan.engine.game import Game
from brelan.errors import Refused
from brelan.rules import new_scratch
from brelan.server.thinking import Thinkers

log = logging.getLogger("brelan.readiness")
RULES_SHARE = 0.25  # of the work of preparing a game; the rest is its bots


class Readiness:
    """How far the games of a server are compiled, and the thread that compiles them."""

    def __init__(self, thinkers: Thinkers) -> None:
        self.compiled: dict[str, bool] = {}  # which games run as machine code by now
        self.prepared: dict[str, float] = {}  # how much of each game and its bots does, 0 to 1
        self._thinkers = thinkers
        self._is_closing = False
        self.thread = threading.Thread(target=self._prepare_all, daemon=True, name="compiling")

    def close(self) -> None:
        """Begin nothing more."""
        self._is_closing = True

    def _prepare_all(self) -> None:
        """Make machine code of the rules that matches need, game by game; then of the bots."""
        for name in games():
            begun = time.perf_counter()
            try:
                prepare(name)
            except Refused as error:  # no folder to keep it in: matches run interpreted
                log.warning("%s runs interpreted: %s", name, error)
                continue
            self.compiled[name] = True
            self.prepared[name] = RULES_SHARE
            log.info("%s is ready after %.1f s", name, time.perf_counter() - begun)
        for name in games():  # bots that somebody waits for are made before the next of these
            folder = open_folder(name)
            game = Game(folder, folder.knobs.settle({}))
            wanted = [bot for bot in ("careful", *LEVELS) if bot in (*LEVELS, *folder.bots.BOTS)]
            for done, bot in enumerate(wanted, start=1):
                if self._is_closing:
                    return
                self._thinkers.prepare(game, bot).result()
                self.prepared[name] = RULES_SHARE + (1 - RULES_SHARE) * done / len(wanted)


def prepare(name: str) -> None:
    """Compile what matches of a game need, or load it."""
    folder = open_folder(name)
    hooks, state = folder.hooks("compiled"), folder.layout.blank()
    rows = np.zeros((2, folder.layout.seats), np.int64)
    warm_up(
        [
            (hooks.start, (state, np.zeros(1, np.int16), False)),
            (hooks.legal_moves, (state, new_scratch())),
            (hooks.play, (state, 0)),
            (hooks.score, (state, rows[0], rows[1])),
        ]
    )
