"""Who sees what in District Noir (§6): the places of the state.

Everything that was ever played lies open, so there is nothing to remember; only the option
`city_win = hand_or_collected` tells something of a hand: that it did not win.
"""

from __future__ import annotations

import enum

from brelan.rules import (
    CountOf,
    Places,
    Seat,
    SetOf,
    everyone_remembers,
    everyone_sees,
    layout,
    nobody_sees,
    owner_sees,
    rule,
)

from .cards import ALL_CITIES, KINDS, KNOBS, LARGEST, MOST_ASIDE, MOST_HELD, SEATS, Card

CityWin = KNOBS.choice("city_win")


class Phase(enum.IntEnum):
    """What happens next."""

    DEAL = 0
    ACT = 1
    SCORE = 2
    OVER = 3


class Reason(enum.IntEnum):
    """What decided the match."""

    NONE = 0
    CITIES = 1
    POINTS = 2
    SUPPORTS = 3  # equal points: the most 8s, 7s, 6s or 5s
    SECOND_PLAYER = 4
    DRAW = 5


class State(Places):
    """A match of District Noir."""

    first_player: int
    alternate_first: int
    rounds: int
    hand_size: int
    removed: int
    initial_row: int
    take_size: int
    forced_take: int
    city_win: int
    score_tie: int
    final_tie: int
    skip_dead_plays: int
    reveal_at_end: int

    turn = everyone_sees()
    phase = everyone_sees(of=Phase)
    stacked = everyone_sees()  # 1 while the pile lies in an order given by hand

    round_no = everyone_sees()
    action_no = everyone_sees()  # actions made in this round
    replays = everyone_sees()  # how often the match was dealt again
    opener = everyone_sees()  # who started the first round
    first = everyone_sees()  # who started this one
    has_taken = everyone_sees(SEATS)

    hand = owner_sees(SEATS, MOST_HELD, of=Card, sized_by="held")
    held = everyone_sees(SEATS)
    row = everyone_sees(LARGEST, of=Card, sized_by="row_size")  # the oldest card first
    row_size = everyone_sees()
    collection = everyone_sees(SEATS, KINDS, of=CountOf(Card))
    points = everyone_sees(SEATS)  # §7 as if the match ended now; 0 after a win by cities
    pile = nobody_sees(LARGEST, of=Card)  # it lies from pile[top] on
    top = everyone_sees()
    pile_size = everyone_sees()
    aside = nobody_sees(MOST_ASIDE, of=Card)
    aside_size = everyone_sees()

    shown_hand = everyone_sees(SEATS, KINDS, of=CountOf(Card))  # when the match is over
    shown_aside = everyone_sees(KINDS, of=CountOf(Card))
    winner = everyone_sees(of=Seat)
    reason = everyone_sees(of=Reason)

    copies = everyone_remembers(KINDS, of=CountOf(Card))  # in the pack
    # Two sets of cities that a hand cannot hold all of: its owner would have won at the deal, or
    # at the take. Cities played since then, and those collected before, are left out.
    never_all = everyone_remembers(SEATS, 2, of=SetOf(Card))


LAYOUT = layout(State, SEATS, KNOBS)
AT_DEAL, AT_TAKE = 0, 1


@rule
def cities_collected(state: State, seat):
    """§5.11 The cities in a player's collection, as a set."""
    cities = 0
    for city in range(Card.V1, Card.V3 + 1):
        if state.collection[seat, city] > 0:
            cities |= 1 << city
    return cities


@rule
def cities_held(state: State, seat):
    """§5.11 The cities in a player's hand, as a set."""
    cities = 0
    for place in range(state.held[seat]):
        if state.hand[seat, place] >= Card.V1:
            cities |= 1 << state.hand[seat, place]
    return cities


@rule
def notice_no_win(state: State, seat, when):
    """§5.11 Who did not win with hand and collection lacks one of the other cities in hand."""
    if state.city_win == CityWin.HAND_OR_COLLECTED:
        state.never_all[seat, when] = ALL_CITIES & ~cities_collected(state, seat)


@rule
def notice_play(state: State, seat, card):
    """§5.11 A city that was played was in that hand: one of the others was not."""
    if card >= Card.V1 and state.city_win == CityWin.HAND_OR_COLLECTED:
        for when in range(2):
            state.never_all[seat, when] &= ~(1 << card)


@rule
def notice_new_hand(state: State, seat):
    """§6 With a new hand the old one tells nothing any more."""
    state.never_all[seat, AT_DEAL] = 0
    state.never_all[seat, AT_TAKE] = 0


@rule
def fits(world: State, seat):
    """§5.11 Whether a hand agrees with what everybody knows of it."""
    held = cities_held(world, seat)
    for when in range(2):
        cities = world.never_all[seat, when]
        if cities != 0 and held & cities == cities:
            return False
    return True
