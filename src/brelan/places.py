"""Places as plain data: a record in the words and numbers of the rulebook."""

from __future__ import annotations

import enum
from typing import Any

from brelan.knobs import Knobs
from brelan.words import TABLE, Cards, Layout, Place, Seats, SetOf


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
    length = players if isinstance(shape[0], Seats) else shape[0]
    if sizes is not None and getattr(sizes, "shape", ()) == ():
        length, sizes = int(sizes), None
    return [
        _plain(value[row], place, shape[1:], players, None if sizes is None else sizes[row])
        for row in range(length)
    ]


def _one(number: int, of: type[enum.IntEnum] | SetOf | None) -> Any:
    if of is None:
        return number
    if isinstance(of, SetOf):
        return [card.printed for card in of.cards if number >> card & 1]
    if issubclass(of, Cards):
        return of(number).printed if number else None
    return of(number).name.lower()
