"""Importance sampling: imagined worlds, weighted by the likelihood of what the opponents did.

The proposal is `imagine`; the weights come from the hook `log_evidence`. They are tempered, for
a few worlds would otherwise have all the weight.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from brelan.bots.belief.opponents import sample_opponent
from brelan.bots.belief.record import MAX_PARTICLES
from brelan.rules import MAX_SEATS, copy_cards, random_unit, rule
from brelan.rules.hooks import imagine, log_evidence

MAX_LOG_RATIO = 700.0  # the exponential of a larger one is infinite
MIN_EFFECTIVE_SAMPLES = 30.0
BISECTIONS = 20  # steps of the search for the temperature


@rule
def weight_worlds(state, raw, scratch, belief, seat, budget, cost):
    """Add imagined worlds as particles, each with its log weight and models for the opponents.

    It ends when there is no room for more particles or when `budget` steps are spent; each world
    counts as `cost` steps.
    """
    while belief.particle_count < MAX_PARTICLES and belief.steps < budget:
        copy_cards(raw.state, belief.observations[belief.plies])
        imagine(state, seat, scratch)
        copy_cards(belief.particles[belief.particle_count], raw.state)
        log_evidence(state, seat, scratch)
        belief.log_weight[belief.particle_count] = 0.0
        for other in range(MAX_SEATS):
            if other != seat:
                belief.log_weight[belief.particle_count] += sample_model(scratch, belief, other)
        copy_cards(belief.models[belief.particle_count], scratch.bots)
        belief.particle_count += 1
        belief.steps += cost


@rule
def sample_model(scratch, belief, seat):
    """Draw a seat's model given what it did; return the log likelihood ratio of what it did.

    The ratio is against a random player. `scratch.values[seat]` holds that of the strongest model;
    weaker models count as random here.
    """
    prior = belief.model_posterior[seat, belief.strongest_model]
    joint = prior * math.exp(min(scratch.values[seat], MAX_LOG_RATIO))
    scratch.bots[seat] = belief.strongest_model
    if random_unit(scratch.luck) * (joint + 1 - prior) >= joint:
        while scratch.bots[seat] == belief.strongest_model:
            scratch.bots[seat] = sample_opponent(scratch, belief, seat)
    return math.log(joint + 1 - prior)


def resample_by_weight(belief: Any) -> None:
    """Replace the particles by copies of themselves in proportion to their tempered weights."""
    count = int(belief.particle_count)
    cumulative = np.cumsum(tempered(belief.log_weight[:count]))
    points = cumulative[-1] * (np.arange(count) + 0.5) / count
    chosen = np.searchsorted(cumulative, points)
    belief.particles[:count] = belief.particles[chosen]
    belief.models[:count] = belief.models[chosen]


def tempered(log_weight: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return normalized weights, each raised to the largest power from 0 to 1 that suffices.

    It suffices if the effective sample size is at least MIN_EFFECTIVE_SAMPLES.
    """
    low, high = 0.0, 1.0
    shifted = log_weight - log_weight.max()
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        weight = np.exp(middle * shifted)
        if weight.sum() ** 2 / (weight**2).sum() < MIN_EFFECTIVE_SAMPLES:
            high = middle
        else:
            low = middle
    weight = np.exp(low * shifted)
    return np.asarray(weight / weight.sum())
