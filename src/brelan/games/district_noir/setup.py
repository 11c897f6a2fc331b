"""What follows from a position of District Noir that is set up by hand."""

from __future__ import annotations

from typing import Any

from .cards import Card
from .rules import count_points
from .state import Phase


def arrange(state: Any, given: dict[str, Any]) -> None:
    """Work out the rest: the copies in the pack, the pile below, how far the round has come."""
    for card in list(Card)[1:]:
        state.copies[card] = state[f"copies_{card.name}"]
    state.round_no = max(1, state.round_no)
    cards = [card for card in state.pile if card]
    state.pile_size, state.top = len(cards), 0
    count_points(state)
    state.phase = Phase.ACT
    if "action_no" not in given:
        played = 2 * state.hand_size - state.held.sum()
        state.action_no = played + state.has_taken.sum()
    if "first" not in given:
        state.first = (state.turn + state.action_no) % 2
