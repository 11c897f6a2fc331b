"""The rules of La cour du Roi, in the order of the rulebook.

§4 is in `setting_up.py`, §5 in `draft.py`, where cards may lie (§6.2 to §6.4) in `court.py`,
§8 and §9 in `scoring.py`.

Explicit cards (`cards=`) are consumed in this order, which stays as it is (§4): the 4 Kings, one
for each seat from seat 0 on, then those set aside; the 48 others from the front, four to seat 0,
four to seat 1 and so on, deal after deal. Seat 0 is then the first player unless an option names
another; what a Jack draws and all later games are left to luck.
"""

from __future__ import annotations

from brelan.rules import TABLE, add_move, random_below, rule

from .cards import (
    BEGIN,
    BURN,
    DEAL,
    DECLINE,
    DRAW,
    GIVE,
    HAND_ON,
    JACK,
    KEEP,
    KINGS,
    KNOBS,
    LAY,
    MOVES,
    NO_CARD,
    OTHERS,
    PACKETS,
    PASS,
    QUEEN,
    RANK,
    SCORE,
    SEATS,
    SLOTS,
    SWAP,
)
from .court import LOWEST, can_swap, clear_court, show, slots_for, swap
from .draft import choose_card, deal_packets, hand_on
from .scoring import EndCheck, end_game, points_of, reason_to_end, score_game
from .setting_up import begin, deal_game
from .state import BY_SEAT, DRAWN, GIVEN, Phase, Reason, State

VERSION = 1
LONGEST = 240  # §12 decisions in a match with default knobs: with four players

JackDraws = KNOBS.choice("jack_draws")
PowersOptional = KNOBS.choice("powers_optional")


# ---------------------------------------------------------------- §4 setting up


@rule
def start(state: State, cards, stacked):
    """§4.1 Kings and other cards lie apart, stacked by hand or not, and the table will deal."""
    state.turn = TABLE
    state.phase = Phase.DEAL
    state.stacked = stacked
    for place in range(len(KINGS)):
        state.aside[place] = cards[place]
    for place in range(len(OTHERS)):
        state.stock[place] = cards[len(KINGS) + place]
    state.stock_size = len(OTHERS)
    clear_court(state)


# ---------------------------------------------------------------- §6 your turn


@rule
def legal_moves(state: State, scratch):
    """§12 Write down what the player in turn, or the table, may do."""
    scratch.count = 0
    match state.phase:
        case Phase.KEEP:
            add_choices(state, scratch, KEEP)
        case Phase.PLAY:
            add_plays(state, scratch)
        case Phase.BURN:
            add_choices(state, scratch, BURN)
        case Phase.SWAP:
            add_swaps(state, scratch)
        case Phase.GIVE:
            add_gifts(state, scratch)
        case Phase.HAND_ON:
            add_move(scratch, HAND_ON)
        case Phase.PACKETS:
            add_move(scratch, PACKETS)
        case Phase.BEGIN:
            add_move(scratch, BEGIN)
        case Phase.DRAW:
            add_move(scratch, DRAW)
        case Phase.SCORE:
            add_move(scratch, SCORE)
        case Phase.DEAL:
            add_move(scratch, DEAL)


@rule
def play(state: State, number):
    """§12 Make a move: of the table, or of the player in turn."""
    match state.phase:
        case Phase.KEEP | Phase.BURN:
            choose_card(state, state.turn, MOVES[number].card)
        case Phase.PLAY:
            play_or_pass(state, state.turn, number)
        case Phase.SWAP:
            use_queen(state, state.turn, number)
        case Phase.GIVE:
            use_jack(state, state.turn, number)
        case Phase.HAND_ON:
            hand_on(state)
        case Phase.PACKETS:
            deal_packets(state)
        case Phase.BEGIN:
            begin(state)
        case Phase.DRAW:
            exchange_cards(state)
        case Phase.SCORE:
            score_game(state)
        case Phase.DEAL:
            deal_game(state)


@rule
def add_choices(state: State, scratch, kind):
    """§5 Any card of the packet may be kept, or burned."""
    me = state.turn
    for place in range(state.packet_size[me]):
        add_move(scratch, kind + state.packet[me, place])


@rule
def add_plays(state: State, scratch):
    """§6 One card must be played, on any slot where it may go; §6.1 who cannot passes."""
    me = state.turn
    for place in range(state.held[me]):
        card = state.hand[me, place]
        slots = slots_for(state, card)
        while slots != 0:
            add_move(scratch, LAY + SLOTS * card + LOWEST[slots])
            slots &= slots - 1
    if scratch.count == 0:
        add_move(scratch, PASS)


@rule
def play_or_pass(state: State, me, number):
    """§6 Lay a card and use its power; §6.1 a player who passes keeps all cards."""
    if number == PASS:
        end_turn(state)
        return
    card, slot = MOVES[number].card, MOVES[number].slot
    note(state, me, number)
    lay(state, me, card, slot)
    if RANK[card] == QUEEN and has_swap(state):
        state.phase = Phase.SWAP
    elif RANK[card] == JACK and has_exchange(state, me):
        state.phase = Phase.GIVE
    else:
        end_turn(state)


@rule
def note(state: State, me, number):
    """§11 Everybody remembers the cards laid, the swaps and the exchanges."""
    state.log[state.log_size] = number + BY_SEAT * me
    state.log_size += 1


@rule
def lay(state: State, me, card, slot):
    """§6.2 A card leaves the hand for a slot; §6.3 the card it covers goes to the discard."""
    place = place_in_hand(state, me, card)
    state.held[me] -= 1
    last = state.held[me]
    state.hand[me, place] = state.hand[me, last]
    state.hand[me, last] = NO_CARD
    if state.court[slot] != NO_CARD:
        state.discard[state.discard_size] = state.court[slot]
        state.discard_size += 1
    show(state, slot, card)


@rule
def place_in_hand(state: State, seat, card):
    """§6 Where in a hand a card is."""
    place = 0
    while state.hand[seat, place] != card:
        place += 1
    return place


@rule
def end_turn(state: State):
    """§6 The next player with cards has the turn, unless the game ends (§8)."""
    state.phase = Phase.PLAY
    while state.phase == Phase.PLAY:
        state.turn_no += 1
        is_round_over = state.turn_no == state.players
        if is_round_over or state.end_check == EndCheck.IMMEDIATE:
            reason = reason_to_end(state)
            if reason != Reason.NONE:
                end_game(state, reason)
                return
        if is_round_over:
            state.turn_no = 0
            state.round_no += 1
        state.turn = (state.first - 1 + state.turn_no) % state.players
        if state.held[state.turn] > 0:
            return


# ---------------------------------------------------------------- §6.4 the Queen


@rule
def has_swap(state: State):
    """§6.4 Whether there is a swap to make."""
    for one in range(SLOTS):
        for two in range(one + 1, SLOTS):
            if can_swap(state, one, two):
                return True
    return False


@rule
def add_swaps(state: State, scratch):
    """§6.4 Two different occupied slots; by option the swap may be declined."""
    number = SWAP
    for one in range(SLOTS):
        for two in range(one + 1, SLOTS):
            if can_swap(state, one, two):
                add_move(scratch, number)
            number += 1
    add_decline(state, scratch)


@rule
def add_decline(state: State, scratch):
    """§14 Option: do without the power."""
    if state.powers_optional == PowersOptional.ON:
        add_move(scratch, DECLINE)


@rule
def use_queen(state: State, me, number):
    """§6.4 Swap two cards of the Court, or decline."""
    if number != DECLINE:
        note(state, me, number)
        swap(state, MOVES[number].slot, MOVES[number].other)
    end_turn(state)


# ---------------------------------------------------------------- §6.5 the Jack


@rule
def has_exchange(state: State, me):
    """§6.5 Whether I have a card left, and somebody else has one."""
    for seat in range(state.players):
        if can_receive(state, me, seat):
            return state.held[me] > 0
    return False


@rule
def can_receive(state: State, me, seat):
    """§6.5 Another player who has at least one card."""
    return seat != me and state.held[seat] > 0


@rule
def add_gifts(state: State, scratch):
    """§6.5 Any card of the hand, to any other player with cards; by option none."""
    me = state.turn
    for place in range(state.held[me]):
        for seat in range(state.players):
            if can_receive(state, me, seat):
                add_move(scratch, GIVE + SEATS * state.hand[me, place] + seat)
    add_decline(state, scratch)


@rule
def use_jack(state: State, me, number):
    """§6.5 Give a card, or decline; the lot falls on a card of the other hand."""
    if number == DECLINE:
        end_turn(state)
        return
    other = MOVES[number].seat
    drawn = card_drawn(state, other, MOVES[number].card)
    exchange = state.exchange_no
    state.exchange_no += 1
    state.giver[exchange], state.receiver[exchange] = 1 + me, 1 + other
    for seat in range(state.players):
        if seat == me or seat == other:
            state.exchanged[seat, exchange, GIVEN] = MOVES[number].card
            state.exchanged[seat, exchange, DRAWN] = drawn
    note(state, me, GIVE + other)
    state.turn = TABLE
    state.phase = Phase.DRAW


@rule
def card_drawn(state: State, other, given):
    """§6.5 A card of the hand as it was before the gift; by option the gift may come back."""
    cards = state.held[other]
    if state.jack_draws == JackDraws.AFTER_GIFT:
        cards += 1
    lot = random_below(state.luck, cards)
    return state.hand[other, lot] if lot < state.held[other] else given


@rule
def exchange_cards(state: State):
    """§6.5 Each of the two cards goes to the other player; hands stay as large as they were."""
    exchange = state.exchange_no - 1
    me, other = state.giver[exchange] - 1, state.receiver[exchange] - 1
    given, drawn = state.exchanged[me, exchange, GIVEN], state.exchanged[me, exchange, DRAWN]
    if drawn != given:
        state.hand[me, place_in_hand(state, me, given)] = drawn
        state.hand[other, place_in_hand(state, other, drawn)] = given
    end_turn(state)


# ---------------------------------------------------------------- §9 the points


@rule
def score(state: State, scores, winners):
    """§9 The points of all games, with the Court as it stands, and who has won the match."""
    is_counted = state.phase == Phase.DEAL or state.phase == Phase.OVER
    for seat in range(state.players):
        scores[seat] = state.total[seat] + (0 if is_counted else points_of(state, seat))
        winners[seat] = state.match_won[seat]
