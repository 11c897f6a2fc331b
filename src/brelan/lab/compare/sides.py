"""The two sides of a comparison: a variant, and the bot that plays it at every seat."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from dataclasses import dataclass

from brelan.engine.folder import open_folder
from brelan.engine.game import Game
from brelan.errors import Refused
from brelan.games import ids
from brelan.lab.study.plan import known_level

LEVEL = "level"  # what is set like a knob: who plays


@dataclass(frozen=True)
class Side:
    """One side."""

    game: Game
    level: str

    @property
    def name(self) -> str:
        """The game as one names it: its id, or the path of its folder."""
        return self.game.id if self.game.id in ids() else str(self.game.folder.path)

    @property
    def turned(self) -> dict[str, str]:
        """The knobs that are not as printed."""
        knobs, players = self.game.folder.knobs, self.game.players
        return {
            name: str(value)
            for name, value in self.game.knobs.items()
            if name != "players" and value != knobs[name].default_for(players)
        }


def side(
    name: str | None,
    settings: Iterable[str] = (),
    *,
    players: str | None = None,
    level: str | None = None,
    option: str = "--a",
) -> Side:
    """Return a side as it is asked for: `knob=value`, or `level=bot`, as often as one likes."""
    if name is None:
        raise Refused(f"which game? there are: {', '.join(ids())}")
    folder = open_folder(name)
    knobs: dict[str, str] = {} if players is None else {"players": players}
    for setting in settings:
        knob, equals, value = (part.strip() for part in setting.partition("="))
        if not equals:
            raise Refused(f"{option} {setting}: write it as {option} knob=value")
        if knob == LEVEL:
            level = value
        else:
            knobs[knob] = value
    game = Game(folder, folder.knobs.settle(knobs))
    return Side(game, known_level(game, level))


def command_of(
    sides: tuple[Side, Side], seed: int, precision: str | None = None, matches: str | None = None
) -> str:
    """Return the command that plays a comparison again."""
    first = sides[0]
    words = ["brelan", "lab", "compare", first.name, "--players", str(first.game.players)]
    for option, each in zip(("--a", "--b"), sides, strict=True):
        for name, value in {**each.turned, LEVEL: each.level}.items():
            words += [option, f"{name}={value}"]
    words += ["--seed", str(seed)]
    words += [] if precision is None else ["--precision", precision]
    words += [] if matches is None else ["--matches", matches]
    return shlex.join(words)
