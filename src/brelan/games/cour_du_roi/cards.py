"""The cards and the Court of La cour du Roi (§2), and the moves that can be made (§12)."""

from __future__ import annotations

import enum
import functools
import itertools
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from brelan.knobs import Knobs
from brelan.rules import NOBODY, Cards, Seats, move_table

SEATS = Seats(4)
KNOBS = Knobs(Path(__file__).with_name("knobs.toml"))


class Card(Cards):
    """The 52 cards, family after family, each from the Ace to the King."""

    FACE_DOWN = 0
    HA, H2, H3, H4, H5, H6, H7, H8, H9, H10, HJ, HQ, HK = range(1, 14)
    DA, D2, D3, D4, D5, D6, D7, D8, D9, D10, DJ, DQ, DK = range(14, 27)
    CA, C2, C3, C4, C5, C6, C7, C8, C9, C10, CJ, CQ, CK = range(27, 40)
    SA, S2, S3, S4, S5, S6, S7, S8, S9, S10, SJ, SQ, SK = range(40, 53)

    @property
    def printed(self) -> str:
        """The letter of the family, then the rank."""
        return self.name


NO_CARD = 0
KINDS = len(Card)
FAMILIES = 4
RANKS = 13
ACE, TEN, JACK, QUEEN, KING = 1, 10, 11, 12, 13

FAMILY = np.array([0, *((card - 1) // RANKS for card in range(1, KINDS))], np.int16)
RANK = np.array([0, *((card - 1) % RANKS + 1 for card in range(1, KINDS))], np.int16)  # its value
KINGS = np.array([card for card in Card if RANK[card] == KING], np.int16)  # by family
OTHERS = np.array([card for card in Card if card and RANK[card] != KING], np.int16)


def packs(knobs: Mapping[str, int | str]) -> list[list[Card]]:
    """Return the two packs of §4, unshuffled: the Kings, and all other cards."""
    return [[Card(card) for card in pack] for pack in (KINGS, OTHERS)]


# ---------------------------------------------------------------- §2 the Court
#
#              0                 4.1          Slots are numbered as the Court is read,
#            1   2             3.1 3.2        from the top down and from left to right.
#          3   4   5         2.1 2.2 2.3
#        6   7   8   9     1.1 1.2 1.3 1.4

Slot = enum.IntEnum(
    "Slot",
    ["4.1", "3.1", "3.2", "2.1", "2.2", "2.3", "1.1", "1.2", "1.3", "1.4"],
    start=0,
)
SLOTS = len(Slot)
SUMMIT = 0
BOTTOM = 6  # the first slot of row 1
ROW = np.array([4, 3, 3, 2, 2, 2, 1, 1, 1, 1], np.int16)
SUPPORT = np.array([1, 3, 4, 6, 7, 8], np.int16)  # of slots above row 1: this one and the next
NO_SLOT = 99


def _covered_by(new: int, old: int, order: str) -> bool:
    """§6.3 Whether a rank may be laid over another."""
    if order == "ladder":
        return (new - JACK) % RANKS >= (old - JACK) % RANKS  # J Q K A 2 … 10
    if order == "cycle_weak_ace" and old == ACE:
        return True
    new_group, old_group = (0 if rank == ACE else 1 if rank <= TEN else 2 for rank in (new, old))
    if new_group == old_group:
        return new >= old
    return (new_group - old_group) % 3 == 1  # numbers beat the Ace, heads numbers, the Ace heads


# For each order and each rank, the ranks that may cover it: bit n is set when rank n may.
COVERED_BY = np.array(
    [
        [
            sum(
                1 << new for new in range(1, RANKS + 1) if old and _covered_by(new, old, str(order))
            )
            for old in range(RANKS + 1)
        ]
        for order in KNOBS["order"].values
    ],
    np.int16,
)


# ---------------------------------------------------------------- §12 the moves
#
# A move is a row of a table. The number of a row follows from what the move says: KEEP + card,
# BURN + card, GIVE + 4 × card + seat, LAY + 10 × card + slot, SWAP + pair of slots. Card 0 stands
# for a card that the reader may not know.


class Kind(enum.IntEnum):
    """What sort of move it is; the first ones are the table's."""

    DEAL = 0  # a game is set up: Kings are drawn, packets or whole hands are dealt
    HAND_ON = 1  # all have chosen: the cards kept go to the hands, the packets move
    PACKETS = 2  # the next packets are dealt
    BEGIN = 3  # the Kings join the hands, the first player is known
    DRAW = 4  # the Jack's two cards change hands
    SCORE = 5
    PASS = 6
    DECLINE = 7
    KEEP = 8
    BURN = 9
    GIVE = 10
    LAY = 11
    SWAP = 12


def every_move() -> Iterator[tuple[int, int, int, int, int]]:
    """Yield the rows of the table of moves: kind, card, slot, other slot, seat."""
    for kind in (kind for kind in Kind if kind < Kind.KEEP):
        yield kind, NO_CARD, NO_SLOT, NO_SLOT, NOBODY
    for kind in (Kind.KEEP, Kind.BURN):
        for card in Card:
            yield kind, card, NO_SLOT, NO_SLOT, NOBODY
    for card in Card:
        for seat in range(SEATS):
            yield Kind.GIVE, card, NO_SLOT, NO_SLOT, seat
    for card in list(Card)[1:]:
        for slot in range(SLOTS):
            yield Kind.LAY, card, slot, NO_SLOT, NOBODY
    for slot, other in itertools.combinations(range(SLOTS), 2):
        yield Kind.SWAP, NO_CARD, slot, other, NOBODY


_COLUMNS = ("kind", "card", "slot", "other", "seat")
MOVES = move_table(_COLUMNS, every_move())

DEAL, HAND_ON, PACKETS, BEGIN, DRAW, SCORE, PASS, DECLINE, KEEP = range(9)
BURN = KEEP + KINDS
GIVE = BURN + KINDS
LAY = GIVE + SEATS * KINDS - SLOTS
SWAP = LAY + SLOTS * KINDS


def notation(view: Any, number: int) -> str:
    """§12 Write a move."""
    return f"draw {_drawn(view)}" if number == DRAW else _written(int(number))


@functools.cache
def _written(number: int) -> str:
    """§12 A move that is written alike whoever reads it."""
    move = MOVES[number]
    card = Card(move.card).printed if move.card else "?"
    match move.kind:
        case Kind.KEEP | Kind.BURN:
            return f"{Kind(move.kind).name.lower()} {card}"
        case Kind.GIVE:
            return f"give {card} to {move.seat}"
        case Kind.LAY:
            return f"{card} {Slot(move.slot).name}"
        case Kind.SWAP:
            return f"swap {Slot(move.slot).name} {Slot(move.other).name}"
        case _:
            return Kind(move.kind).name.lower().replace("_", " ")


def _drawn(view: Any) -> str:
    """§12 The card that the lot has fallen on, for the two who know it."""
    known = [card for card in view.exchanged[:, view.exchange_no - 1, 1] if card]
    return Card(known[0]).printed if known else "?"


def shown(view: Any, number: int, reader: int | None) -> int:
    """§11 What others see of a move: not what is kept or burned; what is given, who receives it."""
    move = MOVES[number]
    match move.kind:
        case Kind.KEEP:
            return KEEP
        case Kind.BURN:
            return BURN
        case Kind.GIVE if move.seat != reader:
            return int(GIVE + move.seat)
    return number
