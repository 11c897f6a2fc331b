"""Knobs: what a designer may vary, read from a game's `knobs.toml`."""

from __future__ import annotations

import enum
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from brelan.errors import Refused

Value = int | str


@dataclass(frozen=True)
class Knob:
    """One thing that may vary: its default, the values it allows, the § it changes."""

    name: str
    section: str
    values: tuple[Value, ...]
    default: Value
    by_players: Mapping[int, Value] = field(default_factory=dict)
    only_for: Mapping[Value, tuple[int, ...]] = field(default_factory=dict)
    was: Mapping[str, Value] = field(default_factory=dict)  # former names of values

    def default_for(self, players: int) -> Value:
        """Return the value this knob has when nobody turns it."""
        return self.by_players.get(players, self.default)

    def number(self, value: Value) -> int:
        """Return the number that stands for a value in a state."""
        return value if isinstance(value, int) else self.values.index(value)

    def value(self, number: int) -> Value:
        """Return the value that a number of a state stands for."""
        return number if isinstance(self.default, int) else self.values[number]

    @property
    def allowed(self) -> str:
        """Name the values in one short text."""
        first, last = self.values[0], self.values[-1]
        if isinstance(first, int) and isinstance(last, int) and len(self.values) > 6:
            return f"{first} to {last}"
        return ", ".join(str(value) for value in self.values)

    def read(self, value: object) -> Value:
        """Return the allowed value that is meant (also from text), or say which are."""
        value = self.was.get(str(value), value)
        for allowed in self.values:
            if value is not True and value is not False and str(value) == str(allowed):
                return allowed
        raise Refused(f"{self.name} = {value} is not allowed; it may be: {self.allowed}")


class Knobs(dict[str, Knob]):
    """All knobs of a game, by name, and its presets."""

    def __init__(self, file: Path) -> None:
        entries = tomllib.loads(file.read_text(encoding="utf-8"))
        self.presets: dict[str, dict[str, Value]] = entries.pop("preset", {})
        super().__init__({name: _knob(name, entry) for name, entry in entries.items()})

    def choice(self, name: str) -> Any:
        """Return a knob's text values as an enumeration, for rules to compare with."""
        values = [str(value).upper() for value in self[name].values]
        return enum.IntEnum(name, values, start=0)

    def settle(self, given: Mapping[str, object], preset: str | None = None) -> dict[str, Value]:
        """Return every knob's value; unknown names and values are refused, with what is allowed."""
        if preset is not None and preset not in self.presets:
            names = ", ".join(self.presets) or "none"
            raise Refused(f"unknown preset {preset!r}; there are: {names}")
        turned = {**(self.presets[preset] if preset else {}), **given}
        for name in turned:
            if name not in self:
                raise Refused(f"unknown knob {name!r}; there are: {', '.join(self)}")
        players = self["players"].read(turned.get("players", self["players"].default))
        assert isinstance(players, int)
        settled = {
            name: knob.read(turned[name]) if name in turned else knob.default_for(players)
            for name, knob in self.items()
        }
        for name, value in settled.items():
            seats = self[name].only_for.get(value)
            if seats is not None and players not in seats:
                raise Refused(
                    f"{name} = {value} is for {', '.join(map(str, seats))} players, not {players}"
                )
        return settled


def _knob(name: str, entry: dict[str, Any]) -> Knob:
    if "range" in entry:
        low, high = entry["range"]
        values = tuple(range(low, high + 1))
    else:
        values = tuple(entry["values"])
    if len({type(value) for value in values}) != 1:
        raise TypeError(f"the values of {name} must be all numbers or all texts")
    return Knob(
        name=name,
        section=entry["section"],
        values=values,
        default=entry.get("default", values[0]),
        by_players={int(key): value for key, value in entry.get("by_players", {}).items()},
        only_for={key: tuple(seats) for key, seats in entry.get("only_for", {}).items()},
        was=entry.get("was", {}),
    )
