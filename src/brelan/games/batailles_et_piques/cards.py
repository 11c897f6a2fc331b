"""The armies of Batailles et piques (§2) and the moves that can be made with them (§12)."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from brelan.knobs import Knobs
from brelan.rules import NOBODY, Cards, Seats, move_table

SEATS = Seats(6)
KNOBS = Knobs(Path(__file__).with_name("knobs.toml"))


class Card(Cards):
    """The units by their strength, the King and the minefield."""

    FACE_DOWN = 0
    ONE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    ELEVEN = 11
    TWELVE = 12
    THIRTEEN = 13
    KING = 14
    MINE = 15

    @property
    def printed(self) -> int | str:
        """The strength on the card, `K` or `M`."""
        return self.name[0] if self >= Card.KING else self.value


NO_CARD = 0
KINDS = len(Card)
LARGEST = 20  # cards in an army
BIT = np.array([1 << card for card in Card], np.int64)  # a card as a set, as SetOf(Card) is


def army(knobs: Mapping[str, int | str]) -> list[Card]:
    """Return the army that every player has (§2)."""
    copies = {card: int(knobs[f"copies_{card.printed}"]) for card in list(Card)[1 : Card.KING]}
    copies |= {Card.KING: int(knobs["kings"]), Card.MINE: int(knobs["mines"])}
    return [card for card, count in copies.items() for _ in range(count)]


def packs(knobs: Mapping[str, int | str]) -> list[list[Card]]:
    """Return the armies, unshuffled: that of seat 0, then that of seat 1, and so on (§3)."""
    return [army(knobs) for _ in range(int(knobs["players"]))]


def conflict(knobs: Mapping[str, int | str]) -> str | None:
    """Return why these knobs cannot be set together (§13), or None."""
    cards, mines, slots = army(knobs), int(knobs["mines"]), int(knobs["slots"])
    if len(cards) > LARGEST:
        return f"an army may have {LARGEST} cards at most, not {len(cards)}"
    if len(cards) - mines < slots:
        return f"an army must have a unit for each of its {slots} slots, not {len(cards) - mines}"
    if int(knobs["hand_size"]) < mines + slots - 1:
        needed = mines + slots - 1
        return f"hand_size must be {needed} or more with {mines} mines and {slots} slots"
    return None


# ---------------------------------------------------------------- slots


class Slot(enum.IntEnum):
    """Where a card stands; the centre is there with three slots only. They are filled in order."""

    LEFT = 0
    RIGHT = 1
    CENTRE = 2


SLOTS = len(Slot)
LETTERS = "LRC"
HAND = "H"  # looked at instead of a slot, by option

# A set of slots is a number with a bit for each of them, as SetOf(Slot) is.
SETS_OF_SLOTS = 1 << SLOTS
SINGLES = (1, 2, 4)
PAIRS = (3, 5, 6)
ALL_SLOTS = np.array([0, 1, 3, 7], np.int16)  # by how many there are
SIZE = np.array([bin(slots).count("1") for slots in range(SETS_OF_SLOTS)], np.int16)
# The first and the second slot of a set, and the first one that is not in it; SLOTS: none.
_MEMBERS = [[s for s in range(SLOTS) if slots >> s & 1] for slots in range(SETS_OF_SLOTS)]
FIRST = np.array([(*members, SLOTS)[0] for members in _MEMBERS], np.int16)
SECOND = np.array([(*members, SLOTS, SLOTS)[1] for members in _MEMBERS], np.int16)
FIRST_EMPTY = np.array([*FIRST[::-1]], np.int16)


# ---------------------------------------------------------------- §12 moves

# A move is a row of a table. An attack has the own slots, the seat attacked and the slots at which
# it aims; a Slacker the own slot and the card that takes its place; a kill the slots of the foe; a
# look the seat and its slot (none: a hand card), or target NOBODY. Card 0 hides what is placed.


class Act(enum.IntEnum):
    """What kind of move it is; the first four are the table's."""

    DEAL = 0
    BURY = 1
    REVEAL = 2
    SCORE = 3
    PLACE = 4
    ATTACK = 5
    SLACK = 6
    STOP = 7
    KILL = 8
    PEEK = 9
    PASS = 10


class Row(NamedTuple):
    """A row of the table of moves, for the parts of the game that are never compiled."""

    act: int
    own: int
    target: int
    at: int
    card: int


def every_move() -> Iterator[Row]:
    """Yield the rows of the table of moves."""
    for act in (Act.DEAL, Act.BURY, Act.REVEAL, Act.SCORE, Act.STOP):
        yield Row(act, 0, NOBODY, 0, NO_CARD)
    for card in Card:
        yield Row(Act.PLACE, 0, NOBODY, 0, card)
    for own in SINGLES:
        for card in Card:
            yield Row(Act.SLACK, own, NOBODY, 0, card)
    for slots in range(SETS_OF_SLOTS - 1):
        yield Row(Act.KILL, 0, NOBODY, slots, NO_CARD)
    yield Row(Act.PEEK, 0, NOBODY, 0, NO_CARD)
    for seat in range(SEATS):
        for slots in (0, *SINGLES):
            yield Row(Act.PEEK, 0, seat, slots, NO_CARD)
    for seat in range(SEATS):
        for own in (*SINGLES, *PAIRS):
            for at in (*SINGLES, *PAIRS) if own in SINGLES else SINGLES:
                yield Row(Act.ATTACK, own, seat, at, NO_CARD)
    yield Row(Act.PASS, 0, NOBODY, 0, NO_CARD)


ROWS = list(every_move())
MOVES = move_table(Row._fields, ROWS)
DEAL, BURY, REVEAL, SCORE, STOP = range(5)
PASS = len(ROWS) - 1

# Where the rows stand: PLACE + card, KILL + slots, and tables for the others.
PLACE = ROWS.index(Row(Act.PLACE, 0, NOBODY, 0, NO_CARD))
KILL = ROWS.index(Row(Act.KILL, 0, NOBODY, 0, NO_CARD))
DECLINE = ROWS.index(Row(Act.PEEK, 0, NOBODY, 0, NO_CARD))
ATTACK = np.zeros((SEATS, SETS_OF_SLOTS, SETS_OF_SLOTS), np.int16)  # seat, own slots, their slots
SLACK = np.zeros(SLOTS, np.int16)  # SLACK[slot] + card
PEEK = np.zeros((SEATS, SETS_OF_SLOTS), np.int16)  # seat, slot as a set; 0 is the hand
for _number, (_act, _own, _target, _at, _card) in enumerate(ROWS):
    if _act == Act.ATTACK:
        ATTACK[_target, _own, _at] = _number
    elif _act == Act.SLACK and _card == NO_CARD:
        SLACK[FIRST[_own]] = _number
    elif _act == Act.PEEK and _target != NOBODY:
        PEEK[_target, _at] = _number


def letters(slots: int) -> str:
    """Write a set of slots, `LR` for example."""
    return "".join(LETTERS[slot] for slot in range(SLOTS) if slots >> slot & 1)


def _written(move: Row) -> str:
    """Write a move as far as its row says it; only a kill can be written in other words."""
    card = Card(move.card).printed if move.card else "?"
    match move.act:
        case Act.PLACE:
            return f"place {card}"
        case Act.ATTACK:
            return f"{letters(move.own)}>{move.target}{letters(move.at)}"
        case Act.SLACK:
            return f"slack {letters(move.own)} {card}"
        case Act.KILL:
            return f"kill {letters(move.at) or '-'}"
        case Act.PEEK if move.target == NOBODY:
            return "peek -"
        case Act.PEEK:
            return f"peek {move.target}{letters(move.at) or HAND}"
    return Act(move.act).name.lower()


WRITTEN = [_written(move) for move in ROWS]


def notation(view: Any, number: int) -> str:
    """§12.1 Write a move: a kill by the foe's card if the reader sees it, else by its slot."""
    slots = number - KILL
    if slots not in (*SINGLES, *PAIRS):
        return WRITTEN[number]
    facing = view.attacked if SIZE[view.attacking] == 1 else view.attacking
    foes = {slot: _foe_seen(view, slot) for slot in range(SLOTS) if facing >> slot & 1}
    if not all(foes.values()):
        return WRITTEN[number]
    killed = [str(card.printed) for slot, card in foes.items() if slots >> slot & 1]
    if len(killed) == 1 and len(set(foes.values())) == 1:
        killed.append(letters(slots))  # which of two equal foes
    return f"kill {' '.join(killed)}"


def _foe_seen(view: Any, slot: int) -> Card:
    """The card of a foe; besides its owner, only the owner of the lone unit sees it."""
    foe = foe_of(view)
    return Card(view.in_play[foe, slot] or view.known[view.turn, foe, slot])


def foe_of(view: Any) -> int:
    """Return the seat among whose cards the owner of the lone unit chooses."""
    return int(view.defender if SIZE[view.attacking] == 1 else view.attacker) - 1


def shown(view: Any, number: int, reader: int | None) -> int:
    """§11 What others see of a move: all of it but the card placed, or brought by a Slacker."""
    return number - ROWS[number].card
