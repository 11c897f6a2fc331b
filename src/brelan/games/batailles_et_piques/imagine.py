"""Completing a view of Batailles et piques into a world that fits all its seat knows (§11).

Every such world is equally likely, copies of a card counted one by one. The armies are independent
of each other: of each, all living cards are dealt to slots, hand and draw pile. For each slot a
card is drawn from those on its list, and all is drawn again if a card came twice, if there are two
mines, or if a card that I know to be in the hand is not. No more needs to be asked: that nobody
ever has two mines in play tells by itself which slots could not be filled (§4).

What is known is what the places of the view say: cards seen, cards known to be in a hand, the open
lists and, while a combat is decided, what everybody sees of it. A perfect memory knows more where
facts hang together: when an attacker died alone against two cards, that one of them is a mine or
both are stronger; what the list of a card said that a Slacker took back; what follows for me alone
from a card that I know and a combat that I watched. The true world is never excluded. Of what the
others know, what all can tell is imagined: cards they have seen in play, hands that are open.
"""

from __future__ import annotations

import numpy as np

from brelan.rules import copy_cards, next_luck, random_below, rule, shuffle

from .cards import BIT, FIRST, KINDS, LARGEST, NO_CARD, SECOND, SIZE, SLOTS, Card
from .combat import is_single, results
from .state import ATTACKERS, DEFENDERS, MINDED, Phase, State

PATIENCE = 1_000_000  # tries after which a view is declared impossible


@rule
def imagine(world: State, me, scratch):
    """§11 Complete a seat's view, in place, into a world it cannot tell from the true one."""
    army, rest = np.empty(LARGEST, np.int16), np.empty(LARGEST, np.int16)
    deal_own_pile(world, me, scratch.luck, rest)
    for seat in range(world.players):
        if seat != me:
            deal_army(world, me, seat, scratch.luck, army, rest)
    if is_combat_secret(world, me):
        tries = 0
        while not fits_combat(world):
            deal_army(world, me, world.attacker - 1, scratch.luck, army, rest)
            deal_army(world, me, world.defender - 1, scratch.luck, army, rest)
            tries += 1
            if tries > PATIENCE:
                raise ValueError("this view cannot come from a match")
    tell_what_was_seen(world, me)
    world.luck[0] = next_luck(scratch.luck)


@rule
def deal_own_pile(world: State, me, luck, rest):
    """§11 My draw pile is what I see nowhere else of my army; its order, nobody knows."""
    count = 0
    for card in range(1, KINDS):
        copies = world.living[me, card] - world.hand[me, card]
        for slot in range(SLOTS):
            copies -= world.in_play[me, slot] == card
        for _ in range(copies):
            rest[count] = card
            count += 1
    shuffle(luck, rest, count)
    lay_pile(world, me, rest, 0)


@rule
def lay_pile(world: State, seat, cards, used):
    """§3 A draw pile ends where the army did, whatever was drawn."""
    for place in range(world.pile_size[seat]):
        world.pile[seat, world.army_size - world.pile_size[seat] + place] = cards[used + place]


@rule
def deal_army(world: State, me, seat, luck, army, rest):
    """§11 Deal the living cards of another player until they agree with all that I know."""
    count = gather_army(world, seat, army)
    for _ in range(PATIENCE):
        if deal_slots(world, me, seat, luck, army, count, rest):
            left = count - SIZE[world.filled[seat]] - SIZE[world.placed[seat]]
            shuffle(luck, rest, left)
            deal_hand(world, seat, rest)
            if finds_known_hand(world, me, seat):
                lay_pile(world, seat, rest, world.held[seat])
                return
    raise ValueError("this view cannot come from a match")


@rule
def gather_army(world: State, seat, army):
    """§11 Write the living cards of a player into a row, each kind together; return how many."""
    count = 0
    for card in range(1, KINDS):
        for _ in range(world.living[seat, card]):
            army[count] = card
            count += 1
    return count


@rule
def deal_slots(world: State, me, seat, luck, army, count, rest):
    """§11 Draw a card of its list for each slot; whether no card came twice, nor two mines."""
    drawn = mines = 0  # places in the army as a set; mines
    for slot in range(SLOTS):
        if ((world.filled[seat] | world.placed[seat]) >> slot) & 1:
            place = draw_from_list(luck, army, count, list_for(world, me, seat, slot))
            if (drawn >> place) & 1:
                return False
            drawn |= 1 << place
            mines += army[place] == Card.MINE
            world.in_play[seat, slot] = army[place]
    left = 0
    for place in range(count):
        if not (drawn >> place) & 1:
            rest[left] = army[place]
            left += 1
    return mines < 2


@rule
def list_for(world: State, me, seat, slot):
    """§11 What a card in play can be: the one I saw, or what the open list says; else anything."""
    if world.known[me, seat, slot] != NO_CARD:
        return BIT[world.known[me, seat, slot]]
    if (world.placed[seat] >> slot) & 1:
        return ~BIT[NO_CARD]
    return world.can_be[seat, slot]


@rule
def draw_from_list(luck, army, count, kinds):
    """Draw one of the cards that are on a list; return its place in the army."""
    for _ in range(PATIENCE):
        place = random_below(luck, count)
        if (kinds >> army[place]) & 1:
            return place
    raise ValueError("this view cannot come from a match")


@rule
def deal_hand(world: State, seat, rest):
    """§2 The first cards of what is left make up the hand."""
    for card in range(KINDS):
        world.hand[seat, card] = 0
    for place in range(world.held[seat]):
        world.hand[seat, rest[place]] += 1


@rule
def finds_known_hand(world: State, me, seat):
    """§11 Whether all cards that I know of a hand are there, or in the slots where they may be."""
    for place in range(MINDED):
        card = world.hand_holds[me, seat, place]
        if card == NO_CARD:
            return True
        slots = world.unless_in[me, seat, place]
        if copies_found(world, seat, card, slots) < copies_known(world, me, seat, card, slots):
            return False
    return True


@rule
def copies_found(world: State, seat, card, slots):
    """§11 Copies of a card in a hand, or in these slots, or just placed and not yet revealed."""
    copies = world.hand[seat, card]
    for slot in range(SLOTS):
        if ((slots | world.placed[seat]) >> slot) & 1:
            copies += world.in_play[seat, slot] == card
    return copies


@rule
def copies_known(world: State, me, seat, card, slots):
    """§11 How many copies I know to be in a hand, or at most in these slots."""
    copies = 0
    for place in range(MINDED):
        if world.hand_holds[me, seat, place] == card:
            copies += not world.unless_in[me, seat, place] & ~slots
    return copies


# ---------------------------------------------------------------- while a combat is decided


@rule
def is_combat_secret(world: State, me):
    """§6 Whether others fight just now: I see what comes of it, not with which cards."""
    is_fighting = world.phase == Phase.KILL or world.phase == Phase.BURY
    return is_fighting and world.attacker != 1 + me and world.defender != 1 + me


@rule
def fits_combat(world: State):
    """§11 Whether the cards dealt leave a choice where there is one, and the same cards dying."""
    possible = results(
        world,
        fighter(world, world.attacker - 1, FIRST[world.attacking]),
        fighter(world, world.attacker - 1, SECOND[world.attacking]),
        fighter(world, world.defender - 1, FIRST[world.attacked]),
        fighter(world, world.defender - 1, SECOND[world.attacked]),
    )
    if world.phase == Phase.KILL:
        return not is_single(possible)
    is_alike = is_single(possible) == (world.was_choice == 0)
    return is_alike and (possible >> result_seen(world)) & 1 == 1


@rule
def fighter(world: State, seat, slot):
    """§6 A card that takes part, if there is one."""
    return world.in_play[seat, slot] if slot != SLOTS else NO_CARD


@rule
def result_seen(world: State):
    """§6 The set of those who are about to die."""
    return (
        is_dying(world, ATTACKERS, FIRST[world.attacking])
        + is_dying(world, ATTACKERS, SECOND[world.attacking]) * 2
        + is_dying(world, DEFENDERS, FIRST[world.attacked]) * 4
        + is_dying(world, DEFENDERS, SECOND[world.attacked]) * 8
    )


@rule
def is_dying(world: State, side, slot):
    """§6 Whether the card in a slot is about to die."""
    return (world.dying[side] >> slot) & 1


# ---------------------------------------------------------------- what the others know


@rule
def tell_what_was_seen(world: State, me):
    """§11 Who has seen which card in play is open to all, and so is what all know of a hand."""
    for seat in range(world.players):
        for other in range(world.players):
            if other != me and other != seat:
                tell_of_army(world, other, seat)


@rule
def tell_of_army(world: State, other, seat):
    """§11 Another player knows the cards of an army that it has seen, or that everybody knows."""
    for slot in range(SLOTS):
        if (world.seen_by[seat, slot] >> other) & 1:
            world.known[other, seat, slot] = world.in_play[seat, slot]
    copy_cards(world.hand_holds[other, seat], world.open_hand_holds[seat])
    copy_cards(world.unless_in[other, seat], world.open_unless_in[seat])
