"""How long the last round of District Noir takes to solve, beside the rates of every game."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from brelan.engine.game import Game
from brelan.engine.view import View

from .analysis import solutions

POSITIONS = 40


def tasks(game: Game, seed: int) -> dict[str, Callable[[int], dict[str, float]]]:
    """Return what is measured: the first decision of the last round, the longest one to solve."""
    views = [last_round(game, seed + number) for number in range(POSITIONS)]
    return {"first of the last round, solved": lambda few: solve(views[:1] if few else views)}


def last_round(game: Game, seed: int) -> View:
    """Play a random match up to its last round."""
    choice = random.Random(seed)
    while True:
        match = game.deal(seed=choice.getrandbits(60))
        while match.turn is not None:
            view = match.view(match.turn)
            if view.record.round_no == view.record.rounds:
                return view
            match.play(choice.choice(match.legal()))


def solve(views: list[View]) -> dict[str, float]:
    """Return how many such decisions are solved in a CPU-second, and at the pace of the slowest."""
    seconds = []
    for view in views:
        begun = time.process_time()
        solutions(view)
        seconds.append(time.process_time() - begun)
    return {"decisions": len(seconds) / sum(seconds), "slowest decision": 1 / max(seconds)}
