"""The variant that an environment is made for."""

from __future__ import annotations

from typing import Any

import brelan
from brelan.engine.game import Game
from brelan.errors import Refused


def as_game(game: str | Game, preset: str | None, knobs: dict[str, Any]) -> Game:
    """Return the game that is meant: one with its knobs set, or an id and knobs."""
    if not isinstance(game, Game):
        return brelan.game(game, preset=preset, **knobs)
    if knobs or preset:
        raise Refused("set the knobs where the game is made, or give its id")
    return game
