"""The cards (§1) and the moves that can be made (§3)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from brelan.knobs import Knobs
from brelan.rules import Cards, Seats

SEATS = Seats(2)
KNOBS = Knobs(Path(__file__).with_name("knobs.toml"))


class Card(Cards):
    """The three cards, from the lowest to the highest."""

    FACE_DOWN = 0
    JACK = 1
    QUEEN = 2
    KING = 3

    @property
    def printed(self) -> str:
        """The letter on the card."""
        return "-JQK"[self.value]


def packs(knobs: Mapping[str, int | str]) -> list[list[Card]]:
    """Return the one pack, unshuffled."""
    return [[Card.JACK, Card.QUEEN, Card.KING]]


# A move is a row of a table; these have no columns that say more than their number.

DEAL, SCORE, PASS, BET = 0, 1, 2, 3
NOTATIONS = ("deal", "score", "pass", "bet")
MOVES = np.zeros(len(NOTATIONS), [("chips", "i2")]).view(np.recarray)
MOVES.chips[BET] = 1


def notation(view: Any, number: int) -> str:
    """§3 Write a move: `pass` or `bet`."""
    return NOTATIONS[number]


def shown(view: Any, number: int, reader: int | None) -> int:
    """§3 What others see of a move: all of it."""
    return number
