"""Bots of La cour du Roi: `careful` and `greedy`. They see views, nothing else."""

from __future__ import annotations

import numpy as np

from brelan.words import add_move, below, rule

from .cards import (
    COVERED_BY,
    DECLINE,
    FAMILIES,
    FAMILY,
    KINDS,
    MOVES,
    NO_CARD,
    RANK,
    RANKS,
    ROW,
    SLOTS,
    Kind,
)
from .retrace import SET
from .scoring import points_of

BOTS = ("careful", "greedy")
CAREFUL, GREEDY = 0, 1


@rule
def choose(bot, view, desk):
    """Return the move that one of these bots makes."""
    return careful(view, desk) if bot == CAREFUL else greedy(view, desk)


@rule
def try_move(view, number):
    """Lay a card or swap two on the Court, as far as it shows; return what it covered."""
    move = MOVES[number]
    covered = view.court[move.slot]
    view.court[move.slot] = view.court[move.other] if move.kind == Kind.SWAP else move.card
    if move.kind == Kind.SWAP:
        view.court[move.other] = covered
    return covered


@rule
def undo_move(view, number, covered):
    """Take back what was tried."""
    move = MOVES[number]
    if move.kind == Kind.SWAP:
        view.court[move.other] = view.court[move.slot]
    view.court[move.slot] = covered


# ---------------------------------------------------------------- careful


@rule
def careful(view, desk):
    """Any move, but none that takes from my own family while there is another one."""
    legal = desk.count
    desk.count = 0
    for place in range(legal):
        if not hurts(view, desk.moves[place], legal):
            add_move(desk, desk.moves[place])
    if desk.count == 0:
        desk.count = legal
    return desk.moves[below(desk.luck, desk.count)]


@rule
def hurts(view, number):
    """Whether a move passes on, burns or gives away my family, or lowers my points."""
    move, me = MOVES[number], view.turn
    is_mine = FAMILY[move.card] == FAMILY[view.serves[me]]
    if move.kind == Kind.KEEP:
        return not is_mine
    if move.kind == Kind.BURN or move.kind == Kind.GIVE:
        return is_mine
    if move.kind != Kind.LAY and move.kind != Kind.SWAP:
        return False
    points = points_of(view, me)
    covered = try_move(view, number)
    hurt = points_of(view, me) < points
    undo_move(view, number, covered)
    return hurt


# ---------------------------------------------------------------- greedy

# What a card is worth in hand, by its rank: of my own family, and of any other.
OWN = np.array([0, 4, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 17, 20])
FOREIGN = np.array([0, 6, 0, 0, 1, 1, 2, 2, 3, 4, 5, 6, 8, 7])
PRESSURE = 0.15  # how many of the cards that others hold are laid on one slot, at most
THRIFT = 0.5  # how much a card in hand counts, beside points on the Court


@rule
def greedy(view, desk):
    """The move after which my family is expected to be farthest ahead of its best rival."""
    lasting = np.empty(RANKS + 1)
    expect_lasting(view, lasting)
    best, most = desk.moves[0], -1e9
    for place in range(desk.count):
        worth = worth_of(view, desk.moves[place], lasting)
        if worth > most:
            best, most = desk.moves[place], worth
    return best
