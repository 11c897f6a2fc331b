"""The belief record: what a seat saw lately, and the particles: worlds that explain it."""

from __future__ import annotations

from typing import Any

import numpy as np

from brelan.rules import MAX_SEATS, Layout, record_type

WINDOW = 128  # moves that are remembered, at most
MAX_PARTICLES = 1000  # worlds to believe in, at most
MAX_MODELS = 8  # bots that another seat may be like, at most
PRIOR_SAMPLES = 20  # pseudo-count of fresh determinizations beside the particles
EPSILON = 50  # of a thousand decisions of the others, how many are made at random


def new_belief(layout: Layout, follows: bool) -> Any:
    """Return a belief record; one that follows a match from the deal on has room for that."""
    length = layout.dtype.itemsize // 8
    fields = [
        (
            "observations",
            np.uint64,
            (WINDOW, length),
        ),  # what was seen before the last moves, and now
        ("moves", np.int16, (WINDOW,)),  # which they were, as they were seen
        ("plies", np.int64),  # how many moves are remembered
        (
            "model_posterior",
            np.float64,
            (MAX_SEATS, MAX_MODELS),
        ),  # how likely each seat is like each bot
        ("particles", np.uint64, (MAX_PARTICLES, length)),
        ("models", np.int64, (MAX_PARTICLES, MAX_SEATS)),  # and whom each seat is like there
        ("log_weight", np.float64, (MAX_PARTICLES,)),  # and how well each explains what they did
        ("particle_count", np.int64),  # how many of them there are
        ("attempts", np.int64),  # at reliving a world, at most
        ("budget", np.int64),  # moves to spend on that, at most
        ("steps", np.int64),  # moves made in all worlds since this was set to 0
        ("luck", np.uint64, (1,)),  # of all worlds
        ("cost", np.int64),  # moves that it takes to weigh a world; 0: none is to be weighed
        ("model", np.int64),  # the bot by which they are weighed: the last that one can be like
    ]
    if follows:
        fields += [
            ("hypotheses", np.uint64, (MAX_PARTICLES, length)),
            ("hashes", np.uint64, (MAX_PARTICLES,)),  # their fingerprints
            (
                "joint",
                np.float64,
                (MAX_PARTICLES, MAX_MODELS),
            ),  # with the other like each of the bots
            ("hypothesis_count", np.int64),  # how many there are
            ("previous", np.uint64, (MAX_PARTICLES, length)),  # those that are gone on from
            ("previous_joint", np.float64, (MAX_PARTICLES, MAX_MODELS)),  # and their chances
            ("path_joint", np.float64, (MAX_MODELS,)),  # how likely the way is that is gone now
            (
                "resampled_models",
                np.int64,
                (MAX_PARTICLES, MAX_SEATS),
            ),  # of particles that are resampled
            ("weight", np.float64, (MAX_PARTICLES,)),  # how likely the last move is in each
            (
                "survivors",
                np.int64,
            ),  # of the worlds that are followed, how many explain the last move
        ]
    return np.zeros(1, record_type(fields))[0]
