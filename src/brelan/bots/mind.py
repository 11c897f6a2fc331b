"""The mind of one who thinks: what it saw lately, and the worlds that it believes in."""

from __future__ import annotations

from typing import Any

import numpy as np

from brelan.words import MOST_SEATS, Layout, record_type

WINDOW = 128  # moves that are remembered, at most
WORLDS = 1000  # worlds to believe in, at most
CHARACTERS = 8  # bots that another seat may be like, at most
WHIM = 50  # of a thousand decisions of the others, how many are made at random


def mind(layout: Layout, follows: bool) -> Any:
    """Return the record of a mind; one that follows a match from the deal on has room for that."""
    length = layout.dtype.itemsize // 8
    fields = [
        ("past", np.uint64, (WINDOW, length)),  # what was seen before the last moves, and now
        ("moves", np.int16, (WINDOW,)),  # which they were, as they were seen
        ("plies", np.int64),  # how many moves are remembered
        ("odds", np.float64, (MOST_SEATS, CHARACTERS)),  # how likely each seat is like each bot
        ("worlds", np.uint64, (WORLDS, length)),
        ("casts", np.int64, (WORLDS, MOST_SEATS)),  # and whom each seat is like there
        ("credence", np.float64, (WORLDS,)),  # and how well each explains what they did
        ("believed", np.int64),  # how many of them there are
        ("attempts", np.int64),  # at reliving a world, at most
        ("reading", np.int64),  # moves to spend on that, at most
        ("moved", np.int64),  # moves made in all worlds since this was set to 0
        ("luck", np.uint64, (1,)),  # of all worlds
        ("toll", np.int64),  # moves that it takes to weigh a world; 0: none is to be weighed
        ("model", np.int64),  # the bot by which they are weighed: the last that one can be like
    ]
    if follows:
        fields += [
            ("guesses", np.uint64, (WORLDS, length)),
            ("prints", np.uint64, (WORLDS,)),  # their fingerprints
            ("chances", np.float64, (WORLDS, CHARACTERS)),  # with the other like each of the bots
            ("guessed", np.int64),  # how many there are
            ("earlier", np.uint64, (WORLDS, length)),  # those that are gone on from
            ("hopes", np.float64, (WORLDS, CHARACTERS)),  # and their chances
            ("path", np.float64, (CHARACTERS,)),  # how likely the way is that is gone now
            ("roles", np.int64, (WORLDS, MOST_SEATS)),  # casts, while worlds are drawn again
            ("alive", np.int64),  # of the worlds that are followed, how many explain the last move
        ]
    return np.zeros(1, record_type(fields))[0]
