"""Bots of District Noir: `careful`, `shrewd`, `greedy`, `closer`. They see views, nothing else."""

from __future__ import annotations

import numpy as np

from brelan.rules import add_move, random_below, rule
from brelan.rules.hooks import NO_MOVE

from .balance import gain_and_threat
from .cards import KINDS, MOVES, TAKE
from .last_round import EXPECTED, is_solvable, solve
from .shrewd import shrewd
from .state import State
from .trial import try_move, undo_move, would_win

BOTS = ("careful", "shrewd", "greedy", "closer")
COMPILED_ONLY = ("closer",)
CAREFUL, SHREWD, GREEDY, CLOSER = 0, 1, 2, 3


@rule
def choose(bot, view: State, scratch):
    """Return the move that one of these bots makes."""
    if bot == CAREFUL:
        return careful(view, scratch)
    if bot == SHREWD:
        return shrewd(view, scratch)
    if bot == CLOSER:
        solved = proven_move(view, scratch)
        return greedy(view, scratch) if solved == NO_MOVE else solved
    return greedy(view, scratch)


# ---------------------------------------------------------------- careful


@rule
def careful(view: State, scratch):
    """Take three cities, give them to nobody while there is another move; else anything."""
    me, legal = view.turn, scratch.count
    scratch.count = 0
    for place in range(legal):
        number = scratch.moves[place]
        if number == TAKE and would_win(view, me):
            return number
        if not gives_win(view, me, number):
            add_move(scratch, number)
    if scratch.count == 0:
        scratch.count = legal
    return scratch.moves[random_below(scratch.luck, scratch.count)]


@rule
def gives_win(view: State, me, number):
    """Whether the other player could win by cities at once after a move of mine."""
    card = MOVES[number].card
    place, under = try_move(view, me, card)
    gives = would_win(view, 1 - me)
    undo_move(view, me, card, place, under)
    return gives


# ---------------------------------------------------------------- greedy

CAUTION = 0.5  # how much weighs what the other could gain at once


@rule
def greedy(view: State, scratch):
    """A city win now; else the best balance of what I gain and what I leave to the other."""
    if would_win(view, view.turn):
        return TAKE
    best, best_worth = scratch.moves[0], -1e9
    for place in range(scratch.count):
        worth = worth_of(view, scratch.moves[place])
        if worth > best_worth:
            best, best_worth = scratch.moves[place], worth
    return best


@rule
def worth_of(view: State, number):
    """What a move is worth: my gain now or soon, less what the other can gain at once."""
    gain, threat = gain_and_threat(view, number)
    return gain - CAUTION * max(threat, 0.0)


# ---------------------------------------------------------------- closer

ALIKE = 1e-9  # expected results that differ by less are equal


@rule
def proven_move(view: State, scratch):
    """In the last round, the move with the best expected result; greedy chooses among equals."""
    if not is_solvable(view):
        return NO_MOVE
    values = np.empty((KINDS + 1, 2))
    solve(view, scratch, values)
    best, legal = -2.0, scratch.count
    for place in range(legal):
        if values[place, EXPECTED] > best + ALIKE:
            best = values[place, EXPECTED]
    scratch.count = 0
    for place in range(legal):
        if values[place, EXPECTED] > best - ALIKE:
            add_move(scratch, scratch.moves[place])
    return greedy(view, scratch)
