"""What is measured of the OpenSpiel door: random steps, beside OpenSpiel's own Python games."""

from __future__ import annotations

import functools
import random
import time
from typing import Any

import pyspiel
from open_spiel.python import games  # noqa: F401 - they are registered

from brelan.engine.game import Game
from brelan.envs.bench import ENGINE, STEPS
from brelan.envs.openspiel import load
from brelan.lab.bench import Counts, Paced, Task

THEIRS = ("python_kuhn_poker", "python_liars_poker")
DOOR = "OpenSpiel"
SAMPLED = f"{DOOR}, sampled chance"
RATIOS = {
    f"time of a step, {DOOR} to the {ENGINE}": (ENGINE, DOOR),
    f"time of a step, {SAMPLED} to the {ENGINE}": (ENGINE, SAMPLED),
    **{f"time of a step, {DOOR} to {name}": (f"{DOOR}, {name}", DOOR) for name in THEIRS},
}


def tasks(game: Game, seed: int) -> dict[str, Task]:
    """Return what is measured, by name."""
    found: dict[str, Task] = {
        DOOR: Paced(functools.partial(steps, load(game), seed)),
        SAMPLED: Paced(functools.partial(steps, load(game, chance="sampled"), seed)),
    }
    for name in THEIRS:
        found[f"{DOOR}, {name}"] = Paced(functools.partial(steps, pyspiel.load_game(name), seed))
    return found


def steps(game: Any, seed: int, count: int) -> tuple[Counts, float]:
    """Make random decisions in matches of a game of OpenSpiel, each with its observation."""
    choice, done = random.Random(seed), 0  # noqa: S311
    begun = time.process_time()
    while done < count:
        state = game.new_initial_state()
        while not state.is_terminal() and done < count:
            if state.is_chance_node():
                actions, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(choice.choices(actions, weights)[0])
                continue
            state.observation_tensor(state.current_player())
            state.apply_action(choice.choice(state.legal_actions()))
            done += 1
    return {STEPS: float(count)}, time.process_time() - begun
