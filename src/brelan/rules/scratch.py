"""The scratch record of whoever plays: legal moves, a stream of luck, metrics, results."""

from __future__ import annotations

from typing import Any

import numpy as np

from brelan.rules.record import record_type
from brelan.rules.rule import rule

MAX_MOVES = 1024  # legal moves there is room for
MAX_METRICS = 32
MAX_SEATS = 8
MAX_CHOICES = 64  # that can be branched on


SCRATCH = record_type(
    [
        ("luck", np.uint64, (1,)),
        ("count", np.int64),
        ("moves", np.int16, (MAX_MOVES,)),
        ("metrics", np.float64, (MAX_METRICS,)),
        ("bots", np.int64, (MAX_SEATS,)),
        ("scores", np.int64, (MAX_SEATS,)),
        ("winners", np.int64, (MAX_SEATS,)),
        ("values", np.float64, (MAX_SEATS,)),
        ("chosen", np.int16, (MAX_CHOICES,)),  # this time, where choices are made in every way
        ("choices", np.int16, (MAX_CHOICES,)),  # of how many
        ("asked", np.int64),  # how many times so far
    ]
)


def new_scratch(luck: int = 0) -> Any:
    """Return the scratch record of whoever plays: legal moves, a stream of luck, metrics.

    It is a record, like a state, because numba counts references to arrays at every call.
    """
    scratch = np.zeros(1, SCRATCH)[0]
    scratch.luck[0] = luck
    return scratch


@rule
def add_move(scratch, number):
    """Write one more legal move down."""
    scratch.moves[scratch.count] = number
    scratch.count += 1


@rule
def add_move_once(scratch, number):
    """Write a legal move down unless it is there already."""
    for place in range(scratch.count):
        if scratch.moves[place] == number:
            return
    add_move(scratch, number)
