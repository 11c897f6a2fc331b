"""Who sees what in Batailles et piques (§11): the places of the state, and what each seat sees.

Knowledge is a place too. `known[me, other]` are the cards of other that I have seen and that still
stand where I saw them. `hand_holds[me, other]` are cards that I know to be in that hand, unless
they have been put, since, into one of the slots `unless_in`. What everybody can work out of a card
in play lies open in `can_be`; `public_inference.py` keeps it.
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
    owner_remembers,
    owner_sees,
    rule,
)

from .cards import KINDS, KNOBS, LARGEST, NO_CARD, SEATS, SLOTS, Card, Slot

MINDED = 6  # cards of one hand that a seat keeps in mind


class Phase(enum.IntEnum):
    """What happens next."""

    DEAL = 0
    SET_UP = 1
    TURN = 2
    KILL = 3
    BURY = 4
    REFILL = 5
    REVEAL = 6
    PEEK = 7
    SCORE = 8
    OVER = 9


class Status(enum.IntEnum):
    """§4 Who can play."""

    ACTIVE = 0
    STOPPED = 1
    DEAD = 2


class Reason(enum.IntEnum):
    """§9 Why the match ended."""

    NONE = 0
    STOP = 1
    NOBODY_ACTIVE = 2
    NOTHING_LEFT = 3
    POINTS = 4
    ROUNDS = 5
    ALL_PASSED = 6


class Observer(enum.IntEnum):
    """A seat, as a member of a set of seats."""

    SEAT_0 = 0
    SEAT_1 = 1
    SEAT_2 = 2
    SEAT_3 = 3
    SEAT_4 = 4
    SEAT_5 = 5


ATTACKERS, DEFENDERS = 0, 1  # the sides of a combat


class State(Places):
    """A match of Batailles et piques."""

    players: int
    nature_1: int
    nature_2: int
    nature_3: int
    nature_4: int
    nature_5: int
    nature_6: int
    nature_7: int
    nature_8: int
    nature_9: int
    nature_10: int
    nature_11: int
    nature_12: int
    nature_13: int
    king_strength: int
    king_points: int
    mine_points: int
    hand_size: int
    slots: int
    teamwork: int
    slacker: int
    passing: int
    mine_explodes: int
    allow_waste: int
    credit: int
    peek_timing: int
    peek_scope: int
    first_player: int
    end_rule: int
    end_points: int
    end_rounds: int
    tie_break: int
    public_survivors: int

    turn = everyone_sees()
    phase = everyone_sees(of=Phase)
    stacked = everyone_sees()  # 1 while the armies lie in an order given by hand

    first = everyone_sees(of=Seat)  # who had the first turn; nobody until set-up is over
    mover = everyone_sees(of=Seat)  # whose turn it is, or was last
    first_to_pass = everyone_sees(of=Seat)  # since the last attack or Slacker; nobody: none has
    turn_no = everyone_sees()  # 0 during set-up
    round_no = everyone_sees()
    status = everyone_sees(SEATS, of=Status)
    points = everyone_sees(SEATS)
    reason = everyone_sees(of=Reason)
    won = everyone_sees(SEATS)

    in_play = owner_sees(SEATS, SLOTS, of=Card)
    filled = everyone_sees(SEATS, of=SetOf(Slot))  # where a card stands for all to see
    placed = everyone_sees(SEATS, of=SetOf(Slot))  # where one was put in secret, not yet revealed
    hand = owner_sees(SEATS, KINDS, of=CountOf(Card))
    held = everyone_sees(SEATS)  # cards in hand
    pile = nobody_sees(SEATS, LARGEST, of=Card)  # it ends where the army did, whatever was drawn
    pile_size = everyone_sees(SEATS)
    teamwork_left = everyone_sees(SEATS)
    slacker_left = everyone_sees(SEATS)
    graveyard = everyone_sees(SEATS, KINDS, of=CountOf(Card))  # by who took the dead

    army_size = everyone_sees()
    spies = everyone_remembers(of=SetOf(Card))
    sappers = everyone_remembers(of=SetOf(Card))
    living = everyone_remembers(SEATS, KINDS, of=CountOf(Card))  # what is left of each army

    attacker = everyone_sees(of=Seat)  # in the last combat
    defender = everyone_sees(of=Seat)
    attacking = everyone_sees(of=SetOf(Slot))
    attacked = everyone_sees(of=SetOf(Slot))
    was_choice = everyone_sees()  # 1 if the owner of a lone unit chose whom to kill
    dying = everyone_sees(2, of=SetOf(Slot))  # attackers and defenders, until they are buried
    fallen = everyone_remembers(2, SLOTS, of=Card)  # and once they are
    looks = everyone_sees(SEATS)  # for Kings killed in it, still to come

    can_be = everyone_remembers(SEATS, SLOTS, of=SetOf(Card))
    seen_by = everyone_remembers(SEATS, SLOTS, of=SetOf(Observer))
    known = owner_remembers(SEATS, SEATS, SLOTS, of=Card)
    looked_at = owner_remembers(SEATS, of=Card)  # the card that my last look showed
    hand_holds = owner_remembers(SEATS, SEATS, MINDED, of=Card)
    unless_in = owner_remembers(SEATS, SEATS, MINDED, of=SetOf(Slot))
    open_hand_holds = everyone_remembers(SEATS, MINDED, of=Card)  # what everybody knows of a hand
    open_unless_in = everyone_remembers(SEATS, MINDED, of=SetOf(Slot))


LAYOUT = layout(State, SEATS, KNOBS)


# ---------------------------------------------------------------- cards in play


@rule
def card_seen(view: State, me, seat, slot):
    """§6 A card in play as a player sees it: their own, or one they have seen."""
    return view.in_play[seat, slot] if seat == me else view.known[me, seat, slot]


@rule
def see(state: State, me, seat, slot):
    """§11 I see a card in play, and everybody knows that I do."""
    if me == seat:
        return
    card = state.in_play[seat, slot]
    state.known[me, seat, slot] = card
    state.seen_by[seat, slot] |= 1 << me
    if state.hand_holds[me, seat, 0] != NO_CARD:
        recognise(state.hand_holds[me, seat], state.unless_in[me, seat], slot, card)


@rule
def forget(state: State, seat, slot):
    """§11 A card has left its slot: whatever comes there next, nobody has seen it."""
    for me in range(state.players):
        state.known[me, seat, slot] = NO_CARD
    state.seen_by[seat, slot] = 0


# ---------------------------------------------------------------- cards known to be in a hand


@rule
def notice_shown(state: State, seat, slot, card):
    """§11 Everybody sees which card stands, or stood, in a slot."""
    for me in range(state.players):
        if state.hand_holds[me, seat, 0] != NO_CARD:
            recognise(state.hand_holds[me, seat], state.unless_in[me, seat], slot, card)
    if state.open_hand_holds[seat, 0] != NO_CARD:
        recognise(state.open_hand_holds[seat], state.open_unless_in[seat], slot, card)


@rule
def notice_placed(state: State, seat, slot):
    """§11 A hand card was put into a slot: any card known to be in that hand may be the one."""
    for me in range(state.players):
        if state.hand_holds[me, seat, 0] != NO_CARD:
            allow(state.hand_holds[me, seat], state.unless_in[me, seat], slot)
    if state.open_hand_holds[seat, 0] != NO_CARD:
        allow(state.open_hand_holds[seat], state.open_unless_in[seat], slot)


@rule
def notice_exchange(state: State, seat, slot, is_certain):
    """§11 Whoever knew the card that a Slacker takes from a slot knows that it is in the hand."""
    card, seen_by = state.in_play[seat, slot], state.seen_by[seat, slot]
    if is_certain:
        notice_shown(state, seat, slot, card)
    notice_placed(state, seat, slot)
    for me in range(state.players):
        if me != seat and (is_certain or (seen_by >> me) & 1):
            keep_in_mind(state.hand_holds[me, seat], state.unless_in[me, seat], card)
    if is_certain:
        keep_in_mind(state.open_hand_holds[seat], state.open_unless_in[seat], card)
    forget(state, seat, slot)


@rule
def see_in_hand(state: State, me, seat, card):
    """§13 I see a card of another hand; it may be one that I knew of already."""
    state.looked_at[me] = card
    for place in range(MINDED - 1, -1, -1):
        if state.hand_holds[me, seat, place] == card:
            state.unless_in[me, seat, place] = 0
            return
    keep_in_mind(state.hand_holds[me, seat], state.unless_in[me, seat], card)


@rule
def recognise(cards, unless_in, slot, card):
    """The card in a slot is seen: perhaps one last known to be in the hand; no other is there."""
    found = MINDED
    for place in range(MINDED):
        if cards[place] == card and (unless_in[place] >> slot) & 1:
            found = place  # the last of equal cards can be in the fewest places
        unless_in[place] &= ~(1 << slot)
    for place in range(found, MINDED):
        is_last = place == MINDED - 1
        cards[place] = NO_CARD if is_last else cards[place + 1]
        unless_in[place] = 0 if is_last else unless_in[place + 1]


@rule
def allow(cards, unless_in, slot):
    """Each of these cards may stand in this slot now."""
    for place in range(MINDED):
        if cards[place] != NO_CARD:
            unless_in[place] |= 1 << slot


@rule
def keep_in_mind(cards, unless_in, card):
    """One more card is surely in the hand; of more than anyone keeps in mind, it is forgotten."""
    for place in range(MINDED):
        if cards[place] == NO_CARD:
            cards[place] = card
            unless_in[place] = 0
            return
