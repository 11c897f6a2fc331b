"""What is measured."""

from __future__ import annotations

from brelan.rules import rule

from .cards import SCORE
from .state import State

METRICS = ("equal_cards",)


@rule
def measure(state: State, number, scratch):
    """Count matches with equal cards."""
    scratch.metrics[0] += number == SCORE and state.winner == 0
