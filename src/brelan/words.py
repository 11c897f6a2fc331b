"""The words that rules are written with: rules, places and who sees them, luck.

A rule is an ordinary Python function on a state record. It runs as it stands, and
`brelan.machine` compiles a twin of it. A place is a field of the state that declares who
sees it; `layout` turns a class of places into a record type and its masks of sight.
"""

from __future__ import annotations

import dataclasses
import enum
import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

TABLE = 98  # the table has the turn: it deals, reveals, scores
NOBODY = 99  # no seat at all; never -1, which would be the last seat


def rule(function: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a function as a rule: plain Python here, machine code once it is linked."""
    function.__rule__ = True  # type: ignore[attr-defined]
    return function


def woven(function: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a rule that is compiled as a part of the one rule that uses it, which saves time."""
    function.__woven__ = True  # type: ignore[attr-defined]
    return rule(function)


class Record(np.record):  # type: ignore[misc]  # numpy's types call it final, its code does not
    """A numpy record that finds its fields four times faster than numpy's own."""

    __getattribute__ = np.void.__getattribute__
    __getitem__ = np.void.__getitem__  # type: ignore[assignment]

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except ValueError:
            raise AttributeError(f"there is no {name!r} in this record") from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


def record_type(fields: Any) -> np.dtype[Any]:
    """Return the type of a record with these fields."""
    return np.dtype((Record, np.dtype(fields, align=True)))


# ---------------------------------------------------------------- cards and places


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
        return (np.frombuffer(state, np.uint64) & mask).view(self.dtype)[0]

    def board(self, blank: bytes) -> tuple[Any, Any, Any]:
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


def layout(state: type, seats: int, knobs: Iterable[str] = ()) -> Layout:
    """Lay out the places of a class as one record; knobs lie open, luck is seen by nobody.

    It fails closed: an attribute that does not say who sees it is an error.
    """
    places: dict[str, Place] = {name: Place("everyone", ()) for name in knobs}
    undeclared = list(inspect.get_annotations(state))
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
    """Copy a row of cards (a slice would take numba two seconds to compile)."""
    for place in range(len(source)):
        target[place] = source[place]


@rule
def clear(row):
    """Empty a row."""
    for place in range(len(row)):
        row[place] = 0


# ---------------------------------------------------------------- the desk

MOST_MOVES = 1024  # legal moves there is room for
MOST_METRICS = 32
MOST_SEATS = 8
MOST_CHOICES = 64  # that can be made in every way

DESK = record_type(
    [
        ("luck", np.uint64, (1,)),
        ("count", np.int64),
        ("moves", np.int16, (MOST_MOVES,)),
        ("metrics", np.float64, (MOST_METRICS,)),
        ("bots", np.int64, (MOST_SEATS,)),
        ("scores", np.int64, (MOST_SEATS,)),
        ("winners", np.int64, (MOST_SEATS,)),
        ("values", np.float64, (MOST_SEATS,)),
        ("chosen", np.int16, (MOST_CHOICES,)),  # this time, where choices are made in every way
        ("choices", np.int16, (MOST_CHOICES,)),  # of how many
        ("asked", np.int64),  # how many times so far
    ]
)


def desk(luck: int = 0) -> Any:
    """Return the scratch paper of whoever plays: legal moves, a stream of luck, metrics.

    It is a record, like a state, because numba counts references to arrays at every call.
    """
    paper = np.zeros(1, DESK)[0]
    paper.luck[0] = luck
    return paper


@rule
def add_move(desk, number):
    """Write one more legal move down."""
    desk.moves[desk.count] = number
    desk.count += 1


@rule
def add_move_once(desk, number):
    """Write a legal move down unless it is there already."""
    for place in range(desk.count):
        if desk.moves[place] == number:
            return
    add_move(desk, number)


# ---------------------------------------------------------------- luck


STEP = np.uint64(0x9E3779B97F4A7C15)


@rule
def mixed(bits):
    """Return 64 well mixed bits (splitmix64)."""
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


@rule
def scaled(bits, number):
    """Bring random bits into the range 0 to number - 1 (with a bias under number / 2**32)."""
    return np.int64(((bits >> np.uint64(32)) * np.uint64(number)) >> np.uint64(32))


@rule
def next_luck(luck):
    """Return the next 64 random bits of a stream."""
    luck[0] += STEP
    return mixed(luck[0])


@rule
def below(luck, number):
    """Return a random number from 0 to number - 1."""
    return scaled(next_luck(luck), number)


@rule
def chance(luck):
    """Return a random fraction from 0 to 1, which is never 1."""
    return (next_luck(luck) >> np.uint64(11)) * 2.0**-53


@rule
def by_weight(luck, weights, count):
    """Return a random number from 0 to count - 1, each as likely as it weighs.

    The last one must weigh something, for rounding may let the lot fall to it.
    """
    total = 0.0
    for lot in range(count):
        total += weights[lot]
    drawn, lot = chance(luck) * total, 0
    while lot < count - 1 and drawn >= weights[lot]:
        drawn -= weights[lot]
        lot += 1
    return lot


@rule
def shuffle(luck, cards, count):
    """Shuffle the first `count` cards of a row."""
    bits = luck[0]
    for last in range(count - 1, 0, -1):
        bits += STEP
        other = scaled(mixed(bits), last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    luck[0] = bits


# ---------------------------------------------------------------- choices in every way, or in any


@rule
def one_of(desk, count):
    """Return a number from 0 to count - 1: another one each time the same is done again."""
    if desk.asked == MOST_CHOICES:
        raise ValueError("there are too many choices to make them in every way")
    desk.choices[desk.asked] = count
    desk.asked += 1
    return desk.chosen[desk.asked - 1] % count


@rule
def first_way(desk):
    """Begin to go through all ways in which the choices that follow can be made."""
    clear(desk.chosen)
    desk.asked = 0


@rule
def next_way(desk):
    """Turn to the next way, to begin again; False: all ways have been gone."""
    while desk.asked > 0:
        desk.asked -= 1
        desk.chosen[desk.asked] += 1
        if desk.chosen[desk.asked] < desk.choices[desk.asked]:
            desk.asked = 0
            return True
        desk.chosen[desk.asked] = 0
    return False


@rule
def any_way(desk):
    """Let the choices that follow be made in any one way, by luck."""
    for choice in range(MOST_CHOICES):
        desk.chosen[choice] = below(desk.luck, 1 << 15)
    desk.asked = 0


@rule
def count_ways(desk):
    """Return in how many ways the choices since then could have been made."""
    ways = 1.0
    for choice in range(desk.asked):
        ways *= desk.choices[choice]
    return ways


@rule
def fingerprint(row):
    """Return 64 bits that stand for a row of words."""
    bits = STEP
    for place in range(len(row)):
        bits = (bits ^ row[place]) * np.uint64(0xBF58476D1CE4E5B9)
        bits ^= bits >> np.uint64(29)
    return bits
