"""The bot `shrewd` of Love Letter: it weighs what each move may do at once, and draws lots.

A person at the table counts cards and is not always sure. This bot stands for such players when the
search reads the others: `tools/shrewd.py` fits its taste to what `club` chooses.
"""

from __future__ import annotations

import math

import numpy as np

from brelan.words import NOBODY, TABLE, chance, rule

from .cards import KINDS, MOVES, NO_CARD, Card
from .imagine import count_unseen
from .sight import Phase

# How eager it is to play each card rather than to keep it, in the order of Card.
FONDNESS = np.array([0.0, 0.5, -0.6, 0.9, -0.2, 0.9, 0.3, 0.8, -0.1, -0.5, -1.8])
STAKE = 5.7  # how much more eager it is for a move that surely wins at once


@rule
def shrewd(view, desk):
    """Draw one of the legal moves, each as likely as it is attractive."""
    appeal = np.empty(desk.count)
    lot = chance(desk.luck) * weigh_moves(view, desk, appeal)
    place = 0
    while place < desk.count - 1 and lot >= appeal[place]:
        lot -= appeal[place]
        place += 1
    return desk.moves[place]


@rule
def how_shrewd(view, number, desk):
    """How likely it makes a move."""
    appeal = np.empty(desk.count)
    total = weigh_moves(view, desk, appeal)
    for place in range(desk.count):
        if desk.moves[place] == number:
            return appeal[place] / total
    return 0.0


@rule
def weigh_moves(view, desk, appeal):
    """Write down how attractive each legal move is; return how attractive they are together."""
    odds = np.empty(KINDS)
    target, total = TABLE, 0.0
    for place in range(desk.count):
        move = MOVES[desk.moves[place]]
        if view.phase == Phase.CHOOSE_CHANCELLOR:
            appeal[place] = math.exp(-FONDNESS[move.keep])
        else:
            if move.target != target:
                target = move.target
                guess_hand(view, whom_it_meets(view, target), odds)
            appeal[place] = math.exp(FONDNESS[move.card] + STAKE * prospect(view, move, odds))
        total += appeal[place]
    return total


@rule
def whom_it_meets(view, target):
    """The player whose hand matters: the target, or the next one in the round."""
    if target != NOBODY and target != view.turn:
        return target
    other = (view.turn + 1) % view.players
    while not view.in_round[other]:
        other = (other + 1) % view.players
    return other


@rule
def guess_hand(view, other, odds):
    """How likely another player holds each character, by the cards that I have not seen."""
    me = view.turn
    odds[:] = 0.0
    if view.known[me, other] != NO_CARD:
        odds[view.known[me, other]] = 1.0
        return
    left = np.empty(KINDS, np.int16)
    count_unseen(view, me, left)
    total = 0.0
    for card in range(1, KINDS):
        if left[card] > 0 and not (view.not_held[me, other] >> card) & 1:
            odds[card] = left[card]
            total += left[card]
    for card in range(1, KINDS):
        odds[card] /= max(total, 1.0)


@rule
def prospect(view, move, odds):
    """How much likelier the move wins at once than it loses."""
    kept = view.hand[view.turn] + view.drew[view.turn, 0] - move.card
    if move.card == Card.PRINCESS or (move.target == view.turn and kept == Card.PRINCESS):
        return -1.0
    ahead = 0.0
    for theirs in range(1, KINDS):
        if odds[theirs] > 0.0:
            ahead += odds[theirs] * outcome(view, move, kept, theirs)
    return ahead


@rule
def outcome(view, move, kept, theirs):
    """What comes of a move at once: 1 they are out or lower, -1 I am, 0 the round goes on."""
    is_aimed = move.target != NOBODY
    if is_aimed and move.card == Card.GUARD and move.name == theirs:
        return 1
    if is_aimed and move.card == Card.PRINCE:
        return 1 * (theirs == Card.PRINCESS and move.target != view.turn)
    ahead = 1 * (kept > theirs) - 1 * (kept < theirs)
    if view.deck_size == 0 and is_aimed and move.card == Card.KING:
        return -ahead
    if view.deck_size == 0 or (is_aimed and move.card == Card.BARON):
        return ahead
    return 0
