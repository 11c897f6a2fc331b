"""The cards of Art of War (§2, §3) and the moves that can be made with them (§13)."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from brelan.knobs import Knobs
from brelan.rules import Cards, Seats, move_table

SEATS = Seats(2)
KNOBS = Knobs(Path(__file__).with_name("knobs.toml"))
Reserve = KNOBS.choice("reserve")


class Card(Cards):
    """Soldier, Guard, Archer and the two Kings, as the rulebook writes them."""

    FACE_DOWN = 0
    S = 1
    G = 2
    A = 3
    K1 = 4
    K2 = 5

    @property
    def printed(self) -> str:
        """The letter on the card, and a King's number."""
        return self.name


NO_CARD = 0
KINDS = len(Card)
UNITS = (Card.S, Card.G, Card.A)  # what a deck is made of
ANY_KING = int(Card.K1)  # a move does not say which King, and writes him K


class Slot(enum.IntEnum):
    """The six slots of a battlefield: the Front, then the Rear (arrière)."""

    F1 = 0
    F2 = 1
    F3 = 2
    A1 = 3
    A2 = 4
    A3 = 5
    NOWHERE = 6


SLOTS = 6
FRONT = 3  # the first slots; the one behind slot F1, F2 or F3 is FRONT further
NOWHERE = int(Slot.NOWHERE)

OPENING_HAND = 3  # cards of the deck, beside the King
SMALLEST_DECK = OPENING_HAND + 1
LARGEST_DECK = sum(int(KNOBS[f"copies_{card.name}"].values[-1]) for card in UNITS)
LARGEST_QUEUE = 2 * (LARGEST_DECK + 1)  # every card of the match

BLOW = 1  # of every unit but the Soldier, who counts the hand
DEFENCE = np.array([[0, 2, 3, 2, 4, 5], [0, 1, 2, 1, 4, 4]], np.int16)  # by posture

# §3 Steps sideways and forward.
STEPS = {
    Card.S: [(0, 1)],
    Card.G: [(0, 1)],
    Card.A: [(-1, 2), (1, 2), (-2, 1), (2, 1)],
    Card.K1: [(-1, 1), (0, 1), (1, 1), (0, 2)],
    Card.K2: [(-1, 1), (0, 1), (1, 1)],
}
WHOLE_ROW = [(-2, 1), (2, 1)]  # what king_row = whole adds for the Kings


def reach(card: Card, slot: int, is_row_whole: bool) -> list[int]:
    """§3 Return the enemy slots that a unit reaches, occupied or not; F1 faces F3.

    >>> [Slot(slot).name for slot in reach(Card.K1, Slot.F1, is_row_whole=False)]
    ['F2', 'F3', 'A3']
    """
    row, column = divmod(slot, FRONT)
    steps = STEPS[card] + (WHOLE_ROW if is_row_whole and card >= Card.K1 else [])
    cells = [(forward - 1 - row, FRONT - 1 - column - sideways) for sideways, forward in steps]
    return sorted(
        FRONT * ahead + across
        for ahead, across in cells
        if ahead in (0, 1) and across in range(FRONT)
    )


# REACH[king_row, card, slot] is a set of slots, bit by bit.
REACH = np.zeros((2, KINDS, SLOTS), np.int16)
for _card in STEPS:
    for _slot in range(SLOTS):
        for _whole in (False, True):
            REACH[int(_whole), _card, _slot] = sum(1 << s for s in reach(_card, _slot, _whole))


def packs(knobs: Mapping[str, int | str]) -> list[list[Card]]:
    """§4 Return the Kings, the deck of seat 0 and the deck of seat 1, unshuffled."""
    kings = [Card.K1, Card.K2]
    if knobs["king_deal"] == "independent":  # a pair for each seat; two stay in the box
        kings = [Card.K1, Card.K1, Card.K2, Card.K2]
    deck = [card for card in UNITS for _ in range(int(knobs[f"copies_{card.name}"]))]
    return [kings, deck, list(deck)]


def conflict(knobs: Mapping[str, int | str]) -> str | None:
    """Return why these knobs cannot be set together (§16.7), or None."""
    for card in UNITS:
        name = f"copies_{card.name}"
        if knobs["deck"] == "standard" and knobs[name] != KNOBS[name].default:
            default = KNOBS[name].default
            return f"{name} = {knobs[name]} is for deck = custom; deck = standard has {default}"
    size = len(packs(knobs)[1])
    if size < SMALLEST_DECK:
        return f"a deck needs {SMALLEST_DECK} cards at least, not {size}: turn the copies_… up"
    return None


# ---------------------------------------------------------------- §13 the table of moves


class Action(enum.IntEnum):
    """What a move does; the first three are the table's."""

    DEAL = 0
    PREPARE = 1  # §5.1 stand up, draw; or the war ends
    STRIKE = 2  # §16.2 the next blow of a sweep
    NOTHING = 3
    STOP = 4
    END = 5
    PASS = 6
    DEPLOY = 7
    ATTACK = 8
    CONSCRIPT = 9
    DEMOBILISE = 10
    RESERVE = 11
    SWEEP = 12
    SUPPORT = 13


Row = tuple[Action, int, int, int, int]


def every_move() -> Iterator[Row]:
    """Yield the rows of the table: action, card, own slot, enemy slot, effect of support.

    A card is S, G, A or ANY_KING; CONSCRIPT without a card calls up the next in the queue.
    """
    kinds = (*UNITS, ANY_KING)
    slots, front = range(SLOTS), range(FRONT)
    for action in list(Action)[: Action.DEPLOY]:
        yield action, NO_CARD, NOWHERE, NOWHERE, NO_CARD
    for card in kinds:
        yield from ((Action.DEPLOY, card, slot, NOWHERE, NO_CARD) for slot in slots)
    for slot in slots:
        yield from ((Action.ATTACK, NO_CARD, slot, target, NO_CARD) for target in slots)
    for card in (NO_CARD, *kinds):
        yield from ((Action.CONSCRIPT, card, slot, NOWHERE, NO_CARD) for slot in front)
    for action in (Action.DEMOBILISE, Action.RESERVE):
        yield from ((action, card, NOWHERE, NOWHERE, NO_CARD) for card in kinds)
    yield from ((Action.SWEEP, NO_CARD, slot, NOWHERE, NO_CARD) for slot in slots)
    for is_king in (False, True):
        yield _support(Card.S, NOWHERE, is_king)
        yield _support(Card.G, NOWHERE, is_king)
        yield from (_support(Card.A, target, is_king) for target in slots)


def _support(effect: Card, target: int, is_king: bool) -> Row:
    return Action.SUPPORT, ANY_KING if is_king else effect, NOWHERE, target, effect


_COLUMNS = ("action", "card", "slot", "target", "effect")
MOVES = move_table(_COLUMNS, every_move())

# Where the rows stand. DEPLOY + SLOTS * card + slot deploys a card: there is no card 0.
DEAL, PREPARE, STRIKE, NOTHING, STOP, END, PASS = range(7)
_FIRST = {action: int(np.argmax(action == MOVES["action"])) for action in Action}
DEPLOY = _FIRST[Action.DEPLOY] - SLOTS  # + SLOTS * card + slot
ATTACK = _FIRST[Action.ATTACK]  # + SLOTS * slot + target
CONSCRIPT = _FIRST[Action.CONSCRIPT]  # + FRONT * card + slot; card 0 is the next in the queue
DEMOBILISE = _FIRST[Action.DEMOBILISE] - 1  # + card
RESERVE = _FIRST[Action.RESERVE] - 1  # + card
SWEEP = _FIRST[Action.SWEEP]  # + slot
SUPPORT = _FIRST[Action.SUPPORT]  # then by effect:
SUPPORT_S, SUPPORT_G, SUPPORT_A = 0, 1, 2  # SUPPORT_A + target
AS_KING = 2 + SLOTS  # further: the same effect, by the King


def notation(view: Any, number: int) -> str:
    """§13 Write a move: its verb, the card, the slots."""
    return _NOTATIONS[number]


def _written(move: Any) -> str:
    words = [Action(move.action).name.lower()]
    if move.card:
        words.append(letter(move.card))
    if move.action == Action.SUPPORT and move.card == ANY_KING:
        words.append(letter(move.effect))
    words += [Slot(slot).name for slot in (move.slot, move.target) if slot != NOWHERE]
    return " ".join(words)


def letter(card: int) -> str:
    """§13 Write a card in a move: either King is K."""
    return Card(card).name[0]


_NOTATIONS = [_written(move) for move in MOVES]


def shown(view: Any, number: int, reader: int | None) -> int:
    """§12 What others see of a move: all of it."""
    return number
