"""Train the network of `learned`, and measure it on the way."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from brelan.bots.learned.network import Weights, layers, log_softmax, new_weights
from brelan.bots.learned.sight import Sight
from brelan.envs.gymnasium import MatchVectorEnv
from brelan.envs.learning.ppo import Adam, gradient
from brelan.envs.learning.self_play import SelfPlay, drawn

HIDDEN = (256, 128)
MATCHES, STEPS, PART, EPOCHS = 512, 64, 2048, 3
PAST = 0.25  # of the matches are against an earlier self
KEPT = 5  # iterations from one earlier self to the next
RATE, COOLED = 1e-3, 120  # the rate falls evenly; after so many iterations it is 0
OPPONENTS, MEASURED = (
    ("careful", "eager"),
    512,
)  # who it is measured against, and in how many matches


def train(
    sight: Sight,
    iterations: int,
    seed: int,
    watch: Callable[[int, Weights], None] | None = None,
    *,
    matches: int = MATCHES,
    steps: int = STEPS,
    hidden: tuple[int, int] = HIDDEN,
) -> Weights:
    """Train a network from nothing; `watch` is called after each iteration."""
    field = SelfPlay(sight, matches, PAST, seed)
    weights = new_weights(*sight.shape, hidden, seed)
    adam, earlier = Adam(weights), [{name: each.copy() for name, each in weights.items()}]
    for iteration in range(iterations):
        past = earlier[int(field.draw.integers(len(earlier)))]
        batch = field.play(weights, past, steps)
        batch.advantages[:] -= batch.advantages.mean()
        batch.advantages[:] /= batch.advantages.std() + 1e-6
        rate = RATE * max(0.0, 1 - iteration / COOLED)
        for _ in range(EPOCHS):
            order = field.draw.permutation(len(batch.actions))
            for rows in np.array_split(order, -(-len(order) // PART)):
                adam.step(weights, gradient(weights, batch.part(rows))[1], rate)
        if iteration % KEPT == KEPT - 1:
            earlier.append({name: each.copy() for name, each in weights.items()})
        if watch is not None:
            watch(iteration + 1, weights)
    return weights


def share_won(sight: Sight, weights: Weights, opponent: str, matches: int, seed: int) -> float:
    """Return the share of matches that a network wins against a bot; a draw is half a win."""
    rows = np.arange(matches)
    envs = MatchVectorEnv(sight.game, matches, opponent, threads=1)
    seen, infos = envs.reset(seed=seed)
    draw, results = np.random.default_rng(seed), np.full(matches, np.nan)
    while np.isnan(results).any():
        turned = rows[:, None], sight.columns[infos["seat"]]
        moves = sight.moves[infos["seat"]]
        masks = infos["action_mask"][rows[:, None], moves] == 1
        odds = log_softmax(layers(weights, seen[turned])[2], masks)
        chosen = drawn(np.where(masks, odds, -np.inf), draw)
        seen, rewards, over, _, infos = envs.step(moves[rows, chosen])
        first = over & np.isnan(results)
        results[first] = (1 + rewards[first]) / 2
    return float(results.mean())
