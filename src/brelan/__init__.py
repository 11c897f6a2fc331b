"""Brelan: one house for card games with hidden information.

>>> import brelan
>>> match = brelan.game("love-letter").deal(seed=7)
>>> [move.notation for move in match.legal()]
['1:0', '1:2', '1:3', '1:4', '1:5', '1:6', '1:7', '1:8', '1:9', '4']
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from brelan.analysis.review import Review, analyse
    from brelan.bots import Bot, bot
    from brelan.engine.game import Game, game
    from brelan.engine.match import Match, Result
    from brelan.engine.saves import load
    from brelan.engine.view import Move, View
    from brelan.errors import BadSave, IllegalMove, Refused
    from brelan.games import ids as games
    from brelan.lab.simulate import Summary, simulate

_HOMES = {
    "brelan.errors": ("BadSave", "IllegalMove", "Refused"),
    "brelan.engine.game": ("Game", "game"),
    "brelan.engine.match": ("Match", "Result"),
    "brelan.engine.view": ("Move", "View"),
    "brelan.engine.saves": ("load",),
    "brelan.bots": ("Bot", "bot"),
    "brelan.analysis.review": ("Review", "analyse"),
    "brelan.lab.simulate": ("Summary", "simulate"),
}  # fmt: skip

__all__ = [
    "BadSave", "Bot", "Game", "IllegalMove", "Match", "Move", "Refused", "Result",
    "Review", "Summary", "View",
    "analyse", "bot", "game", "games", "load", "simulate",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is asked for, so that `import brelan` is quick."""
    if name == "games":
        return importlib.import_module("brelan.games")
    for module, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(module), name)
    raise AttributeError(f"module 'brelan' has no attribute {name!r}")
