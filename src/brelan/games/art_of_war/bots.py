"""Bots of Art of War: `careful` and `aggressive`. They see views, nothing else.

Both take an Execution that is on the board, and leave no King of theirs to one that the opponent
can deliver for certain. `careful` does anything else at random, `aggressive` what gains most.
"""

from __future__ import annotations

import numpy as np

from brelan.rules import random_below, rule

from .cards import ANY_KING, END, FRONT, MOVES, NO_CARD, SLOTS, Action, Card
from .state import Phase, State
from .trial import (
    EXECUTION,
    KEPT,
    begin_turn,
    can_execute,
    is_last_turn,
    keep,
    prospects,
    restore,
    try_move,
)
from .zones import opponent

BOTS = ("careful", "aggressive")
CAREFUL, AGGRESSIVE = 0, 1

HOPE, CAUTION = 3, 5  # in tenths: what weighs what I could gain next turn, and what the other could
SPENT = 20  # tenths that a card costs which will not become a citizen
SPENT_LATE = 100
LATE = 3  # own turns before the end


@rule
def choose(bot, view: State, scratch):
    """Return the move that one of these bots likes best; of equal ones any."""
    is_developing = view.phase == Phase.DEVELOPMENT or view.phase == Phase.FORCED
    if is_developing and (bot == AGGRESSIVE or is_last_turn(view, view.turn)):
        return develop_hand(view, scratch)
    kept = np.empty(KEPT, np.int16)
    keep(view, kept)
    best, most, alike = scratch.moves[0], -100 * EXECUTION, 0
    for place in range(scratch.count):
        worth = worth_of(bot, view, scratch.moves[place])
        restore(view, kept)
        if worth > most:
            best, most, alike = scratch.moves[place], worth, 0
        if worth == most:
            alike += 1
            if random_below(scratch.luck, alike) == 0:
                best = scratch.moves[place]
    return best


@rule
def worth_of(bot, view: State, number):
    """What a move is worth: a King felled, or mine lost; for `aggressive` all that it gains."""
    me, is_aimed = view.turn, is_aimed_at_king(view, number)
    gain = try_move(view, number)
    if gain >= EXECUTION or (is_aimed and can_execute(view)):
        return EXECUTION
    if view.active == me:
        if is_last_turn(view, opponent(me)):  # the war ends before the other could strike
            return 0 if bot == CAREFUL else 10 * gain - price(view, me, number)
        begin_turn(view, opponent(me))
    if gain <= -EXECUTION or can_execute(view):
        return -EXECUTION
    if bot == CAREFUL:
        return 0
    worth = 10 * gain - price(view, me, number) - CAUTION * prospects(view)
    if is_last_turn(view, me):
        return worth
    begin_turn(view, me)
    return worth + HOPE * prospects(view)


@rule
def is_aimed_at_king(view: State, number):
    """Whether a blow strikes an enemy King, or the unit before him; a sweep may do both.

    A Soldier's support is aimed at him as well, unless he can be felled without it.
    """
    target = MOVES[number].target
    if MOVES[number].action == Action.SUPPORT and MOVES[number].effect == Card.S:
        return not can_execute(view)
    for slot in range(SLOTS):
        if view.unit[opponent(view.turn), slot] >= Card.K1 and (
            target == slot or target == slot - FRONT
        ):
            return True
    return MOVES[number].action == Action.SWEEP


@rule
def price(view: State, me, number):
    """What a card costs that is spent: at the end of the war only citizens count."""
    if not is_spent(view, me, number):
        return 0
    return SPENT_LATE if view.pile_size[me] < LATE else SPENT


@rule
def is_spent(view: State, me, number):
    """Whether a card goes from my hand to the field, to the reserve, or into support."""
    match MOVES[number].action:
        case Action.DEPLOY:
            return view.phase != Phase.OPENING and view.reserve_size[me] == 0
        case Action.RESERVE | Action.SUPPORT:
            return True
    return False


@rule
def develop_hand(view: State, scratch):
    """Demobilise down to the size with which the units promise most; at the last turn all."""
    me = view.turn
    must_go = view.phase == Phase.FORCED or is_last_turn(view, me)
    if must_go or best_size(view, me) < view.held[me]:
        return least_needed(view, scratch)
    return END


@rule
def best_size(view: State, me):
    """The size of the hand that promises most for the next turn; of equal ones the largest."""
    kept = np.empty(KEPT, np.int16)
    keep(view, kept)
    best, most = 0, -1
    for size in range(view.held[me] + 1):
        view.held[me] = size
        begin_turn(view, opponent(me))  # which stands up and heals what I could strike
        begin_turn(view, me)
        promised = prospects(view)
        restore(view, kept)
        if promised >= most:
            best, most = size, promised
    return best


@rule
def least_needed(view: State, scratch):
    """The King, who is safest in the Kingdom; otherwise the kind that I hold most of."""
    best, most = scratch.moves[scratch.count - 1], 0
    for place in range(scratch.count):
        kind = MOVES[scratch.moves[place]].card
        if kind == ANY_KING:
            return scratch.moves[place]
        if kind != NO_CARD and view.hand[view.turn, kind] > most:
            best, most = scratch.moves[place], view.hand[view.turn, kind]
    return best
