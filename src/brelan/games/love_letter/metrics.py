"""What a designer measures in a match of Love Letter."""

from __future__ import annotations

from brelan.rules import rule

from .cards import SCORE
from .state import Reason, State

METRICS = (
    "rounds",
    "turns",
    "knockouts",
    "showdowns",
    "ties",
    "shared_rounds",
    "spy_bonuses",
    "starter_wins",
)


@rule
def measure(state: State, number, scratch):
    """Count what a move has brought about."""
    if number != SCORE:
        return
    winners = spies = 0
    for seat in range(state.players):
        winners += state.round_won[seat]
        spies += state.spy_won[seat]
    scratch.metrics[0] += 1
    scratch.metrics[1] += state.turn_no
    scratch.metrics[2] += state.reason == Reason.KNOCKOUT
    scratch.metrics[3] += state.reason == Reason.SHOWDOWN
    scratch.metrics[4] += is_tied(state)
    scratch.metrics[5] += winners > 1
    scratch.metrics[6] += spies
    scratch.metrics[7] += state.round_won[state.starter]


@rule
def is_tied(state: State):
    """§7.1 Whether a showdown has shown its highest card in more than one hand."""
    highest = hands = 0
    for seat in range(state.players):
        if state.revealed[seat] > highest:
            highest = state.revealed[seat]
            hands = 0
        hands += state.revealed[seat] == highest
    return state.reason == Reason.SHOWDOWN and hands > 1
