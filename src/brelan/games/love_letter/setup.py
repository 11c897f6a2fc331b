"""What follows from a position of Love Letter that is set up by hand."""

from __future__ import annotations

from typing import Any

from .cards import PACK_SIZE, Card
from .state import How, Phase


def arrange(state: Any, given: dict[str, Any]) -> None:
    """Work out the rest: the deck below the cards named, the sums of the areas, the phase."""
    state.round_no = max(1, state.round_no)
    state.turn_no = max(1, state.turn_no)
    if "in_round" not in given:
        state.in_round[: state.players] = True
    state.phase = Phase.CHOOSE_CHANCELLOR if state.drew[state.turn, 1] else Phase.CHOOSE_PLAY
    state.drew_size = (state.drew[state.turn] != 0).sum()
    state.burned_left = state.burned != 0
    _lay_deck(state)
    for seat in range(state.players):
        for place in range(state.area_size[seat]):
            card = state.area[seat, place]
            state.area_how[seat, place] = state.area_how[seat, place] or How.PLAYED
            if state.area_how[seat, place] == How.PLAYED or state.tie_sum_counts == 0:
                state.area_sum[seat] += card - Card.SPY
            state.spies[seat] += card == Card.SPY
            state.out[card] += 1
    for card in state.face_up:
        if card:
            state.out[card] += 1


def _lay_deck(state: Any) -> None:
    """The deck ends where cards will be put under it."""
    cards = [card for card in state.pile if card]
    state.packed = PACK_SIZE[state.deck]
    state.deck_size = len(cards)
    state.top = state.packed - len(cards)
    state.pile[:] = 0
    state.pile[state.top : state.packed] = cards
