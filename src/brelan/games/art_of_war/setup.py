"""What follows from a position of Art of War that is set up by hand."""

from __future__ import annotations

from typing import Any

from brelan.errors import Refused

from .cards import KNOBS, NOWHERE, UNITS, Card
from .state import Phase

KINGS = (int(Card.K1), int(Card.K2))


def arrange(state: Any, given: dict[str, Any]) -> None:
    """Work out the rest: decks, the Kings, what is known, whose turn it is.

    Cards that were put in no place (`rest="pile"`) are dealt to both decks in turn. A King who was
    put in none stays in the box.
    """
    if "phase" not in given:
        state.phase = Phase.ACTION
    if "active" not in given:
        is_called = state.phase in (Phase.CONSCRIPTION, Phase.BLOCK)
        state.active = 1 - state.turn if is_called else state.turn
    if state.phase == Phase.CONSCRIPTION and "to_conscript" not in given:
        state.to_conscript = 1
    for name in ("attacker", "target"):
        if name not in given:
            state[name] = NOWHERE
    left = _deal_piles(state, given)
    _name_kings(state, given)
    _box_kings(state, left)
    _work_out_knowledge(state)


def _deal_piles(state: Any, given: dict[str, Any]) -> list[int]:
    """Split the cards that were put nowhere between the decks; return the Kings among them."""
    cards = [int(card) for card in state.pile.reshape(-1) if card]
    if "pile" not in given:
        units = [card for card in cards if card not in KINGS]
        state.pile[:] = 0
        for seat in range(2):  # the one who has just drawn may have a card less
            mine = units[int(seat == state.active) :: 2]
            state.pile[seat, : len(mine)] = mine
    elif len(cards) != sum(map(len, given["pile"])):
        raise Refused("with both piles given by hand, the rest must stay out: rest=None")
    for seat in range(2):
        state.top[seat], state.pile_size[seat] = 0, int((state.pile[seat] != 0).sum())
    return [card for card in cards if card in KINGS]


def _name_kings(state: Any, given: dict[str, Any]) -> None:
    """Name each seat's King: the one it has somewhere, otherwise the one the other has not."""
    found = [[king for king in KINGS if _has(state, seat, king)] for seat in range(2)]
    for seat in range(2):
        if "king" not in given:
            others = [king for king in KINGS[:: 1 - 2 * seat] if king not in found[1 - seat]]
            state.king[seat] = (found[seat] or others or KINGS)[0]
        is_hidden = _is_independent(state) and state.hand[seat, state.king[seat]] > 0
        if "king_seen" not in given and not is_hidden:
            state.king_seen[seat] = state.king[seat]


def _has(state: Any, seat: int, card: int) -> bool:
    open_places = ("unit", "kingdom", "reserves")
    return state.hand[seat, card] > 0 or any(card in state[name][seat] for name in open_places)


def _is_independent(state: Any) -> bool:
    return KNOBS["king_deal"].value(int(state.king_deal)) == "independent"


def _box_kings(state: Any, left: list[int]) -> None:
    """Put Kings that are nowhere into the box: those nobody plays with, then any other."""
    for seat in range(2):
        other = sum(KINGS) - int(state.king[seat])
        if _is_independent(state) and other in left:
            left.remove(other)
            state.box[seat, 1] = other
    for seat, king in enumerate(left):
        state.box[seat, 0] = king


def _work_out_knowledge(state: Any) -> None:
    """Everybody knows where the Kings are; nobody has seen the decks and the rest of the hands."""
    for seat in range(2):
        for king in KINGS:
            is_hidden = state.king_seen[seat] == 0 and king == state.king[seat]
            state.known[seat, king] = state.hand[seat, king] - is_hidden
        for card in UNITS:
            in_pile = int((state.pile[seat] == card).sum())
            state.unseen[seat, card] = in_pile + state.hand[seat, card] - state.known[seat, card]
