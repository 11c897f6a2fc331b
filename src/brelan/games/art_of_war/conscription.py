# mypy: allow-untyped-defs, allow-untyped-calls
"""Conscription in Art of War (§8): who is called up when no unit is left."""

from __future__ import annotations

from brelan.rules import add_move, rule

from .cards import ANY_KING, CONSCRIPT, FRONT, KNOBS, LARGEST_QUEUE, NO_CARD, Card
from .scoring import finish
from .state import Phase, Reason, State
from .zones import (
    holds,
    opponent,
    place_of_citizen,
    take_citizen,
    take_from_hand,
    take_from_reserve,
)

Conscription = KNOBS.choice("conscription")


@rule
def call_up(state: State):
    """§8.3 Who must conscript and has nobody collapses; §16.4 two do not come from the hand."""
    called = opponent(state.active)
    state.to_conscript = 1
    available = state.reserve_size[called] + state.citizens[called]
    if state.conscription == Conscription.TWO:
        state.to_conscript = 2
    else:
        available += state.held[called]
    if available < state.to_conscript:
        state.to_conscript = 0
        finish(state, Reason.COLLAPSE, 1 + state.active)
    else:
        state.turn = called
        state.phase = Phase.CONSCRIPTION


@rule
def add_conscriptions(state: State, scratch):
    """§8 The next in the queue, or a card that may be chosen, on a free slot of the Front."""
    me = state.turn
    if is_next_called(state, me):
        add_conscriptions_of(state, scratch, NO_CARD)
        return
    for kind in range(Card.S, ANY_KING + 1):
        if can_call(state, me, kind):
            add_conscriptions_of(state, scratch, kind)


@rule
def is_next_called(state: State, seat):
    """§8.1 The oldest citizen is due, §16.5 before him the first of the reserve."""
    is_one = state.conscription == Conscription.ONE
    return state.reserve_size[seat] > 0 or (is_one and state.citizens[seat] > 0)


@rule
def can_call(state: State, seat, kind):
    """§8.2 Any card of the hand; §16.4 if two are conscripted, any citizen instead."""
    if state.conscription == Conscription.TWO:
        return place_of_citizen(state, seat, kind) < LARGEST_QUEUE
    return holds(state, seat, kind)


@rule
def add_conscriptions_of(state: State, scratch, kind):
    """§8 F1, F2 or F3, if nobody stands there."""
    for slot in range(FRONT):
        if state.unit[state.turn, slot] == NO_CARD:
            add_move(scratch, CONSCRIPT + FRONT * kind + slot)


@rule
def take_conscript(state: State, seat, kind):
    """§8 The first of the reserve, the oldest citizen, or the card that was chosen."""
    if state.reserve_size[seat] > 0:
        return take_from_reserve(state, seat)
    if kind == NO_CARD:
        return take_citizen(state, seat, 0)
    if state.conscription == Conscription.TWO:
        return take_citizen(state, seat, place_of_citizen(state, seat, kind))
    return take_from_hand(state, seat, kind)
