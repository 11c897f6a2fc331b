"""What a designer measures in a match of Art of War."""

from __future__ import annotations

from brelan.rules import rule

from .cards import MOVES, Action
from .state import Outcome, Phase, Reason, State

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
def measure(state: State, number, scratch):
    """Count what a move has brought about."""
    match MOVES[number].action:
        case Action.DEMOBILISE:
            scratch.metrics[13] += 1
        case Action.DEPLOY:
            scratch.metrics[11] += state.turn_no > 0  # not in the opening
        case Action.NOTHING:
            scratch.metrics[12] += 1
        case Action.CONSCRIPT:
            scratch.metrics[14] += 1
        case Action.ATTACK | Action.SWEEP:
            scratch.metrics[10] += 1
            scratch.metrics[9] += state.outcome == Outcome.CAPTURED
        case Action.STRIKE | Action.PASS:
            scratch.metrics[9] += state.outcome == Outcome.CAPTURED
        case Action.SUPPORT:
            scratch.metrics[15] += 1
    if state.phase == Phase.OVER:
        measure_end(state, scratch)


@rule
def measure_end(state: State, scratch):
    """Count how a match ended."""
    scratch.metrics[0] += state.turn_no
    scratch.metrics[1] += state.reason == Reason.EXECUTION
    scratch.metrics[2] += state.reason == Reason.COLLAPSE
    scratch.metrics[3] += state.reason >= Reason.CITIZENS
    scratch.metrics[4] += state.reason == Reason.DRAW
    scratch.metrics[5] += state.winner == 1 + state.first
    scratch.metrics[6] += state.citizens[0] + state.citizens[1]
    scratch.metrics[7] += abs(state.citizens[0] - state.citizens[1])
    scratch.metrics[8] += state.kills[0] + state.kills[1]
