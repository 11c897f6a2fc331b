"""Completing a view of La cour du Roi into a world that fits all its seat knows (§11).

Every such world is equally likely. What a seat knows are the packets it saw, the exchanges it took
part in, and the log. First the log is retraced (`retrace.py`). Then the cards that the seat cannot
place are shared out among the spots where they may have been dealt (`sharing.py`). From there the
game is lived through again (`reliving.py`): it must have gone on, and ended, when it did.
"""

from __future__ import annotations

import numpy as np

from brelan.words import next_luck, rule, shuffle

from .cards import FAMILIES, KINDS, KINGS, MOVES, NO_CARD, OTHERS
from .draft import OUT, first_seen, is_before, known_until, packets_in_all, seat_of, was_drafted
from .notes import CARD, NEVER, NOTES, OWN, SET
from .reliving import KING_SPOTS, begin_hands, has_begun, live_through, write_world
from .retrace import is_power, retrace
from .sharing import (
    add_pair,
    add_spot,
    begin_heap,
    count_ways,
    draw_way,
    first_row,
    list_options,
)
from .sight import BY_SEAT, DRAWN, GIVEN, PACKET, Phase

PATIENCE = 1_000_000  # tries after which a view is declared impossible


@rule
def imagine(world, me, desk):
    """§11 Complete a seat's view, in place, into a world it cannot tell from the true one."""
    if world.phase == Phase.DEAL and world.game_no == 0:
        imagine_stock(world, desk.luck)
    else:
        share_out(world, me, desk.luck, np.zeros(1, NOTES))
    world.luck[0] = next_luck(desk.luck)


@rule
def imagine_stock(world, luck):
    """§4 Before the deal the Kings and the other cards lie face down, in any order."""
    for place in range(len(KINGS)):
        world.aside[place] = KINGS[place]
    for place in range(len(OTHERS)):
        world.stock[place] = OTHERS[place]
    shuffle(luck, world.aside, len(KINGS))
    shuffle(luck, world.stock, len(OTHERS))


@rule
def share_out(world, me, luck, paper):
    """§11 Share out the cards that I cannot place, until the game can have gone as it did."""
    notes = paper[0]  # a record lives only as long as its array, which the caller holds
    notes.me = me
    notes.casts = 1
    take_notes(world, notes)
    list_options(world, notes)
    ways = count_ways(notes)
    for _ in range(PATIENCE):
        draw_way(notes, luck, ways)
        begin_hands(world, notes)
        if live_through(world, notes):
            write_world(world, notes, luck)
            return
    raise ValueError("this view cannot come from a match")


@rule
def take_notes(view, notes):
    """§11 What the log tells, and which cards may lie where."""
    if has_begun(view):
        retrace(view, notes)
    else:
        for place in range(view.held[notes.me]):
            notes.facts[OWN, 0] |= SET[view.hand[notes.me, place]]
    if was_drafted(view):
        place_known(view, notes)
        heap_unseen(view, notes)
        heap_passed(view, notes)
    else:
        heap_hands(view, notes)
    if view.deal_no > 0:
        heap_kings(view, notes)
    if notes.casts > 1:
        heap_given(view, notes)


# ---------------------------------------------------------------- cards of packets


@rule
def place_known(view, notes):
    """§11 Cards that I took, or saw to be missing from a packet that came back."""
    for packet in range(packets_in_all(view)):
        known = known_until(view, notes.me, packet)
        for place in range(first_seen(view, notes.me, packet), known):
            notes.dealt[PACKET * packet + place] = view.remembered[notes.me, packet, place]


@rule
def heap_unseen(view, notes):
    """§11 Cards that I never saw: each was taken before I saw its packet, or will be dealt."""
    begin_heap(notes)
    for packet in range(packets_in_all(view)):
        for place in range(first_seen(view, notes.me, packet)):
            add_spot(notes, PACKET * packet + place, seat_of(view, packet, place))
    seen, row = cards_seen(view, notes.me), 0
    for card in OTHERS:
        if seen & SET[card] == 0:
            notes.heaps[row, CARD] = card
            row += 1


@rule
def cards_seen(view, me):
    """§11 The cards that I saw in packets, and those that were taken out of the game, as a set."""
    seen = 0
    for packet in range(view.deal_no * view.players):
        for place in range(PACKET):
            seen |= SET[view.remembered[me, packet, place]]
    for place in range(PACKET):
        seen |= SET[view.packet[me, place]]
    for place in range(2):
        seen |= SET[view.chosen[me, place]]
    for card in view.removed:
        seen |= SET[card]
    return seen


@rule
def heap_passed(view, notes):
    """§11 Cards that I passed on: I know which they are, not who took which."""
    for packet in range(view.deal_no * view.players):
        known = known_until(view, notes.me, packet)
        if known < PACKET and not is_before(view, notes.me, packet):
            begin_heap(notes)
            for place in range(known, PACKET):
                card, spot = view.remembered[notes.me, packet, place], PACKET * packet + place
                add_pair(notes, card, spot, seat_of(view, packet, place))


# ---------------------------------------------------------------- other cards


@rule
def heap_kings(view, notes):
    """§4.3 Each of the other players drew one of the Kings that I did not; the rest lie aside."""
    known = SET[view.serves[notes.me]]
    for king in view.shown_aside:
        known |= SET[king]
    for seat in range(view.players):
        if seat != notes.me and view.revealed[seat] != NO_CARD:
            known |= SET[view.revealed[seat]]
            begin_heap(notes)
            add_pair(notes, view.revealed[seat], KING_SPOTS + seat, seat)
    begin_heap(notes)
    row = first_row(notes, notes.heap_count)
    for seat in range(view.players):
        if seat != notes.me and view.revealed[seat] == NO_CARD:
            add_spot(notes, KING_SPOTS + seat, seat)
    for place in range(FAMILIES - view.players):
        if view.shown_aside[place] == NO_CARD:
            add_spot(notes, KING_SPOTS + view.players + place, OUT)
    for king in KINGS:
        if known & SET[king] == 0:
            notes.heaps[row, CARD] = king
            row += 1


@rule
def heap_given(view, notes):
    """§6.5 A card of mine that I gave away may have gone on to somebody else."""
    me, mine = notes.me, notes.facts[OWN, 0]
    for exchange in range(view.exchange_no):
        if view.giver[exchange] == 1 + me or view.receiver[exchange] == 1 + me:
            column = GIVEN if view.giver[exchange] == 1 + me else DRAWN
            card = view.exchanged[me, exchange, column]
            if mine & SET[card] != 0:
                mine &= ~SET[card]  # it may come back, and be given away again
                begin_heap(notes)
                add_pair(notes, card, NEVER, me)


@rule
def heap_hands(view, notes):
    """§14 Hands dealt in one go, or set up by hand: a card that I cannot see may be anywhere."""
    begin_heap(notes)
    seen, count = cards_in_sight(view, notes), 0
    for card in range(1, KINDS):
        if seen & SET[card] == 0:
            notes.heaps[count, CARD] = card
            count += 1
    for seat in range(view.players):
        if seat != notes.me:
            for _ in range(cards_dealt(view, seat)):
                add_spot(notes, NEVER, seat)
    while notes.heap_end[0] < count:
        add_spot(notes, NEVER, OUT)


@rule
def cards_in_sight(view, notes):
    """§11 My first hand, cards taken out, those that lay on the Court before the log began."""
    seen = notes.facts[OWN, 0]
    for card in view.removed:
        seen |= SET[card]
    for card in view.court:
        seen |= SET[card]
    for card in view.discard:
        seen |= SET[card]
    for entry in range(view.log_size):
        card = MOVES[view.log[entry] % BY_SEAT].card
        if notes.facts[OWN, 0] & SET[card] == 0:
            seen &= ~SET[card]
    for king in KINGS if view.deal_no > 0 else view.shown_aside:
        seen |= SET[king]
    return seen


@rule
def cards_dealt(view, seat):
    """§14 How many cards a hand had at first, but for the King; one set up by hand, in all."""
    count = view.held[seat] - (1 if view.deal_no > 0 and has_begun(view) else 0)
    for entry in range(view.log_size):
        if view.log[entry] // BY_SEAT == seat and not is_power(view.log[entry] % BY_SEAT):
            count += 1
    return count
