"""§10 of the rules of Batailles et piques: what the dead are worth, and who has won."""

from __future__ import annotations

from brelan.rules import rule

from .cards import KINDS, KNOBS, Card
from .combat import strength_of
from .state import Phase, State

TieBreak = KNOBS.choice("tie_break")


@rule
def worth_of(state: State, card):
    """§10.1 One point for a card; a King and a mine count what their options say."""
    match card:
        case Card.KING:
            return state.king_points
        case Card.MINE:
            return state.mine_points
        case _:
            return 1


@rule
def score_match(state: State):
    """§10.3 The highest total wins; those whom nobody beats win together."""
    for seat in range(state.players):
        state.won[seat] = True
        for other in range(state.players):
            if is_ahead(state, other, seat):
                state.won[seat] = False
    state.phase = Phase.OVER


@rule
def is_ahead(state: State, one, two):
    """§10.3 More points; by option, if equal, more Kings, then the larger sum of strengths."""
    more = state.points[one] - state.points[two]
    if more == 0 and state.tie_break == TieBreak.KINGS_THEN_STRENGTH:
        more = state.graveyard[one, Card.KING] - state.graveyard[two, Card.KING]
        if more == 0:
            more = buried_strength(state, one) - buried_strength(state, two)
    return more > 0


@rule
def buried_strength(state: State, seat):
    """§13 Option: the strengths in a graveyard, where a mine counts nothing."""
    total = 0
    for card in range(1, KINDS):
        if card != Card.MINE:
            total += state.graveyard[seat, card] * strength_of(state, card)
    return total
