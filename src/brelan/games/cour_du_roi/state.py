"""Who sees what in La cour du Roi (§11): the places of the state.

What a seat has seen is a place too. `remembered[me]` holds the twelve packets as I know them, and
`exchanged[me]` the cards of the Jacks that I took part in. What everybody has seen is in `log`:
every card laid, swap and exchange so far. With these a seat knows all that can be known; who
passed when, and what that says of a hand, follows from the log (see `log_facts.py`).
"""

from __future__ import annotations

import enum

from brelan.rules import (
    Places,
    Seat,
    SetOf,
    everyone_remembers,
    everyone_sees,
    layout,
    nobody_sees,
    owner_remembers,
    owner_sees,
)

from .cards import FAMILIES, KNOBS, OTHERS, RANKS, SEATS, SLOTS, Card, Slot

PACKET = 4  # cards dealt to each player at a time
PACKETS_IN_ALL = len(OTHERS) // PACKET
MOST_HELD = 25  # two players who share all cards, with the King
MOST_BURNED = 24
MOST_REMOVED = 24  # two dead families, without their Kings
MOST_COVERED = 51
JACKS = 4
LOGGED = 52 + 4 + JACKS  # cards laid, swaps and exchanges in a game, at most
BY_SEAT = 1024  # an entry of the log is a row of the table of moves + BY_SEAT × the seat


class Phase(enum.IntEnum):
    """What happens next; KEEP, BURN, PLAY, SWAP and GIVE are for the seat in turn to decide."""

    DEAL = 0
    KEEP = 1
    BURN = 2
    HAND_ON = 3
    PACKETS = 4
    BEGIN = 5
    PLAY = 6
    SWAP = 7
    GIVE = 8
    DRAW = 9
    SCORE = 10
    OVER = 11


class Reason(enum.IntEnum):
    """Why a game ended (§8)."""

    NONE = 0
    HANDS_EMPTY = 1
    NOBODY_CAN_PLAY = 2
    ONE_CAN_PLAY = 3


class State(Places):
    """A match of La cour du Roi."""

    players: int
    two_player_draft: int
    dead_family: int
    order: int
    single_support: int
    queen_needs_support: int
    jack_draws: int
    powers_optional: int
    end_check: int
    show_unused_king: int
    draft: int
    first_player: int
    tie_break: int
    games: int

    turn = everyone_sees()
    phase = everyone_sees(of=Phase)
    stacked = everyone_sees()  # 1 while the cards lie in an order given by hand

    game_no = everyone_sees()
    points = everyone_sees(SEATS)  # of the game that is over
    total = everyone_sees(SEATS)  # of all games that are over
    reason = everyone_sees(of=Reason)
    match_won = everyone_sees(SEATS)

    serves = owner_remembers(SEATS, of=Card)  # the King who was drawn: he gives the family
    revealed = everyone_remembers(SEATS, of=Card)  # the same, when the game is over
    king = owner_sees(SEATS, of=Card)  # he lies apart during the draft
    aside = nobody_sees(FAMILIES, of=Card)  # before the deal all Kings, then those nobody drew
    shown_aside = everyone_sees(2, of=Card)
    removed = everyone_sees(MOST_REMOVED, of=Card)  # cards of dead families taken out (§14)

    deal_no = everyone_sees()
    step = everyone_sees()  # of the deal, from 1 on: how often its packets changed hands, and 1
    stock = nobody_sees(len(OTHERS), of=Card)  # cards not dealt yet; it keeps its gaps
    stock_size = everyone_sees()
    packet = owner_sees(SEATS, PACKET, of=Card, sized_by="packet_size")
    packet_size = everyone_sees(SEATS)
    chosen = owner_sees(SEATS, 2, of=Card)  # kept, and kept or burned, until the packets move
    burned = nobody_sees(MOST_BURNED, of=Card)
    burned_size = everyone_sees()

    first = everyone_sees(of=Seat)  # the first player, once the draft is over
    round_no = everyone_sees()
    turn_no = everyone_sees()  # turns that are over in this round
    hand = owner_sees(SEATS, MOST_HELD, of=Card, sized_by="held")
    held = everyone_sees(SEATS)
    court = everyone_sees(SLOTS, of=Card)
    opens = everyone_sees(FAMILIES, of=SetOf(Slot))  # empty slots where a family may be laid
    yields = everyone_sees(RANKS, of=SetOf(Slot))  # cards that a rank may cover
    discard = everyone_sees(MOST_COVERED, of=Card, sized_by="discard_size")
    discard_size = everyone_sees()

    giver = everyone_sees(JACKS, of=Seat, sized_by="exchange_no")
    receiver = everyone_sees(JACKS, of=Seat, sized_by="exchange_no")
    exchange_no = everyone_sees()
    exchanged = owner_remembers(SEATS, JACKS, 2, of=Card)  # the card given, the card drawn

    # A row for each packet, in the order in which packets are dealt: its four cards in the order
    # in which they are taken. I know those I took. Of those taken after me I know which they are,
    # not who took which: they are sorted. Those taken before me I do not know.
    remembered = owner_remembers(SEATS, PACKETS_IN_ALL, PACKET, of=Card)
    log = everyone_remembers(LOGGED, sized_by="log_size")
    log_size = everyone_sees()


LAYOUT = layout(State, SEATS, KNOBS)
GIVEN, DRAWN = 0, 1  # the columns of `exchanged`
