"""The rules."""

from __future__ import annotations

from brelan.rules import TABLE, add_move_once, copy_cards, random_below, rule, shuffle

from .cards import CARDS, COPIES, DEAL, KNOBS, LAY, SCORE, Card
from .state import HELD, Phase, State

VERSION = 1
LONGEST = 2

Order = KNOBS.choice("order")
Defect = KNOBS.choice("defect")


@rule
def start(state: State, cards, stacked):
    """§2 The table will deal."""
    state.turn = TABLE
    state.phase = Phase.DEAL
    state.stacked = stacked
    copy_cards(state.pile, cards)


@rule
def deal(state: State):
    """§2 Each player gets two cards, or one on a ladder; by a defect, one of them gets one more."""
    if not state.stacked:
        shuffle(state.luck, state.pile, card_count(state))
    state.first = 0 if state.stacked else random_below(state.luck, 2)
    for seat in range(2):
        for place in range(cards_of(state, seat)):
            at = HELD * seat + place
            state.hand[seat, place], state.pile[at] = state.pile[at], Card.FACE_DOWN
    state.stacked = False
    state.turn = state.first
    state.phase = Phase.LAY


@rule
def card_count(state: State):
    """§1 How many cards there are."""
    has_fives = state.order == Order.CYCLE or state.defect == Defect.BLANK
    return CARDS if has_fives else CARDS - COPIES


@rule
def cards_of(state: State, seat):
    """§2 How many cards a seat gets."""
    count = 2 if state.order == Order.CYCLE else 1
    return count + (state.defect == Defect.EXTRA and seat == 0)


@rule
def legal_moves(state: State, scratch):
    """§3 Who has the turn lays one card."""
    scratch.count = 0
    match state.phase:
        case Phase.DEAL:
            add_move_once(scratch, DEAL)
        case Phase.LAY:
            for place in range(HELD):
                if state.hand[state.turn, place] != Card.FACE_DOWN:
                    add_move_once(scratch, LAY + state.hand[state.turn, place])
        case Phase.SCORE:
            add_move_once(scratch, SCORE)


@rule
def play(state: State, number):
    """§3 Make a move."""
    if number == DEAL:
        deal(state)
    elif number == SCORE:
        compare(state)
    else:
        lay(state, number - LAY)


@rule
def lay(state: State, card):
    """§3 A card is laid face down."""
    me = state.turn
    for place in range(HELD):
        if state.hand[me, place] == card and state.laid[me] == Card.FACE_DOWN:
            state.laid[me], state.hand[me, place] = card, Card.FACE_DOWN
    if me == state.first:
        state.turn = 1 - me
    else:
        state.turn = TABLE
        state.phase = Phase.SCORE


@rule
def compare(state: State):
    """§3 The cards are shown; equal ones share the win. A card 5 lets chance decide."""
    for seat in range(2):
        state.open_card[seat], state.laid[seat] = state.laid[seat], Card.FACE_DOWN
    one, other = state.open_card[0], state.open_card[1]
    if state.defect == Defect.BLANK and (one == Card.FIVE or other == Card.FIVE):
        state.winner = 1 + random_below(state.luck, 2)
    elif beats(state, one, other):
        state.winner = 1
    elif beats(state, other, one):
        state.winner = 2
    state.phase = Phase.OVER


@rule
def beats(state: State, card, other):
    """§3 Whether a card beats another: the next two of the cycle, or all lower ones."""
    if card == other:
        return False
    if state.defect == Defect.CHAMPION and (card == Card.ONE or other == Card.ONE):
        return card == Card.ONE
    if state.order == Order.LADDER:
        return card > other
    return (card - other + 5) % 5 < 3


@rule
def score(state: State, scores, winners):
    """§3 The winner has one point."""
    for seat in range(2):
        winners[seat] = state.winner == 1 + seat
        scores[seat] = winners[seat]
