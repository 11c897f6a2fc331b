"""Opponent models: each of the other seats plays like one of the game's own bots."""

from __future__ import annotations

from brelan.bots.belief.record import EPSILON
from brelan.engine.driver import decide
from brelan.rules import MAX_SEATS, random_below, rule, weighted_index
from brelan.rules.hooks import legal_moves


@rule
def sample_opponents(scratch, belief, seat):
    """Draw for each of the others which bot it is like."""
    for other in range(MAX_SEATS):
        if other != seat:
            scratch.bots[other] = sample_opponent(scratch, belief, other)


@rule
def sample_opponent(scratch, belief, seat):
    """Draw which bot a seat is like."""
    return weighted_index(scratch.luck, belief.model_posterior[seat], belief.model + 1)


@rule
def model_move(state, view, raw, scratch, seat):
    """Return what the game's own bot does here; one of the others now and then does anything."""
    if state.turn != seat and random_below(scratch.luck, 1000) < EPSILON:
        legal_moves(state, scratch)
        return scratch.moves[random_below(scratch.luck, scratch.count)]
    return decide(state, view, raw, scratch)


@rule
def is_legal(state, scratch, number):
    """Whether a move can be made; what is shown of one that is made face down cannot."""
    legal_moves(state, scratch)
    place = 0
    while place < scratch.count and scratch.moves[place] != number:
        place += 1
    return place < scratch.count
