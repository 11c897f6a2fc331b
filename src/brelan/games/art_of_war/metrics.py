"""What a designer measures in a match of Art of War."""

from __future__ import annotations

from brelan.words import rule

from .cards import MOVES, Action
from .sight import Outcome, Phase, Reason

METRICS = (
    "turns",
    "executions",
    "collapses",
    "ends_of_war",
    "draws",
    "first_player_wins",
    "citizens",
    "margin",
    "kills",
    "captures",
    "attacks",
    "deployments",
    "turns_without_action",
    "demobilised",
    "conscripts",
    "supports",
)


@rule
def measure(state, number, desk):
    """Count what a move has brought about."""
    match MOVES[number].action:
        case Action.DEMOBILISE:
            desk.metrics[13] += 1
        case Action.DEPLOY:
            desk.metrics[11] += state.turn_no > 0  # not in the opening
        case Action.NOTHING:
            desk.metrics[12] += 1
        case Action.CONSCRIPT:
            desk.metrics[14] += 1
        case Action.ATTACK | Action.SWEEP:
            desk.metrics[10] += 1
            desk.metrics[9] += state.outcome == Outcome.CAPTURED
        case Action.STRIKE | Action.PASS:
            desk.metrics[9] += state.outcome == Outcome.CAPTURED
        case Action.SUPPORT:
            desk.metrics[15] += 1
    if state.phase == Phase.OVER:
        measure_end(state, desk)


@rule
def measure_end(state, desk):
    """Count how a match ended."""
    desk.metrics[0] += state.turn_no
    desk.metrics[1] += state.reason == Reason.EXECUTION
    desk.metrics[2] += state.reason == Reason.COLLAPSE
    desk.metrics[3] += state.reason >= Reason.CITIZENS
    desk.metrics[4] += state.reason == Reason.DRAW
    desk.metrics[5] += state.winner == 1 + state.first
    desk.metrics[6] += state.citizens[0] + state.citizens[1]
    desk.metrics[7] += abs(state.citizens[0] - state.citizens[1])
    desk.metrics[8] += state.kills[0] + state.kills[1]
