"""Slices: which part of a tensor each place of a view fills, and how its numbers are written.

| how | of which places | entries for each number | what is written |
|---|---|---|---|
| `one_of` | cards, other enumerations | the highest member | 1 at the number's entry |
| `one_of` | knobs of texts | the values | 1 at the value's entry |
| `seat` | `turn`, `Seat` | the seats | 1 at the seat's entry |
| `set` | `SetOf` | the highest member, and 1 | 1 for each member |
| `counts` | `CountOf` | 1 | the count, divided by the copies in the packs |
| `size` | what sizes the rows of other places | 1 | the number, divided by that length |
| `number` | all other places, knobs of numbers | 1 | the square root, divided by 4, with its sign |

0, which is *nothing you can see*, leaves all entries of a place at 0. Axes of seats are cut to the
seats of the variant. Of places that only their owner sees, the reader's own row is written.
"""

from __future__ import annotations

import enum
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from brelan.engine.game import Game
from brelan.rules import CountOf, Place, Seat, Seats, SetOf

How = Literal["one_of", "seat", "set", "counts", "size", "number"]

READER = "seat"  # the name of the first slice, which says whose view it is


@dataclass(frozen=True)
class Slice:
    """The entries of a tensor that a place fills: `tensor[at : at + size]`, of this `shape`.

    The last axis of the shape has the entries of one number, where there are several; the others
    are those of the place, without the axis of its owner.
    """

    name: str
    how: How
    at: int
    shape: tuple[int, ...]
    members: tuple[str, ...]  # what the entries along the last axis stand for, if they have names

    @property
    def size(self) -> int:
        """How many entries it has."""
        return math.prod(self.shape)

    @property
    def where(self) -> slice:
        """The slice of a tensor."""
        return slice(self.at, self.at + self.size)


@dataclass(frozen=True)
class Source:
    """Where the numbers of a slice lie in a view: cells of 16 bits, from its beginning on."""

    slice: Slice
    cells: npt.NDArray[np.int64]  # of the first seat, if only the owner sees them
    by_seat: int  # how many cells further those of the next seat lie
    width: int  # entries for each cell
    shift: int  # added to a number before its entry is found
    scales: npt.NDArray[np.float64]  # by which each entry is multiplied; 0: the square root


def sources(game: Game, *, knobs: bool) -> Iterator[Source]:
    """Yield the slices of a variant's tensor after the first, and where their numbers lie."""
    at = game.players  # after the slice of the reader
    for name, place in game.folder.layout.places.items():
        is_knob = name in game.folder.knobs
        if place.sight == "nobody" or (is_knob and not knobs):
            continue
        found = _source(game, name, place, at)
        at += found.slice.size
        yield found


def reader_slice(game: Game) -> Slice:
    """Return the first slice: 1 for the seat that sees the view; a spectator is none of them."""
    return Slice(READER, "seat", 0, (game.players,), _seats(game))


def _source(game: Game, name: str, place: Place, at: int) -> Source:
    how, members, shift = _written(game, name, place)
    cells = _cells(game, name, place)
    is_wide = np.dtype(place.number).itemsize > 2
    by_seat = int(cells[1].flat[0] - cells[0].flat[0]) if place.sight == "owner" else 0
    cells = cells[0] if place.sight == "owner" else cells
    shape = cells.shape
    width = 1
    if how in ("one_of", "seat", "set"):
        width = len(members)
        shape = (*shape, width)
    scales = np.ones(math.prod(shape))
    if how == "number":
        scales[:] = 0
    elif how == "size":
        scales[:] = 1 / _length_sized_by(game, name, place)
    elif how == "counts":
        assert isinstance(place.of, CountOf)
        copies = Counter(int(card) for card in game.pack)
        most = [max(1, copies[kind]) for kind in range(place.shape[-1])]
        scales = 1 / np.resize(np.array(most, np.float64), scales.shape)
    found = Slice(name, how, at, shape, members)
    assert not is_wide or how == "set"
    return Source(found, cells.ravel(), by_seat, width, shift, scales)


def _cells(game: Game, name: str, place: Place) -> npt.NDArray[np.int64]:
    """Return where the numbers of a place begin in a view, for the seats that there are."""
    fields = game.folder.layout.dtype.fields
    assert fields is not None
    step = np.dtype(place.number).itemsize // 2
    cells = np.arange(math.prod(place.shape)).reshape(place.shape) * step + fields[name][1] // 2
    there = tuple(
        slice(game.players if isinstance(length, Seats) else length) for length in place.shape
    )
    return np.asarray(cells[there] if place.shape else cells)


def _written(game: Game, name: str, place: Place) -> tuple[How, tuple[str, ...], int]:
    """Return how numbers of a place are written, the names of their entries, and their shift."""
    of = place.of
    knob = game.folder.knobs.get(name)
    if knob is not None:
        if isinstance(knob.default, int):
            return "number", (), 0
        return "one_of", tuple(str(value) for value in knob.values), 1
    if name == "turn":
        return "seat", _seats(game), 1
    if of is Seat:
        return "seat", _seats(game), 0
    if isinstance(of, SetOf):
        return "set", _names(of.members, 0), 0
    if isinstance(of, CountOf):
        return "counts", (), 0
    if of is None:
        return ("number" if _length_sized_by(game, name, place) is None else "size"), (), 0
    assert isinstance(of, type)
    assert issubclass(of, enum.IntEnum)
    return "one_of", _names(of, 1), 0


def _length_sized_by(game: Game, name: str, place: Place) -> Any:
    """Return the length of the rows whose size this place says; None if it says none."""
    for other in game.folder.layout.places.values():
        if other.sized_by == name and not isinstance(other.of, CountOf):
            return other.shape[len(place.shape)]
    return None


def _names(members: type[enum.IntEnum], first: int) -> tuple[str, ...]:
    """Return the name of each number from the first to the highest member."""
    named = {int(member): member.name.lower() for member in members}
    return tuple(named.get(number, str(number)) for number in range(first, max(named) + 1))


def _seats(game: Game) -> tuple[str, ...]:
    return tuple(f"seat {seat}" for seat in range(game.players))
