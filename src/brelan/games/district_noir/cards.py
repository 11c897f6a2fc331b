"""The cards of District Noir (§1) and the moves that can be made with them (§2)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from brelan.knobs import Knobs
from brelan.rules import Cards, Seats, move_table

SEATS = Seats(2)
KNOBS = Knobs(Path(__file__).with_name("knobs.toml"))


class Card(Cards):
    """Supports, Alliances, Betrayals and Cities (villes), as the rulebook writes them."""

    FACE_DOWN = 0
    S5 = 1
    S6 = 2
    S7 = 3
    S8 = 4
    A2 = 5
    A3 = 6
    A4 = 7
    T1 = 8
    T2 = 9
    T3 = 10
    V1 = 11
    V2 = 12
    V3 = 13

    @property
    def printed(self) -> str:
        """The letter and the number on the card."""
        return self.name


NO_CARD = 0
KINDS = len(Card)
LARGEST = 60  # cards in a pack
MOST_HELD = 9
MOST_ASIDE = 9

SUPPORTS = (Card.S5, Card.S6, Card.S7, Card.S8)
CITIES = (Card.V1, Card.V2, Card.V3)
ALL_CITIES = (1 << Card.V1) | (1 << Card.V2) | (1 << Card.V3)
SUPPORT = np.array([0, 5, 6, 7, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0], np.int16)  # for the majority
WORTH = np.array([0, 0, 0, 0, 0, 2, 3, 4, -1, -2, -3, 0, 0, 0], np.int16)  # of the card alone


def packs(knobs: Mapping[str, int | str]) -> list[list[Card]]:
    """Return the one pack that a variant is played with, unshuffled."""
    copies = {card: int(knobs[f"copies_{card.name}"]) for card in list(Card)[1:]}
    return [[card for card, count in copies.items() for _ in range(count)]]


def conflict(knobs: Mapping[str, int | str]) -> str | None:
    """Return why these knobs cannot be set together (§9), or None."""
    for card in list(Card)[1:]:
        name = f"copies_{card.name}"
        if knobs["deck"] == "printed" and knobs[name] != KNOBS[name].default:
            default = KNOBS[name].default
            return f"{name} = {knobs[name]} is for deck = custom; deck = printed has {default}"
    (pack,) = packs(knobs)
    if len(pack) > LARGEST:
        return f"there may be {LARGEST} cards at most, not {len(pack)}: turn the copies_… down"
    dealt = 2 * int(knobs["hand_size"]) * int(knobs["rounds"])
    needed = int(knobs["removed"]) + int(knobs["initial_row"]) + dealt
    if needed > len(pack):
        return (
            f"removed + initial_row + 2 × hand_size × rounds needs {needed} cards, "
            f"and the pack has {len(pack)}"
        )
    return None


# A move is a row of a table: the card that is played, or NO_CARD. The card is the number of its
# row after TAKE, so that PLAY + card plays it.

DEAL, SCORE, PLAY = 0, 1, 2
TAKE = PLAY + NO_CARD
MOVES = move_table(["card"], [(0,), (0,), *((int(card),) for card in Card)])


def notation(view: Any, number: int) -> str:
    """§2 Write a move: the card that is played, or `take`."""
    if number <= TAKE:
        return ("deal", "score", "take")[number]
    return Card(MOVES[number].card).printed


def shown(view: Any, number: int, reader: int | None) -> int:
    """§6 What others see of a move: all of it."""
    return number
