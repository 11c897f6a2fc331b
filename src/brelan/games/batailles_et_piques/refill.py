# mypy: allow-untyped-defs, allow-untyped-calls
"""§8 of the rules of Batailles et piques: filling slots and hands again, and looks at a card."""

from __future__ import annotations

from brelan.rules import NOBODY, TABLE, add_move, random_below, rule

from .cards import (
    ALL_SLOTS,
    DECLINE,
    FIRST,
    FIRST_EMPTY,
    KNOBS,
    NO_CARD,
    PEEK,
    PLACE,
    SIZE,
    SLOTS,
    Card,
)
from .public_inference import expect_anything, narrow
from .state import Phase, State, Status, notice_placed, see, see_in_hand

PeekScope = KNOBS.choice("peek_scope")


# ---------------------------------------------------------------- §8.1 refill


@rule
def let_place(state: State):
    """§8.1 Whoever can fill an empty slot must, in the order of the seats; then all is revealed."""
    for seat in range(state.players):
        if can_place(state, seat):
            state.turn = seat
            state.phase = Phase.REFILL if state.turn_no > 0 else Phase.SET_UP
            return
    state.turn = TABLE
    state.phase = Phase.REVEAL


@rule
def can_place(state: State, seat):
    """§8.1 There is an empty slot, and a card in hand that may go there."""
    if state.filled[seat] | state.placed[seat] == ALL_SLOTS[state.slots]:
        return False
    if state.held[seat] > state.hand[seat, Card.MINE]:
        return True
    return state.held[seat] > 0 and not mines_in_play(state, seat)


@rule
def mines_in_play(state: State, seat):
    """§5.2 The slots of a player in which a mine stands: one at most."""
    mines = 0
    for slot in range(SLOTS):
        if state.in_play[seat, slot] == Card.MINE:
            mines |= 1 << slot
    return mines


@rule
def add_placements(state: State, me, scratch):
    """§8.1 Any card of the hand will do, but never a second mine."""
    for card in range(1, Card.MINE):
        if state.hand[me, card] > 0:
            add_move(scratch, PLACE + card)
    if state.hand[me, Card.MINE] > 0 and not mines_in_play(state, me):
        add_move(scratch, PLACE + Card.MINE)


@rule
def place_card(state: State, me, card):
    """§8.1 In secret, a hand card goes to the first empty slot."""
    slot = FIRST_EMPTY[state.filled[me] | state.placed[me]]
    state.hand[me, card] -= 1
    state.held[me] -= 1
    state.in_play[me, slot] = card
    state.placed[me] |= 1 << slot


@rule
def reveal(state: State):
    """§8.1 The cards placed are in play, and hands are filled again."""
    for seat in range(state.players):
        if state.placed[seat]:
            put_in_play(state, seat)
    update_status(state)


@rule
def put_in_play(state: State, seat):
    """§8.1 Everybody sees which slots were filled, and nobody with what; then their owner draws."""
    for slot in range(SLOTS):
        if (state.placed[seat] >> slot) & 1:
            notice_placed(state, seat, slot)
            expect_anything(state, seat, slot)
    state.filled[seat] |= state.placed[seat]
    state.placed[seat] = 0
    narrow(state, seat)
    draw(state, seat)


@rule
def draw(state: State, seat):
    """§8.1 Draw back up to a full hand while the draw pile lasts."""
    while state.held[seat] < state.hand_size and state.pile_size[seat] > 0:
        top = state.army_size - state.pile_size[seat]
        state.hand[seat, state.pile[seat, top]] += 1
        state.held[seat] += 1
        state.pile[seat, top] = NO_CARD
        state.pile_size[seat] -= 1


@rule
def update_status(state: State):
    """§4 Who has no unit left is stopped, or dead with no card left at all."""
    for seat in range(state.players):
        cards = SIZE[state.filled[seat]] + state.held[seat] + state.pile_size[seat]
        if cards == 0:
            state.status[seat] = Status.DEAD
        elif cards == state.living[seat, Card.MINE]:
            state.status[seat] = Status.STOPPED


# ---------------------------------------------------------------- §8.3 a look at a card


@rule
def offer_look(state: State):
    """§8.3 Who killed a King may look, the attacker first; a look at nothing is lost."""
    for seat in (state.attacker - 1, state.defender - 1):
        if state.looks[seat] > 0:
            if can_look(state, seat):
                state.turn = seat
                state.phase = Phase.PEEK
                return True
            state.looks[seat] = 0
    return False


@rule
def can_look(state: State, me):
    """§8.3 Whether an opponent has a card to look at."""
    others = 0
    for seat in range(state.players):
        others += seat != me and can_be_looked_at(state, seat)
    return others > 0


@rule
def can_be_looked_at(state: State, seat):
    """§8.3 A player with a card in play; by option, with a card in hand."""
    if state.peek_scope == PeekScope.HAND_CARD:
        return state.held[seat] > 0
    return state.filled[seat] != 0


@rule
def add_looks(state: State, me, scratch):
    """§8.3 Any card in play of the others, or none; by option, a card of any hand."""
    add_move(scratch, DECLINE)
    for seat in range(state.players):
        if seat == me:
            continue
        if state.peek_scope == PeekScope.HAND_CARD:
            if state.held[seat] > 0:
                add_move(scratch, PEEK[seat, 0])
            continue
        for slot in range(SLOTS):
            if (state.filled[seat] >> slot) & 1:
                add_move(scratch, PEEK[seat, 1 << slot])


@rule
def peek(state: State, me, move):
    """§8.3 Everybody sees where a player looks, who alone sees the card."""
    state.looks[me] -= 1
    if move.target != NOBODY and move.at == 0:
        see_in_hand(state, me, move.target, card_of_hand(state, move.target))
    elif move.target != NOBODY:
        slot = FIRST[move.at]
        see(state, me, move.target, slot)
        state.looked_at[me] = state.in_play[move.target, slot]


@rule
def card_of_hand(state: State, seat):
    """§13 Option: one of the cards in a hand, drawn at random."""
    left = random_below(state.luck, state.held[seat])
    card = 1
    while left >= state.hand[seat, card]:
        left -= state.hand[seat, card]
        card += 1
    return card
