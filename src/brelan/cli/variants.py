"""The variant that a command line asks for: a game, its players, knobs and preset."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from brelan.errors import Refused

if TYPE_CHECKING:
    from brelan.engine.game import Game

Players = Annotated[str | None, Parameter(metavar="N")]
Preset = Annotated[str | None, Parameter(metavar="NAME")]
Settings = Annotated[
    tuple[str, ...],
    Parameter(name="--set", metavar="KNOB=VALUE", negative=(), show_default=False),
]


def variant(
    name: str | None, players: str | None, settings: Iterable[str], preset: str | None
) -> Game:
    """Return the game with its knobs set as asked, or say what there is."""
    from brelan.engine.folder import open_folder
    from brelan.engine.game import Game
    from brelan.games import ids as games

    if name is None:
        raise Refused(f"which game? there are: {', '.join(games())}")
    knobs = dict(map(_turned, settings))
    if players is not None:
        knobs["players"] = players
    folder = open_folder(name)
    return Game(folder, folder.knobs.settle(knobs, preset))


def _turned(setting: str) -> tuple[str, str]:
    knob, equals, value = setting.partition("=")
    if not equals:
        raise Refused(f"--set {setting}: write it as --set knob=value")
    return knob.strip(), value.strip()


def whole(name: str, text: str, least: int) -> int:
    """Return the whole number that an option was given, or say what it may be."""
    if not text.isdecimal() or len(text) > 12 or int(text) < least:
        shown = text if len(text) < 40 else f"{text[:40]}…"
        raise Refused(f"{name} {shown} is not allowed; it may be a whole number from {least} on")
    return int(text)
