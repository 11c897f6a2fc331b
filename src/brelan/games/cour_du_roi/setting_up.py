# mypy: allow-untyped-defs, allow-untyped-calls
"""Setting up a game of La cour du Roi (§4)."""

from __future__ import annotations

from brelan.rules import clear, random_below, rule, shuffle

from .cards import FAMILIES, FAMILY, KINGS, KNOBS, NO_CARD, OTHERS, SEATS
from .court import clear_court
from .draft import DeadFamily, Draft, deal_hands, deal_packets
from .scoring import reveal_aside
from .state import PACKETS_IN_ALL, Phase, Reason, State

ShowUnusedKing = KNOBS.choice("show_unused_king")
FirstPlayer = KNOBS.choice("first_player")


@rule
def deal_game(state: State):
    """§4 Shuffle the Kings and draw them, shuffle the other cards and draft them."""
    if state.game_no > 0:
        gather_cards(state)
    state.game_no += 1
    if not state.stacked:
        shuffle(state.luck, state.aside, len(KINGS))
        shuffle(state.luck, state.stock, len(OTHERS))
    draw_kings(state)
    if state.dead_family == DeadFamily.REMOVED:
        remove_dead_families(state)
    if state.draft == Draft.RANDOM:
        deal_hands(state)
    else:
        deal_packets(state)


@rule
def draw_kings(state: State):
    """§4.2 Everyone takes a King and serves his family; §4.3 the others go aside, face down."""
    for seat in range(state.players):
        state.king[seat] = state.serves[seat] = state.aside[seat]
    for place in range(FAMILIES):
        other = place + state.players
        state.aside[place] = state.aside[other] if other < FAMILIES else NO_CARD
    if state.show_unused_king == ShowUnusedKing.ON or state.dead_family == DeadFamily.REMOVED:
        reveal_aside(state)


@rule
def remove_dead_families(state: State):
    """§14 Option: the families whose Kings nobody drew leave the game; the others close ranks."""
    kept = removed = 0
    for place in range(len(OTHERS)):
        card = state.stock[place]
        state.stock[place] = NO_CARD
        if is_dead(state, FAMILY[card]):
            state.removed[removed] = card
            removed += 1
        else:
            state.stock[kept] = card
            kept += 1
    state.stock_size = kept


@rule
def is_dead(state: State, family):
    """§2 Whether it is known that nobody drew the King of a family."""
    dead = 0
    for king in state.shown_aside:
        dead += king != NO_CARD and FAMILY[king] == family
    return dead > 0


@rule
def begin(state: State):
    """§4.5 Everyone adds their King to the hand; §4.6 the first player begins."""
    for seat in range(state.players):
        state.hand[seat, state.held[seat]] = state.king[seat]
        state.held[seat] += 1
        state.king[seat] = NO_CARD
    state.turn = first_player(state)
    state.stacked = False
    state.first = 1 + state.turn
    state.round_no = 1
    state.phase = Phase.PLAY


@rule
def first_player(state: State):
    """§4.6 Drawn by lot, unless the cards are stacked; by option a fixed seat, or the loser."""
    match state.first_player:
        case FirstPlayer.SEAT0:
            return 0
        case FirstPlayer.SEAT1:
            return 1
        case FirstPlayer.SEAT2:
            return 2
        case FirstPlayer.SEAT3:
            return 3
        case FirstPlayer.LOSER:
            if state.game_no > 1:
                return loser(state)
    return 0 if state.stacked else random_below(state.luck, state.players)


@rule
def loser(state: State):
    """§14 Option: who had the fewest points in the game before; among several, by lot."""
    lowest, count, chosen = state.points[0], 0, 0
    for seat in range(state.players):
        lowest = min(lowest, state.points[seat])
    for seat in range(state.players):
        if state.points[seat] == lowest:
            count += 1
            if random_below(state.luck, count) == 0:
                chosen = seat
    return chosen


@rule
def gather_cards(state: State):
    """§9 For another game all cards are gathered, and nothing is remembered but the totals."""
    for seat in range(SEATS):
        clear(state.hand[seat])
        clear(state.chosen[seat])
        state.held[seat] = state.revealed[seat] = state.serves[seat] = 0
        for packet in range(PACKETS_IN_ALL):
            clear(state.remembered[seat, packet])
        for number in range(state.exchange_no):
            clear(state.exchanged[seat, number])
    clear(state.discard)
    clear(state.burned)
    clear(state.removed)
    clear(state.shown_aside)
    clear(state.giver)
    clear(state.receiver)
    clear(state.log)
    state.discard_size = state.burned_size = state.exchange_no = state.log_size = 0
    state.deal_no = state.step = state.first = state.round_no = state.turn_no = 0
    state.reason = Reason.NONE
    for place in range(len(KINGS)):
        state.aside[place] = KINGS[place]
    for place in range(len(OTHERS)):
        state.stock[place] = OTHERS[place]
    state.stock_size = len(OTHERS)
    clear_court(state)
