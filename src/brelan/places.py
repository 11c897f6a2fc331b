"""Places as plain data: a record in the words and numbers of the rulebook."""

from __future__ import annotations

import enum
from typing import Any

from brelan.knobs import Knobs
from brelan.words import TABLE, Cards, CountOf, Kind, Layout, Place, Seat, Seats, SetOf


def named(record: Any, seat: int | None, layout: Layout, knobs: Knobs) -> dict[str, Any]:
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
