# mypy: allow-untyped-defs, allow-untyped-calls
"""Living through a game of La cour du Roi again: from cards shared out to a world (§11)."""

from __future__ import annotations

from brelan.words import below, rule

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
from .notes import (
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
from .retrace import is_done
from .sharing import first_row
from .sight import BY_SEAT, DRAWN, GIVEN, PACKET

KING_SPOTS = len(OTHERS)  # after the spots of packets: the Kings, seat by seat, then aside


@rule
def has_begun(view):
    """§4 Whether the Kings have joined the hands."""
    return view.first != 0


# ---------------------------------------------------------------- from the first hands to the last


@rule
def begin_hands(world, notes):
    """§4 The hands as they were before anybody played, as sets."""
    for seat in range(SEATS):
        notes.hands[seat] = 0
    for row in range(first_row(notes, notes.heap_count)):
        card, spot, seat = notes.heaps[row, CARD], notes.heaps[row, SPOT], notes.heaps[row, SEAT]
        if spot < SPOTS:
            notes.dealt[spot] = card
        elif seat != OUT:
            notes.hands[seat] |= SET[card]
    if was_drafted(world):
        gather_taken(world, notes)
    if has_begun(world) and world.deal_no > 0:
        for seat in range(world.players):
            notes.hands[seat] |= SET[notes.dealt[KING_SPOTS + seat]]
    notes.hands[notes.me] = notes.facts[OWN, 0]


@rule
def gather_taken(world, notes):
    """§5 The cards that were taken from the packets, and not burned."""
    for packet in range(world.deal_no * world.players):
        for place in range(PACKET):
            seat = seat_of(world, packet, place)
            if seat != OUT and is_taken(world, packet, place):
                notes.hands[seat] |= SET[notes.dealt[PACKET * packet + place]]


@rule
def live_through(world, notes):
    """§8 Follow the hands through the log; whether the game can have gone on, and ended, so."""
    check = exchange = role = 0
    for entry in range(world.log_size + 1):
        while check < notes.check_count and notes.checks[check, AFTER] == entry:
            if not passes(world, notes, check):
                return False
            check += 1
        if entry < world.log_size:
            number, seat = world.log[entry] % BY_SEAT, world.log[entry] // BY_SEAT
            if MOVES[number].card != NO_CARD:
                notes.hands[seat] &= ~SET[MOVES[number].card]
            elif MOVES[number].seat < SEATS:
                write_exchange(world, notes, exchange, role)
                exchange_cards(world, notes, exchange)
                role += 2 if notes.facts[ROLE, exchange] != 0 else 0
                exchange += 1
    return True


@rule
def passes(world, notes, check):
    """§8 Whether as many players can play as could when the end was looked at."""
    able = 0
    for seat in range(world.players):
        able += notes.hands[seat] & notes.checks[check, PLAYABLE] != 0
    return able >= notes.checks[check, LEAST] and able <= notes.checks[check, MOST]


@rule
def write_exchange(world, notes, exchange, role):
    """§11 Both players know both cards: those that I know, or those that play the roles."""
    for seat in range(world.players):
        if seat == world.giver[exchange] - 1 or seat == world.receiver[exchange] - 1:
            for column in range(2):
                if notes.facts[ROLE, exchange] != 0:
                    card = notes.actor[role + column]
                else:
                    card = world.exchanged[notes.me, exchange, column]
                world.exchanged[seat, exchange, column] = card


@rule
def exchange_cards(world, notes, exchange):
    """§6.5 Two cards change hands, when the exchange is done."""
    if is_done(world, exchange):
        giver, receiver = world.giver[exchange] - 1, world.receiver[exchange] - 1
        given = SET[world.exchanged[giver, exchange, GIVEN]]
        drawn = SET[world.exchanged[giver, exchange, DRAWN]]
        notes.hands[giver] = (notes.hands[giver] | drawn) & ~given
        notes.hands[receiver] = (notes.hands[receiver] | given) & ~drawn


# ---------------------------------------------------------------- the world of now


@rule
def write_world(world, notes, luck):
    """§11 Fill every place that I do not see."""
    if world.deal_no > 0:
        write_kings(world, notes)
    else:
        guess_families(world, notes, luck)
    if was_drafted(world):
        write_packets(world, notes)
        write_burned(world, notes)
        for spot in range(PACKET * world.deal_no * world.players, PACKET * packets_in_all(world)):
            world.stock[spot] = notes.dealt[spot]
    else:
        write_out(world, notes)
    for seat in range(world.players):
        if seat != notes.me:
            write_hand(world, notes, seat)


@rule
def write_hand(world, notes, seat):
    """§11 The cards that another player holds."""
    place = 0
    for card in range(1, KINDS):
        if notes.hands[seat] & SET[card] != 0:
            world.hand[seat, place] = card
            place += 1


@rule
def write_kings(world, notes):
    """§4.2 The Kings that the others drew, and those that lie aside."""
    for seat in range(world.players):
        if seat != notes.me:
            world.serves[seat] = notes.dealt[KING_SPOTS + seat]
            if not has_begun(world):
                world.king[seat] = world.serves[seat]
    for place in range(FAMILIES - world.players):
        if world.shown_aside[place] == NO_CARD:
            world.aside[place] = notes.dealt[KING_SPOTS + world.players + place]


@rule
def guess_families(world, notes, luck):
    """§4.2 In a position set up by hand the others serve any of the other Kings."""
    taken = SET[world.serves[notes.me]]
    for seat in range(world.players):
        taken |= SET[world.revealed[seat]]
    for seat in range(world.players):
        if seat != notes.me:
            king = world.revealed[seat]
            while king == NO_CARD:
                king = KINGS[below(luck, FAMILIES)]
                king = king if taken & SET[king] == 0 else KINGS[0] - KINGS[0]
            taken |= SET[king]
            world.serves[seat] = king


@rule
def write_packets(world, notes):
    """§11 What the others remember of packets, and those that lie before them."""
    style = draft_style(world)
    for packet in range(world.deal_no * world.players):
        if style == TWO_FIRST and is_taken(world, packet, 0):
            sort_cards(notes.dealt, PACKET * packet, PACKET * packet + 2)
        for seat in range(world.players):
            if seat != notes.me:
                write_remembered(world, notes, seat, packet)
    if is_drafting(world):
        for seat in range(world.players):
            if seat != notes.me:
                write_packet(world, notes, seat, style)


@rule
def write_remembered(world, notes, seat, packet):
    """§11 The cards of a packet as another player knows them."""
    first = first_seen(world, seat, packet)
    known = known_until(world, seat, packet)
    if is_before(world, seat, packet) and known == first:
        return
    for place in range(first, PACKET):
        world.remembered[seat, packet, place] = notes.dealt[PACKET * packet + place]
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
def write_packet(world, notes, seat, style):
    """§5 The packet that lies before another player, and what they have chosen from it."""
    size = world.packet_size[seat]
    spot = PACKET * packet_before(world, seat) + FIRST_TAKEN[style, world.step - 1]
    chosen = PACKET - FIRST_TAKEN[style, world.step - 1] - size
    for place in range(chosen):
        world.chosen[seat, place] = notes.dealt[spot + place]
    for place in range(size):
        world.packet[seat, place] = notes.dealt[spot + chosen + place]
    sort_packet(world, seat)


@rule
def write_burned(world, notes):
    """§5 The burned cards in the order in which they were burned: by deal, by step, by seat."""
    for place in range(world.burned_size):
        deal, turn = place // PACKET, place % PACKET
        packet = 2 * deal + (turn if turn < 2 else 3 - turn)
        world.burned[place] = notes.dealt[PACKET * packet + (1 if turn < 2 else 3)]


@rule
def write_out(world, notes):
    """§14 Cards that are in no hand: burned, or in a stock set up by hand."""
    place = 0
    for row in range(notes.heap_end[0]):
        if notes.heaps[row, SEAT] == OUT:
            if place < world.burned_size:
                world.burned[place] = notes.heaps[row, CARD]
            elif place < world.burned_size + world.stock_size:
                world.stock[place - world.burned_size] = notes.heaps[row, CARD]
            place += 1
