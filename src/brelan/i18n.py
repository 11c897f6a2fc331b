"""Texts in French and English: a small part of ICU MessageFormat, over a game's TOML files.

A text may hold `{name}`, `{name.form}`, `{n, plural, one {…} other {…}}` (`#` is the number) and
`{who, select, you {…} other {…}}`. A form such as `the` is looked up in the texts of the value.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from brelan.errors import Refused

LANGUAGES = ("fr", "en")

Message = tuple[str, dict[str, Any]]  # the key of a text, and its facts


class Texts:
    """The texts of one folder in one language, found by dotted key."""

    def __init__(self, file: Path) -> None:
        house = Path(__file__).with_name(file.name)
        self.lang = file.name.split(".")[1]
        self.entries = {key: text for source in (house, file) for key, text in _read(source)}

    @classmethod
    def of(cls, lang: str, entries: Mapping[str, str]) -> Texts:
        """Return texts that were read elsewhere, such as those that a server sends."""
        texts = cls.__new__(cls)
        texts.lang, texts.entries = lang, dict(entries)
        return texts

    def __call__(self, key: str, args: Mapping[str, Any] | None = None) -> str:
        """Return a text with its facts filled in."""
        return self._fill(self.entries[key], args or {})

    def _fill(self, text: str, args: Mapping[str, Any], number: int | None = None) -> str:
        parts: list[str] = []
        place = 0
        while place < len(text):
            letter = text[place]
            if letter == "{":
                end = _closing(text, place)
                parts.append(self._argument(text[place + 1 : end], args))
                place = end + 1
            else:
                parts.append(str(number) if letter == "#" and number is not None else letter)
                place += 1
        return "".join(parts)

    def _argument(self, inside: str, args: Mapping[str, Any]) -> str:
        name, *rest = (part.strip() for part in inside.split(",", 2))
        if not rest:
            return self._value(name, args)
        kind, options = rest[0], _options(rest[1])
        value = args[name]
        if kind == "plural":
            wanted = f"={value}" if f"={value}" in options else self._plural(value)
            return self._fill(options.get(wanted, options["other"]), args, value)
        return self._fill(options.get(str(value), options["other"]), args)

    def _value(self, name: str, args: Mapping[str, Any]) -> str:
        name, _, form = name.partition(".")
        value = args[name]
        if isinstance(value, Word):
            return self._fill(self.entries[f"{value.key}.{form or 'name'}"], value.args)
        return str(value)

    def _plural(self, number: int) -> str:
        return "one" if number == 1 or (self.lang == "fr" and number == 0) else "other"


@dataclass(init=False, eq=False, repr=False)  # so that a server encodes it as it stands
class Word:
    """A fact that has texts of its own, such as a card or a seat; as a choice it is its kind."""

    key: str
    kind: str
    args: dict[str, Any]

    def __init__(self, key: str, kind: str = "other", **args: Any) -> None:
        self.key = key
        self.kind = kind
        self.args = args

    def __str__(self) -> str:
        return self.kind

    def __repr__(self) -> str:
        return f"Word({self.key!r}, {self.kind!r}, {self.args!r})"


@functools.cache
def seat_word(seat: int, reader: int | None) -> Word:
    """Return a seat as a fact of a text: `you` when it is the reader's own."""
    return Word("seat", "you" if seat == reader else "other", number=seat)


def listed(key: str, items: Sequence[Mapping[str, Any]]) -> Word:
    """Return several things, each with its facts, as one fact of a text.

    `key.more` says the first and the `rest`, `key.two` does so for the last two, `key.last` is one.
    """
    first, *rest = items
    if not rest:
        return Word(f"{key}.last", **first)
    return Word(f"{key}.two" if len(rest) == 1 else f"{key}.more", rest=listed(key, rest), **first)


@functools.cache
def load(folder: Path, lang: str) -> Texts:
    """Return the texts of a folder in a language; an unknown language is refused."""
    if lang not in LANGUAGES:
        raise Refused(f"unknown language {lang!r}; there are: {', '.join(LANGUAGES)}")
    return Texts(folder / f"texts.{lang}.toml")


def _read(file: Path) -> Any:
    return _flat(tomllib.loads(file.read_text(encoding="utf-8")))


def _flat(entries: Mapping[str, Any], prefix: str = "") -> Any:
    for key, entry in entries.items():
        if isinstance(entry, Mapping):
            yield from _flat(entry, f"{prefix}{key}.")
        else:
            yield prefix + key, str(entry)


def _closing(text: str, opening: int) -> int:
    depth = 0
    for place in range(opening, len(text)):
        depth += (text[place] == "{") - (text[place] == "}")
        if depth == 0:
            return place
    raise ValueError(f"a brace is not closed in: {text}")


def _options(text: str) -> dict[str, str]:
    options = {}
    place = 0
    while (opening := text.find("{", place)) != -1:
        closing = _closing(text, opening)
        options[text[place:opening].strip()] = text[opening + 1 : closing]
        place = closing + 1
    return options
