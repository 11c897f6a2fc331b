"""Opponent models: each opponent plays like one of the game's own bots.

Now and then a model makes a random move, so that no move of an opponent is impossible.
"""

from __future__ import annotations

from brelan.engine.driver import RANDOM, decide
from brelan.rules import MAX_SEATS, random_below, rule, weighted_index
from brelan.rules.hooks import legal_moves, move_probability

EPSILON = 50  # of 1000 decisions of an opponent, how many are random


@rule
def sample_opponents(scratch, belief, seat):
    """Draw a model for each opponent from its posterior, into `scratch.bots`."""
    for other in range(MAX_SEATS):
        if other != seat:
            scratch.bots[other] = sample_opponent(scratch, belief, other)


@rule
def sample_opponent(scratch, belief, seat):
    """Return a model for one seat, drawn from its posterior."""
    return weighted_index(scratch.luck, belief.model_posterior[seat], belief.strongest_model + 1)


@rule
def model_move(state, view, raw, scratch, seat):
    """Return the move of the seat in turn, as its model chooses it from that seat's own view.

    An opponent makes a random move with probability EPSILON / 1000; `seat` itself never does.
    """
    if state.turn != seat and random_below(scratch.luck, 1000) < EPSILON:
        legal_moves(state, scratch)
        return scratch.moves[random_below(scratch.luck, scratch.count)]
    return decide(state, view, raw, scratch)


@rule
def model_move_probability(model, view, scratch, number, count):
    """Return the probability that a model makes one of `count` legal moves, EPSILON included."""
    uniform = 1.0 / count
    if model == RANDOM or count == 1:
        return uniform
    legal_moves(view, scratch)
    return EPSILON / 1000 * uniform + (1 - EPSILON / 1000) * move_probability(
        model - 1, view, number, scratch
    )


@rule
def is_legal(state, scratch, number):
    """Whether a move can be made; what a seat is shown of a face-down move cannot."""
    legal_moves(state, scratch)
    place = 0
    while place < scratch.count and scratch.moves[place] != number:
        place += 1
    return place < scratch.count
