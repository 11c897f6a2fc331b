"""What is measured of the PettingZoo door: steps as PettingZoo's own benchmark makes them."""

from __future__ import annotations

import random
import time

import numpy as np

from brelan.engine.game import Game
from brelan.envs.bench import ENGINE, STEPS
from brelan.envs.pettingzoo.aec import env
from brelan.lab.bench import Counts, Paced, Task

DOOR, SEEDED = "PettingZoo", "PettingZoo, seeded resets"
RATIOS = {
    f"time of a step, {DOOR} to the {ENGINE}": (ENGINE, DOOR),
    f"time of a step, {SEEDED} to the {ENGINE}": (ENGINE, SEEDED),
}


def tasks(game: Game, seed: int) -> dict[str, Task]:
    """Return what is measured, by name."""
    return {
        DOOR: Paced(lambda count: steps(game, seed, count, is_seeded=False)),
        SEEDED: Paced(lambda count: steps(game, seed, count, is_seeded=True)),
    }


def steps(game: Game, seed: int, count: int, *, is_seeded: bool) -> tuple[Counts, float]:
    """Make random steps with all of PettingZoo's wrappers, each observation looked at."""
    made, choice = env(game), random.Random(seed)  # noqa: S311
    begun, done = time.process_time(), 0
    while done < count:
        made.reset(seed=seed + done if is_seeded else None)
        for _ in made.agent_iter():
            observation, _, termination, truncation, _ = made.last()
            if termination or truncation or done == count:
                break
            legal = np.flatnonzero(observation["action_mask"]).tolist()
            made.step(choice.choice(legal))
            done += 1
    return {STEPS: float(count)}, time.process_time() - begun
