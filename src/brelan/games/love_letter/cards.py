"""The cards of Love Letter (§1) and the moves that can be made with them (§2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from brelan.knobs import Knobs
from brelan.rules import NOBODY, Cards, Seats, move_table

SEATS = Seats(6)
KNOBS = Knobs(Path(__file__).with_name("knobs.toml"))


class Card(Cards):
    """The ten characters, from the lowest value to the highest."""

    FACE_DOWN = 0
    SPY = 1
    GUARD = 2
    PRIEST = 3
    BARON = 4
    HANDMAID = 5
    PRINCE = 6
    CHANCELLOR = 7
    KING = 8
    COUNTESS = 9
    PRINCESS = 10

    @property
    def printed(self) -> int:
        """The value on the card, 0 to 9."""
        return self.value - 1


NO_CARD = 0
KINDS = len(Card)

# How many of each character there are, in the order of Card: zman21, then classic16.
COPIES = np.array(
    [
        [0, 2, 6, 2, 2, 2, 2, 2, 1, 1, 1],
        [0, 0, 5, 2, 2, 2, 2, 0, 1, 1, 1],
    ],
    np.int16,
)
PACK_SIZE = COPIES.sum(axis=1, dtype=np.int16)
LARGEST = int(PACK_SIZE.max())
TUCKED = 4  # cards that two Chancellors can put under the deck in a round
PACKS = np.zeros((2, LARGEST + TUCKED), np.int16)
for _pack, _copies in zip(PACKS, COPIES, strict=True):
    _pack[: _copies.sum()] = np.repeat(np.arange(KINDS), _copies)

IS_AIMED = np.zeros(KINDS, np.bool_)
IS_AIMED[[Card.GUARD, Card.PRIEST, Card.BARON, Card.PRINCE, Card.KING]] = True


def packs(knobs: Mapping[str, int | str]) -> list[list[Card]]:
    """Return the one pack that a variant is played with, unshuffled."""
    kind = KNOBS["deck"].number(knobs["deck"])
    return [[Card(card) for card in PACKS[kind, : PACK_SIZE[kind]]]]


# A move is a row of a table: the card played, at which seat, naming whom; or, for the
# Chancellor's choice, the card kept and the first of those that go under the deck (the
# other one follows from the hand). Target NOBODY: the card needs none, or has no effect.


def every_move() -> Iterator[tuple[str, int, int, int, int, int]]:
    """Yield the rows of the table of moves."""
    yield "deal", NO_CARD, NOBODY, NO_CARD, NO_CARD, NO_CARD
    yield "score", NO_CARD, NOBODY, NO_CARD, NO_CARD, NO_CARD
    yield "tuck", Card.CHANCELLOR, NOBODY, NO_CARD, NO_CARD, NO_CARD
    for card in list(Card)[1:]:
        yield "play", card, NOBODY, NO_CARD, NO_CARD, NO_CARD
        for seat in range(SEATS) if IS_AIMED[card] else ():
            for name in nameable() if card == Card.GUARD else (NO_CARD,):
                yield "play", card, seat, name, NO_CARD, NO_CARD
    for keep in list(Card)[1:]:
        for under in list(Card)[1:]:
            yield "tuck", Card.CHANCELLOR, NOBODY, NO_CARD, keep, under


def nameable() -> list[Card]:
    """Return the characters a Guard may name: all but the Guard (§4)."""
    return [card for card in list(Card)[1:] if card != Card.GUARD]


_ROWS = list(every_move())
_COLUMNS = ("card", "target", "name", "keep", "under")
MOVES = move_table(_COLUMNS, [row[1:] for row in _ROWS])
DEAL, SCORE, FACE_DOWN_TUCK = 0, 1, 2
GUESS = ("hand", "target", "name")  # a Guard says which card lies where, for the analysis

# Where the rows stand: those of a card at a seat follow each other, one for each name.
PLAY = np.zeros((KINDS, SEATS + 1), np.int16)
TUCK = np.zeros((KINDS, KINDS), np.int16)
for _number, (_kind, _card, _seat, _name, _keep, _under) in reversed(list(enumerate(_ROWS))):
    if _kind == "play":
        PLAY[_card, min(_seat, SEATS)] = _number
    elif _kind == "tuck":
        TUCK[_keep, _under] = _number
UNAIMED = int(SEATS)  # the column of PLAY for target NOBODY
MOVES_PER_TARGET = np.where(np.arange(KINDS) == Card.GUARD, len(nameable()), 1)
NAMING = np.zeros(KINDS, np.int16)  # how far the row that names a character is from the first
NAMING[nameable()] = np.arange(len(nameable()))


# ---------------------------------------------------------------- §2 how a move is written


def notation(view: Any, number: int) -> str:
    """§2 Write a move as its maker would; with three or more players `>` names the target."""
    move = MOVES[number]
    if number in (DEAL, SCORE):
        return ("deal", "score")[number]
    if number == FACE_DOWN_TUCK:
        return "keep ?"
    if move.keep:
        return f"keep {_printed(move.keep)} under {' '.join(map(_printed, tucked(view, number)))}"
    card = _printed(move.card)
    if not IS_AIMED[move.card]:
        return card
    if move.target == NOBODY:
        return f"{card}:-"
    if move.target == view.turn:
        return f"{card}:s"
    if view.players > 2:
        return f"{card}>{move.target}" + (f":{_printed(move.name)}" if move.name else "")
    if move.card == Card.PRINCE:
        return f"{card}:o"
    return card + (f":{_printed(move.name)}" if move.name else "")


def tucked(view: Any, number: int) -> list[int]:
    """§4.2 The cards that go under the deck, in the order in which they will be drawn."""
    me, move = view.turn, MOVES[number]
    cards = [int(card) for card in (view.hand[me], *view.drew[me]) if card]
    cards.remove(move.keep)
    cards.remove(move.under)
    return [int(move.under), *cards]


def shown(view: Any, number: int, reader: int | None) -> int:
    """§6 What others see of a move: all of it, but for the Chancellor's choice."""
    return FACE_DOWN_TUCK if MOVES[number].keep else number


def _printed(card: int) -> str:
    return str(Card(card).printed)
