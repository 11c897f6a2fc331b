"""Who sees what in Love Letter (§6): the places of the state, and what each seat learns.

Knowledge is a place too. `known[me, other]` is the card I am certain that other kept,
`saw[me, other]` whether I was shown it, `not_held[me, other]` the characters it cannot be;
`tucked_known[me]` are the cards under the deck that I put there. When a player whose card I knew
uses the Chancellor, that card is one of those in their hand or under the deck: it is `lost[me]`,
`among[me]` those places.
"""

from __future__ import annotations

import enum

from brelan.rules import (
    CountOf,
    Places,
    Seat,
    SetOf,
    clear,
    everyone_remembers,
    everyone_sees,
    layout,
    nobody_sees,
    owner_remembers,
    owner_sees,
    rule,
)

from .cards import KINDS, KNOBS, LARGEST, NO_CARD, SEATS, TUCKED, Card

AREA = 14  # no player lays down more cards than that in a round
LOST = 4  # cards a seat can lose sight of at once


class Phase(enum.IntEnum):
    """What happens next."""

    DEAL = 0
    CHOOSE_PLAY = 1
    CHOOSE_CHANCELLOR = 2
    SCORE = 3
    OVER = 4


class Reason(enum.IntEnum):
    """Why a round ended."""

    NONE = 0
    KNOCKOUT = 1
    SHOWDOWN = 2


class How(enum.IntEnum):
    """How a card came into an area."""

    NONE = 0
    PLAYED = 1
    PRINCE_DISCARD = 2
    KNOCKOUT = 3


class Spot(enum.IntEnum):
    """Where a card that I lost sight of may lie: in a hand, under the deck, or just drawn."""

    HAND_0 = 0
    HAND_1 = 1
    HAND_2 = 2
    HAND_3 = 3
    HAND_4 = 4
    HAND_5 = 5
    UNDER_1 = 6
    UNDER_2 = 7
    UNDER_3 = 8
    UNDER_4 = 9
    DRAWN_1 = 10
    DRAWN_2 = 11


UNDER, DRAWN = int(Spot.UNDER_1), int(Spot.DRAWN_1)


class State(Places):
    """A match of Love Letter."""

    players: int
    deck: int
    tokens_to_win: int
    tie_break: int
    double_tie: int
    tie_sum_counts: int
    spy_bonus: int
    prince_vs_handmaid: int
    face_up_set_aside: int
    first_starter: int
    next_starter: int
    simultaneous_match_win: int
    reveal_after_knockout: int
    bot_mode: int

    turn = everyone_sees()
    phase = everyone_sees(of=Phase)
    stacked = everyone_sees()  # 1 while the pile lies in an order given by hand

    tokens = everyone_sees(SEATS)
    round_no = everyone_sees()
    starter = everyone_sees()
    to_start = everyone_sees()  # the starter of the next round
    turn_no = everyone_sees()
    reason = everyone_sees(of=Reason)
    round_won = everyone_sees(SEATS)
    spy_won = everyone_sees(SEATS)  # 1 for who earned the Spy's token
    match_won = everyone_sees(SEATS)

    in_round = everyone_sees(SEATS)
    protected = everyone_sees(SEATS)
    hand = owner_sees(SEATS, of=Card)  # the card each seat kept
    drew = owner_sees(SEATS, 2, of=Card)  # the card drawn this turn; two with the Chancellor
    drew_size = everyone_sees()  # how many cards the player in turn has drawn and holds
    area = everyone_sees(SEATS, AREA, of=Card, sized_by="area_size")
    area_how = everyone_sees(SEATS, AREA, of=How, sized_by="area_size")
    area_size = everyone_sees(SEATS)
    area_sum = everyone_sees(SEATS)
    spies = everyone_sees(SEATS)  # in the area
    revealed = everyone_sees(SEATS, of=Card)  # hands shown at the end of a round

    pile = nobody_sees(LARGEST + TUCKED, of=Card)  # the deck lies from pile[top] on
    top = everyone_sees()
    deck_size = everyone_sees()
    packed = everyone_sees()  # cards in the pack: places from here on are under the deck
    burned = nobody_sees(of=Card)
    burned_left = everyone_sees()  # 1 while the burned card lies face down
    burned_shown = everyone_sees(of=Card)
    face_up = everyone_sees(3, of=Card, sized_by="face_up_set_aside")
    out = everyone_remembers(KINDS, of=CountOf(Card))  # how many of each character lie face up

    known = owner_remembers(SEATS, SEATS, of=Card)
    saw = owner_remembers(SEATS, SEATS)  # §6.1 1 if I was shown the card that is known
    known_drew = owner_remembers(SEATS, 2, of=Card)  # what I know of the cards a player just drew
    not_held = owner_remembers(SEATS, SEATS, of=SetOf(Card))
    exposed = owner_remembers(SEATS, SEATS)  # 1 when that seat has seen the card I keep
    tucked_known = owner_remembers(SEATS, TUCKED, of=Card)
    lost = owner_remembers(SEATS, LOST, of=Card)
    among = owner_remembers(SEATS, of=SetOf(Spot))
    same_hand = everyone_sees(SEATS, of=Seat)  # whose card a Baron found equal


LAYOUT = layout(State, SEATS, KNOBS)


# ---------------------------------------------------------------- what a seat learns


@rule
def forget_everything(state: State):
    """§6 A new round is a full reshuffle: all knowledge is erased."""
    for me in range(state.players):
        for other in range(state.players):
            state.known[me, other] = NO_CARD
            state.saw[me, other] = False
            state.not_held[me, other] = 0
            state.exposed[me, other] = False
        clear(state.known_drew[me])
        clear(state.tucked_known[me])
        clear(state.lost[me])
        state.among[me] = 0
        state.same_hand[me] = 0


@rule
def notice_draw(state: State, player, place, slot):
    """§6.2 Who put a card under the deck knows who draws it."""
    tucked = place - state.packed
    for me in range(state.players):
        card = state.tucked_known[me, tucked]
        state.tucked_known[me, tucked] = NO_CARD
        if me != player:
            state.known_drew[me, slot] = card
        if is_among(state, me, UNDER + tucked):
            if me == player:
                find(state, me, state.pile[place])
                drop_among(state, me, UNDER + tucked)
            else:
                state.among[me] ^= 1 << (UNDER + tucked)
                add_among(state, me, DRAWN + slot)


@rule
def notice_new_hand(state: State, player):
    """§6.2 The card just drawn is the one that is kept."""
    for me in range(state.players):
        learn(state, me, player, state.known_drew[me, 0])
        state.known_drew[me, 0] = NO_CARD
        hold_drawn(state, me, player)


@rule
def notice_play(state: State, player, card, was_kept):
    """§6.1 A played card says whether the card kept is still the one that was known."""
    for me in range(state.players):
        if me == player:
            continue
        kept = state.known[me, player]
        drawn = state.known_drew[me, 0]
        if kept == NO_CARD and drawn == NO_CARD:
            if not (state.not_held[me, player] >> card) & 1:
                state.not_held[me, player] = 0
        elif drawn != NO_CARD and card != drawn:
            learn(state, me, player, drawn)
            if is_among(state, me, player):
                find(state, me, card)
                drop_among(state, me, player)
        elif kept == card and drawn == NO_CARD:
            learn(state, me, player, NO_CARD)
        if kept == card:
            state.saw[me, player] = False
        state.known_drew[me, 0] = NO_CARD
        hold_drawn(state, me, player)
        if is_among(state, me, player):
            find(state, me, card)
            settle(state, me)
    if was_kept:
        hide(state, player)
    untie(state, player)


@rule
def notice_not(state: State, player, card):
    """§6 Everybody learns that a player does not keep this card."""
    exclude(state, player, 1 << card)


@rule
def notice_no_countess(state: State, player):
    """§6 Who plays the King or a Prince does not keep the Countess, who would be forced."""
    exclude(state, player, 1 << Card.COUNTESS)


@rule
def notice_higher(state: State, player, card):
    """§6 Everybody learns that a player keeps a higher card than this."""
    exclude(state, player, (2 << card) - 2)


@rule
def exclude(state: State, player, cards):
    """§6 The card a player keeps is none of a set of cards; nor is one found equal to it."""
    for me in range(state.players):
        rule_out(state, me, player, cards)
        if state.same_hand[player]:
            rule_out(state, me, state.same_hand[player] - 1, cards)


@rule
def rule_out(state: State, me, other, cards):
    """I learn that the card another player keeps is none of a set of cards."""
    if me != other and state.known[me, other] == NO_CARD:
        state.not_held[me, other] |= cards


@rule
def notice_shown(state: State, player, card):
    """§6 A card kept so far lies face up: what was known of that hand is void."""
    for me in range(state.players):
        learn(state, me, player, NO_CARD)
        if is_among(state, me, player):
            find(state, me, card)
            drop_among(state, me, player)
    hide(state, player)
    untie(state, player)


@rule
def see_hand(state: State, me, other):
    """§6 I see the card that another player keeps, and they know that I do."""
    state.exposed[other, me] = True
    be_certain(state, me, other, state.hand[other])
    state.saw[me, other] = True


@rule
def be_certain(state: State, me, other, card):
    """I know which card another player keeps, and whoever was found to keep the same one."""
    recognise(state, me, other, card)
    if state.same_hand[other] and state.same_hand[other] != 1 + me:
        recognise(state, me, state.same_hand[other] - 1, card)


@rule
def recognise(state: State, me, other, card):
    """I know which card another player keeps; it may be one that I had lost sight of."""
    learn(state, me, other, card)
    if is_among(state, me, other):
        find(state, me, card)
        drop_among(state, me, other)


@rule
def notice_tie(state: State, one, two):
    """§12 Two hands are equal: what others know of one they know of the other."""
    untie(state, one)
    untie(state, two)
    state.same_hand[one], state.same_hand[two] = 1 + two, 1 + one
    for me in range(state.players):
        if me == one or me == two:
            continue
        card = max(state.known[me, one], state.known[me, two])
        if card != NO_CARD:
            be_certain(state, me, one, card)
        else:
            state.not_held[me, one] |= state.not_held[me, two]
            state.not_held[me, two] = state.not_held[me, one]


@rule
def notice_swap(state: State, one, two):
    """§6 Two players have swapped hands, and what others knew of them goes along."""
    for me in range(state.players):
        if me == one or me == two:
            continue
        known, saw, not_held = state.known[me, one], state.saw[me, one], state.not_held[me, one]
        state.known[me, one] = state.known[me, two]
        state.saw[me, one] = state.saw[me, two]
        state.not_held[me, one] = state.not_held[me, two]
        state.known[me, two], state.saw[me, two], state.not_held[me, two] = known, saw, not_held
        if is_among(state, me, one) != is_among(state, me, two):
            state.among[me] ^= (1 << one) | (1 << two)
    for seat in range(state.players):
        if state.same_hand[seat] == 1 + one or state.same_hand[seat] == 1 + two:
            state.same_hand[seat] = 2 + one + two - state.same_hand[seat]
    state.same_hand[one], state.same_hand[two] = state.same_hand[two], state.same_hand[one]
    hide(state, one)
    hide(state, two)


@rule
def notice_tuck(state: State, player, cards):
    """§6.2 Cards went under the deck: whoever knew some of them has lost sight of them."""
    for me in range(state.players):
        if me == player:
            continue
        hold_drawn(state, me, player)
        mingled = is_among(state, me, player)
        mingled |= lose(state, me, state.known[me, player])
        for slot in range(2):
            mingled |= lose(state, me, state.known_drew[me, slot])
            state.known_drew[me, slot] = NO_CARD
        learn(state, me, player, NO_CARD)
        if mingled:
            add_among(state, me, player)
            bottom = UNDER + state.top + state.deck_size - state.packed
            for place in range(bottom - cards, bottom):
                add_among(state, me, place)
    hide(state, player)
    untie(state, player)


@rule
def learn(state: State, me, other, card):
    """I am certain that other keeps this card; NO_CARD: I do not know any more."""
    if state.known[me, other] != card:
        state.saw[me, other] = False
    state.known[me, other] = card
    state.not_held[me, other] = 0


@rule
def hide(state: State, player):
    """Nobody is sure any more which card a player keeps, as far as that player can tell."""
    clear(state.exposed[player])


@rule
def untie(state: State, player):
    """A hand changed: it need not equal the one it tied with."""
    state.same_hand[player] = 0
    for other in range(state.players):
        if state.same_hand[other] == 1 + player:
            state.same_hand[other] = 0


# ---------------------------------------------------------------- cards lost sight of


@rule
def is_among(state: State, me, place):
    """Whether a card I lost sight of may lie in a place (a seat's hand, or under the deck)."""
    return (state.among[me] >> place) & 1 == 1


@rule
def add_among(state: State, me, place):
    """A card I lost sight of may now lie there too."""
    state.among[me] |= 1 << place


@rule
def drop_among(state: State, me, place):
    """I have seen what lay there."""
    if is_among(state, me, place):
        state.among[me] ^= 1 << place
    settle(state, me)


@rule
def hold_drawn(state: State, me, player):
    """Cards just drawn are a player's like the one kept: a lost card among them is now there."""
    for slot in range(2):
        if is_among(state, me, DRAWN + slot):
            state.among[me] ^= 1 << (DRAWN + slot)
            add_among(state, me, player)


@rule
def lose(state: State, me, card):
    """I knew a card and lose sight of it; whether there was such a card."""
    if card == NO_CARD:
        return False
    for slot in range(LOST):
        if state.lost[me, slot] == NO_CARD:
            state.lost[me, slot] = card
            return True
    return True  # more than anyone keeps in mind


@rule
def find(state: State, me, card):
    """A card came to light: perhaps one that I had lost sight of."""
    for slot in range(LOST):
        if state.lost[me, slot] == card:
            for later in range(slot, LOST - 1):
                state.lost[me, later] = state.lost[me, later + 1]
            state.lost[me, LOST - 1] = NO_CARD
            return


@rule
def settle(state: State, me):
    """With nothing lost there is nothing to look for; with one place left, it lies there."""
    if state.lost[me, 0] == NO_CARD:
        state.among[me] = 0
        return
    for place in range(UNDER + TUCKED):
        if state.among[me] == 1 << place:
            if place >= UNDER:
                state.tucked_known[me, place - UNDER] = state.lost[me, 0]
            elif state.drew[place, 0] == NO_CARD:
                learn(state, me, place, state.lost[me, 0])
            else:
                return  # it is one of the cards that player holds just now
            clear(state.lost[me])
            state.among[me] = 0
            return
