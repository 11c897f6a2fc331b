"""What can be said of hidden cards in Love Letter (§6.3), when all that may have happened counts.

A card that nobody has looked at is blank. It gets a face when a player draws it: any of those that
lie nowhere else, each as likely as there are copies of it.
"""

from __future__ import annotations

import numpy as np

from brelan.words import one_of, rule, shuffle

from .bots import (
    CAREFUL,
    SHREWD,
    choose_mark,
    leave_safe,
    liking_for_low,
    seed_play,
    seed_tuck,
    weigh_names,
)
from .cards import COPIES, KINDS, LARGEST, MOVES, NO_CARD
from .scoring import Reveal
from .shrewd import how_shrewd
from .sight import Phase, Reason

# ---------------------------------------------------------------- faces of blank cards


@rule
def uncover(world, view, me, desk):
    """§4 Whoever holds a card looks at it; I saw which mine was, so mine come first."""
    odds = look_at_hand(world, view, me, me, desk) * look_at_draw(world, view, me, True, desk)
    for seat in range(world.players):
        if seat != me:
            odds *= look_at_hand(world, view, me, seat, desk)
    odds *= look_at_draw(world, view, me, False, desk)
    if world.phase == Phase.SCORE and world.burned_left and world.burned == NO_CARD:
        odds *= look_at_burned(world, desk)
    return odds


@rule
def look_at_hand(world, view, me, seat, desk):
    """§4 A player in the round looks at the card they keep."""
    if world.hand[seat] != NO_CARD or not world.in_round[seat] or world.revealed[seat] != NO_CARD:
        return 1.0
    return show(world, world.hand, seat, view.hand[seat], seat == me, desk)


@rule
def look_at_draw(world, view, me, is_mine, desk):
    """§4 The player in turn looks at the cards they drew."""
    odds = 1.0
    for slot in range(world.drew_size):
        drew = world.drew[world.turn]
        if (world.turn == me) == is_mine and drew[slot] == NO_CARD:
            odds *= show(world, drew, slot, view.drew[me, slot], is_mine, desk)
    return odds


@rule
def look_at_burned(world, desk):
    """§6 By option, all see the burned card when somebody was knocked out."""
    if world.reason != Reason.KNOCKOUT or world.reveal_after_knockout != Reveal.ALL:
        return 1.0
    left = np.empty(KINDS, np.int16)
    total = count_blank(world, left)
    world.burned = any_kind(left, desk)
    return left[world.burned] / total


@rule
def show(world, cards, place, seen, is_mine, desk):
    """A blank card gets a face: the one that I saw, or any; return how likely it has this one."""
    left = np.empty(KINDS, np.int16)
    total = count_blank(world, left)
    card = seen if is_mine else any_kind(left, desk)
    cards[place] = card
    return left[card] / total


@rule
def count_blank(world, left):
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
def any_kind(left, desk):
    """One of the characters that are left."""
    kinds = 0
    for card in range(1, KINDS):
        kinds += left[card] > 0
    skip = one_of(desk, kinds)
    for card in range(1, KINDS):
        if left[card] > 0:
            if skip == 0:
                return card
            skip -= 1
    return NO_CARD


@rule
def complete(world, desk):
    """§6.3 Deal the characters that are left to the burned card and the deck, in any order."""
    left, unseen = np.empty(KINDS, np.int16), np.empty(LARGEST, np.int16)
    total, count = count_blank(world, left), 0
    for card in range(1, KINDS):
        for _ in range(left[card]):
            unseen[count] = card
            count += 1
    shuffle(desk.luck, unseen, total)
    if world.burned_left:
        count -= 1
        world.burned = unseen[count]
    for place in range(world.top, min(world.packed, world.top + world.deck_size)):
        count -= 1
        world.pile[place] = unseen[count]


# ---------------------------------------------------------------- how likely a move is


@rule
def likelihood(bot, view, number, desk):
    """§10 How likely one of the bots makes a move."""
    if bot == CAREFUL:
        leave_safe(view, desk)
        for place in range(desk.count):
            if desk.moves[place] == number:
                return 1.0 / desk.count
        return 0.0
    if bot == SHREWD:
        return how_shrewd(view, number, desk)
    if view.phase == Phase.CHOOSE_CHANCELLOR:
        return 1.0 * (number == seed_tuck(view))
    return liking(view, MOVES[number], number)


@rule
def liking(view, move, number):
    """§10 How likely the seed's bot plays a card in just this way."""
    mark = choose_mark(view)
    if number != seed_play(view, move.card, mark, move.name):
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
