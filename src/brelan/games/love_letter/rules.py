"""The rules of Love Letter, in the order of the rulebook."""

from __future__ import annotations

from brelan.words import NOBODY, TABLE, add_move, below, clear, copy_cards, rule, shuffle

from .cards import (
    DEAL,
    IS_AIMED,
    KNOBS,
    MOVES,
    NO_CARD,
    PACK_SIZE,
    PACKS,
    PLAY,
    SCORE,
    TUCK,
    UNAIMED,
    WAYS,
    Card,
)
from .sight import (
    How,
    Phase,
    Reason,
    forget_everything,
    notice_draw,
    notice_new_hand,
    notice_not,
    notice_play,
    notice_shown,
    notice_swap,
    notice_tuck,
    see_hand,
)

VERSION = 1
LONGEST = 250  # §8 decisions in a match with default knobs: 13 rounds of 19 at most

TieBreak = KNOBS.choice("tie_break")
DoubleTie = KNOBS.choice("double_tie")
TieSum = KNOBS.choice("tie_sum_counts")
SpyBonus = KNOBS.choice("spy_bonus")
PrinceVsHandmaid = KNOBS.choice("prince_vs_handmaid")
FirstStarter = KNOBS.choice("first_starter")
NextStarter = KNOBS.choice("next_starter")
MatchWin = KNOBS.choice("simultaneous_match_win")
Reveal = KNOBS.choice("reveal_after_knockout")


# ---------------------------------------------------------------- §3 setting up


@rule
def start(state, cards):
    """§3 Nobody has a token yet. `cards` is a pack in an order given by hand, or empty."""
    state.turn = TABLE
    state.phase = Phase.DEAL
    if len(cards) > 0:
        state.stacked = True
        copy_cards(state.pile, cards)
    elif state.first_starter == FirstStarter.RANDOM:
        state.to_start = below(state.luck, state.players)


@rule
def deal_round(state):
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
def clear_table(state):
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
def draw(state, player, slot):
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
def begin_turn(state, player):
    """§4 Protection ends, then the player draws."""
    state.turn = player
    state.turn_no += 1
    state.phase = Phase.CHOOSE_PLAY
    state.protected[player] = False
    state.drew[player, 0] = draw(state, player, 0)
    state.drew_size = 1


@rule
def legal_moves(state, desk):
    """§4.1 Write down what the player in turn, or the table, may do."""
    desk.count = 0
    match state.phase:
        case Phase.DEAL:
            add_move(desk, DEAL)
        case Phase.CHOOSE_PLAY:
            add_legal_plays(state, desk)
        case Phase.CHOOSE_CHANCELLOR:
            add_legal_tucks(state, desk)
        case Phase.SCORE:
            add_move(desk, SCORE)


@rule
def add_legal_plays(state, desk):
    """§4.1 Either card of the hand, but the Countess beside a King or a Prince."""
    me = state.turn
    low = min(state.hand[me], state.drew[me, 0])
    high = max(state.hand[me], state.drew[me, 0])
    if low != high and not must_play_countess(low, high):
        add_plays(state, low, desk)
    add_plays(state, high, desk)


@rule
def must_play_countess(low, high):
    """§4 The Countess must be played if the other card is the King or a Prince."""
    return high == Card.COUNTESS and (low == Card.KING or low == Card.PRINCE)


@rule
def add_plays(state, card, desk):
    """§4.1 Every way to play a card: at each target; with nobody to aim at, without effect."""
    aimless = True
    for seat in range(state.players if IS_AIMED[card] else 0):
        if can_be_chosen(state, seat) and (seat != state.turn or card == Card.PRINCE):
            aimless = False
            for way in range(WAYS[card]):
                add_move(desk, PLAY[card, seat] + way)
    if aimless or may_fizzle(state, card):
        add_move(desk, PLAY[card, UNAIMED])


@rule
def can_be_chosen(state, seat):
    """§5.7 Players out of the round or protected cannot be chosen."""
    return state.in_round[seat] and not state.protected[seat]


@rule
def may_fizzle(state, card):
    """§5.7 Option: a Prince may be aimed at a protected player, for nothing."""
    if card != Card.PRINCE or state.prince_vs_handmaid == PrinceVsHandmaid.MUST_SELF:
        return False
    fizzles = False
    for seat in range(state.players):
        fizzles |= state.in_round[seat] and state.protected[seat] != 0
    return fizzles


@rule
def play(state, number):
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
def play_card(state, me, move):
    """§4 The card lies face up, then its effect takes place."""
    lay_down(state, me, move.card)
    if move.card == Card.KING or move.card == Card.PRINCE:
        notice_not(state, me, 1 << Card.COUNTESS)
    match move.card:
        case Card.HANDMAID:
            state.protected[me] = True
        case Card.CHANCELLOR:
            draw_two(state, me)
        case Card.PRINCESS:
            knock_out(state, me)
    if move.target == NOBODY:
        return
    match move.card:
        case Card.GUARD:
            guess(state, move.target, move.name)
        case Card.PRIEST:
            see_hand(state, me, move.target)
        case Card.BARON:
            compare_hands(state, me, move.target)
        case Card.PRINCE:
            discard_and_draw(state, move.target)
        case Card.KING:
            swap_hands(state, me, move.target)


@rule
def lay_down(state, me, card):
    """§4 The card leaves the hand for the end of the area; the other one is kept."""
    was_kept = state.hand[me] == card
    if was_kept:
        state.hand[me] = state.drew[me, 0]
    state.drew[me, 0] = NO_CARD
    state.drew_size = 0
    put_in_area(state, me, card, How.PLAYED)
    notice_play(state, me, card, was_kept)


@rule
def put_in_area(state, seat, card, how):
    """§2 A card comes to lie face up at the end of a player's area."""
    state.area[seat, state.area_size[seat]] = card
    state.area_how[seat, state.area_size[seat]] = how
    state.area_size[seat] += 1
    state.spies[seat] += card == Card.SPY
    if how == How.PLAYED or state.tie_sum_counts == TieSum.PLAYED_AND_DISCARDED:
        state.area_sum[seat] += card - Card.SPY
    state.out[card] += 1


@rule
def guess(state, target, name):
    """§4 Guard: who holds the character named is out; otherwise all know they do not."""
    if state.hand[target] == name:
        knock_out(state, target)
    else:
        notice_not(state, target, 1 << name)


@rule
def compare_hands(state, me, other):
    """§4 Baron: both see both cards, and the lower one is out."""
    see_hand(state, me, other)
    see_hand(state, other, me)
    mine, theirs = state.hand[me], state.hand[other]
    if mine == theirs:
        state.same_hand[me], state.same_hand[other] = 1 + other, 1 + me
        return
    winner, loser = (me, other) if mine > theirs else (other, me)
    notice_not(state, winner, (2 << state.hand[loser]) - 2)
    knock_out(state, loser)


@rule
def discard_and_draw(state, target):
    """§4 Prince: discard without effect and draw; the Princess discarded puts you out."""
    card = state.hand[target]
    show_hand(state, target, How.PRINCE_DISCARD)
    if card == Card.PRINCESS:
        state.in_round[target] = False
    elif state.deck_size > 0:
        state.hand[target] = draw(state, target, 0)
        notice_new_hand(state, target)
    else:
        state.hand[target] = state.burned
        state.burned = NO_CARD
        state.burned_left = False


@rule
def swap_hands(state, me, other):
    """§4 King: the two hands change places, and each knows what the other now holds."""
    see_hand(state, me, other)
    see_hand(state, other, me)
    state.hand[me], state.hand[other] = state.hand[other], state.hand[me]
    notice_swap(state, me, other)
    see_hand(state, me, other)
    see_hand(state, other, me)


@rule
def knock_out(state, seat):
    """§4 The remaining card is shown without effect; they are out of the round."""
    show_hand(state, seat, How.KNOCKOUT)
    state.in_round[seat] = False


@rule
def show_hand(state, seat, how):
    """§4 The card in hand goes face up to the area."""
    card = state.hand[seat]
    state.hand[seat] = NO_CARD
    put_in_area(state, seat, card, how)
    notice_shown(state, seat, card)


# ---------------------------------------------------------------- §4.2 the Chancellor


@rule
def draw_two(state, me):
    """§4.2 Draw two cards, or what the deck has; with nothing drawn there is no choice."""
    state.drew_size = min(2, state.deck_size)
    for slot in range(state.drew_size):
        state.drew[me, slot] = draw(state, me, slot)
        state.phase = Phase.CHOOSE_CHANCELLOR


@rule
def add_legal_tucks(state, desk):
    """§4.2 Keep any of the cards, the others go under in any order; equal cards collapse."""
    me = state.turn
    cards = (state.hand[me], state.drew[me, 0], state.drew[me, 1])
    for keep in range(3):
        for under in range(3):
            if keep != under and cards[keep] != NO_CARD and cards[under] != NO_CARD:
                add_once(desk, TUCK[cards[keep], cards[under]])


@rule
def add_once(desk, number):
    """§4.1 Write a move down unless it is there already."""
    for place in range(desk.count):
        if desk.moves[place] == number:
            return
    add_move(desk, number)


@rule
def tuck_under(state, me, move):
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
def put_under(state, me, card):
    """§4.2 A card becomes the last of the deck, and its owner knows it is there."""
    place = state.top + state.deck_size
    state.pile[place] = card
    state.tucked_known[me, place - state.packed] = card
    state.deck_size += 1


# ---------------------------------------------------------------- §4 the end of a turn


@rule
def end_turn(state):
    """§4 One player left, or the deck empty: the round ends; otherwise the next one plays."""
    if players_left(state) == 1:
        end_round(state, Reason.KNOCKOUT)
    elif state.deck_size == 0:
        end_round(state, Reason.SHOWDOWN)
    else:
        begin_turn(state, next_player(state))


@rule
def players_left(state):
    """§4 How many players are still in the round."""
    left = 0
    for seat in range(state.players):
        left += state.in_round[seat]
    return left


@rule
def next_player(state):
    """§12 The next player clockwise who is still in the round."""
    seat = (state.turn + 1) % state.players
    while not state.in_round[seat]:
        seat = (seat + 1) % state.players
    return seat


@rule
def end_round(state, reason):
    """§7 The table takes over, to reveal and to score."""
    state.reason = reason
    state.phase = Phase.SCORE
    state.turn = TABLE


# ---------------------------------------------------------------- §7 the end of a round


@rule
def score_round(state):
    """§7 Compare, reveal, award the tokens, then see whether the match is won."""
    find_winners(state)
    reveal_hands(state)
    give_tokens(state)
    state.phase = Phase.OVER if is_match_won(state) else Phase.DEAL


@rule
def find_winners(state):
    """§7.1 The last one in the round, or the strongest; if several are, all or nobody."""
    best = winners = 0
    for seat in range(state.players):
        best = max(best, strength(state, seat))
    for seat in range(state.players):
        state.round_won[seat] = strength(state, seat) == best
        winners += state.round_won[seat]
    choose_next_starter(state)
    is_double_tie = winners > 1 and state.tie_break == TieBreak.SUM_OF_DISCARDS
    if is_double_tie and state.double_tie == DoubleTie.NOBODY:
        clear(state.round_won)


@rule
def strength(state, seat):
    """§7.1 What is compared at the end: the card, then the sum of the area."""
    if not state.in_round[seat]:
        return 0
    tie_break = state.area_sum[seat] if state.tie_break == TieBreak.SUM_OF_DISCARDS else 0
    return 1000 * state.hand[seat] + tie_break


@rule
def reveal_hands(state):
    """§6 A showdown shows the hands; after a knock-out nothing is shown, unless optional."""
    if state.reason == Reason.KNOCKOUT and state.reveal_after_knockout == Reveal.NONE:
        return
    for seat in range(state.players):
        if state.in_round[seat]:
            state.revealed[seat] = state.hand[seat]
            state.hand[seat] = NO_CARD
            state.out[state.revealed[seat]] += 1
    if state.reason == Reason.KNOCKOUT and state.reveal_after_knockout == Reveal.ALL:
        state.burned_shown = state.burned
        state.out[state.burned] += 1
        state.burned = NO_CARD
        state.burned_left = False


@rule
def give_tokens(state):
    """§7.2 A token to each winner of the round, §7.3 and one for the Spy."""
    spy = spy_owner(state)
    for seat in range(state.players):
        state.spy_won[seat] = seat == spy
        state.tokens[seat] += state.round_won[seat] + state.spy_won[seat]


@rule
def spy_owner(state):
    """§7.3 Who has the only Spy in front of those still in the round."""
    owner, owners, spies = NOBODY, 0, 0
    for seat in range(state.players):
        if state.in_round[seat] and state.spies[seat] > 0:
            owner = seat
            owners += 1
            spies += state.spies[seat]
    if state.spy_bonus == SpyBonus.ONE_SPY_IN_PLAY:
        return owner if spies == 1 else NOBODY
    return owner if owners == 1 and state.spy_bonus != SpyBonus.OFF else NOBODY


@rule
def choose_next_starter(state):
    """§7.4 The winner starts the next round; one of them at random if there are several."""
    match state.next_starter:
        case NextStarter.WINNER:
            state.to_start = one_who(state, True)
        case NextStarter.LOSER:
            state.to_start = one_who(state, False)
        case NextStarter.ALTERNATE:
            state.to_start = (state.starter + 1) % state.players
        case NextStarter.RANDOM:
            state.to_start = below(state.luck, state.players)


@rule
def one_who(state, won):
    """§7.4 One of those who won the round, or did not; anyone if there are none."""
    candidates = 0
    for seat in range(state.players):
        candidates += state.round_won[seat] == won
    skip = below(state.luck, candidates if candidates > 0 else state.players)
    for seat in range(state.players):
        if candidates == 0 or state.round_won[seat] == won:
            if skip == 0:
                return seat
            skip -= 1
    return NOBODY


# ---------------------------------------------------------------- §8 the end of the match


@rule
def is_match_won(state):
    """§8 Six tokens win; what happens if several get there together is an option."""
    top = 0
    for seat in range(state.players):
        top = max(top, state.tokens[seat])
    if top < state.tokens_to_win:
        return False
    enough = state.tokens_to_win if state.simultaneous_match_win == MatchWin.SHARED else top
    winners = 0
    for seat in range(state.players):
        winners += state.tokens[seat] >= enough
    if winners > 1 and state.simultaneous_match_win == MatchWin.EXTRA_ROUND:
        return False
    for seat in range(state.players):
        state.match_won[seat] = state.tokens[seat] >= enough
    return True


@rule
def score(state, scores, winners):
    """§8 The tokens of each seat, and who has won the match."""
    for seat in range(state.players):
        scores[seat] = state.tokens[seat]
        winners[seat] = state.match_won[seat]
