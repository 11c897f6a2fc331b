"""Places: the fields of a state, who sees each of them, and a record as plain data.

A place declares who sees it; `layout` turns a class of places into a record type and its masks.
"""

from __future__ import annotations

import dataclasses
import enum
import inspect
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from brelan.knobs import Knobs
from brelan.rules.record import record_type
from brelan.rules.rule import TABLE, rule


class Cards(enum.IntEnum):
    """The characters of a game. 0 is kept for *nothing you can see*: cards start at 1."""

    @property
    def printed(self) -> int | str:
        """How the rulebook writes this card, which views and `cards=` use."""
        raise TypeError(f"{type(self).__name__} does not say how its cards are printed")


@dataclass(frozen=True)
class SetOf:
    """A set of cards, or of anything named, held in one number: bit n is set when n is in it."""

    members: type[enum.IntEnum]


@dataclass(frozen=True)
class CountOf:
    """A heap of cards whose order does not matter: the last axis counts each kind of card."""

    cards: type[Cards]


class Seat:
    """A seat or nobody, held as 1 + its number or as 0."""


Kind = type[enum.IntEnum] | type[Seat] | SetOf | CountOf | None  # what a place holds


class Seats(int):
    """The length of an axis that has one entry for each seat."""


@dataclass(frozen=True)
class Place:
    """One field of a state: who sees it, its shape, and what it holds."""

    sight: str
    shape: tuple[int, ...]
    of: Kind = None
    sized_by: str | None = None  # the place that says how long its rows are
    memory: bool = False  # it holds what is known of cards, not cards

    @property
    def number(self) -> type:
        """A number is 16 bits wide; a set has a bit for each member."""
        is_wide = isinstance(self.of, SetOf) and max(self.of.members) > 14
        return np.int64 if is_wide else np.int16

    def cards(self, value: Any) -> list[Cards]:
        """Return the cards that lie in this place of a state; what is only known does not lie."""
        if self.memory or self.of is None:
            return []
        if isinstance(self.of, CountOf):
            counts = np.reshape(value, (-1, self.shape[-1])).sum(axis=0)
            return [card for card in self.of.cards for _ in range(counts[card])]
        if isinstance(self.of, type) and issubclass(self.of, Cards):
            return [self.of(int(card)) for card in np.ravel(value) if card]
        return []


def everyone_sees(*shape: int, of: Kind = None, sized_by: str | None = None) -> Any:
    """Declare a place that lies open on the table."""
    return Place("everyone", shape, of, sized_by)


def everyone_remembers(*shape: int, of: Kind = None, sized_by: str | None = None) -> Any:
    """Declare a place of what everybody knows of cards that lie elsewhere."""
    return Place("everyone", shape, of, sized_by, memory=True)


def owner_sees(seats: Seats, *shape: int, of: Kind = None, sized_by: str | None = None) -> Any:
    """Declare a place with a row for each seat, which only that seat sees."""
    if not isinstance(seats, Seats):
        raise TypeError("owner_sees(...) needs the seats as its first axis")
    return Place("owner", (seats, *shape), of, sized_by)


def owner_remembers(seats: Seats, *shape: int, of: Kind = None, sized_by: str | None = None) -> Any:
    """Declare a place with a row for each seat, of what only that seat knows."""
    return dataclasses.replace(owner_sees(seats, *shape, of=of, sized_by=sized_by), memory=True)


def nobody_sees(*shape: int, of: Kind = None, sized_by: str | None = None) -> Any:
    """Declare a place that lies face down for everybody."""
    return Place("nobody", shape, of, sized_by)


@dataclass(frozen=True)
class Layout:
    """The record type of a state, its places by name, and what each seat sees of its bytes."""

    dtype: np.dtype[Any]
    places: Mapping[str, Place]
    seats: int
    masks: npt.NDArray[np.uint64]  # a row for each seat, then one for the spectator

    def blank(self) -> Any:
        """Return a blank record: all zero, padding too."""
        return np.zeros(1, self.dtype)[0]

    def view(self, state: bytes, seat: int | None) -> Any:
        """Return the bytes of a state as a seat sees them: the same record under its mask."""
        mask = self.masks[self.seats if seat is None else seat]
        return np.frombuffer(np.frombuffer(state, np.uint64) & mask, self.dtype)[0]

    def buffers(self, blank: bytes) -> tuple[Any, Any, Any]:
        """Return a state, a view, and the raw words of both, to copy and to mask.

        The raw record also holds the masks, and a blank state that a match begins with.
        """
        length = self.dtype.itemsize // 8
        words = [(name, np.uint64, (length,)) for name in ("state", "seen", "blank")]
        fields = [*words, ("masks", np.uint64, self.masks.shape)]
        raw = np.zeros(1, record_type(fields))
        raw[0].masks[:] = self.masks
        raw[0].blank[:] = np.frombuffer(blank, np.uint64)
        raw[0].state[:] = raw[0].blank
        state, view = (raw[name][0].view(self.dtype)[0] for name in ("state", "seen"))
        return state, view, raw[0]


class Places:
    """What every state has besides the places that it declares."""

    luck: Any  # a row of one word, which nobody sees


def layout(state: type, seats: int, knobs: Iterable[str] = ()) -> Layout:
    """Lay out the places of a class as one record; knobs lie open, luck is seen by nobody.

    It fails closed: an attribute that does not say who sees it is an error. A knob that rules use
    is declared by its type alone (`deck: int`), so that tools know of it.
    """
    places: dict[str, Place] = {name: Place("everyone", ()) for name in knobs}
    undeclared = [name for name in inspect.get_annotations(state) if name not in places]
    for name, place in vars(state).items():
        if name.startswith("__"):
            continue
        if isinstance(place, Place) and name not in places and name != "luck":
            places[name] = place
        else:
            undeclared.append(name)
    if undeclared:
        raise TypeError(
            f"{state.__name__}.{undeclared[0]} must say who sees it, once: "
            "everyone_sees(...), owner_sees(...) or nobody_sees(...)"
        )
    widest_first = sorted(places, key=lambda name: -np.dtype(places[name].number).itemsize)
    places = {name: places[name] for name in widest_first}
    fields: list[Any] = [("luck", np.uint64, (1,))]  # which nobody sees
    fields += [(name, place.number, place.shape) for name, place in places.items()]
    odd = -np.dtype(fields).itemsize % 8 // 2
    fields.append(("padding", np.int16, (odd,)))  # named, for numpy does not copy what has no name
    dtype = record_type(fields)
    masks = np.zeros(seats + 1, dtype)
    for name, place in places.items():
        if place.sight == "everyone":
            masks[name] = -1
        elif place.sight == "owner":
            for seat in range(seats):
                masks[name][seat, seat] = -1
    return Layout(dtype, places, seats, masks.view(np.uint64).reshape(seats + 1, -1))


@rule
def copy_cards(target, source):
    """Copy a row of cards."""
    for place in range(len(source)):
        target[place] = source[place]


@rule
def clear(row):
    """Empty a row."""
    for place in range(len(row)):
        row[place] = 0


# ---------------------------------------------------------------- a record as plain data


def as_dict(record: Any, seat: int | None, layout: Layout, knobs: Knobs) -> dict[str, Any]:
    """Return what a seat sees of a record, by name; what it cannot see is None or left out."""
    players = int(record.players)
    seen: dict[str, Any] = {"seat": seat}
    seen["knobs"] = {name: knob.value(int(record[name])) for name, knob in knobs.items()}
    for name, place in layout.places.items():
        if name in knobs or place.sight == "nobody":
            continue
        sizes = record[place.sized_by] if place.sized_by else None
        seen[name] = _plain(record[name], place, place.shape, players, sizes)
        if place.sight == "owner":
            rows = seen[name]
            seen[name] = [rows[row] if row == seat else None for row in range(players)]
    seen["turn"] = None if record.turn == TABLE else int(record.turn)
    return seen


def _plain(value: Any, place: Place, shape: tuple[int, ...], players: int, sizes: Any) -> Any:
    if not shape:
        return _one(int(value), place.of)
    if isinstance(place.of, CountOf) and len(shape) == 1:
        cards = place.of.cards
        return [_name(card) for card in cards for _ in range(int(value[card]))]
    length = players if isinstance(shape[0], Seats) else shape[0]
    if sizes is not None and getattr(sizes, "shape", ()) == ():
        length, sizes = int(sizes), None
    return [
        _plain(value[row], place, shape[1:], players, None if sizes is None else sizes[row])
        for row in range(length)
    ]


def _one(number: int, of: Kind) -> Any:
    if of is None:
        return number
    if isinstance(of, SetOf):
        return [_name(member) for member in of.members if number >> member & 1]
    if of is Seat:
        return number - 1 if number else None
    assert isinstance(of, type)
    assert issubclass(of, enum.IntEnum)
    return _name(of(number))


def _name(member: enum.IntEnum) -> int | str | None:
    """Return how a card is printed, None if it lies face down; or what anything else is called."""
    if isinstance(member, Cards):
        return member.printed if member else None
    return member.name.lower()
