"""Belief hooks of Love Letter (§6.3): move probabilities, and faces for blank cards.

A card that nobody has looked at is blank. It gets a face when a player draws it: any of those that
lie nowhere else, each as likely as there are copies of it.
"""

from __future__ import annotations

import numpy as np

from brelan.rules import branch, rule, shuffle

from .bots import (
    CAREFUL,
    SHREWD,
    choose_mark,
    eager_play,
    eager_tuck,
    leave_safe,
    liking_for_low,
    weigh_names,
)
from .cards import COPIES, KINDS, LARGEST, MOVES, NO_CARD
from .scoring import Reveal
from .shrewd import how_shrewd
from .state import Phase, Reason, State

# ---------------------------------------------------------------- faces of blank cards


@rule
def reveal_seen(world: State, view: State, me, scratch):
    """§4 Whoever holds a card looks at it; I saw which mine was, so mine come first."""
    odds = look_at_hand(world, view, me, me, scratch) * look_at_draw(world, view, me, True, scratch)
    for seat in range(world.players):
        if seat != me:
            odds *= look_at_hand(world, view, me, seat, scratch)
    odds *= look_at_draw(world, view, me, False, scratch)
    if world.phase == Phase.SCORE and world.burned_left and world.burned == NO_CARD:
        odds *= look_at_burned(world, scratch)
    return odds


@rule
def look_at_hand(world: State, view: State, me, seat, scratch):
    """§4 A player in the round looks at the card they keep."""
    if world.hand[seat] != NO_CARD or not world.in_round[seat] or world.revealed[seat] != NO_CARD:
        return 1.0
    return show(world, world.hand, seat, view.hand[seat], seat == me, scratch)


@rule
def look_at_draw(world: State, view: State, me, is_mine, scratch):
    """§4 The player in turn looks at the cards they drew."""
    odds = 1.0
    for slot in range(world.drew_size):
        drew = world.drew[world.turn]
        if (world.turn == me) == is_mine and drew[slot] == NO_CARD:
            odds *= show(world, drew, slot, view.drew[me, slot], is_mine, scratch)
    return odds


@rule
def look_at_burned(world: State, scratch):
    """§6 By option, all see the burned card when somebody was knocked out."""
    if world.reason != Reason.KNOCKOUT or world.reveal_after_knockout != Reveal.ALL:
        return 1.0
    left = np.empty(KINDS, np.int16)
    total = count_blank(world, left)
    world.burned = any_kind(left, scratch)
    return left[world.burned] / total


@rule
def show(world: State, cards, place, seen, is_mine, scratch):
    """A blank card gets a face: the one that I saw, or any; return how likely it has this one."""
    left = np.empty(KINDS, np.int16)
    total = count_blank(world, left)
    card = seen if is_mine else any_kind(left, scratch)
    cards[place] = card
    return left[card] / total


@rule
def count_blank(world: State, left):
    """Count how many of each character have no place yet; return how many that are together."""
    for card in range(KINDS):
        left[card] = COPIES[world.deck, card] - world.out[card]
    for seat in range(world.players):
        left[world.hand[seat]] -= 1
        for slot in range(2):
            left[world.drew[seat, slot]] -= 1
    for place in range(max(world.top, world.packed), world.top + world.deck_size):
        left[world.pile[place]] -= 1
    left[NO_CARD] = 0
    total = 0
    for card in range(1, KINDS):
        total += left[card]
    return total


@rule
def any_kind(left, scratch):
    """One of the characters that are left."""
    kinds = 0
    for card in range(1, KINDS):
        kinds += left[card] > 0
    skip = branch(scratch, kinds)
    for card in range(1, KINDS):
        if left[card] > 0:
            if skip == 0:
                return card
            skip -= 1
    return NO_CARD


@rule
def deal_unseen(world: State, scratch):
    """§6.3 Deal the characters that are left to the burned card and the deck, in any order."""
    left, unseen = np.empty(KINDS, np.int16), np.empty(LARGEST, np.int16)
    total, count = count_blank(world, left), 0
    for card in range(1, KINDS):
        for _ in range(left[card]):
            unseen[count] = card
            count += 1
    shuffle(scratch.luck, unseen, total)
    if world.burned_left:
        count -= 1
        world.burned = unseen[count]
    for place in range(world.top, min(world.packed, world.top + world.deck_size)):
        count -= 1
        world.pile[place] = unseen[count]


# ---------------------------------------------------------------- how likely a move is


@rule
def move_probability(bot, view: State, number, scratch):
    """§10 How likely one of the bots makes a move."""
    if bot == CAREFUL:
        leave_safe(view, scratch)
        for place in range(scratch.count):
            if scratch.moves[place] == number:
                return 1.0 / scratch.count
        return 0.0
    if bot == SHREWD:
        return how_shrewd(view, number, scratch)
    if view.phase == Phase.CHOOSE_CHANCELLOR:
        return 1.0 * (number == eager_tuck(view))
    return liking(view, MOVES[number], number)


@rule
def liking(view: State, move, number):
    """§10 How likely the note's bot plays a card in just this way."""
    mark = choose_mark(view)
    if number != eager_play(view, move.card, mark, move.name):
        return 0.0
    low = min(view.hand[view.turn], view.drew[view.turn, 0])
    high = max(view.hand[view.turn], view.drew[view.turn, 0])
    odds = liking_for_low(view, mark, low, high)
    if move.card == high:
        odds = 1 - odds
    if move.name != NO_CARD:
        names = np.empty(KINDS)
        weigh_names(view, mark, names)
        odds *= names[move.name]
    return odds
