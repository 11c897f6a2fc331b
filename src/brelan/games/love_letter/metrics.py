"""What a designer measures in a match of Love Letter."""

from __future__ import annotations

from brelan.words import rule

from .cards import SCORE
from .rules import spy_owner
from .sight import Reason

METRICS = ("rounds", "turns", "knockouts", "showdowns", "ties", "spy_bonuses", "starter_wins")


@rule
def measure(state, number, metrics):
    """Count what a move has brought about."""
    if number != SCORE:
        return
    winners = 0
    for seat in range(state.players):
        winners += state.round_won[seat]
    metrics[0] += 1
    metrics[1] += state.turn_no
    metrics[2] += state.reason == Reason.KNOCKOUT
    metrics[3] += state.reason == Reason.SHOWDOWN
    metrics[4] += winners > 1
    metrics[5] += spy_owner(state) < state.players
    metrics[6] += state.round_won[state.starter]
