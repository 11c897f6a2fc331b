# mypy: allow-untyped-defs, allow-untyped-calls
"""The draft of La cour du Roi (§5): packets are dealt, chosen from, and handed on.

The packets of a match are numbered in the order in which they are dealt, and so are the four
cards of a packet in the order in which they are taken from it. Who takes which, and at which step
of the deal, depends on the style of the draft:

    style           card 0       card 1       card 2       card 3
    ONE_BY_ONE      step 1       step 2       step 3       step 4       by one seat after the other
    TWO_FIRST       step 1       step 1       step 2       step 3
    KEEP_AND_BURN   step 1       step 1 burn  step 2       step 2 burn
"""

from __future__ import annotations

import numpy as np

from brelan.rules import TABLE, rule

from .cards import KNOBS, NO_CARD, SEATS
from .state import PACKET, Phase, State

TwoPlayerDraft = KNOBS.choice("two_player_draft")
DeadFamily = KNOBS.choice("dead_family")
Draft = KNOBS.choice("draft")

ONE_BY_ONE, TWO_FIRST, KEEP_AND_BURN = 0, 1, 2
FIRST_TAKEN = np.array([[0, 1, 2, 3, 4], [0, 2, 3, 4, 4], [0, 2, 4, 4, 4]], np.int16)  # by step - 1
TAKEN_AT = np.array([[1, 2, 3, 4], [1, 1, 2, 3], [1, 1, 2, 2]], np.int16)
KEPT_OF_A_DEAL = np.array([4, 4, 2], np.int16)
OUT = int(SEATS)  # instead of a seat: the card is burned, set aside, or in no hand for some reason


@rule
def draft_style(state: State):
    """§5 How a packet is shared out: by the number of players, and for two by options."""
    if state.players == 3:
        return TWO_FIRST
    is_full = state.two_player_draft == TwoPlayerDraft.FULL
    if state.players == 4 or is_full or state.dead_family == DeadFamily.REMOVED:
        return ONE_BY_ONE
    return KEEP_AND_BURN


@rule
def is_burned(style, place):
    """§5 With two players every second card of a packet is burned."""
    return style == KEEP_AND_BURN and place % 2 == 1


@rule
def direction(state: State, deal):
    """§5 Packets go to the left; by option to the right in every second deal."""
    return -1 if state.draft == Draft.ALTERNATE and deal % 2 == 0 else 1


@rule
def packet_before(state: State, seat):
    """§5 The number of the packet that lies before a seat now."""
    moved = direction(state, state.deal_no) * (state.step - 1)
    return (state.deal_no - 1) * state.players + (seat - moved) % state.players


# ---------------------------------------------------------------- dealing


@rule
def deal_packets(state: State):
    """§5 Four cards from the front of the stock to each seat, from seat 0 on."""
    top = state.deal_no * state.players * PACKET
    for seat in range(state.players):
        for place in range(PACKET):
            state.packet[seat, place] = state.stock[top]
            state.stock[top] = NO_CARD
            top += 1
        state.packet_size[seat] = PACKET
        sort_packet(state, seat)
    state.stock_size -= state.players * PACKET
    state.deal_no += 1
    state.step = 1
    ask(state, 0)


@rule
def sort_packet(state: State, seat):
    """§5 The order of the cards in a packet tells nothing."""
    for last in range(1, state.packet_size[seat]):
        card, place = state.packet[seat, last], last
        while place > 0 and state.packet[seat, place - 1] > card:
            state.packet[seat, place] = state.packet[seat, place - 1]
            place -= 1
        state.packet[seat, place] = card


@rule
def deal_hands(state: State):
    """§14 Option: as many cards as the draft would bring, in one go; what is left is burned."""
    deals = state.stock_size // (PACKET * state.players)
    size, top = deals * KEPT_OF_A_DEAL[draft_style(state)], 0
    for seat in range(state.players):
        state.held[seat] = size
        for place in range(size):
            state.hand[seat, place] = state.stock[top]
            top += 1
    for place in range(top, state.stock_size):
        burn(state, state.stock[place])
    for place in range(state.stock_size):
        state.stock[place] = NO_CARD
    state.stock_size = 0
    state.deal_no = 1
    state.phase = Phase.BEGIN


# ---------------------------------------------------------------- choosing


@rule
def ask(state: State, seat):
    """§5 Everyone chooses in secret; the choices are collected in the order of the seats."""
    state.turn = seat
    state.phase = Phase.KEEP


@rule
def choose_card(state: State, me, card):
    """§5 Keep or burn a card; then what is still to be chosen, or the next seat."""
    put_apart(state, me, card)
    style = draft_style(state)
    passed_on = PACKET - FIRST_TAKEN[style, state.step]
    if state.packet_size[me] > passed_on:
        if style != KEEP_AND_BURN:
            return
        if state.packet_size[me] > 1:
            state.phase = Phase.BURN
            return
        put_apart(state, me, state.packet[me, 0])
    if me + 1 < state.players:
        ask(state, me + 1)
    else:
        state.turn = TABLE
        state.phase = Phase.HAND_ON


@rule
def put_apart(state: State, me, card):
    """§5 A card leaves the packet, face down, until all have chosen."""
    state.packet_size[me] -= 1
    last = state.packet_size[me]
    place = 0
    while state.packet[me, place] != card:
        place += 1
    while place < last:
        state.packet[me, place] = state.packet[me, place + 1]
        place += 1
    state.packet[me, last] = NO_CARD
    state.chosen[me, 0 if state.chosen[me, 0] == NO_CARD else 1] = card


# ---------------------------------------------------------------- handing on


@rule
def hand_on(state: State):
    """§5 All have chosen: cards kept go to the hands, the others move on to the next seat."""
    style = draft_style(state)
    for seat in range(state.players):
        take_chosen(state, seat, style)
    if state.packet_size[0] > 0:
        move_packets(state)
        state.step += 1
        if style == ONE_BY_ONE and state.players == 2 and state.step > 2:
            recognise_packets(state)
        if state.packet_size[0] > 1:
            ask(state, 0)
            return
        for seat in range(state.players):
            put_apart(state, seat, state.packet[seat, 0])
            take_chosen(state, seat, style)
    state.phase = Phase.PACKETS if state.stock_size > 0 else Phase.BEGIN


@rule
def take_chosen(state: State, seat, style):
    """§5 What was chosen goes to the hand, or to the burned cards; §11 and it is remembered."""
    if style == TWO_FIRST and state.chosen[seat, 0] > state.chosen[seat, 1] > NO_CARD:
        chosen = state.chosen[seat, 0]
        state.chosen[seat, 0] = state.chosen[seat, 1]
        state.chosen[seat, 1] = chosen
    number = packet_before(state, seat)
    taken = FIRST_TAKEN[style, state.step - 1]
    for place in range(2):
        card = state.chosen[seat, place]
        if card != NO_CARD:
            state.chosen[seat, place] = NO_CARD
            state.remembered[seat, number, taken] = card
            if is_burned(style, taken):
                burn(state, card)
            else:
                state.hand[seat, state.held[seat]] = card
                state.held[seat] += 1
            taken += 1
    for place in range(state.packet_size[seat]):
        state.remembered[seat, number, taken + place] = state.packet[seat, place]


@rule
def burn(state: State, card):
    """§5 A card is out of the game, face down."""
    state.burned[state.burned_size] = card
    state.burned_size += 1


@rule
def move_packets(state: State):
    """§5 All packets move one seat on, together."""
    players = state.players
    way = direction(state, state.deal_no)
    for place in range(state.packet_size[0]):
        seat = 0
        waiting = state.packet[seat, place]
        for _ in range(players):
            seat = (seat + way) % players
            moving = waiting
            waiting = state.packet[seat, place]
            state.packet[seat, place] = moving


@rule
def recognise_packets(state: State):
    """§11 A packet that comes back lacks the card that the other player took."""
    taken = state.step - 2
    for seat in range(2):
        number = packet_before(state, seat)
        state.remembered[seat, number, taken] = state.remembered[1 - seat, number, taken]
        for place in range(state.packet_size[seat]):
            state.remembered[seat, number, taken + 1 + place] = state.packet[seat, place]


# ---------------------------------------------------------------- who saw what


@rule
def was_drafted(state: State):
    """§5 Whether packets were dealt; otherwise whole hands were, or they were set up by hand."""
    return state.deal_no > 0 and state.draft != Draft.RANDOM


@rule
def packets_in_all(state: State):
    """§5 How many packets were dealt in this game, or still will be."""
    return state.deal_no * state.players + state.stock_size // PACKET


@rule
def is_drafting(state: State):
    """§5 Whether packets lie before the players."""
    return state.phase >= Phase.KEEP and state.phase <= Phase.HAND_ON


@rule
def is_before(state: State, seat, packet):
    """§5 Whether a packet lies before a seat now."""
    return is_drafting(state) and packet == packet_before(state, seat)


@rule
def is_taken(state: State, packet, place):
    """§5 Whether a card of a packet has gone to a hand, or to the burned cards."""
    deal = packet // state.players + 1
    if deal == state.deal_no and is_drafting(state):
        return TAKEN_AT[draft_style(state), place] < state.step
    return deal <= state.deal_no


@rule
def taker(state: State, packet, place):
    """§5 The seat that takes a card of a packet."""
    moved = TAKEN_AT[draft_style(state), place] - 1
    way = direction(state, packet // state.players + 1)
    return (packet + way * moved) % state.players


@rule
def seat_of(state: State, packet, place):
    """§5 The seat that will have a card of a packet in hand; OUT if it is burned."""
    return OUT if is_burned(draft_style(state), place) else taker(state, packet, place)


@rule
def first_seen(state: State, seat, packet):
    """§11 The first card of a packet that a seat has seen; PACKET if it has seen none yet."""
    deal = packet // state.players + 1
    moved = ((seat - packet) * direction(state, deal)) % state.players
    if deal < state.deal_no or (deal == state.deal_no and moved < state.step):
        return FIRST_TAKEN[draft_style(state), moved]
    return PACKET


@rule
def known_until(state: State, seat, packet):
    """§11 The first card of a packet, among those seen by a seat, that it cannot place.

    From there on it knows which cards they are, not who takes which.
    """
    style, first = draft_style(state), first_seen(state, seat, packet)
    if first == PACKET:
        return PACKET
    step = TAKEN_AT[style, first]
    is_over = packet // state.players + 1 < state.deal_no or not is_drafting(state)
    if style == ONE_BY_ONE and state.players == 2 and (is_over or state.step >= step + 2):
        step += 2  # it came back
    return FIRST_TAKEN[style, step - 1 if is_before(state, seat, packet) else step]
