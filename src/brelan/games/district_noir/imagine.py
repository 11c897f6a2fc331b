"""Completing a view of District Noir into a world that fits all its seat knows (§6).

Every such world is equally likely, copies of a card counted one by one: the unseen cards are
shuffled, and dealt to the other hand, the cards set aside and the pile.
"""

from __future__ import annotations

import numpy as np

from brelan.rules import next_luck, rule, shuffle

from .cards import KINDS, LARGEST
from .rules import has_all_cities, put_in_hand
from .state import Reason, State, fits

PATIENCE = 1_000_000  # tries after which a view is declared impossible


@rule
def imagine(world: State, me, scratch):
    """§6 Complete a seat's view, in place, into a world it cannot tell from the true one."""
    unseen = np.empty(LARGEST, np.int16)
    count = gather_unseen(world, me, unseen)
    other = 1 - me
    for _ in range(PATIENCE):
        shuffle(scratch.luck, unseen, count)
        held, world.held[other] = world.held[other], 0
        for place in range(held):
            put_in_hand(world, other, unseen[place])
        if fits(world, other) and won_as_it_did(world, other):
            deal_rest(world, unseen, held)
            world.luck[0] = next_luck(scratch.luck)
            return
    raise ValueError("this view cannot come from a match")


@rule
def won_as_it_did(world: State, seat):
    """§5.11 Whether a player who has won by cities, perhaps with the hand, has them all."""
    is_winner = world.winner == 1 + seat and world.reason == Reason.CITIES
    return not is_winner or has_all_cities(world, seat)


@rule
def gather_unseen(view: State, me, unseen):
    """§6 Write the cards that I have not seen into a row, each kind together; return how many."""
    left = np.empty(KINDS, np.int16)
    count_unseen(view, me, left)
    count = 0
    for card in range(1, KINDS):
        for _ in range(left[card]):
            unseen[count] = card
            count += 1
    return count


@rule
def count_unseen(view: State, me, left):
    """§6 Copies of each card that lie neither in my hand, nor in the row, nor in a collection."""
    for card in range(KINDS):
        left[card] = view.copies[card] - view.shown_aside[card]
        for seat in range(2):
            left[card] -= view.collection[seat, card] + view.shown_hand[seat, card]
    for place in range(view.row_size):
        left[view.row[place]] -= 1
    for place in range(view.held[me]):
        left[view.hand[me, place]] -= 1


@rule
def deal_rest(world: State, unseen, used):
    """§6 The cards set aside and the pile, about which nobody knows anything."""
    for place in range(world.aside_size):
        world.aside[place] = unseen[used]
        used += 1
    for place in range(world.pile_size):
        world.pile[world.top + place] = unseen[used]
        used += 1
