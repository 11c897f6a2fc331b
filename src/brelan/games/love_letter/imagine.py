"""Completing a view of Love Letter into a world that fits all its seat knows (§6.3).

Every such world is equally likely, copies of a character counted one by one: the unseen cards
are dealt to the hidden places, those that a fact speaks of first, until the facts hold.
"""

from __future__ import annotations

import numpy as np

from brelan.rules import next_luck, random_below, rule, shuffle_from

from .cards import COPIES, KINDS, LARGEST, NO_CARD
from .state import DRAWN, LOST, UNDER, State

PATIENCE = 1_000_000  # tries after which a view is declared impossible


@rule
def imagine(world: State, me, scratch):
    """§6.3 Complete a seat's view, in place, into a world it cannot tell from the true one."""
    unseen = np.empty(LARGEST, np.int16)
    count = gather_unseen(world, me, unseen)
    for _ in range(PATIENCE):
        used = deal_hands(world, me, scratch.luck, unseen, count)
        used = deal_lost_places(world, me, scratch.luck, unseen, count, used)
        if fits(world, me):
            deal_rest(world, me, scratch.luck, unseen, count, used)
            world.luck[0] = next_luck(scratch.luck)
            return
    raise ValueError("this view cannot come from a match")


@rule
def gather_unseen(world: State, me, unseen):
    """§6.3 Write the cards that I have not seen into a row; return how many there are."""
    left = np.empty(KINDS, np.int16)
    count_unseen(world, me, left)
    count = 0
    for card in range(1, KINDS):
        for _ in range(left[card]):
            unseen[count] = card
            count += 1
    return count


@rule
def count_unseen(view: State, me, left):
    """§6.3 Copies that lie neither face up, nor in my hand, nor where I know them to be."""
    for card in range(KINDS):
        left[card] = COPIES[view.deck, card] - view.out[card] if view.round_no > 0 else 0
    left[view.hand[me]] -= 1
    for slot in range(2):
        left[view.drew[me, slot]] -= 1
    for seat in range(view.players):
        if has_hidden_hand(view, me, seat):
            left[view.known[me, seat]] -= 1
            for slot in range(drawn_by(view, seat)):
                left[view.known_drew[me, slot]] -= 1
    for place in range(max(view.top, view.packed), view.top + view.deck_size):
        left[view.tucked_known[me, place - view.packed]] -= 1


@rule
def has_hidden_hand(world: State, me, seat):
    """Whether another player keeps a card that I do not see."""
    return seat != me and world.in_round[seat] and world.revealed[seat] == NO_CARD


@rule
def drawn_by(world: State, seat):
    """How many cards a player has drawn this turn and not yet played or put back."""
    return world.drew_size if world.turn == seat else 0


@rule
def take(luck, unseen, count, used):
    """Take one of the unseen cards that are not used yet."""
    other = used + random_below(luck, count - used)
    unseen[used], unseen[other] = unseen[other], unseen[used]
    return unseen[used]


@rule
def deal_hands(world: State, me, luck, unseen, count):
    """The hands of the other players: what I know is theirs, the rest is dealt."""
    used = 0
    for seat in range(world.players):
        if not has_hidden_hand(world, me, seat):
            continue
        world.hand[seat] = world.known[me, seat]
        if world.hand[seat] == NO_CARD:
            world.hand[seat] = take(luck, unseen, count, used)
            used += 1
        for slot in range(drawn_by(world, seat)):
            world.drew[seat, slot] = world.known_drew[me, slot]
            if world.drew[seat, slot] == NO_CARD:
                world.drew[seat, slot] = take(luck, unseen, count, used)
                used += 1
    return used


@rule
def deal_lost_places(world: State, me, luck, unseen, count, used):
    """The places under the deck where a card I lost sight of may lie."""
    for place in range(max(world.top, world.packed), world.top + world.deck_size):
        if (world.among[me] >> (UNDER + place - world.packed)) & 1:
            world.pile[place] = take(luck, unseen, count, used)
            used += 1
    return used


@rule
def deal_rest(world: State, me, luck, unseen, count, used):
    """The burned card and the rest of the deck, about which I know nothing more."""
    shuffle_from(luck, unseen, used, count)
    if world.burned_left:
        world.burned = unseen[used]
        used += 1
    for place in range(world.top, world.top + world.deck_size):
        tucked = place - world.packed
        if tucked >= 0 and world.tucked_known[me, tucked] != NO_CARD:
            world.pile[place] = world.tucked_known[me, tucked]
        elif tucked < 0 or not (world.among[me] >> (UNDER + tucked)) & 1:
            world.pile[place] = unseen[used]
            used += 1


@rule
def fits(world: State, me):
    """§6 Whether the hands dealt agree with every fact that I know."""
    for seat in range(world.players):
        if has_hidden_hand(world, me, seat):
            if (world.not_held[me, seat] >> world.hand[seat]) & 1:
                return False
            twin = world.same_hand[seat]
            if twin and world.hand[seat] != world.hand[twin - 1]:
                return False
    return finds_lost(world, me)


@rule
def finds_lost(world: State, me):
    """§6.2 Whether the cards I lost sight of are all among the places where they may be."""
    for slot in range(LOST):
        card = world.lost[me, slot]
        if card == NO_CARD:
            return True
        if copies_among(world, me, card) < copies_lost(world, me, card):
            return False
    return True


@rule
def copies_lost(world: State, me, card):
    """How many copies of a character I lost sight of."""
    copies = 0
    for slot in range(LOST):
        copies += world.lost[me, slot] == card
    return copies


@rule
def copies_among(world: State, me, card):
    """How many copies of a character lie in the places where my lost cards may be."""
    copies = 0
    for seat in range(world.players):
        if (world.among[me] >> seat) & 1:
            copies += world.hand[seat] == card
        for slot in range(drawn_by(world, seat)):
            if seat != me and (world.among[me] >> (DRAWN + slot)) & 1:
                copies += world.drew[seat, slot] == card
    for place in range(max(world.top, world.packed), world.top + world.deck_size):
        if (world.among[me] >> (UNDER + place - world.packed)) & 1:
            copies += world.pile[place] == card
    return copies
