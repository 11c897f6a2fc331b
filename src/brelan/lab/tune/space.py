"""The space of a search: the knobs that may be turned, and the values each one may take."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass

from brelan.engine.game import Game
from brelan.errors import Refused
from brelan.knobs import Knob, Value

Values = tuple[Value, ...]  # of the knobs of a space, in its order


@dataclass(frozen=True)
class Space:
    """Knobs with the values that are tried; `base` is the variant that is to be improved."""

    base: Game
    choices: tuple[tuple[str, Values], ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The knobs."""
        return tuple(name for name, _ in self.choices)

    @property
    def original(self) -> Values:
        """The values of the base, whether or not they are among those that are tried."""
        return tuple(self.base.knobs[name] for name in self.names)

    @property
    def size(self) -> int:
        """How many combinations there are, those that the rules refuse included."""
        return math.prod(len(values) for _, values in self.choices)

    def all(self) -> Iterator[Values]:
        """Yield all combinations that the rules allow."""
        found = itertools.product(*(values for _, values in self.choices))
        return (values for values in found if self.is_allowed(values))

    def is_allowed(self, values: Values) -> bool:
        """Return whether the rules allow a combination."""
        try:
            self.game(values)
        except Refused:
            return False
        return True

    def game(self, values: Values) -> Game:
        """Return the variant with these values."""
        turned = {**self.base.knobs, **dict(zip(self.names, values, strict=True))}
        return Game(self.base.folder, self.base.folder.knobs.settle(turned))

    def turned(self, values: Values) -> dict[str, Value]:
        """Return what is not as it is in the base."""
        pairs = zip(self.names, values, self.original, strict=True)
        return {name: value for name, value, before in pairs if value != before}


def space(base: Game, over: str) -> Space:
    """Return the space that is asked for: `knob`, `knob=low..high` or `knob=value/value`.

    Several are divided by commas. A knob alone may take all values that the seats allow.
    """
    choices = [_choice(base, part.strip()) for part in over.split(",") if part.strip()]
    if not choices:
        raise Refused(f"--over needs a knob; there are: {_knobs(base)}")
    names = [name for name, _ in choices]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise Refused(f"--over names {twice} twice; each knob may be named once")
    found = Space(base, tuple(choices))
    if not any(values != found.original for values in found.all()):
        raise Refused(f"--over {over}: the rules allow no other variant than the original")
    return found


def _choice(base: Game, part: str) -> tuple[str, Values]:
    name, equals, given = (each.strip() for each in part.partition("="))
    if name == "players":
        raise Refused("--over players is not allowed; --players sets it")
    if name not in base.folder.knobs:
        raise Refused(f"unknown knob {name!r}; there are: {_knobs(base)}")
    knob = base.folder.knobs[name]
    here = tuple(value for value in knob.values if _is_for(knob, value, base.players))
    values = _given(knob, given) if equals else here
    for value in values:
        if value not in here:
            seats = ", ".join(map(str, knob.only_for[value]))
            raise Refused(f"{name} = {value} is for {seats} players, not {base.players}")
    if len(values) < 2:
        raise Refused(f"--over {part} leaves no choice; {name} may be: {knob.allowed}")
    return name, values


def _given(knob: Knob, text: str) -> Values:
    low, dots, high = text.partition("..")
    if dots:
        first, last = knob.read(low.strip()), knob.read(high.strip())
        if not isinstance(first, int) or not isinstance(last, int):
            raise Refused(f"{knob.name} has no range; name its values: {knob.name}=a/b")
        return tuple(v for v in knob.values if isinstance(v, int) and first <= v <= last)
    return tuple(dict.fromkeys(knob.read(value.strip()) for value in text.split("/")))


def _is_for(knob: Knob, value: Value, players: int) -> bool:
    seats = knob.only_for.get(value)
    return seats is None or players in seats


def _knobs(base: Game) -> str:
    return ", ".join(name for name in base.folder.knobs if name != "players")
