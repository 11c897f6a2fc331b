# mypy: allow-untyped-defs, allow-untyped-calls
"""Replaying a game of La cour du Roi: from an assignment of cards to a world (§11)."""

from __future__ import annotations

from brelan.rules import random_below, rule

from .assignments import first_row
from .cards import FAMILIES, KINDS, KINGS, MOVES, NO_CARD, OTHERS, SEATS
from .draft import (
    FIRST_TAKEN,
    OUT,
    TWO_FIRST,
    draft_style,
    first_seen,
    is_before,
    is_drafting,
    is_taken,
    known_until,
    packet_before,
    packets_in_all,
    seat_of,
    sort_packet,
    was_drafted,
)
from .log_facts import is_done
from .state import BY_SEAT, DRAWN, GIVEN, PACKET, State
from .workspace import (
    AFTER,
    CARD,
    LEAST,
    MOST,
    OWN,
    PLAYABLE,
    ROLE,
    SEAT,
    SET,
    SPOT,
    SPOTS,
)

KING_SPOTS = len(OTHERS)  # after the spots of packets: the Kings, seat by seat, then aside


@rule
def has_begun(view: State):
    """§4 Whether the Kings have joined the hands."""
    return view.first != 0


# ---------------------------------------------------------------- from the first hands to the last


@rule
def begin_hands(world: State, workspace):
    """§4 The hands as they were before anybody played, as sets."""
    for seat in range(SEATS):
        workspace.hands[seat] = 0
    for row in range(first_row(workspace, workspace.heap_count)):
        card, spot, seat = (
            workspace.heaps[row, CARD],
            workspace.heaps[row, SPOT],
            workspace.heaps[row, SEAT],
        )
        if spot < SPOTS:
            workspace.dealt[spot] = card
        elif seat != OUT:
            workspace.hands[seat] |= SET[card]
    if was_drafted(world):
        gather_taken(world, workspace)
    if has_begun(world) and world.deal_no > 0:
        for seat in range(world.players):
            workspace.hands[seat] |= SET[workspace.dealt[KING_SPOTS + seat]]
    workspace.hands[workspace.me] = workspace.facts[OWN, 0]


@rule
def gather_taken(world: State, workspace):
    """§5 The cards that were taken from the packets, and not burned."""
    for packet in range(world.deal_no * world.players):
        for place in range(PACKET):
            seat = seat_of(world, packet, place)
            if seat != OUT and is_taken(world, packet, place):
                workspace.hands[seat] |= SET[workspace.dealt[PACKET * packet + place]]


@rule
def live_through(world: State, workspace):
    """§8 Follow the hands through the log; whether the game can have gone on, and ended, so."""
    check = exchange = role = 0
    for entry in range(world.log_size + 1):
        while check < workspace.check_count and workspace.checks[check, AFTER] == entry:
            if not passes(world, workspace, check):
                return False
            check += 1
        if entry < world.log_size:
            number, seat = world.log[entry] % BY_SEAT, world.log[entry] // BY_SEAT
            if MOVES[number].card != NO_CARD:
                workspace.hands[seat] &= ~SET[MOVES[number].card]
            elif MOVES[number].seat < SEATS:
                write_exchange(world, workspace, exchange, role)
                exchange_cards(world, workspace, exchange)
                role += 2 if workspace.facts[ROLE, exchange] != 0 else 0
                exchange += 1
    return True


@rule
def passes(world: State, workspace, check):
    """§8 Whether as many players can play as could when the end was looked at."""
    able = 0
    for seat in range(world.players):
        able += workspace.hands[seat] & workspace.checks[check, PLAYABLE] != 0
    return able >= workspace.checks[check, LEAST] and able <= workspace.checks[check, MOST]


@rule
def write_exchange(world: State, workspace, exchange, role):
    """§11 Both players know both cards: those that I know, or those that play the roles."""
    for seat in range(world.players):
        if seat == world.giver[exchange] - 1 or seat == world.receiver[exchange] - 1:
            for column in range(2):
                if workspace.facts[ROLE, exchange] != 0:
                    card = workspace.actor[role + column]
                else:
                    card = world.exchanged[workspace.me, exchange, column]
                world.exchanged[seat, exchange, column] = card


@rule
def exchange_cards(world: State, workspace, exchange):
    """§6.5 Two cards change hands when the exchange is done; one that is drawn back stays."""
    if is_done(world, exchange):
        giver, receiver = world.giver[exchange] - 1, world.receiver[exchange] - 1
        given = SET[world.exchanged[giver, exchange, GIVEN]]
        drawn = SET[world.exchanged[giver, exchange, DRAWN]]
        workspace.hands[giver] = (workspace.hands[giver] & ~given) | drawn
        workspace.hands[receiver] = (workspace.hands[receiver] | given) & ~drawn


# ---------------------------------------------------------------- the world of now


@rule
def write_world(world: State, workspace, luck):
    """§11 Fill every place that I do not see."""
    if world.deal_no > 0:
        write_kings(world, workspace)
    else:
        guess_families(world, workspace, luck)
    if was_drafted(world):
        write_packets(world, workspace)
        write_burned(world, workspace)
        for spot in range(PACKET * world.deal_no * world.players, PACKET * packets_in_all(world)):
            world.stock[spot] = workspace.dealt[spot]
    else:
        write_out(world, workspace)
    for seat in range(world.players):
        if seat != workspace.me:
            write_hand(world, workspace, seat)


@rule
def write_hand(world: State, workspace, seat):
    """§11 The cards that another player holds."""
    place = 0
    for card in range(1, KINDS):
        if workspace.hands[seat] & SET[card] != 0:
            world.hand[seat, place] = card
            place += 1


@rule
def write_kings(world: State, workspace):
    """§4.2 The Kings that the others drew, and those that lie aside."""
    for seat in range(world.players):
        if seat != workspace.me:
            world.serves[seat] = workspace.dealt[KING_SPOTS + seat]
            if not has_begun(world):
                world.king[seat] = world.serves[seat]
    for place in range(FAMILIES - world.players):
        if world.shown_aside[place] == NO_CARD:
            world.aside[place] = workspace.dealt[KING_SPOTS + world.players + place]


@rule
def guess_families(world: State, workspace, luck):
    """§4.2 In a position set up by hand the others serve any of the other Kings."""
    taken = SET[world.serves[workspace.me]]
    for seat in range(world.players):
        taken |= SET[world.revealed[seat]]
    for seat in range(world.players):
        if seat != workspace.me:
            king = world.revealed[seat]
            while king == NO_CARD:
                king = KINGS[random_below(luck, FAMILIES)]
                king = king if taken & SET[king] == 0 else NO_CARD
            taken |= SET[king]
            world.serves[seat] = king


@rule
def write_packets(world: State, workspace):
    """§11 What the others remember of packets, and those that lie before them."""
    style = draft_style(world)
    for packet in range(world.deal_no * world.players):
        if style == TWO_FIRST and is_taken(world, packet, 0):
            sort_cards(workspace.dealt, PACKET * packet, PACKET * packet + 2)
        for seat in range(world.players):
            if seat != workspace.me:
                write_remembered(world, workspace, seat, packet)
    if is_drafting(world):
        for seat in range(world.players):
            if seat != workspace.me:
                write_packet(world, workspace, seat, style)


@rule
def write_remembered(world: State, workspace, seat, packet):
    """§11 The cards of a packet as another player knows them."""
    first = first_seen(world, seat, packet)
    known = known_until(world, seat, packet)
    if is_before(world, seat, packet) and known == first:
        return
    for place in range(first, PACKET):
        world.remembered[seat, packet, place] = workspace.dealt[PACKET * packet + place]
    sort_cards(world.remembered[seat, packet], known, PACKET)


@rule
def sort_cards(row, begin, end):
    """Sort some cards of a row."""
    for last in range(begin + 1, end):
        place = last
        while place > begin and row[place - 1] > row[place]:
            row[place - 1], row[place] = row[place], row[place - 1]
            place -= 1


@rule
def write_packet(world: State, workspace, seat, style):
    """§5 The packet that lies before another player, and what they have chosen from it."""
    size = world.packet_size[seat]
    spot = PACKET * packet_before(world, seat) + FIRST_TAKEN[style, world.step - 1]
    chosen = PACKET - FIRST_TAKEN[style, world.step - 1] - size
    for place in range(chosen):
        world.chosen[seat, place] = workspace.dealt[spot + place]
    for place in range(size):
        world.packet[seat, place] = workspace.dealt[spot + chosen + place]
    sort_packet(world, seat)


@rule
def write_burned(world: State, workspace):
    """§5 The burned cards in the order in which they were burned: by deal, by step, by seat."""
    for place in range(world.burned_size):
        deal, turn = place // PACKET, place % PACKET
        packet = 2 * deal + (turn if turn < 2 else 3 - turn)
        world.burned[place] = workspace.dealt[PACKET * packet + (1 if turn < 2 else 3)]


@rule
def write_out(world: State, workspace):
    """§14 Cards that are in no hand: burned, or in a stock set up by hand."""
    place = 0
    for row in range(workspace.heap_end[0]):
        if workspace.heaps[row, SEAT] == OUT:
            if place < world.burned_size:
                world.burned[place] = workspace.heaps[row, CARD]
            elif place < world.burned_size + world.stock_size:
                world.stock[place - world.burned_size] = workspace.heaps[row, CARD]
            place += 1
