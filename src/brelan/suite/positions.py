"""Positions set up by hand, for the worked examples of a specification and for puzzles."""

from __future__ import annotations

import enum
import importlib
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from brelan.engine.game import Game
from brelan.engine.match import Match
from brelan.engine.numbers import whole_number
from brelan.errors import Refused
from brelan.rules import Cards, CountOf, Place, Seat, Seats, SetOf


def position(game: Game, *, rest: str | None, **places: Any) -> Match:
    """Return a match that stands in a position set up by hand.

    `places` are filled by name, in the rulebook's own numbers and names, as `View.as_dict` shows
    them; rows may be shorter than the place. No card may lie twice. The cards not named go to
    the place `rest`, after what lies there, or stay out of play if it is None. What follows
    from the rest (sizes, sums, phases) is worked out by `arrange` in the game's
    `setup.py`. A position that cannot be is refused, as far as what is given contradicts itself
    or leaves the seat in turn nothing to do; how a match came to it is not asked.

    >>> import brelan
    >>> game = brelan.game("love-letter")
    >>> match = position(game, rest="pile", turn=0, hand=[8, 1], drew=[[5]])
    >>> [move.notation for move in match.legal()]
    ['8']
    """
    table = _Table(game)
    for name in (*places, rest):
        if name is not None and name not in table.places:
            raise Refused(f"unknown place {name!r}; there are: {', '.join(table.places)}")
    for name, value in places.items():
        table.fill(name, value)
    table.check_turn(places.get("turn", 0))
    table.check_sizes(places)
    table.lay_rest(rest)
    given = {name: table.state[name].copy() for name in places}
    setup = importlib.import_module(f"{game.folder.rules.__package__}.setup")
    setup.arrange(table.state, places)
    for name in given.keys() - {rest}:
        table.check_kept(name, given[name])
    match = Match.from_position(game, table.state)
    if match.turn is not None and not match.legal():
        raise Refused(f"seat {match.turn} has the turn and no legal move")
    return match


class _Table:
    """A position while it is being set up."""

    def __init__(self, game: Game) -> None:
        self.players, self.pack = game.players, game.pack
        self.state = game.blank()
        self.places = {
            name: place
            for name, place in game.folder.layout.places.items()
            if name not in game.folder.knobs
        }
        self.by_print: dict[Any, Cards] = {card.printed: card for card in game.pack}

    def fill(self, name: str, value: Any) -> None:
        """Fill one place, and the place that says how long its rows are."""
        place = self.places[name]
        if place.shape and value is None:
            raise Refused(f"{name} takes a list, not None; leave it out")
        self._fill_row(name, self.state, name, value, place, place.shape)
        if place.sized_by in self.places:
            sizes = _lengths(value) if self.places[place.sized_by].shape else len(value)
            _put(self.state, place.sized_by, sizes)

    def _fill_row(
        self, where: str, row: Any, key: Any, value: Any, place: Place, shape: Sequence[int]
    ) -> None:
        if not shape:
            if value is not None:
                row[key] = self._number(where, value, place)
            return
        if value is None:
            return
        if not isinstance(value, list | tuple):
            raise Refused(f"{where} takes a list, not {value!r}")
        if isinstance(place.of, CountOf) and len(shape) == 1:
            for card in value:
                row[key][self._card(where, card)] += 1
            return
        room = self._room(shape[0], place)
        if len(value) > room:
            raise Refused(f"{where} has room for {room}, not {len(value)}")
        if place.sized_by is not None and len(shape) == 1 and None in value:
            raise Refused(f"{where} has a gap: a row is written without None")
        for index, item in enumerate(value):
            inner = f"{where} of seat {index}" if isinstance(shape[0], Seats) else where
            self._fill_row(inner, row[key], index, item, place, shape[1:])

    def _room(self, length: int, place: Place) -> int:
        """Return how much of a row is in use: of all seats those that play."""
        if isinstance(length, Seats):
            return self.players
        if place.sized_by is not None and place.sized_by not in self.places:
            return int(self.state[place.sized_by])  # a knob says how long it is
        return length

    def _number(self, where: str, value: Any, place: Place) -> int:
        if isinstance(place.of, SetOf):
            if not isinstance(value, list | tuple):
                raise Refused(f"{where} takes a list, not {value!r}")
            members = {self._member(where, member, place.of.members) for member in value}
            return sum(1 << member for member in members)
        if place.of is Seat:
            return 1 + self._seat(where, value)
        if place.of is not None:
            assert isinstance(place.of, type)
            assert issubclass(place.of, enum.IntEnum)
            return self._member(where, value, place.of)
        number, limit = _number(value), np.iinfo(place.number)
        if number is None or not limit.min <= number <= limit.max:
            raise Refused(f"{where} = {value!r}: it is a whole number, up to {limit.max}")
        return number

    def _seat(self, where: str, value: Any) -> int:
        seat = whole_number(value)
        if seat is None or seat not in range(self.players):
            last = self.players - 1
            raise Refused(f"{where} = {value!r} is no seat; seats are 0 to {last}")
        return seat

    def _member(self, where: str, value: Any, members: type[enum.IntEnum]) -> int:
        if issubclass(members, Cards):
            return self._card(where, value)
        names = [member.name.lower() for member in members]
        if not isinstance(value, str) or value.lower() not in names:
            raise Refused(f"{where} = {value!r} is not known; there are: {', '.join(names)}")
        return int(members[value.upper()])

    def _card(self, where: str, printed: Any) -> int:
        try:
            return int(self.by_print[printed])
        except (KeyError, TypeError):
            cards = ", ".join(map(str, self.by_print))
            raise Refused(f"{where}: there is no card {printed!r}; there are: {cards}") from None

    def check_turn(self, turn: Any) -> None:
        """Refuse a turn that is no seat's: a position is there for somebody to decide."""
        self._seat("turn", turn)

    def check_sizes(self, given: Mapping[str, Any]) -> None:
        """Refuse rows that share their length and differ in it, and lengths without a row."""
        for name, place in self.places.items():
            if place.sized_by not in self.places:
                continue
            size = self.state[place.sized_by]
            if name in given and not np.array_equal(_padded(given[name], size), size):
                raise Refused(f"{name} and {place.sized_by} contradict each other in length")
            if _holds_cards(place):
                rows = np.reshape(self.state[name], (size.size, -1))
                counts = rows.sum(axis=1) if isinstance(place.of, CountOf) else (rows != 0).sum(1)
                if not np.array_equal(counts, np.ravel(size)):
                    raise Refused(f"{place.sized_by} says how many cards {name} has: name them")

    def lay_rest(self, rest: str | None) -> None:
        """Lay the cards that lie nowhere into a place; refuse cards that there are not."""
        left = Counter(self.pack)
        for name, place in self.places.items():
            left.subtract(place.cards(self.state[name]))
        for card, count in left.items():
            if count < 0:
                copies = self.pack.count(card)
                raise Refused(
                    f"there are not so many cards {card.printed}: {copies - count} are named, "
                    f"and the pack has {copies}"
                )
        if rest is None:
            return
        place = self.places[rest]
        if not _holds_cards(place) or isinstance(place.of, CountOf) or not place.shape:
            raise Refused(f"rest = {rest!r} is no place for a row of cards")
        row = self.state[rest].reshape(-1)
        start, others = int((row != 0).sum()), list(left.elements())
        if start + len(others) > len(row):
            raise Refused(f"{rest} has room for {len(row)} cards, not {start + len(others)}")
        row[start : start + len(others)] = others

    def check_kept(self, name: str, given: Any) -> None:
        """Refuse a place that was given and that follows otherwise from the others."""
        place, now = self.places[name], self.state[name]
        if place.sight == "nobody":
            return  # a pile, which is laid where the rules draw from
        if _holds_cards(place):
            given, now = np.sort(given, axis=None), np.sort(now, axis=None)
        if not np.array_equal(given, now):
            raise Refused(f"{name} does not agree with the other places; leave it out")


def _holds_cards(place: Place) -> bool:
    """Whether cards lie in a place."""
    if place.memory:
        return False
    is_card = isinstance(place.of, type) and issubclass(place.of, Cards)
    return is_card or isinstance(place.of, CountOf)


def _number(value: Any) -> int | None:
    """Return a whole number as a plain one, a truth value as 0 or 1, and None for all else."""
    return int(value) if isinstance(value, bool | np.bool_) else whole_number(value)


def _lengths(value: Any) -> list[int]:
    return [0 if row is None else len(row) for row in value]


def _put(state: Any, name: str, sizes: Any) -> None:
    if isinstance(sizes, list):
        state[name][: len(sizes)] = sizes
    else:
        state[name] = sizes


def _padded(value: Any, size: Any) -> Any:
    """Return how long the rows given are, nothing for those that are not."""
    if not size.shape:
        return len(value)
    lengths = np.zeros(size.shape, int)
    lengths[: len(value)] = _lengths(value)
    return lengths
