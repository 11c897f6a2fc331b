# mypy: allow-untyped-defs, allow-untyped-calls
"""How far a player of District Noir is ahead, and what a move may change of that."""

from __future__ import annotations

import numpy as np

from brelan.rules import rule

from .cards import KINDS, MOVES, SUPPORT, TAKE, WORTH, Card
from .rules import complete_sets
from .state import CityWin, State, cities_collected, cities_held
from .trial import try_move, try_take, undo_move, undo_take

MAJORITY = np.array([0.0, 0.55, 0.8, 0.95, 1.0])  # of its value, by how far ahead
CITY = np.array([0.0, 1.0, 6.0, 1000.0])  # by how many different cities


@rule
def gain_and_threat(view: State, number):
    """What I gain by a move, or by a take after it; and what the other gains who takes then."""
    me, card = view.turn, MOVES[number].card
    gain = gain_of_take(view, me) if number == TAKE else 0.0
    place, under = try_move(view, me, card)
    gain += gain_of_take(view, me)
    threat = gain_of_take(view, 1 - me)
    undo_move(view, me, card, place, under)
    return gain, threat


@rule
def gain_of_take(view: State, seat):
    """How much the balance would change for a player who takes now, if that is still to be done."""
    if view.has_taken[seat]:
        return 0.0
    now = balance(view, seat)
    count = try_take(view, seat)
    gain = balance(view, seat) - now
    undo_take(view, seat, count)
    return gain


@rule
def balance(view: State, seat):
    """How far a player is ahead: cards, sets, majorities as they stand, progress in cities."""
    other = 1 - seat
    ahead = 5.0 * (complete_sets(view, seat) - complete_sets(view, other))
    for card in range(1, KINDS):
        more = view.collection[seat, card] - view.collection[other, card]
        if card <= Card.S8:
            share = MAJORITY[min(abs(more), 4)]
            ahead += SUPPORT[card] * (share if more > 0 else -share)
        else:
            ahead += WORTH[card] * more
    return ahead + CITY[cities_of(view, seat)] - CITY[cities_of(view, other)]


@rule
def cities_of(view: State, seat):
    """How many different cities a player is seen to have, where they can win."""
    cities = cities_collected(view, seat)
    if view.city_win == CityWin.HAND_OR_COLLECTED:
        cities |= cities_held(view, seat)
    for city in range(Card.V1, Card.V3 + 1):
        if view.copies[city] == 0 or view.city_win == CityWin.OFF:
            return 0
    return (cities >> Card.V1 & 1) + (cities >> Card.V2 & 1) + (cities >> Card.V3 & 1)
