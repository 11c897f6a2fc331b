"""Bots of District Noir: `careful`, `greedy` and `closer`. They see views, nothing else."""

from __future__ import annotations

import numpy as np

from brelan.verbs import NO_MOVE
from brelan.words import add_move, below, rule

from .cards import KINDS, MOVES, SUPPORT, TAKE, WORTH, Card
from .last_round import EXPECTED, is_solvable, solve
from .rules import can_take, complete_sets, has_all_cities, place_in_hand
from .sight import CityWin, cities_collected, cities_held
from .trial import try_play, try_take, undo_play, undo_take

BOTS = ("careful", "greedy", "closer")
HEAVY = ("closer",)
CAREFUL, GREEDY, CLOSER = 0, 1, 2

CITY_WIN = 1000.0


@rule
def choose(bot, view, desk):
    """Return the move that one of these bots makes."""
    if bot == CAREFUL:
        return careful(view, desk)
    if bot == CLOSER:
        solved = surest(view, desk)
        return greedy(view, desk) if solved == NO_MOVE else solved
    return greedy(view, desk)


# ---------------------------------------------------------------- careful


@rule
def careful(view, desk):
    """Take three cities, give them to nobody while there is another move; else anything."""
    me, legal = view.turn, desk.count
    desk.count = 0
    for place in range(legal):
        number = desk.moves[place]
        if number == TAKE and would_win(view, me):
            return number
        if not gives_win(view, me, number):
            add_move(desk, number)
    if desk.count == 0:
        desk.count = legal
    return desk.moves[below(desk.luck, desk.count)]


@rule
def gives_win(view, me, number):
    """Whether the other player could win by cities at once after a move of mine."""
    if number == TAKE:
        count = try_take(view, me)
        gives = would_win(view, 1 - me)
        undo_take(view, me, count)
    else:
        place = place_in_hand(view, me, MOVES[number].card)
        under = try_play(view, me, place)
        gives = would_win(view, 1 - me)
        undo_play(view, me, place, under)
    return gives


@rule
def would_win(view, seat):
    """Whether a take now would win by cities, as far as can be seen."""
    if not can_take(view, seat):
        return False
    count = try_take(view, seat)
    wins = has_all_cities(view, seat)
    undo_take(view, seat, count)
    return wins


# ---------------------------------------------------------------- greedy

CAUTION = 0.5  # how much weighs what the other could gain at once
MAJORITY = np.array([0.0, 0.55, 0.8, 0.95, 1.0])  # of its value, by how far ahead
CITY = np.array([0.0, 1.0, 6.0, CITY_WIN])  # by how many different cities


@rule
def greedy(view, desk):
    """A city win now; else the best balance of what I gain and what I leave to the other."""
    if would_win(view, view.turn):
        return TAKE
    best, best_worth = desk.moves[0], -1e9
    for place in range(desk.count):
        worth = worth_of(view, view.turn, desk.moves[place])
        if worth > best_worth:
            best, best_worth = desk.moves[place], worth
    return best


@rule
def worth_of(view, me, number):
    """What a move is worth: my gain now or soon, less what the other can gain at once."""
    if number == TAKE:
        gain = gain_of_take(view, me)
        count = try_take(view, me)
        threat = gain_of_take(view, 1 - me)
        undo_take(view, me, count)
        return gain - CAUTION * max(threat, 0.0)
    place = place_in_hand(view, me, MOVES[number].card)
    under = try_play(view, me, place)
    gain = gain_of_take(view, me)
    threat = gain_of_take(view, 1 - me)
    undo_play(view, me, place, under)
    return gain - CAUTION * max(threat, 0.0)


@rule
def gain_of_take(view, seat):
    """How much the balance would change for a player who takes now, if that is still to be done."""
    if view.has_taken[seat]:
        return 0.0
    now = balance(view, seat)
    count = try_take(view, seat)
    gain = balance(view, seat) - now
    undo_take(view, seat, count)
    return gain


@rule
def balance(view, seat):
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
def cities_of(view, seat):
    """How many different cities a player is seen to have, where they can win."""
    cities = cities_collected(view, seat)
    if view.city_win == CityWin.HAND_OR_COLLECTED:
        cities |= cities_held(view, seat)
    for city in range(Card.V1, Card.V3 + 1):
        if view.copies[city] == 0 or view.city_win == CityWin.OFF:
            return 0
    return (cities >> Card.V1 & 1) + (cities >> Card.V2 & 1) + (cities >> Card.V3 & 1)


# ---------------------------------------------------------------- closer

ALIKE = 1e-9  # expected results that differ by less are equal


@rule
def surest(view, desk):
    """In the last round, the move with the best expected result; greedy chooses among equals."""
    if not is_solvable(view):
        return NO_MOVE
    values = np.empty((KINDS + 1, 2))
    solve(view, desk, values)
    best, legal = -2.0, desk.count
    for place in range(legal):
        if values[place, EXPECTED] > best + ALIKE:
            best = values[place, EXPECTED]
    desk.count = 0
    for place in range(legal):
        if values[place, EXPECTED] > best - ALIKE:
            add_move(desk, desk.moves[place])
    return greedy(view, desk)
