"""Brelan: one house for card games with hidden information.

>>> import brelan
>>> match = brelan.game("love-letter").deal(seed=7)
>>> [move.notation for move in match.legal()]
[…]
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from brelan.bots import Bot, bot
    from brelan.catalogue import games
    from brelan.lab.simulate import Summary, simulate
    from brelan.table import BadSave, Game, IllegalMove, Match, Move, Result, View, game, load

_HOMES = {
    "brelan.catalogue": ("games",),
    "brelan.table": (
        "BadSave", "Game", "IllegalMove", "Match", "Move", "Result", "View", "game", "load",
    ),
    "brelan.bots": ("Bot", "bot"),
    "brelan.lab.simulate": ("Summary", "simulate"),
}  # fmt: skip

__all__ = [
    "BadSave", "Bot", "Game", "IllegalMove", "Match", "Move", "Result", "Summary", "View",
    "bot", "game", "games", "load", "simulate",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is asked for, so that `import brelan` is quick."""
    for module, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(module), name)
    raise AttributeError(f"module 'brelan' has no attribute {name!r}")
