"""Whole matches between bots, for each thread on records of its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from brelan.engine.driver import MAX_DECISIONS, play_matches
from brelan.engine.game import Game
from brelan.errors import Refused
from brelan.rules import MAX_SEATS, new_scratch


class Driver:
    """A table of its own on which bots play whole matches; one for each thread."""

    def __init__(self, game: Game, mode: str = "compiled") -> None:
        self.game = game
        self.mode = mode
        self._play_matches = game.folder.library(mode)(play_matches)
        self._board = game.folder.layout.buffers(game.blank().tobytes())
        self.scratch = new_scratch()
        self._metrics = len(game.folder.metrics.METRICS)

    def play(self, seeds: Any, seatings: Any) -> tuple[Any, Any, Any, Any]:
        """Play a match for each seed; return scores, winners, metrics and numbers of decisions."""
        scores, winners = np.zeros((2, len(seeds), MAX_SEATS), np.int64)
        metrics = np.zeros((len(seeds), self._metrics))
        decisions = np.zeros(len(seeds), np.int64)
        cards = np.array(self.game.pack, np.int16)
        results = (scores, winners, metrics, decisions)
        self._play_matches(*self._board, self.scratch, seeds, seatings, cards, *results)
        if decisions.max() >= MAX_DECISIONS:
            raise Refused(f"a match of {self.game.variant} does not end: {MAX_DECISIONS} decisions")
        players = self.game.players
        return scores[:, :players], winners[:, :players], metrics, decisions
