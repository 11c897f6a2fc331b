"""What follows from a position that is set up by hand."""

from __future__ import annotations

from typing import Any

from .state import Phase


def arrange(state: Any, given: dict[str, Any]) -> None:
    """Work out the rest: antes are paid, the last card lies in its place, somebody acts."""
    state.phase = Phase.ACT
    if "chips" not in given:
        state.chips[:2] = 1
    if "first" not in given:
        state.first = state.turn
    state.pile[:] = [0, 0, max(state.pile)]
