"""Who sees what in Art of War (§12): the places of the state, and what everybody knows.

Only hands and decks are hidden, and what is known of them is public: `known` are the cards that
everybody knows to be in a hand, `unseen` those of a player's own deck that were never shown. The
rest of a hand and the deck below are exactly the unseen cards, in an order that nobody knows.
A King is in the hand until he is first seen: `king_seen` is none as long as only his owner knows
which one he is (`king_deal = independent`).
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

from .cards import (
    KINDS,
    KNOBS,
    LARGEST_DECK,
    LARGEST_QUEUE,
    NO_CARD,
    SEATS,
    SLOTS,
    Card,
    Slot,
)


class Phase(enum.IntEnum):
    """What happens next; the table deals, prepares a turn, and strikes the blows of a sweep."""

    DEAL = 0
    OPENING = 1
    RESERVE_OPENING = 2
    PREPARATION = 3
    ACTION = 4
    ATTACK = 5
    BLOCK = 6
    SWEEP = 7
    CONSCRIPTION = 8
    FORCED = 9  # demobilising
    DEVELOPMENT = 10
    OVER = 11


class Posture(enum.IntEnum):
    """How a unit stands."""

    DEFENSIVE = 0
    OFFENSIVE = 1


class Outcome(enum.IntEnum):
    """What came of a blow."""

    NONE = 0
    BLOCKED = 1  # by a Guard's support
    WOUNDED = 2  # or not even that, by a blow of 0
    CAPTURED = 3
    DEAD = 4


class Reason(enum.IntEnum):
    """What decided the match."""

    NONE = 0
    EXECUTION = 1
    COLLAPSE = 2
    CITIZENS = 3  # the end of the war
    KILLS = 4  # the end of the war with equal Kingdoms
    DRAW = 5


class State(Places):
    """A match of Art of War."""

    capture_rule: int
    king_row: int
    king_sweep: int
    king_deal: int
    king_citizen: int
    king_capture_ends: int
    hand_rule: int
    demobilise_max: int
    free_part: int
    conscription: int
    reserve: int
    support: int
    end_of_war: int
    war_tie: int
    first_player: int
    copies_S: int
    copies_G: int
    copies_A: int

    turn = everyone_sees()  # who decides
    phase = everyone_sees(of=Phase)
    stacked = everyone_sees()  # 1 while the decks lie in an order given by hand

    first = everyone_sees()  # J1
    active = everyone_sees()  # whose turn it is; the other one may have to conscript or block
    turn_no = everyone_sees()

    unit = everyone_sees(SEATS, SLOTS, of=Card)  # on F1, F2, F3, A1, A2, A3
    posture = everyone_sees(SEATS, SLOTS, of=Posture)
    damage = everyone_sees(SEATS, SLOTS)
    hand = owner_sees(SEATS, KINDS, of=CountOf(Card), sized_by="held")
    held = everyone_sees(SEATS)
    kingdom = everyone_sees(SEATS, LARGEST_QUEUE, of=Card, sized_by="citizens")  # the oldest first
    citizens = everyone_sees(SEATS)
    reserves = everyone_sees(SEATS, LARGEST_QUEUE, of=Card, sized_by="reserve_size")
    reserve_size = everyone_sees(SEATS)
    graveyard = everyone_sees(SEATS, KINDS, of=CountOf(Card))
    kills = everyone_sees(SEATS)  # enemy units that a player destroyed
    pile = nobody_sees(SEATS, LARGEST_DECK, of=Card)  # a deck lies from pile[seat, top[seat]] on
    top = everyone_sees(SEATS)
    pile_size = everyone_sees(SEATS)
    box = nobody_sees(SEATS, 2, of=Card)  # Kings: the one to be dealt, the one nobody plays with

    attacker = everyone_sees(of=Slot)  # of the last attack, which may have to land still
    target = everyone_sees(of=Slot)  # nowhere: a sweep
    sweep_left = everyone_sees(of=SetOf(Slot))  # where the units stood that are still to be struck
    bonus = everyone_sees()  # what Soldiers' support adds to the attacks of this turn
    outcome = everyone_sees(of=Outcome)  # of the last attack or shot, none while it has to land
    to_conscript = everyone_sees()
    must_demobilise = everyone_sees()
    demobilised = everyone_sees()  # cards in this turn

    winner = everyone_sees(of=Seat)
    reason = everyone_sees(of=Reason)

    king = owner_remembers(SEATS, of=Card)  # whom each seat was dealt
    king_seen = everyone_remembers(SEATS, of=Card)
    known = everyone_remembers(SEATS, KINDS, of=CountOf(Card))
    unseen = everyone_remembers(SEATS, KINDS, of=CountOf(Card))


LAYOUT = layout(State, SEATS, KNOBS)


# ---------------------------------------------------------------- §12 what everybody knows


@rule
def notice_to_hand(state: State, seat, card):
    """§12 A unit goes back to a hand, for all to see."""
    state.known[seat, card] += 1


@rule
def notice_from_hand(state: State, seat, card):
    """§12 A card leaves a hand: an unseen King, or else the one known to be there, or a new one."""
    if card >= Card.K1 and state.king_seen[seat] == NO_CARD:
        state.king_seen[seat] = card
    elif state.known[seat, card] > 0:
        state.known[seat, card] -= 1
    else:
        state.unseen[seat, card] -= 1
