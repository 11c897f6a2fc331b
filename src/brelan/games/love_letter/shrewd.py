"""The bot `shrewd` of Love Letter: it weighs what each move may do at once, and draws lots.

A person at the table counts cards and is not always sure. This bot stands for such players when
the search reads the others: `tools/shrewd.py` fits its taste to what `club` plays in single rounds.
What it keeps with a Chancellor is not fitted: it keeps best what it plays least.
"""

from __future__ import annotations

import math

import numpy as np

from brelan.rules import NOBODY, TABLE, clear, rule, weighted_index

from .cards import KINDS, MOVES, NO_CARD, Card
from .imagine import count_unseen
from .rules import can_be_chosen
from .state import Phase, State

# How eager it is to play each card rather than to keep it, in the order of Card. The Princess is
# played so seldom that hers could as well be lower.
FONDNESS = np.array([0.0, 0.3, -0.8, 0.7, -0.4, 0.7, 0.1, 0.6, -0.3, -0.7, -2.0])
STAKE = 5.7  # how much more eager it is for a move that surely wins at once


@rule
def shrewd(view: State, scratch):
    """Draw one of the legal moves, each as likely as it is attractive."""
    appeal = np.empty(scratch.count)
    weigh_moves(view, scratch, appeal)
    return scratch.moves[weighted_index(scratch.luck, appeal, scratch.count)]


@rule
def how_shrewd(view: State, number, scratch):
    """How likely it makes a move."""
    appeal = np.empty(scratch.count)
    total = weigh_moves(view, scratch, appeal)
    for place in range(scratch.count):
        if scratch.moves[place] == number:
            return appeal[place] / total
    return 0.0


@rule
def weigh_moves(view: State, scratch, appeal):
    """Write down how attractive each legal move is; return how attractive they are together."""
    odds = np.empty(KINDS)
    target, met, total = TABLE, TABLE, 0.0
    for place in range(scratch.count):
        move = MOVES[scratch.moves[place]]
        if view.phase == Phase.CHOOSE_CHANCELLOR:
            appeal[place] = math.exp(-FONDNESS[move.keep])
        else:
            if move.target != target:
                target = move.target
                met = whom_it_meets(view, target)
                guess_hand(view, met, odds)
            eagerness = FONDNESS[move.card] + STAKE * prospect(view, move, met, odds)
            appeal[place] = math.exp(eagerness) / ways_to_aim(view, target)
        total += appeal[place]
    return total


@rule
def whom_it_meets(view: State, target):
    """The player whose hand matters: the target, or the next one in the round."""
    if target != NOBODY and target != view.turn:
        return target
    other = (view.turn + 1) % view.players
    while not view.in_round[other]:
        other = (other + 1) % view.players
    return other


@rule
def ways_to_aim(view: State, target):
    """At how many others it could be aimed just as well: a card is not liked more for that."""
    ways = 0
    for seat in range(view.players):
        ways += seat != view.turn and can_be_chosen(view, seat)
    return ways if target != NOBODY and target != view.turn else 1


@rule
def guess_hand(view: State, other, odds):
    """How likely another player holds each character, by the cards that I have not seen."""
    me = view.turn
    clear(odds)
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
def prospect(view: State, move, met, odds):
    """How much likelier the move wins at once than it loses, if whom it meets has such a hand."""
    kept = view.hand[view.turn] + view.drew[view.turn, 0] - move.card
    if move.card == Card.PRINCESS or (move.target == view.turn and kept == Card.PRINCESS):
        return -1.0
    ahead = 0.0
    for theirs in range(1, KINDS):
        if odds[theirs] > 0.0:
            comes = 1.0 * outcome(view, move, kept, theirs)
            if view.deck_size == 0:
                mine = theirs if is_swap(move) else kept
                comes = (1 + comes) * beats_the_rest(view, met, mine) - 1
            ahead += odds[theirs] * comes
    return ahead


@rule
def outcome(view: State, move, kept, theirs):
    """What comes of a move at once: 1 they are out or lower, -1 I am, 0 neither.

    Nor is it known when a Prince lets somebody draw the burned card.
    """
    is_aimed = move.target != NOBODY
    if move.card == Card.GUARD and move.name == theirs:
        return 1
    if move.card == Card.PRINCE and is_aimed:
        return 1 * (theirs == Card.PRINCESS and move.target != view.turn)
    ahead = 1 * (kept > theirs) - 1 * (kept < theirs)
    if view.deck_size == 0:
        return -ahead if is_swap(move) else ahead
    return ahead if move.card == Card.BARON and is_aimed else 0


@rule
def is_swap(move):
    """Whether a King takes the other's card."""
    return move.card == Card.KING and move.target != NOBODY


@rule
def beats_the_rest(view: State, met, card):
    """How likely a card is the highest beside those of the players whom the move does not meet."""
    odds, chance = np.empty(KINDS), 1.0
    for seat in range(view.players):
        if seat != view.turn and seat != met and view.in_round[seat]:
            guess_hand(view, seat, odds)
            lower = 0.0
            for theirs in range(card):
                lower += odds[theirs]
            chance *= lower
    return chance
