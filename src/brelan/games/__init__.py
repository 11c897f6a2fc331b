"""The games: each folder here is one, and is discovered automatically.

`brelan.games` is this package once any game is imported, and `brelan.games()` must still list
them: so the package can be called.
"""

import importlib
import sys
from pathlib import Path
from types import ModuleType

HOME = Path(__file__).parent


def ids() -> list[str]:
    """Return the ids of all games, in catalogue order.

    >>> "love-letter" in ids()
    True
    """
    names = [path.parent.name for path in HOME.glob("*/rules.py")]
    names.sort(key=lambda name: importlib.import_module(f"{__name__}.{name}").ORDER)
    return [name.replace("_", "-") for name in names]


class _Shelf(ModuleType):
    def __call__(self) -> list[str]:
        return ids()


sys.modules[__name__].__class__ = _Shelf
