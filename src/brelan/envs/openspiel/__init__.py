"""The OpenSpiel door: every game as a game of pyspiel, and bots of OpenSpiel in our arena.

    import brelan.envs.openspiel, pyspiel
    game = pyspiel.load_game("brelan_love_letter(players=3,spy_bonus=off)")

All games are registered when this is imported; `register` adds one by the path of its folder.
"""

from __future__ import annotations

try:
    import pyspiel
except ImportError as error:
    raise ImportError("OpenSpiel is missing: pip install 'brelan[openspiel]'") from error

from brelan.engine.folder import open_folder, opened
from brelan.engine.game import Game
from brelan.envs.openspiel.game import BrelanGame, BrelanState, game_type, short_name
from brelan.games import ids

__all__ = ["BrelanGame", "BrelanState", "load", "register"]


def register(game: str) -> str:
    """Register a game, by its id or the path of its folder; return what OpenSpiel calls it."""
    folder = open_folder(game)
    name = short_name(folder)
    if name not in pyspiel.registered_names():
        # A class of its own: OpenSpiel drops a function after Python has ended, which it cannot.
        kind = type(name, (BrelanGame,), {"folder": folder})
        pyspiel.register_game(game_type(folder), kind)
    return name


def load(game: Game, **params: int | str) -> BrelanGame:
    """Return a variant as a game of OpenSpiel; see `BrelanGame` for what else may be set."""
    found: BrelanGame = pyspiel.load_game(register(game.id), {**game.knobs, **params})
    return found


for _game in (*ids(), *opened()):
    register(_game)
