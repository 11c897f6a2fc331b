"""The vocabulary of a variant, as a client uses it: views, moves and texts by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from brelan import i18n
from brelan.server.messages import Member, PlaceInfo, Text, Vocabulary

WORDS_IN_WIDE = 4
WORD_BITS = 16


class Dictionary:
    """What the numbers of a variant's views and moves mean."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self._places = {place.name: place for place in vocabulary.places}
        self._printed = {
            kind: any(member.printed is not None for member in members)
            for kind, members in vocabulary.enumerations.items()
        }
        self._members = {
            kind: {member.number: self._name(kind, member) for member in members}
            for kind, members in vocabulary.enumerations.items()
        }

    def _name(self, kind: str, member: Member) -> int | str | None:
        """Return how a card is printed, None if it lies face down; or what else is called."""
        return member.printed if self._printed[kind] else member.name

    def row(self, move: int) -> dict[str, int]:
        """Return what a move consists of: its row of the table of moves, by column."""
        return dict(zip(self.vocabulary.columns, self.vocabulary.moves[move], strict=True))

    # ------------------------------------------------------------ views

    def as_dict(
        self, view: Sequence[int], seat: int | None, knobs: Mapping[str, int | str]
    ) -> dict[str, Any]:
        """Return a view as plain data, the same as `View.as_dict()`; hidden is None."""
        players = int(knobs["players"])
        seen: dict[str, Any] = {"seat": seat, "knobs": dict(knobs)}
        for name, place in self._places.items():
            if place.knob:
                continue
            sizes = self._entries(view, self._places[place.sized_by]) if place.sized_by else None
            shown = self._plain(self._entries(view, place), place, 0, players, sizes)
            if place.sight == "owner":
                shown = [shown[row] if row == seat else None for row in range(players)]
            seen[name] = shown
        if seen["turn"] >= players:
            seen["turn"] = None  # it is the table's
        return seen

    def _entries(self, view: Sequence[int], place: PlaceInfo) -> Any:
        """Return the numbers of a place: one, or nested lists of its shape."""
        count = 1
        for length in place.shape:
            count *= length
        if place.wide:
            end = place.at + WORDS_IN_WIDE * count
            words = view[place.at : end]
            starts = range(0, len(words), WORDS_IN_WIDE)
            flat = [_joined(words[at : at + WORDS_IN_WIDE]) for at in starts]
        else:
            flat = list(view[place.at : place.at + count])
        return _shaped(flat, place.shape)

    def _plain(self, entries: Any, place: PlaceInfo, axis: int, players: int, sizes: Any) -> Any:
        if axis == len(place.shape):
            return self._one(entries, place)
        if place.held == "counts" and axis == len(place.shape) - 1:
            assert place.of is not None
            names = self._members[place.of]
            return [name for card, name in names.items() for _ in range(entries[card])]
        length = players if axis in place.seat_axes else place.shape[axis]
        if isinstance(sizes, int):
            length, sizes = sizes, None
        return [
            self._plain(
                entries[row], place, axis + 1, players, None if sizes is None else sizes[row]
            )
            for row in range(length)
        ]

    def _one(self, number: int, place: PlaceInfo) -> Any:
        if place.held == "seat":
            return number - 1 if number else None
        if place.of is None:
            return number
        names = self._members[place.of]
        if place.held == "set":
            return [name for member, name in names.items() if number >> member & 1]
        return names[number]


def _joined(words: Iterable[int]) -> int:
    """Return the number of 64 bits that four of 16 bits make."""
    number = 0
    for place, word in enumerate(words):
        number |= (word & 0xFFFF) << (WORD_BITS * place)
    return number - (1 << 64) if number >> 63 else number


def _shaped(flat: list[int], shape: Sequence[int]) -> Any:
    if not shape:
        return flat[0]
    if len(shape) == 1:
        return flat
    step = len(flat) // shape[0] if shape[0] else 0
    return [_shaped(flat[row * step : (row + 1) * step], shape[1:]) for row in range(shape[0])]


# ---------------------------------------------------------------- texts


def message(text: Text) -> i18n.Message:
    """Return a text as it is told: its key, and its facts with their words."""
    return text.key, {name: _fact(value) for name, value in text.args.items()}


def _fact(value: Any) -> Any:
    if isinstance(value, dict):
        args = {name: _fact(inner) for name, inner in value.get("args", {}).items()}
        word = i18n.Word(value["key"], value.get("kind") or "other")
        word.args = args
        return word
    return value
