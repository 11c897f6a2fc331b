"""Completing a view of La cour du Roi into a world that fits all its seat knows (§11).

Every such world is equally likely. What a seat knows are the packets it saw, the exchanges it took
part in, and the log. First the facts are read from the log (`log_facts.py`). Then the cards that
the seat cannot place are assigned to the spots where they may have been dealt (`assignments.py`).
From there the game is replayed (`replay.py`): it must have gone on, and ended, when it did.
"""

from __future__ import annotations

import numpy as np

from brelan.rules import next_luck, rule, shuffle

from .assignments import (
    add_pair,
    add_spot,
    begin_heap,
    count_ways,
    draw_way,
    first_row,
    lay_out,
    list_options,
)
from .cards import FAMILIES, KINDS, KINGS, MOVES, NO_CARD, OTHERS
from .draft import OUT, first_seen, is_before, known_until, packets_in_all, seat_of, was_drafted
from .log_facts import is_power, retrace
from .replay import KING_SPOTS, begin_hands, has_begun, live_through, write_world
from .state import BY_SEAT, DRAWN, GIVEN, PACKET, Phase, State
from .workspace import CARD, NEVER, OWN, SET, WORKSPACE

PATIENCE = 1_000_000  # tries after which a view is declared impossible


@rule
def imagine(world: State, me, scratch):
    """§11 Complete a seat's view, in place, into a world it cannot tell from the true one."""
    if world.phase == Phase.DEAL and world.game_no == 0:
        imagine_stock(world, scratch.luck)
    else:
        share_out(world, me, scratch.luck)
    world.luck[0] = next_luck(scratch.luck)


@rule
def imagine_stock(world: State, luck):
    """§4 Before the deal the Kings and the other cards lie face down, in any order."""
    for place in range(len(KINGS)):
        world.aside[place] = KINGS[place]
    for place in range(len(OTHERS)):
        world.stock[place] = OTHERS[place]
    shuffle(luck, world.aside, len(KINGS))
    shuffle(luck, world.stock, len(OTHERS))


@rule
def share_out(world: State, me, luck):
    """§11 Share out the cards that I cannot place, until the game can have gone as it did."""
    workspace = np.zeros(1, WORKSPACE)[0]
    workspace.me = me
    workspace.casts = 1
    take_notes(world, workspace)
    list_options(world, workspace)
    ways = np.zeros(lay_out(workspace))
    count_ways(workspace, ways)
    for _ in range(PATIENCE):
        draw_way(workspace, luck, ways)
        begin_hands(world, workspace)
        if live_through(world, workspace):
            write_world(world, workspace, luck)
            return
    raise ValueError("this view cannot come from a match")


@rule
def take_notes(view: State, workspace):
    """§11 What the log tells, and which cards may lie where."""
    if has_begun(view):
        retrace(view, workspace)
    else:
        for place in range(view.held[workspace.me]):
            workspace.facts[OWN, 0] |= SET[view.hand[workspace.me, place]]
    if was_drafted(view):
        place_known(view, workspace)
        heap_unseen(view, workspace)
        heap_passed(view, workspace)
    else:
        heap_hands(view, workspace)
    if view.deal_no > 0:
        heap_kings(view, workspace)
    if workspace.casts > 1:
        heap_given(view, workspace)


# ---------------------------------------------------------------- cards of packets


@rule
def place_known(view: State, workspace):
    """§11 Cards that I took, or saw to be missing from a packet that came back."""
    for packet in range(packets_in_all(view)):
        known = known_until(view, workspace.me, packet)
        for place in range(first_seen(view, workspace.me, packet), known):
            workspace.dealt[PACKET * packet + place] = view.remembered[workspace.me, packet, place]


@rule
def heap_unseen(view: State, workspace):
    """§11 Cards that I never saw: each was taken before I saw its packet, or will be dealt."""
    begin_heap(workspace)
    for packet in range(packets_in_all(view)):
        for place in range(first_seen(view, workspace.me, packet)):
            add_spot(workspace, PACKET * packet + place, seat_of(view, packet, place))
    seen, row = cards_seen(view, workspace.me), 0
    for card in OTHERS:
        if seen & SET[card] == 0:
            workspace.heaps[row, CARD] = card
            row += 1


@rule
def cards_seen(view: State, me):
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
def heap_passed(view: State, workspace):
    """§11 Cards that I passed on: I know which they are, not who took which."""
    for packet in range(view.deal_no * view.players):
        known = known_until(view, workspace.me, packet)
        if known < PACKET and not is_before(view, workspace.me, packet):
            begin_heap(workspace)
            for place in range(known, PACKET):
                card, spot = view.remembered[workspace.me, packet, place], PACKET * packet + place
                add_pair(workspace, card, spot, seat_of(view, packet, place))


# ---------------------------------------------------------------- other cards


@rule
def heap_kings(view: State, workspace):
    """§4.3 Each of the other players drew one of the Kings that I did not; the rest lie aside."""
    known = SET[view.serves[workspace.me]]
    for king in view.shown_aside:
        known |= SET[king]
    for seat in range(view.players):
        if seat != workspace.me and view.revealed[seat] != NO_CARD:
            known |= SET[view.revealed[seat]]
            begin_heap(workspace)
            add_pair(workspace, view.revealed[seat], KING_SPOTS + seat, seat)
    begin_heap(workspace)
    row = first_row(workspace, workspace.heap_count)
    for seat in range(view.players):
        if seat != workspace.me and view.revealed[seat] == NO_CARD:
            add_spot(workspace, KING_SPOTS + seat, seat)
    for place in range(FAMILIES - view.players):
        if view.shown_aside[place] == NO_CARD:
            add_spot(workspace, KING_SPOTS + view.players + place, OUT)
    for king in KINGS:
        if known & SET[king] == 0:
            workspace.heaps[row, CARD] = king
            row += 1


@rule
def heap_given(view: State, workspace):
    """§6.5 A card of mine that I gave away may have gone on to somebody else."""
    me, mine = workspace.me, workspace.facts[OWN, 0]
    for exchange in range(view.exchange_no):
        if view.giver[exchange] == 1 + me or view.receiver[exchange] == 1 + me:
            column = GIVEN if view.giver[exchange] == 1 + me else DRAWN
            card = view.exchanged[me, exchange, column]
            if mine & SET[card] != 0:
                mine &= ~SET[card]  # it may come back, and be given away again
                begin_heap(workspace)
                add_pair(workspace, card, NEVER, me)


@rule
def heap_hands(view: State, workspace):
    """§14 Hands dealt in one go, or set up by hand: a card that I cannot see may be anywhere."""
    begin_heap(workspace)
    seen, count = cards_in_sight(view, workspace), 0
    for card in range(1, KINDS):
        if seen & SET[card] == 0:
            workspace.heaps[count, CARD] = card
            count += 1
    for seat in range(view.players):
        if seat != workspace.me:
            for _ in range(cards_dealt(view, seat)):
                add_spot(workspace, NEVER, seat)
    while workspace.heap_end[0] < count:
        add_spot(workspace, NEVER, OUT)


@rule
def cards_in_sight(view: State, workspace):
    """§11 My first hand, cards taken out, those that lay on the Court before the log began."""
    seen = workspace.facts[OWN, 0]
    for card in view.removed:
        seen |= SET[card]
    for card in view.court:
        seen |= SET[card]
    for card in view.discard:
        seen |= SET[card]
    for entry in range(view.log_size):
        card = MOVES[view.log[entry] % BY_SEAT].card
        if workspace.facts[OWN, 0] & SET[card] == 0:
            seen &= ~SET[card]
    for king in KINGS if view.deal_no > 0 else view.shown_aside:
        seen |= SET[king]
    return seen


@rule
def cards_dealt(view: State, seat):
    """§14 How many cards a hand had at first, but for the King; one set up by hand, in all."""
    count = view.held[seat] - (1 if view.deal_no > 0 and has_begun(view) else 0)
    for entry in range(view.log_size):
        if view.log[entry] // BY_SEAT == seat and not is_power(view.log[entry] % BY_SEAT):
            count += 1
    return count
