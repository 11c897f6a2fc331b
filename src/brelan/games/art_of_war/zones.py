# mypy: allow-untyped-defs, allow-untyped-calls
"""The zones of Art of War (§2), and how cards go from one to another."""

from __future__ import annotations

from brelan.rules import rule

from .cards import ANY_KING, FRONT, LARGEST_QUEUE, NO_CARD, Card
from .state import Posture, State, notice_from_hand, notice_to_hand


@rule
def opponent(seat):
    """§1 The one on the other side of the field."""
    return 1 - seat


@rule
def other_king(king):
    """§2 There are two Kings."""
    return Card.K1 + Card.K2 - king


# ---------------------------------------------------------------- the deck and the hand


@rule
def top_card(state: State, seat):
    """§2 A deck is drawn from the top."""
    top = state.top[seat]
    card = state.pile[seat, top]
    state.pile[seat, top] = NO_CARD
    state.top[seat] += 1
    state.pile_size[seat] -= 1
    return card


@rule
def draw(state: State, seat):
    """§4.3 The top card of a player's deck comes to hand."""
    add_to_hand(state, seat, top_card(state, seat))


@rule
def add_to_hand(state: State, seat, card):
    """§2 A card comes to a hand."""
    state.hand[seat, card] += 1
    state.held[seat] += 1


@rule
def take_back(state: State, seat, card):
    """§6 A unit returns to the hand, for all to see."""
    add_to_hand(state, seat, card)
    notice_to_hand(state, seat, card)


@rule
def take_from_hand(state: State, seat, kind):
    """§12 A card leaves a hand, for all to see."""
    card = king_meant(state, seat) if kind == ANY_KING else kind
    state.hand[seat, card] -= 1
    state.held[seat] -= 1
    notice_from_hand(state, seat, card)
    return card


@rule
def king_meant(state: State, seat):
    """§16.2 Of two Kings in a hand `K` is the player's own; the captive once he has gone."""
    king = state.king[seat]
    return king if state.hand[seat, king] > 0 else other_king(king)


@rule
def holds(state: State, seat, kind):
    """§13 Whether a card of this kind is in a hand; the Kings are one kind."""
    if kind == ANY_KING:
        return kings_held(state, seat) > 0
    return state.hand[seat, kind] > 0


@rule
def kings_held(state: State, seat):
    """§16.2 The Kings in a hand; there may be a captive."""
    return state.hand[seat, Card.K1] + state.hand[seat, Card.K2]


# ---------------------------------------------------------------- the queues


@rule
def add_citizen(state: State, seat, card):
    """§2 A card comes to the end of the queue of citizens."""
    state.kingdom[seat, state.citizens[seat]] = card
    state.citizens[seat] += 1


@rule
def take_citizen(state: State, seat, place):
    """§8.1 A citizen leaves the queue, and those behind move up."""
    card = state.kingdom[seat, place]
    state.citizens[seat] -= 1
    last = state.citizens[seat]
    for at in range(place, last):
        state.kingdom[seat, at] = state.kingdom[seat, at + 1]
    state.kingdom[seat, last] = NO_CARD
    return card


@rule
def place_of_citizen(state: State, seat, kind):
    """§16.4 Where the oldest citizen of this kind is; a player's own King before a captive."""
    found = LARGEST_QUEUE  # nowhere
    for place in range(state.citizens[seat]):
        card = state.kingdom[seat, place]
        if kind == ANY_KING and card == state.king[seat]:
            return place
        if min(card, ANY_KING) == kind:
            found = min(found, place)
    return found


@rule
def add_to_reserve(state: State, seat, card):
    """§16.5 A card comes to the end of the reserve."""
    state.reserves[seat, state.reserve_size[seat]] = card
    state.reserve_size[seat] += 1


@rule
def take_from_reserve(state: State, seat):
    """§16.5 The first card leaves the reserve, and those behind move up."""
    card = state.reserves[seat, 0]
    state.reserve_size[seat] -= 1
    last = state.reserve_size[seat]
    for place in range(last):
        state.reserves[seat, place] = state.reserves[seat, place + 1]
    state.reserves[seat, last] = NO_CARD
    return card


# ---------------------------------------------------------------- the battlefield


@rule
def place_unit(state: State, seat, slot, card):
    """§6 A new unit stands Defensive, with damage 0."""
    state.unit[seat, slot] = card
    state.posture[seat, slot] = Posture.DEFENSIVE
    state.damage[seat, slot] = 0


@rule
def remove_unit(state: State, seat, slot):
    """§7.4 A unit leaves its slot, and the one behind it advances as it is."""
    behind = slot + FRONT
    if slot < FRONT and state.unit[seat, behind] != NO_CARD:
        state.unit[seat, slot] = state.unit[seat, behind]
        state.posture[seat, slot] = state.posture[seat, behind]
        state.damage[seat, slot] = state.damage[seat, behind]
        slot = behind
    place_unit(state, seat, slot, NO_CARD)
