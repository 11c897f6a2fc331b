"""Where the cards of each seat lie in a state: the cells that only this seat sees."""

from __future__ import annotations

import enum
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from brelan.engine.game import Game
from brelan.rules import Cards, CountOf, Layout, Place, Seat

HAND = "hand"  # the place that a seat plays its cards from, in every game that has one
STARTERS = ("opener", "starter", "first")  # places that say who starts a match
ROUND = "round_no"
NONE = -1


class Cells(NamedTuple):
    """Cells of a state, each of 16 bits, by their number.

    `cards` has a row for each cell of each seat: its number, the card that it counts (0: it holds a
    card), and whether it belongs to the hand.
    """

    cards: npt.NDArray[np.int64]  # seats × cells × 3
    kinds: int  # one more than the highest card
    starter: int  # the cell that says who starts; NONE: the seat that decides first
    starter_base: int  # the number by which it names seat 0; with 1, nobody is 0
    round_no: int  # the cell that counts rounds, or NONE


def cells_of(game: Game) -> Cells:
    """Return the cells of a game's state."""
    layout = game.folder.layout
    rows: list[list[list[int]]] = [[] for _ in range(game.players)]
    for name, place in layout.places.items():
        if place.sight == "owner" and not place.memory and _kind(place) is not None:
            for seat in range(game.players):
                rows[seat] += _cells(layout, name, place, seat)
    starter = starter_of(layout)
    return Cells(
        np.array(rows, np.int64).reshape(game.players, -1, 3),
        1 + max((int(card) for card in game.pack), default=0),
        NONE if starter is None else _first(layout, starter),
        int(starter is not None and layout.places[starter].of is Seat),
        _first(layout, ROUND) if counts_rounds(layout) else NONE,
    )


def starter_of(layout: Layout) -> str | None:
    """Return the place that says who starts a match; None: it is the seat that decides first."""
    return next((name for name in STARTERS if _is_number(layout, name)), None)


def counts_rounds(layout: Layout) -> bool:
    """Whether there is a place that counts rounds."""
    return _is_number(layout, ROUND)


def _kind(place: Place) -> type[enum.IntEnum] | CountOf | None:
    """Return which cards a place holds or counts; None: it holds none."""
    if isinstance(place.of, CountOf):
        return place.of
    is_cards = isinstance(place.of, type) and issubclass(place.of, Cards)
    return place.of if is_cards else None  # type: ignore[return-value]


def _cells(layout: Layout, name: str, place: Place, seat: int) -> list[list[int]]:
    """Return the cells of a seat's row of a place."""
    row = np.arange(np.prod(place.shape), dtype=np.int64).reshape(place.shape)[seat]
    counted = np.zeros(row.shape, np.int64)
    if isinstance(place.of, CountOf):
        counted += np.arange(place.shape[-1])
    first, is_hand = _first(layout, name), int(name == HAND)
    return [
        [first + int(cell), int(card), is_hand]
        for cell, card in zip(row.flat, counted.flat, strict=True)
        if card or not isinstance(place.of, CountOf)
    ]


def _is_number(layout: Layout, name: str) -> bool:
    place = layout.places.get(name)
    return place is not None and place.shape == () and place.of in (None, Seat)


def _first(layout: Layout, name: str) -> int:
    """Return the number of the first cell of a place."""
    fields: Any = layout.dtype.fields
    return int(fields[name][1]) // 2
