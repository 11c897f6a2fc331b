"""What follows from a position of La cour du Roi that is set up by hand."""

from __future__ import annotations

from typing import Any

from brelan.errors import Refused

from .cards import FAMILY, KINGS
from .court import clear_court, show
from .draft import DeadFamily
from .scoring import reveal_aside
from .setting_up import ShowUnusedKing
from .state import PACKET, Phase
from .unreachable import cards_drafted, unreachable


def arrange(state: Any, given: dict[str, Any]) -> None:
    """Work out the rest: what the Court opens, whom everybody serves, how far the round is."""
    state.game_no = max(1, state.game_no)
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
        _set_kings_apart(state)
        _lay_stock(state)
    else:
        state.phase = state.phase or Phase.PLAY
        _find_round(state, given)
    state.stock_size = (state.stock != 0).sum()
    for why in unreachable(state, given):
        raise Refused(why)


def _find_kings(state: Any) -> None:
    """Whom nobody names serves the King in hand, or one whom nobody else serves."""
    aside = {int(king) for king in (*state.aside, *state.shown_aside)}
    for seat in range(state.players):
        free = [int(king) for king in KINGS if king not in {*aside, *state.serves}]
        held = [king for king in free if king in state.hand[seat] or king == state.king[seat]]
        if not (state.serves[seat] or free):
            raise Refused("there are Kings for some seats only: each seat serves one (§4)")
        state.serves[seat] = state.serves[seat] or (held + free)[0]


def _set_kings_apart(state: Any) -> None:
    """§4 During the draft each King lies with his player, or aside."""
    aside = [king for king in KINGS if king not in {*state.serves, *state.shown_aside}]
    for seat in range(state.players):
        state.king[seat] = state.serves[seat]
    state.aside[:] = 0
    state.aside[: len(aside)] = aside
    is_open = state.show_unused_king == ShowUnusedKing.ON
    if is_open or state.dead_family == DeadFamily.REMOVED:
        reveal_aside(state)


def _lay_stock(state: Any) -> None:
    """§5 The stock has no Kings and, by option, no dead family; it begins after what was dealt."""
    others = [int(card) for card in state.stock if card and card not in KINGS]
    if state.dead_family == DeadFamily.REMOVED:
        served = {int(FAMILY[king]) for king in state.serves if king}
        dead = [card for card in others if FAMILY[card] not in served]
        others = [card for card in others if card not in dead]
        if not state.removed.any():
            state.removed[: len(dead)] = dead
    begin = int(state.deal_no * state.players * PACKET)
    most = max(0, cards_drafted(state) - begin)
    if len(others) > most:
        raise Refused(f"{len(others)} cards are left for the stock: it has {most} by now (§5)")
    state.stock[:] = 0
    state.stock[begin : begin + len(others)] = others


def _find_round(state: Any, given: dict[str, Any]) -> None:
    """§8 Turns that are over in this round, and as few rounds as the cards laid have taken."""
    if "first" not in given:
        state.first = 1 + (state.turn - state.turn_no) % state.players
    state.turn_no = (state.turn - state.first + 1) % state.players
    if "round_no" not in given:
        laid = int((state.court != 0).sum()) + int(state.discard_size)
        before = laid - int(state.phase in (Phase.SWAP, Phase.GIVE))  # what this turn has laid
        state.round_no = max(1, 1 - (int(state.turn_no) - before) // int(state.players))
