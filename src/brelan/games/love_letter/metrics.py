"""What a designer measures in a match of Love Letter."""

from __future__ import annotations

from brelan.words import rule

from .cards import SCORE
from .sight import Reason

METRICS = ("rounds", "turns", "knockouts", "showdowns", "ties", "spy_bonuses", "starter_wins")


@rule
def measure(state, number, desk):
    """Count what a move has brought about."""
    if number != SCORE:
        return
    winners = spies = 0
    for seat in range(state.players):
        winners += state.round_won[seat]
        spies += state.spy_won[seat]
    desk.metrics[0] += 1
    desk.metrics[1] += state.turn_no
    desk.metrics[2] += state.reason == Reason.KNOCKOUT
    desk.metrics[3] += state.reason == Reason.SHOWDOWN
    desk.metrics[4] += winners > 1
    desk.metrics[5] += spies
    desk.metrics[6] += state.round_won[state.starter]
