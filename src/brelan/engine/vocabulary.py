"""The vocabulary of a variant: what the numbers of its views and moves mean.

It lets a client read views that are sent as numbers by place, and show a legal move that is sent
as one number. It is the same for all matches of a variant under one version of the rules.
"""

from __future__ import annotations

import enum
from typing import Any, NamedTuple

import numpy as np

from brelan.engine.game import Game
from brelan.i18n import Message
from brelan.rules import Cards, CountOf, Place, Seat, Seats, SetOf

LUCK_BYTES = 8  # at the beginning of a record, which nobody sees
WORD_BYTES = 2


class Wording(NamedTuple):
    """How a move is written and said."""

    notation: str
    label: Message


def places(game: Game) -> list[dict[str, Any]]:
    """Return each place: where it begins in a view, in numbers of 16 bits, and what it holds.

    `seat_axes` are the axes of its shape that have an entry for each seat. `wide` says that each of
    its entries takes four numbers, the lowest first. `of` names the enumeration of its entries (see
    `enumerations`), with `held` as `one`, `set` (bit n: n is in it), `counts` (entry n of the last
    axis: how many) or `seat` (1 + the seat, 0: nobody).
    """
    layout = game.folder.layout
    found = []
    for name, place in layout.places.items():
        if place.sight == "nobody":
            continue
        assert layout.dtype.fields is not None
        offset = int(layout.dtype.fields[name][1])
        held, of = _held(place)
        found.append(
            {
                "name": name,
                "at": (offset - LUCK_BYTES) // WORD_BYTES,
                "shape": [int(length) for length in place.shape],
                "seat_axes": [
                    axis for axis, length in enumerate(place.shape) if isinstance(length, Seats)
                ],
                "wide": np.dtype(place.number).itemsize > WORD_BYTES,
                "held": held,
                "of": of,
                "sight": place.sight,
                "sized_by": place.sized_by,
                "knob": name in game.folder.knobs,
            }
        )
    return found


def _held(place: Place) -> tuple[str, str | None]:
    of = place.of
    if isinstance(of, SetOf):
        return "set", of.members.__name__
    if isinstance(of, CountOf):
        return "counts", of.cards.__name__
    if of is None:
        return "number", None
    return ("seat", None) if of is Seat else ("one", of.__name__)


def enumerations(game: Game) -> dict[str, list[dict[str, Any]]]:
    """Return the names of what places hold: of each number its name, for cards what is printed."""
    kinds = set()
    for place in game.folder.layout.places.values():
        of = place.of
        kind = of.members if isinstance(of, SetOf) else of.cards if isinstance(of, CountOf) else of
        if isinstance(kind, type) and issubclass(kind, enum.IntEnum):
            kinds.add(kind)
    return {kind.__name__: [_member(each) for each in kind] for kind in sorted(kinds, key=str)}


def _member(member: enum.IntEnum) -> dict[str, Any]:
    named: dict[str, Any] = {"number": int(member), "name": member.name.lower()}
    if isinstance(member, Cards) and member:
        named["printed"] = member.printed
    return named


def move_rows(game: Game) -> tuple[list[str], list[list[int]]]:
    """Return the columns of the table of moves, and its rows: move n is row n."""
    moves = game.folder.cards.MOVES
    names = list(moves.dtype.names)
    return names, [[int(number) for number in row.tolist()] for row in moves]


class Traced:
    """A view that notes which of its places are read."""

    def __init__(self, record: Any) -> None:
        self.__dict__["record"], self.__dict__["read"] = record, set()

    def __getattr__(self, name: str) -> Any:
        self.read.add(name)
        return getattr(self.record, name)

    def __getitem__(self, name: str) -> Any:
        self.read.add(name)
        return self.record[name]


class Wordings:
    """How the moves of a variant are written and said, worked out once where nothing else matters.

    Where it depends on the seat and the knobs alone it is the same in all matches; otherwise
    (`wording` returns None) it follows from the view.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self._known: dict[tuple[int, int], Wording | None] = {}

    def wording(self, number: int, seat: int) -> Wording | None:
        """Return how a seat's move is written and said; None: that depends on the view."""
        key = (number, seat)
        if key not in self._known:
            self._known[key] = self._traced(number, seat)
        return self._known[key]

    def _traced(self, number: int, seat: int) -> Wording | None:
        blank = self.game.blank()
        blank.turn = seat
        view, folder = Traced(blank), self.game.folder
        try:
            found = Wording(folder.cards.notation(view, number), folder.story.label(view, number))
        except (LookupError, ValueError, TypeError, ArithmeticError):
            return None  # it makes no sense of a blank view
        return found if view.read <= {"turn", *folder.knobs} else None

    def notation(self, record: Any, number: int) -> str:
        """Return how a move of the seat in turn, or of the table, is written in a view."""
        known = self.wording(number, int(record.turn))
        if known is not None:
            return known.notation
        written: str = self.game.folder.cards.notation(record, number)
        return written

    def in_view(self, record: Any, number: int) -> Wording:
        """Return how a move is written and said in a view."""
        folder = self.game.folder
        return Wording(folder.cards.notation(record, number), folder.story.label(record, number))


MOST_KNOWN = 100  # variants whose wordings are kept: the latest
_known: dict[str, Wordings] = {}


def wordings(game: Game) -> Wordings:
    """Return the wordings of a variant, the same object for equal games."""
    found = _known.get(game.variant)
    if found is None:
        _known[game.variant] = found = Wordings(game)
        while len(_known) > MOST_KNOWN:
            _known.pop(next(iter(_known)), None)  # another thread may drop it too
    return found
