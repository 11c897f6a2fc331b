"""The cards (§1) and the moves (§3)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from brelan.knobs import Knobs
from brelan.rules import Cards, Seats, move_table

SEATS = Seats(2)
KNOBS = Knobs(Path(__file__).with_name("knobs.toml"))
COPIES = 3
CARDS = 15  # at most


class Card(Cards):
    """Five kinds."""

    FACE_DOWN = 0
    ONE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5

    @property
    def printed(self) -> int:
        """The number on the card."""
        return self.value


def packs(knobs: Mapping[str, int | str]) -> list[list[Card]]:
    """Return the one pack, unshuffled: on a ladder there are no cards 5 but by the defect."""
    kinds = list(Card)[1:] if has_fives(knobs["order"], knobs["defect"]) else list(Card)[1:-1]
    return [[card for card in kinds for _ in range(COPIES)]]


def has_fives(order: int | str, defect: int | str) -> bool:
    """Return whether there are cards 5."""
    return order == "cycle" or defect == "blank"


DEAL, SCORE, LAY = 0, 1, 2  # LAY + card
MOVES = move_table(["card"], [(0,), (0,), *((int(card),) for card in Card)])


def notation(view: Any, number: int) -> str:
    """§3 Write a move: the card that is laid."""
    return ("deal", "score", "?")[number] if number <= LAY else str(number - LAY)


def shown(view: Any, number: int, reader: int | None) -> int:
    """§3 Others do not see which card is laid."""
    return min(number, LAY)
