"""Positions set up by hand, for the worked examples of a specification and for puzzles."""

from __future__ import annotations

import enum
import importlib
from collections import Counter
from typing import Any

import numpy as np

from brelan.engine.game import Game
from brelan.engine.match import Match
from brelan.errors import Refused
from brelan.rules import Cards, CountOf, Place, Seat, SetOf


def position(game: Game, *, rest: str | None, **places: Any) -> Match:
    """Return a match that stands in a position set up by hand.

    `places` are filled by name, in the rulebook's own numbers and names, as `View.as_dict` shows
    them; rows may be shorter than the place. No card may lie twice. The cards not named go to
    the place `rest`, after what lies there, or stay out of play if it is None. What follows
    from the rest (sizes, sums, phases) is worked out by `arrange` in the game's
    `setup.py`.

    >>> import brelan
    >>> game = brelan.game("love-letter")
    >>> match = position(game, rest="pile", turn=0, hand=[8, 1], drew=[[5]])
    >>> [move.notation for move in match.legal()]
    ['8']
    """
    layout = game.folder.layout
    fillable = [name for name in layout.places if name not in game.folder.knobs]
    unknown = [name for name in (*places, rest) if name not in (*fillable, None)]
    if unknown:
        raise Refused(f"unknown place {unknown[0]!r}; there are: {', '.join(fillable)}")
    by_print = {card.printed: card for card in game.pack}
    state = game.blank()
    sizes: dict[str | None, Place] = {
        n: p for n, p in layout.places.items() if n not in game.folder.knobs
    }
    left = Counter(game.pack)
    for name, value in places.items():
        place = layout.places[name]
        _fill(state, name, value, place, by_print, sizes)
        left.subtract(place.cards(state[name]))
    doubled = [card.printed for card, count in left.items() if count < 0]
    if doubled:
        raise Refused(f"there are not so many cards {doubled[0]}")
    if rest is not None:
        row = state[rest].reshape(-1)
        start = int((row != 0).sum())
        others = list(left.elements())
        row[start : start + len(others)] = others
    setup = importlib.import_module(f"{game.folder.rules.__package__}.setup")
    setup.arrange(state, places)
    return Match.from_position(game, state)


def _fill(
    state: Any,
    name: str,
    value: Any,
    place: Place,
    by_print: dict[Any, Cards],
    sizes: dict[str | None, Place],
) -> None:
    """Fill one place, and the place that says how long its rows are."""
    if place.sized_by in sizes:
        if sizes[place.sized_by].shape:
            state[place.sized_by][: len(value)] = [len(row) for row in value]
        else:
            state[place.sized_by] = len(value)
    _fill_row(state, name, value, place, by_print)


def _fill_row(row: Any, key: Any, value: Any, place: Place, by_print: dict[Any, Cards]) -> None:
    if isinstance(place.of, CountOf) and np.ndim(row[key]) == 1:
        for card in value:
            row[key][_card(card, by_print)] += 1
    elif isinstance(value, list | tuple) and np.ndim(row[key]) > 0:
        for index, item in enumerate(value):
            _fill_row(row[key], index, item, place, by_print)
    elif value is not None:
        row[key] = _number(value, place, by_print)


def _number(value: Any, place: Place, by_print: dict[Any, Cards]) -> int:
    if place.of is None:
        return int(value)
    if place.of is Seat:
        return 1 + int(value)
    if isinstance(place.of, SetOf):
        return sum(1 << _member(member, place.of.members, by_print) for member in value)
    assert isinstance(place.of, type)
    assert issubclass(place.of, enum.IntEnum)
    return _member(value, place.of, by_print)


def _member(value: Any, members: type[enum.IntEnum], by_print: dict[Any, Cards]) -> int:
    return _card(value, by_print) if issubclass(members, Cards) else int(members[value.upper()])


def _card(printed: Any, by_print: dict[Any, Cards]) -> int:
    if printed not in by_print:
        raise Refused(f"there is no card {printed!r}; there are: {', '.join(map(str, by_print))}")
    return int(by_print[printed])
