"""Importance weights: imagined worlds, by how well each explains what the others did."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from brelan.bots.belief.opponents import sample_opponent
from brelan.bots.belief.record import MAX_PARTICLES
from brelan.rules import MAX_SEATS, copy_cards, random_unit, rule
from brelan.rules.hooks import imagine, log_evidence

MAX_LOG_RATIO = 700.0  # as a logarithm: a larger one would be too large a number
MIN_EFFECTIVE_SAMPLES = (
    30.0  # of the worlds that were weighed, how many must share what chance there is
)


@rule
def weight_worlds(state, raw, scratch, belief, seat):
    """Imagine worlds, and say of each how well it explains what the others did."""
    while belief.particle_count < MAX_PARTICLES and belief.steps < belief.budget:
        copy_cards(raw.state, raw.blank)
        imagine(state, seat, scratch)
        copy_cards(belief.particles[belief.particle_count], raw.state)
        log_evidence(state, seat, scratch)
        belief.log_weight[belief.particle_count] = 0.0
        for other in range(MAX_SEATS):
            if other != seat:
                belief.log_weight[belief.particle_count] += sample_model(scratch, belief, other)
        copy_cards(belief.models[belief.particle_count], scratch.bots)
        belief.particle_count += 1
        belief.steps += belief.cost


@rule
def sample_model(scratch, belief, seat):
    """Draw which bot a seat is like that did what it did; return how likely it was, logarithmic.

    It is like the bot by which worlds are weighed, or unlike it: then as good as random.
    """
    odds = belief.model_posterior[seat, belief.model]
    like = odds * math.exp(min(scratch.values[seat], MAX_LOG_RATIO))
    scratch.bots[seat] = belief.model
    if random_unit(scratch.luck) * (like + 1 - odds) >= like:
        while scratch.bots[seat] == belief.model:
            scratch.bots[seat] = sample_opponent(scratch, belief, seat)
    return math.log(like + 1 - odds)


def tempered(log_weight: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return chances by log weight, tempered until enough worlds share them."""
    low, high = 0.0, 1.0
    shifted = log_weight - log_weight.max()
    for _ in range(20):
        middle = (low + high) / 2
        chances = np.exp(middle * shifted)
        if chances.sum() ** 2 / (chances**2).sum() < MIN_EFFECTIVE_SAMPLES:
            high = middle
        else:
            low = middle
    chances = np.exp(low * shifted)
    return np.asarray(chances / chances.sum())
