"""The belief record: what a seat observed, the posterior of opponent models, and the particles."""

from __future__ import annotations

from typing import Any

import numpy as np

from brelan.rules import MAX_SEATS, Layout, record_type

MAX_OBSERVATIONS = 128
MAX_PARTICLES = 1000
MAX_MODELS = 8  # bots that an opponent may be modelled by
PRIOR_SAMPLES = 20  # pseudo-count: a fresh determinization is used with probability 20 / (n + 20)


def new_belief(layout: Layout, has_hypotheses: bool) -> Any:
    """Return a blank belief record; exact enumeration and the particle filter need hypotheses."""
    words = layout.dtype.itemsize // 8
    fields: list[Any] = [
        # A segment of the match: observations[n] is the view before moves[n], and
        # observations[plies] the view after the last move.
        ("observations", np.uint64, (MAX_OBSERVATIONS, words)),
        ("moves", np.int16, (MAX_OBSERVATIONS,)),  # as the observer saw them
        ("plies", np.int64),
        # Opponent models: the number of a bot stands for the model that plays like it.
        ("strongest_model", np.int64),  # the last model; those after it are compiled-only bots
        ("model_posterior", np.float64, (MAX_SEATS, MAX_MODELS)),
        # Particles: worlds that explain the observations, and the model of each seat in them.
        ("particles", np.uint64, (MAX_PARTICLES, words)),
        ("models", np.int64, (MAX_PARTICLES, MAX_SEATS)),
        ("log_weight", np.float64, (MAX_PARTICLES,)),  # importance sampling only
        ("particle_count", np.int64),
        ("steps", np.int64),  # moves played in all worlds since `BeliefTracker.observe`
    ]
    if has_hypotheses:
        fields += [
            # Worlds whose unseen cards are blank. Exact enumeration keeps each with its joint
            # probability (world and opponent model); the particle filter keeps its survivors here.
            ("hypotheses", np.uint64, (MAX_PARTICLES, words)),
            ("hypothesis_count", np.int64),
            ("hashes", np.uint64, (MAX_PARTICLES,)),
            ("joint", np.float64, (MAX_PARTICLES, MAX_MODELS)),
            ("previous", np.uint64, (MAX_PARTICLES, words)),  # those that are being extended
            ("previous_joint", np.float64, (MAX_PARTICLES, MAX_MODELS)),
            ("path_joint", np.float64, (MAX_MODELS,)),  # of the extension that is being played
            ("resampled_models", np.int64, (MAX_PARTICLES, MAX_SEATS)),
            ("weight", np.float64, (MAX_PARTICLES,)),
            ("survivors", np.int64),
        ]
    return np.zeros(1, record_type(fields))[0]
