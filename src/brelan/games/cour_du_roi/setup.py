"""What follows from a position of La cour du Roi that is set up by hand."""

from __future__ import annotations

from typing import Any

from .cards import KINGS
from .court import clear_court, show
from .state import Phase


def arrange(state: Any, given: dict[str, Any]) -> None:
    """Work out the rest: what the Court opens, whom everybody serves, how far the round is."""
    state.game_no = max(1, state.game_no)
    state.stock_size = (state.stock != 0).sum()
    state.burned_size = (state.burned != 0).sum()
    court = [int(card) for card in state.court]
    clear_court(state)
    for slot, card in enumerate(court):
        if card:
            show(state, slot, card)
    _find_kings(state)
    if "packet" in given:
        state.deal_no, state.step = max(1, state.deal_no), max(1, state.step)
        state.phase = state.phase or Phase.KEEP
        return
    state.phase = state.phase or Phase.PLAY
    state.round_no = max(1, state.round_no)
    if "first" not in given:
        state.first = 1 + (state.turn - state.turn_no) % state.players
    state.turn_no = (state.turn - state.first + 1) % state.players


def _find_kings(state: Any) -> None:
    """Whom nobody names serves the King in hand, or one whom nobody else serves."""
    for seat in range(state.players):
        free = [king for king in KINGS if king not in state.serves]
        held = [king for king in free if king in state.hand[seat]]
        state.serves[seat] = state.serves[seat] or (held + free)[0]
