"""What a designer measures in a match of District Noir."""

from __future__ import annotations

from brelan.words import rule

from .cards import KINDS, SCORE, TAKE
from .rules import complete_sets
from .sight import Phase, Reason

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
def measure(state, number, desk):
    """Count what a move has brought about."""
    if number == SCORE:
        measure_end(state, desk)
    else:
        desk.metrics[0] += number >= TAKE
        desk.metrics[7] += number == TAKE


@rule
def measure_end(state, desk):
    """Count how a match ended, or that it is played again."""
    if state.phase != Phase.OVER:
        desk.metrics[5] += 1
        return
    desk.metrics[1] += state.round_no
    desk.metrics[2] += state.reason == Reason.CITIES
    desk.metrics[3] += state.reason == Reason.SUPPORTS
    desk.metrics[4] += state.reason == Reason.DRAW
    desk.metrics[6] += state.winner == 1 + state.opener
    for seat in range(2):
        for card in range(1, KINDS):
            desk.metrics[8] += state.collection[seat, card]
        desk.metrics[9] += state.points[seat]
        desk.metrics[11] += complete_sets(state, seat)
    desk.metrics[10] += abs(state.points[0] - state.points[1])
    desk.metrics[12] += state.row_size
