# mypy: allow-untyped-defs, allow-untyped-calls
"""Development in Art of War (§10): hand cards become citizens, and the turn ends."""

from __future__ import annotations

from brelan.rules import TABLE, add_move, rule

from .cards import ANY_KING, DEMOBILISE, KNOBS, Card
from .state import Phase, State
from .zones import add_citizen, holds, kings_held, opponent, take_from_hand

KingCitizen = KNOBS.choice("king_citizen")
HandRule = KNOBS.choice("hand_rule")
DemobiliseMax = KNOBS.choice("demobilise_max")
FreePart = KNOBS.choice("free_part")

HAND_LIMIT = 6


@rule
def develop(state: State):
    """§10 First the cards that must go, then those that may."""
    state.turn = state.active
    state.must_demobilise = cards_too_many(state, state.held[state.active])
    go_on_developing(state)


@rule
def cards_too_many(state: State, held):
    """§10 More than 6: down to 5; by option down to 6, or exactly one at 6 or more."""
    match state.hand_rule:
        case HandRule.LITERAL:
            return held - HAND_LIMIT + 1 if held > HAND_LIMIT else 0
        case HandRule.PROGRAM:
            return max(held - HAND_LIMIT, 0)
        case _:
            return 1 if held >= HAND_LIMIT else 0


@rule
def go_on_developing(state: State):
    """§10 The turn ends by itself when nothing may be demobilised."""
    if state.must_demobilise > 0:
        state.phase = Phase.FORCED
    elif may_go_on(state) and can_demobilise(state):
        state.phase = Phase.DEVELOPMENT
    else:
        end_turn(state)


@rule
def may_go_on(state: State):
    """§10 The free part follows the forced one; §16.3 by option only if nothing was forced."""
    return state.phase != Phase.FORCED or state.free_part == FreePart.ALWAYS


@rule
def can_demobilise(state: State):
    """§10 Any card of the hand; by option not the King, or one card in a turn."""
    me = state.active
    if state.demobilise_max != DemobiliseMax.ANY and state.demobilised > 0:
        return False
    if state.king_citizen == KingCitizen.OFF:
        return state.held[me] > kings_held(state, me)
    return state.held[me] > 0


@rule
def add_demobilisations(state: State, scratch):
    """§10 The kinds of cards in hand; by option not the King."""
    last = ANY_KING if state.king_citizen == KingCitizen.ON else Card.A
    for kind in range(Card.S, last + 1):
        if holds(state, state.active, kind):
            add_move(scratch, DEMOBILISE + kind)


@rule
def demobilise(state: State, kind):
    """§10 A card of the hand becomes the last citizen."""
    me = state.active
    add_citizen(state, me, take_from_hand(state, me, kind))
    state.demobilised += 1
    state.must_demobilise = max(state.must_demobilise - 1, 0)
    go_on_developing(state)


@rule
def end_turn(state: State):
    """§5.4 The opponent's turn begins, with a preparation."""
    state.active = opponent(state.active)
    state.turn = TABLE
    state.phase = Phase.PREPARATION
