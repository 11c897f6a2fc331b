"""What a designer measures in a match of District Noir."""

from __future__ import annotations

from brelan.rules import rule

from .cards import KINDS, SCORE, TAKE
from .rules import complete_sets
from .state import Phase, Reason, State

METRICS = (
    "actions",
    "rounds",
    "city_wins",
    "tie_breaks",
    "draws",
    "replays",
    "opener_wins",
    "takes",
    "cards_taken",
    "points",
    "margin",
    "sets",
    "cards_left_in_row",
)


@rule
def measure(state: State, number, scratch):
    """Count what a move has brought about."""
    if number == SCORE:
        measure_end(state, scratch)
    else:
        scratch.metrics[0] += number >= TAKE
        scratch.metrics[7] += number == TAKE


@rule
def measure_end(state: State, scratch):
    """Count how a match ended, or that it is played again."""
    if state.phase != Phase.OVER:
        scratch.metrics[5] += 1
        return
    scratch.metrics[1] += state.round_no
    scratch.metrics[2] += state.reason == Reason.CITIES
    scratch.metrics[3] += state.reason == Reason.SUPPORTS
    scratch.metrics[4] += state.reason == Reason.DRAW
    scratch.metrics[6] += state.winner == 1 + state.opener
    for seat in range(2):
        for card in range(1, KINDS):
            scratch.metrics[8] += state.collection[seat, card]
        scratch.metrics[9] += state.points[seat]
        scratch.metrics[11] += complete_sets(state, seat)
    scratch.metrics[10] += abs(state.points[0] - state.points[1])
    scratch.metrics[12] += state.row_size
