"""Completing a view of Art of War into a world that fits all its seat knows (§12).

Every such world is equally likely, copies of a card counted one by one: the cards of a deck that
were never seen are shuffled, and dealt to the part of the hand that nobody knows, then to the
pile. A King drawn on his own (`king_deal = independent`) is either one with equal chances.
"""

from __future__ import annotations

import numpy as np

from brelan.rules import next_luck, random_below, rule, shuffle

from .cards import ANY_KING, KINDS, KNOBS, LARGEST_DECK, NO_CARD, Card
from .state import Phase, State
from .zones import add_to_hand, opponent, other_king

KingDeal = KNOBS.choice("king_deal")


@rule
def imagine(world: State, me, scratch):
    """§12 Complete a seat's view, in place, into a world it cannot tell from the true one."""
    if world.phase == Phase.DEAL:
        lay_kings(world, scratch.luck)
    else:
        name_kings(world, me, scratch.luck)
    unseen = np.empty(LARGEST_DECK, np.int16)
    for seat in range(2):
        count = gather_unseen(world, seat, me, unseen)
        shuffle(scratch.luck, unseen, count)
        used = 0
        if seat != me:
            used = deal_hand(world, seat, unseen)
        for place in range(world.pile_size[seat]):
            world.pile[seat, world.top[seat] + place] = unseen[used + place]
    world.luck[0] = next_luck(scratch.luck)


@rule
def lay_kings(world: State, luck):
    """§4.2 Before the deal the Kings lie in the box, anyhow."""
    for seat in range(2):
        world.box[seat, 0] = Card.K1 + random_below(luck, 2)
        if world.king_deal == KingDeal.INDEPENDENT:
            world.box[seat, 1] = other_king(world.box[seat, 0])
    if world.king_deal != KingDeal.INDEPENDENT:
        world.box[1, 0] = other_king(world.box[0, 0])


@rule
def name_kings(world: State, me, luck):
    """§12 The other's King is the one that was seen; otherwise either, with equal chances."""
    other = opponent(me)
    world.king[other] = world.king_seen[other]
    if world.king[other] == NO_CARD:
        world.king[other] = Card.K1 + random_below(luck, 2)
    if world.king_deal == KingDeal.INDEPENDENT:
        for seat in range(2):
            world.box[seat, 1] = other_king(world.king[seat])


@rule
def gather_unseen(view: State, seat, me, unseen):
    """§12 Write the cards of a deck that I have not seen into a row; return how many there are."""
    count = 0
    for card in range(Card.S, ANY_KING):
        copies = view.unseen[seat, card]
        if seat == me:
            copies -= view.hand[me, card] - view.known[me, card]
        for _ in range(copies):
            unseen[count] = card
            count += 1
    return count


@rule
def deal_hand(world: State, other, unseen):
    """§12 The other hand: what is known to be there, and unseen cards; return how many of them."""
    hidden = world.held[other]
    world.held[other] = 0
    for card in range(1, KINDS):
        for _ in range(world.known[other, card]):
            add_to_hand(world, other, card)
    if world.phase != Phase.DEAL and world.king_seen[other] == NO_CARD:
        add_to_hand(world, other, world.king[other])
    hidden -= world.held[other]
    for place in range(hidden):
        add_to_hand(world, other, unseen[place])
    return hidden
