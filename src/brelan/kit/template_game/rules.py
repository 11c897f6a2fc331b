"""The rules, in the order of the rulebook."""

from __future__ import annotations

from brelan.rules import TABLE, add_move, copy_cards, random_below, rule, shuffle

from .cards import BET, DEAL, KNOBS, PASS, SCORE, Card
from .state import Phase, Reason, State

VERSION = 1
LONGEST = 3  # §3 decisions in a match

FirstPlayer = KNOBS.choice("first_player")


# ---------------------------------------------------------------- §2 the deal


@rule
def start(state: State, cards, stacked):
    """§2 The pack is there, and the table will deal; it has been stacked by hand or not."""
    state.turn = TABLE
    state.phase = Phase.DEAL
    state.stacked = stacked
    copy_cards(state.pile, cards)


@rule
def deal(state: State):
    """§2 Each player antes one chip and gets one card; the last card stays face down."""
    if not state.stacked:
        shuffle(state.luck, state.pile, 3)
    state.first = first_player(state)
    for seat in range(2):
        state.chips[seat] = 1
        state.hand[seat], state.pile[seat] = state.pile[seat], Card.FACE_DOWN
    state.stacked = False
    state.turn = state.first
    state.phase = Phase.ACT


@rule
def first_player(state: State):
    """§2 Chance says who acts first; seat 0 does by an option, or with a stacked pack."""
    if state.stacked or state.first_player == FirstPlayer.SEAT0:
        return 0
    return random_below(state.luck, 2)


# ---------------------------------------------------------------- §3 the betting


@rule
def legal_moves(state: State, scratch):
    """§3 Who has the turn passes or bets. The table deals, and compares the cards at the end."""
    scratch.count = 0
    match state.phase:
        case Phase.DEAL:
            add_move(scratch, DEAL)
        case Phase.ACT:
            add_move(scratch, PASS)
            add_move(scratch, BET)
        case Phase.SCORE:
            add_move(scratch, SCORE)


@rule
def play(state: State, number):
    """§3 Make a move."""
    if number == DEAL:
        deal(state)
    elif number == SCORE:
        compare(state)
    elif number == PASS:
        hold_back(state)
    else:
        put_in(state)


@rule
def is_facing_bet(state: State):
    """§3 Whether the other player has bet: then to pass is to fold, and to bet is to call."""
    return state.chips[1 - state.turn] > state.chips[state.turn]


@rule
def hold_back(state: State):
    """§3 To pass after a bet gives the pot away; two passes lead to the showdown."""
    if is_facing_bet(state):
        state.winner = 1 + (1 - state.turn)
        state.reason = Reason.FOLD
        end_betting(state)
    elif state.turn != state.first:
        end_betting(state)
    else:
        state.turn = 1 - state.turn


@rule
def put_in(state: State):
    """§3 A bet is so many chips more; one that answers a bet ends the betting."""
    is_call = is_facing_bet(state)
    state.chips[state.turn] += state.bet
    if is_call:
        end_betting(state)
    else:
        state.turn = 1 - state.turn


@rule
def end_betting(state: State):
    """§3 Nobody decides any more."""
    state.turn = TABLE
    state.phase = Phase.SCORE


# ---------------------------------------------------------------- §4 the showdown


@rule
def compare(state: State):
    """§4 Unless somebody folded, both cards are shown, and the higher one wins the pot."""
    if state.reason != Reason.FOLD:
        state.reason = Reason.SHOWDOWN
        state.winner = 1 + (state.hand[1] > state.hand[0])
        for seat in range(2):
            state.shown[seat], state.hand[seat] = state.hand[seat], Card.FACE_DOWN
    state.phase = Phase.OVER


@rule
def score(state: State, scores, winners):
    """§4 The winner gains the chips that the other one has put in."""
    for seat in range(2):
        is_winner = state.winner == 1 + seat
        winners[seat] = is_winner and state.phase == Phase.OVER
        scores[seat] = 0
        if state.phase == Phase.OVER:
            scores[seat] = state.chips[1 - seat] if is_winner else -state.chips[seat]
