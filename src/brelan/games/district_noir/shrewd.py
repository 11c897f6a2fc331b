"""The bot `shrewd` of District Noir: it weighs gains and threats, waits to take, and draws lots.

A person at the table sees what a move brings, and is not always sure. This bot stands for such
players when the search reads the others: `tools/shrewd.py` fits its taste to what `club` plays.
"""

from __future__ import annotations

import math

import numpy as np

from brelan.rules import rule, weighted_index

from .balance import gain_and_threat
from .cards import TAKE
from .state import State
from .trial import would_win

GAIN = 0.06  # how eager it is for each point that it takes, or could take next
THREAT = 0.11  # how much less for each point that the other could take
PROFIT = 0.15  # how much more eager for each point that it takes now
PATIENCE = 2.4  # how much less eager it is to take than to play
HURRY = 0.1  # how much more eager to take for each action that was made in this round
MOST = 15.0  # points; more do not count, not even three cities that the other could take


@rule
def shrewd(view: State, scratch):
    """A city win now; else draw one of the legal moves, each as likely as it is attractive."""
    if would_win(view, view.turn):
        return TAKE
    appeal = np.empty(scratch.count)
    for place in range(scratch.count):
        appeal[place] = math.exp(eagerness(view, scratch.moves[place]))
    return scratch.moves[weighted_index(scratch.luck, appeal, scratch.count)]


@rule
def eagerness(view: State, number):
    """How much it would like to make a move."""
    gain, threat = prospect(view, number)
    if number == TAKE:
        return (GAIN + PROFIT) * gain - THREAT * threat - PATIENCE + HURRY * view.action_no
    return GAIN * gain - THREAT * threat


@rule
def prospect(view: State, number):
    """What a move brings me, and what it leaves to the other, as far as that matters."""
    gain, threat = gain_and_threat(view, number)
    return min(max(gain, -MOST), MOST), min(max(threat, 0.0), MOST)
