"""What is measured of the Gymnasium door: random steps of one match, and of many at once."""

from __future__ import annotations

import functools
import os
import random
import time

import numpy as np

from brelan.engine.game import Game
from brelan.envs.bench import ENGINE, STEPS
from brelan.envs.gymnasium.single import MatchEnv
from brelan.envs.gymnasium.vector import SELF, MatchVectorEnv
from brelan.lab.bench import Counts, Paced, Task

MATCHES = 4096
DOOR = "Gymnasium, one match against random"
VECTOR = f"Gymnasium, {MATCHES} matches, one thread"
THREADS = f"Gymnasium, {MATCHES} matches, {os.cpu_count() or 1} threads"
CLOCK = f"{THREADS}, by the clock"
RATIOS = {f"steps, {MATCHES} matches in one thread to the {ENGINE}": (VECTOR, ENGINE)}


def tasks(game: Game, seed: int) -> dict[str, Task]:
    """Return what is measured, by name."""
    one, many = (functools.partial(_vector, game, seed, threads) for threads in (1, None))
    return {
        DOOR: Paced(lambda count: steps(game, seed, count)),
        VECTOR: Paced(lambda count: vector_steps(one(), count, by_clock=False)),
        THREADS: Paced(lambda count: vector_steps(many(), count, by_clock=False)),
        CLOCK: Paced(lambda count: vector_steps(many(), count, by_clock=True)),
    }


@functools.cache
def _vector(game: Game, seed: int, threads: int | None) -> MatchVectorEnv:
    made = MatchVectorEnv(game, MATCHES, SELF, threads=threads)
    made.reset(seed=seed)
    return made


def steps(game: Game, seed: int, count: int) -> tuple[Counts, float]:
    """Make random steps of one match after another, against the bot `random`."""
    made, choice = MatchEnv(game), random.Random(seed)  # noqa: S311
    _, info = made.reset(seed=seed)
    begun = time.process_time()
    for _ in range(count):
        legal = np.flatnonzero(info["action_mask"]).tolist()
        _, _, is_over, _, info = made.step(choice.choice(legal))
        if is_over:
            _, info = made.reset()
    return {STEPS: float(count)}, time.process_time() - begun


def vector_steps(made: MatchVectorEnv, count: int, *, by_clock: bool) -> tuple[Counts, float]:
    """Make random steps of many matches, with masks and observations of each."""
    clock = time.perf_counter if by_clock else time.process_time
    begun = clock()
    for _ in range(count):
        made.step(made.random_actions())
    return {STEPS: float(count * made.num_envs)}, clock() - begun
