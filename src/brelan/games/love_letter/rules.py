"""The rules of Love Letter, in the order of the rulebook; §7 and §8 are in `scoring.py`."""

from __future__ import annotations

from brelan.rules import (
    NOBODY,
    TABLE,
    add_move,
    add_move_once,
    clear,
    copy_cards,
    random_below,
    rule,
    shuffle,
)

from .cards import (
    DEAL,
    IS_AIMED,
    KNOBS,
    MOVES,
    MOVES_PER_TARGET,
    NO_CARD,
    PACK_SIZE,
    PACKS,
    PLAY,
    SCORE,
    TUCK,
    UNAIMED,
    Card,
)
from .scoring import score_round
from .state import (
    How,
    Phase,
    Reason,
    State,
    forget_everything,
    notice_draw,
    notice_higher,
    notice_new_hand,
    notice_no_countess,
    notice_not,
    notice_play,
    notice_shown,
    notice_swap,
    notice_tie,
    notice_tuck,
    see_hand,
)

VERSION = 1
LONGEST = 13 * 19  # §8 decisions in a match with default knobs: rounds by turns, at most

TieSum = KNOBS.choice("tie_sum_counts")
PrinceVsHandmaid = KNOBS.choice("prince_vs_handmaid")
FirstStarter = KNOBS.choice("first_starter")


# ---------------------------------------------------------------- §3 setting up


@rule
def start(state: State, cards, stacked):
    """§3 The table will deal: a pack stacked by hand as it lies, otherwise a shuffled one."""
    state.turn = TABLE
    state.phase = Phase.DEAL
    state.stacked = stacked
    if stacked:
        copy_cards(state.pile, cards)
    elif state.first_starter == FirstStarter.RANDOM:
        state.to_start = random_below(state.luck, state.players)


@rule
def deal_round(state: State):
    """§3 A card to each player, one burned, three face up; the rest is the deck."""
    clear_table(state)
    if state.stacked:
        state.stacked = False
    else:
        copy_cards(state.pile, PACKS[state.deck])
        shuffle(state.luck, state.pile, state.packed)
    for seat in range(state.players):
        state.in_round[seat] = True
        state.hand[seat] = draw(state, seat, 0)
    state.burned = draw(state, NOBODY, 0)
    state.burned_left = True
    for place in range(state.face_up_set_aside):
        state.face_up[place] = draw(state, NOBODY, 0)
        state.out[state.face_up[place]] += 1
    state.starter = state.to_start
    begin_turn(state, state.starter)


@rule
def clear_table(state: State):
    """§3 Everything of the last round is taken back."""
    state.round_no += 1
    state.turn_no = 0
    state.reason = Reason.NONE
    for seat in range(state.players):
        state.round_won[seat] = state.spy_won[seat] = False
        state.protected[seat] = False
        state.hand[seat] = NO_CARD
        state.revealed[seat] = NO_CARD
        state.area_size[seat] = 0
        state.area_sum[seat] = 0
        state.spies[seat] = 0
        clear(state.area[seat])
        clear(state.area_how[seat])
    clear(state.face_up)
    clear(state.out)
    state.burned_shown = NO_CARD
    forget_everything(state)
    state.top = 0
    state.deck_size = state.packed = PACK_SIZE[state.deck]


@rule
def draw(state: State, player, slot):
    """§4 The top card of the deck; whoever put it there knows which it is."""
    place = state.top
    card = state.pile[place]
    if place >= state.packed:
        notice_draw(state, player, place, slot)
    state.pile[place] = NO_CARD
    state.top += 1
    state.deck_size -= 1
    return card


# ---------------------------------------------------------------- §4 the turn


@rule
def begin_turn(state: State, player):
    """§4 Protection ends, then the player draws."""
    state.turn = player
    state.turn_no += 1
    state.phase = Phase.CHOOSE_PLAY
    state.protected[player] = False
    state.drew[player, 0] = draw(state, player, 0)
    state.drew_size = 1


@rule
def legal_moves(state: State, scratch):
    """§4.1 Write down what the player in turn, or the table, may do."""
    scratch.count = 0
    match state.phase:
        case Phase.DEAL:
            add_move(scratch, DEAL)
        case Phase.CHOOSE_PLAY:
            add_legal_plays(state, scratch)
        case Phase.CHOOSE_CHANCELLOR:
            add_legal_tucks(state, scratch)
        case Phase.SCORE:
            add_move(scratch, SCORE)


@rule
def add_legal_plays(state: State, scratch):
    """§4.1 Either card of the hand, but the Countess beside a King or a Prince."""
    me = state.turn
    low = min(state.hand[me], state.drew[me, 0])
    high = max(state.hand[me], state.drew[me, 0])
    if low != high and not must_play_countess(low, high):
        add_plays(state, low, scratch)
    add_plays(state, high, scratch)


@rule
def must_play_countess(low, high):
    """§4 The Countess must be played if the other card is the King or a Prince."""
    return high == Card.COUNTESS and (low == Card.KING or low == Card.PRINCE)


@rule
def add_plays(state: State, card, scratch):
    """§4.1 Every way to play a card: at each target; with nobody to aim at, without effect."""
    aimless, shielded = True, False
    for seat in range(state.players if IS_AIMED[card] else 0):
        shielded |= state.protected[seat] != 0
        if can_be_chosen(state, seat) and (seat != state.turn or card == Card.PRINCE):
            aimless = False
            for way in range(MOVES_PER_TARGET[card]):
                add_move(scratch, PLAY[card, seat] + way)
    if aimless or (shielded and may_fizzle(state, card)):
        add_move(scratch, PLAY[card, UNAIMED])


@rule
def may_fizzle(state: State, card):
    """§5.7 Option: a Prince may be aimed at a protected player, for nothing."""
    return card == Card.PRINCE and state.prince_vs_handmaid == PrinceVsHandmaid.MAY_FIZZLE


@rule
def can_be_chosen(state: State, seat):
    """§5.7 Players out of the round or protected cannot be chosen."""
    return state.in_round[seat] and not state.protected[seat]


@rule
def play(state: State, number):
    """§4 Make a move: of the table, of the Chancellor's owner, or of the player in turn."""
    match state.phase:
        case Phase.CHOOSE_PLAY:
            play_card(state, state.turn, MOVES[number])
            if state.phase == Phase.CHOOSE_PLAY:
                end_turn(state)
        case Phase.CHOOSE_CHANCELLOR:
            tuck_under(state, state.turn, MOVES[number])
            end_turn(state)
        case Phase.DEAL:
            deal_round(state)
        case Phase.SCORE:
            score_round(state)


@rule
def play_card(state: State, me, move):
    """§4 The card lies face up, then its effect takes place; aimed at nobody it has none."""
    lay_down(state, me, move.card)
    if move.card == Card.KING or move.card == Card.PRINCE:
        notice_no_countess(state, me)
    if IS_AIMED[move.card] and move.target == NOBODY:
        return
    match move.card:
        case Card.GUARD:
            guess(state, move.target, move.name)
        case Card.PRIEST:
            see_hand(state, me, move.target)
        case Card.BARON:
            compare_hands(state, me, move.target)
        case Card.HANDMAID:
            state.protected[me] = True
        case Card.PRINCE:
            discard_and_draw(state, move.target)
        case Card.CHANCELLOR:
            draw_two(state, me)
        case Card.KING:
            swap_hands(state, me, move.target)
        case Card.PRINCESS:
            lose_hand(state, me, How.KNOCKOUT)


@rule
def lay_down(state: State, me, card):
    """§4 The card leaves the hand for the end of the area; the other one is kept."""
    was_kept = state.hand[me] == card
    if was_kept:
        state.hand[me] = state.drew[me, 0]
    state.drew[me, 0] = NO_CARD
    state.drew_size = 0
    put_in_area(state, me, card, How.PLAYED)
    notice_play(state, me, card, was_kept)


@rule
def put_in_area(state: State, seat, card, how):
    """§2 A card comes to lie face up at the end of a player's area."""
    state.area[seat, state.area_size[seat]] = card
    state.area_how[seat, state.area_size[seat]] = how
    state.area_size[seat] += 1
    state.spies[seat] += card == Card.SPY
    if how == How.PLAYED or state.tie_sum_counts == TieSum.PLAYED_AND_DISCARDED:
        state.area_sum[seat] += card - Card.SPY
    state.out[card] += 1


@rule
def guess(state: State, target, name):
    """§4 Guard: who holds the character named is out; otherwise all know they do not."""
    if state.hand[target] == name:
        lose_hand(state, target, How.KNOCKOUT)
    else:
        notice_not(state, target, name)


@rule
def compare_hands(state: State, me, other):
    """§4 Baron: both see both cards, and the lower one is out."""
    see_hand(state, me, other)
    see_hand(state, other, me)
    mine, theirs = state.hand[me], state.hand[other]
    if mine == theirs:
        notice_tie(state, me, other)
        return
    winner, loser = (me, other) if mine > theirs else (other, me)
    notice_higher(state, winner, state.hand[loser])
    lose_hand(state, loser, How.KNOCKOUT)


@rule
def discard_and_draw(state: State, target):
    """§4 Prince: discard the card without effect and draw, from the deck or the burned card."""
    lose_hand(state, target, How.PRINCE_DISCARD)
    if not state.in_round[target]:
        return
    if state.deck_size > 0:
        state.hand[target] = draw(state, target, 0)
        notice_new_hand(state, target)
    else:
        state.hand[target] = state.burned
        state.burned = NO_CARD
        state.burned_left = False


@rule
def swap_hands(state: State, me, other):
    """§4 King: the two hands change places, and each knows what the other now holds."""
    see_hand(state, me, other)
    see_hand(state, other, me)
    state.hand[me], state.hand[other] = state.hand[other], state.hand[me]
    notice_swap(state, me, other)
    see_hand(state, me, other)
    see_hand(state, other, me)


@rule
def lose_hand(state: State, seat, how):
    """§4 The card goes face up to the area; a knock-out, or the Princess, puts its owner out."""
    card = state.hand[seat]
    state.hand[seat] = NO_CARD
    put_in_area(state, seat, card, how)
    notice_shown(state, seat, card)
    state.in_round[seat] = how == How.PRINCE_DISCARD and card != Card.PRINCESS


# ---------------------------------------------------------------- §4.2 the Chancellor


@rule
def draw_two(state: State, me):
    """§4.2 Draw two cards, or what the deck has; with nothing drawn there is no choice."""
    state.drew_size = min(2, state.deck_size)
    for slot in range(state.drew_size):
        state.drew[me, slot] = draw(state, me, slot)
    if state.drew_size > 0:
        state.phase = Phase.CHOOSE_CHANCELLOR


@rule
def add_legal_tucks(state: State, scratch):
    """§4.2 Keep any of the cards, the others go under in any order; equal cards collapse."""
    me = state.turn
    cards = (state.hand[me], state.drew[me, 0], state.drew[me, 1])
    for keep in range(3):
        for under in range(3):
            if keep != under and cards[keep] != NO_CARD and cards[under] != NO_CARD:
                add_move_once(scratch, TUCK[cards[keep], cards[under]])


@rule
def tuck_under(state: State, me, move):
    """§4.2 One card is kept, the others go under the deck in the order chosen."""
    last = state.hand[me] + state.drew[me, 0] + state.drew[me, 1] - move.keep - move.under
    state.hand[me] = move.keep
    clear(state.drew[me])
    put_under(state, me, move.under)
    if state.drew_size == 2:
        put_under(state, me, last)
    notice_tuck(state, me, state.drew_size)
    state.drew_size = 0
    state.phase = Phase.CHOOSE_PLAY


@rule
def put_under(state: State, me, card):
    """§4.2 A card becomes the last of the deck, and its owner knows it is there."""
    place = state.top + state.deck_size
    state.pile[place] = card
    state.tucked_known[me, place - state.packed] = card
    state.deck_size += 1


# ---------------------------------------------------------------- §4 the end of a turn


@rule
def end_turn(state: State):
    """§4 One player left, or the deck empty: the table scores; otherwise the next one plays."""
    if players_left(state) > 1 and state.deck_size > 0:
        begin_turn(state, next_player(state))
        return
    state.reason = Reason.KNOCKOUT if players_left(state) == 1 else Reason.SHOWDOWN
    state.phase = Phase.SCORE
    state.turn = TABLE


@rule
def players_left(state: State):
    """§4 How many players are still in the round."""
    left = 0
    for seat in range(state.players):
        left += state.in_round[seat]
    return left


@rule
def next_player(state: State):
    """§12 The next player clockwise who is still in the round."""
    seat = (state.turn + 1) % state.players
    while not state.in_round[seat]:
        seat = (seat + 1) % state.players
    return seat


# ---------------------------------------------------------------- §8 the result


@rule
def score(state: State, scores, winners):
    """§8 The tokens of each seat, and who has won the match."""
    for seat in range(state.players):
        scores[seat] = state.tokens[seat]
        winners[seat] = state.match_won[seat]
