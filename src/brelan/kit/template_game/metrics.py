"""What a designer measures in a match."""

from __future__ import annotations

from brelan.rules import rule

from .cards import BET, SCORE
from .state import Reason, State

METRICS = ("bets", "folds", "first_player_wins")


@rule
def measure(state: State, number, scratch):
    """Count what a move has brought about."""
    scratch.metrics[0] += number == BET
    if number == SCORE:
        scratch.metrics[1] += state.reason == Reason.FOLD
        scratch.metrics[2] += state.winner == 1 + state.first
