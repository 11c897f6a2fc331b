"""The rules of District Noir, in the order of the rulebook."""

from __future__ import annotations

from brelan.rules import TABLE, add_move, clear, copy_cards, random_below, rule, shuffle

from .cards import (
    ALL_CITIES,
    DEAL,
    KINDS,
    KNOBS,
    MOVES,
    NO_CARD,
    PLAY,
    SCORE,
    SUPPORT,
    TAKE,
    WORTH,
    Card,
)
from .state import (
    AT_DEAL,
    AT_TAKE,
    CityWin,
    Phase,
    Reason,
    State,
    cities_collected,
    cities_held,
    notice_new_hand,
    notice_no_win,
    notice_play,
)

VERSION = 2
REPLAYS = (1,)  # earlier versions whose moves lead to the same; they reported other points
LONGEST = 48  # §3 actions in a match with default knobs

FirstPlayer = KNOBS.choice("first_player")
AlternateFirst = KNOBS.choice("alternate_first")
ForcedTake = KNOBS.choice("forced_take")
ScoreTie = KNOBS.choice("score_tie")
FinalTie = KNOBS.choice("final_tie")
SkipDeadPlays = KNOBS.choice("skip_dead_plays")
RevealAtEnd = KNOBS.choice("reveal_at_end")

A, B = 0, 1
MOST_REPLAYS = 20


# ---------------------------------------------------------------- §2 setting up


@rule
def start(state: State, cards, stacked):
    """§2 The pack is there, and the table will deal; it has been stacked by hand or not."""
    state.turn = TABLE
    state.phase = Phase.DEAL
    state.stacked = stacked
    copy_cards(state.pile, cards)
    state.pile_size = len(cards)
    for card in cards:
        state.copies[card] += 1


@rule
def set_up(state: State):
    """§2 Shuffle, remove some cards unseen, and turn the first cards of the row face up."""
    if not state.stacked:
        shuffle(state.luck, state.pile, state.pile_size)
    for place in range(state.removed):
        state.aside[place] = draw(state)
    state.aside_size = state.removed
    state.opener = state.first = first_player(state)
    state.stacked = False


@rule
def first_player(state: State):
    """§2 A toss of a coin says who begins, unless an option does; A does with a stacked pack."""
    match state.first_player:
        case FirstPlayer.A:
            return A
        case FirstPlayer.B:
            return B
        case _:
            return A if state.stacked else random_below(state.luck, 2)


@rule
def draw(state: State):
    """§2 The top card of the pile."""
    card = state.pile[state.top]
    state.pile[state.top] = NO_CARD
    state.top += 1
    state.pile_size -= 1
    return card


# ---------------------------------------------------------------- §3 the rounds


@rule
def deal_round(state: State):
    """§3 Each player draws a hand; the row and the collections stay as they are."""
    if state.round_no == 0:
        set_up(state)
    elif state.alternate_first == AlternateFirst.ON:
        state.first = other_player(state.first)
    state.round_no += 1
    state.action_no = 0
    for seat in range(2):
        state.has_taken[seat] = False
        for _ in range(state.hand_size):
            put_in_hand(state, seat, draw(state))
        notice_new_hand(state, seat)
    if state.round_no == 1:
        lay_first_row(state)
    state.turn = state.first
    state.phase = Phase.ACT
    if state.city_win == CityWin.HAND_OR_COLLECTED:
        look_for_cities_in_hands(state)


@rule
def put_in_hand(state: State, seat, card):
    """§2 A card comes to a hand, which is kept in the order of §1."""
    place = state.held[seat]
    while place > 0 and state.hand[seat, place - 1] > card:
        state.hand[seat, place] = state.hand[seat, place - 1]
        place -= 1
    state.hand[seat, place] = card
    state.held[seat] += 1


@rule
def lay_first_row(state: State):
    """§2 The first cards of the row are turned up, each newer than the one before."""
    for _ in range(state.initial_row):
        add_to_row(state, draw(state))


@rule
def look_for_cities_in_hands(state: State):
    """§5.11 Option: a hand just dealt may win, with the collection; the first player's first."""
    if not wins_by_cities(state, state.first, AT_DEAL):
        wins_by_cities(state, other_player(state.first), AT_DEAL)


@rule
def other_player(seat):
    """§3 The one across the table."""
    return 1 - seat


@rule
def end_action(state: State):
    """§3 The other player acts, until both have played their hands and taken once."""
    state.action_no += 1
    state.turn = other_player(state.turn)
    is_complete = state.action_no == 2 * (state.hand_size + 1)
    if is_complete or (state.skip_dead_plays == SkipDeadPlays.ON and is_dead(state)):
        end_round(state)


@rule
def end_round(state: State):
    """§3 After the last round the table scores, otherwise it deals again."""
    state.turn = TABLE
    state.phase = Phase.SCORE if state.round_no == state.rounds else Phase.DEAL


@rule
def is_dead(state: State):
    """§5.9 In the last round, once both have taken, no play can change the result."""
    return state.round_no == state.rounds and state.has_taken[A] and state.has_taken[B]


# ---------------------------------------------------------------- §4 the action


@rule
def legal_moves(state: State, scratch):
    """§4 Write down what the player in turn, or the table, may do."""
    scratch.count = 0
    match state.phase:
        case Phase.ACT:
            add_legal_actions(state, scratch)
        case Phase.DEAL:
            add_move(scratch, DEAL)
        case Phase.SCORE:
            add_move(scratch, SCORE)


@rule
def add_legal_actions(state: State, scratch):
    """§4.1 Play one of the different cards in hand, or take if that is still to be done."""
    me, listed = state.turn, 0
    for place in range(state.held[me]):
        card = state.hand[me, place]
        if (listed >> card) & 1 == 0:
            listed |= 1 << card
            add_move(scratch, PLAY + card)
    if can_take(state, me):
        add_move(scratch, TAKE)


@rule
def can_take(state: State, seat):
    """§4.1 Once a round, if there is a card to take; with an empty hand in any case."""
    return not state.has_taken[seat] and (state.row_size > 0 or state.held[seat] == 0)


@rule
def play(state: State, number):
    """§4 Make a move: of the table, or of the player in turn."""
    match state.phase:
        case Phase.DEAL:
            deal_round(state)
        case Phase.SCORE:
            score_match(state)
        case _:
            act(state, state.turn, MOVES[number].card)


@rule
def act(state: State, me, card):
    """§4 Play a card or take; three cities won by a take end the match at once."""
    if card == NO_CARD:
        take(state, me)
        if wins_by_cities(state, me, AT_TAKE):
            return
    else:
        play_card(state, me, card)
    end_action(state)


@rule
def play_card(state: State, me, card):
    """§4 The card leaves the hand for the end of the row."""
    place = place_in_hand(state, me, card)
    state.held[me] -= 1
    for later in range(place, state.held[me]):
        state.hand[me, later] = state.hand[me, later + 1]
    state.hand[me, state.held[me]] = NO_CARD
    add_to_row(state, card)
    notice_play(state, me, card)


@rule
def place_in_hand(state: State, seat, card):
    """§4 Where in a hand a card is."""
    place = 0
    while state.hand[seat, place] != card:
        place += 1
    return place


@rule
def add_to_row(state: State, card):
    """§4 A card comes to lie face up at the end of the row."""
    state.row[state.row_size] = card
    state.row_size += 1


@rule
def take(state: State, me):
    """§4 The newest cards of the row go to the collection, face up."""
    state.has_taken[me] = True
    for _ in range(cards_to_take(state, me)):
        state.row_size -= 1
        state.collection[me, state.row[state.row_size]] += 1
        state.row[state.row_size] = NO_CARD
    count_points(state)


@rule
def cards_to_take(state: State, seat):
    """§5.1 Exactly five, or all if there are fewer; §5.6 by option the whole row if forced."""
    if state.forced_take == ForcedTake.WHOLE_ROW and state.held[seat] == 0:
        return state.row_size
    return min(state.take_size, state.row_size)


@rule
def wins_by_cities(state: State, seat, when):
    """§5.10 Three different cities win at once, before anything else; no points are counted."""
    if not has_all_cities(state, seat):
        notice_no_win(state, seat, when)
        return False
    clear(state.points)
    state.winner = 1 + seat
    state.reason = Reason.CITIES
    state.turn = TABLE
    state.phase = Phase.SCORE
    return True


@rule
def has_all_cities(state: State, seat):
    """§5.11 Cities count in the collection; by option with those in hand, or not at all."""
    cities = cities_collected(state, seat)
    if state.city_win == CityWin.HAND_OR_COLLECTED:
        cities |= cities_held(state, seat)
    return cities == ALL_CITIES and state.city_win != CityWin.OFF


# ---------------------------------------------------------------- §7 the end of the match


@rule
def count_points(state: State):
    """§7 What both collections would score if the match ended now."""
    for seat in range(2):
        state.points[seat] = 5 * complete_sets(state, seat)
        for card in range(1, KINDS):
            state.points[seat] += WORTH[card] * state.collection[seat, card]
    for card in range(Card.S5, Card.S8 + 1):
        more = state.collection[A, card] - state.collection[B, card]
        if more != 0:
            state.points[A if more > 0 else B] += SUPPORT[card]


@rule
def complete_sets(state: State, seat):
    """§7 A set is one Support of each value; it needs no majority."""
    sets = state.collection[seat, Card.S5]
    for card in range(Card.S6, Card.S8 + 1):
        sets = min(sets, state.collection[seat, card])
    return sets


@rule
def score_match(state: State):
    """§7 The cities have decided, or the points do; §6 then the hidden cards are laid open."""
    if state.reason != Reason.CITIES:
        compare_points(state)
    if state.reason == Reason.DRAW:
        settle_draw(state)
    if state.reason == Reason.NONE:
        gather_cards(state)
        return
    state.phase = Phase.OVER
    if state.reveal_at_end == RevealAtEnd.ON:
        reveal(state)


@rule
def compare_points(state: State):
    """§7 The higher total wins; if equal, who has most of the dearest Supports."""
    more = state.points[A] - state.points[B]
    state.reason = Reason.POINTS
    if more == 0:
        more = more_supports(state)
        state.reason = Reason.SUPPORTS if more != 0 else Reason.DRAW
    if more != 0:
        state.winner = 1 + (A if more > 0 else B)


@rule
def more_supports(state: State):
    """§7 How many more 8s A has than B; if none, 7s, then 6s, then 5s. By option nobody counts."""
    more = 0
    if state.score_tie == ScoreTie.MOST_8_THEN_7_6_5:
        for card in range(Card.S8, Card.S5 - 1, -1):
            if more == 0:
                more = state.collection[A, card] - state.collection[B, card]
    return more


@rule
def settle_draw(state: State):
    """§7 Still equal: a draw, or by option a win for who did not begin, or the match again.

    After so many matches that nobody won it is a draw in any case: some packs allow no other.
    """
    match state.final_tie:
        case FinalTie.SECOND_PLAYER_WINS:
            state.winner = 1 + other_player(state.opener)
            state.reason = Reason.SECOND_PLAYER
        case FinalTie.REPLAY:
            if state.replays < MOST_REPLAYS:
                state.replays += 1
                state.reason = Reason.NONE


@rule
def gather_cards(state: State):
    """§7 Option: all cards go back to the pile, and the match is dealt anew."""
    clear(state.row)
    clear(state.aside)
    clear(state.pile)
    state.row_size = state.top = state.pile_size = state.aside_size = state.round_no = 0
    for seat in range(2):
        clear(state.hand[seat])
        clear(state.collection[seat])
        state.held[seat] = state.points[seat] = 0
    for card in range(1, KINDS):
        for _ in range(state.copies[card]):
            state.pile[state.pile_size] = card
            state.pile_size += 1
    state.phase = Phase.DEAL


@rule
def reveal(state: State):
    """§6 The cards removed and those left in the hands are laid open."""
    for place in range(state.aside_size):
        state.shown_aside[state.aside[place]] += 1
    clear(state.aside)
    state.aside_size = 0
    for seat in range(2):
        for place in range(state.held[seat]):
            state.shown_hand[seat, state.hand[seat, place]] += 1
        clear(state.hand[seat])
        state.held[seat] = 0


@rule
def score(state: State, scores, winners):
    """§7 The points of each seat, none after a win by cities, and who has won."""
    for seat in range(2):
        scores[seat] = state.points[seat]
        winners[seat] = state.winner == 1 + seat
