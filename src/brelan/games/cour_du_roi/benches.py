"""How fast worlds are imagined once cards are laid, beside the rates of every game."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from brelan.engine.driver import imagine_often
from brelan.engine.game import Game
from brelan.rules import new_scratch
from brelan.suite.walk import Walk

from .state import Phase

MATCHES = 10
WORLDS = 100  # for each decision


def tasks(game: Game, seed: int) -> dict[str, Callable[[int], dict[str, float]]]:
    """Return what is measured: worlds for the seat in turn, at every turn of random matches."""
    knobs = game.folder.knobs
    games = [
        Game(game.folder, knobs.settle({"players": count})) for count in knobs["players"].values
    ]
    return {f"{each.players} players": partial(imagine, each, seed) for each in games}


def imagine(game: Game, seed: int, few: int) -> dict[str, float]:
    """Return how many worlds are imagined in a CPU-second, in all turns and in the slowest one."""
    often = game.folder.library("compiled")(imagine_often)
    seconds = []
    for seat, view in turns(game, seed, 1 if few else MATCHES):
        _, world, raw = game.folder.layout.buffers(view.tobytes())
        begun = time.process_time()
        often(world, raw, seat, WORLDS, new_scratch(seed))
        seconds.append((time.process_time() - begun) / WORLDS)
    return {"worlds": len(seconds) / sum(seconds), "slowest worlds": 1 / max(seconds)}


def turns(game: Game, seed: int, matches: int) -> Iterator[tuple[int, Any]]:
    """Yield whose turn it is and what that seat sees, through random matches."""
    choice = random.Random(seed)
    for _ in range(matches):
        for walk in Walk(game, choice.getrandbits(60), "compiled").run(choice):
            if walk.state.phase == Phase.PLAY and walk.seat is not None:
                yield walk.seat, walk.view(walk.seat)
