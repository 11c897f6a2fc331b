"""The games: each folder here is one, and is discovered automatically; so are those of shelves.

A shelf is a folder that $BRELAN_GAMES names: it holds folders of games, or is one itself. Several
are separated as in $PATH.

`brelan.games` is this package once any game is imported, and `brelan.games()` must still list
them: so the package can be called.
"""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from brelan.errors import Refused

HOME = Path(__file__).parent
SHELVES = "BRELAN_GAMES"
FOLDER_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")


def ids() -> list[str]:
    """Return the ids of all games: in catalogue order, then those of the shelves.

    >>> "love-letter" in ids()
    True
    """
    return [*catalogue(), *shelved()]


def catalogue() -> list[str]:
    """Return the ids of the games that Brelan brings, in their order."""
    names = [path.parent.name for path in HOME.glob("*/rules.py")]
    names.sort(key=lambda name: importlib.import_module(f"{__name__}.{name}").ORDER)
    return [id_of(name) for name in names]


def id_of(folder: str) -> str:
    """Return the id of the game in a folder of this name."""
    return folder.replace("_", "-")


def shelved() -> dict[str, Path]:
    """Return the folders of the games on the shelves, by id; nothing of them is imported."""
    found: dict[str, Path] = {}
    known = catalogue() if os.environ.get(SHELVES) else []
    for folder in _on_shelves():
        if not FOLDER_NAME.fullmatch(folder.name):
            raise Refused(
                f"${SHELVES} finds {folder}: the folder of a game has a name of small letters and "
                "digits, with _ between words"
            )
        name = id_of(folder.name)
        if name in known or found.get(name, folder) != folder:
            other = found.get(name, HOME / folder.name)
            raise Refused(f"${SHELVES} finds {folder}, but {name!r} is the game in {other}")
        found[name] = folder
    return found


def _on_shelves() -> Iterator[Path]:
    for shelf in filter(None, os.environ.get(SHELVES, "").split(os.pathsep)):
        path = Path(os.path.expanduser(shelf)).resolve()  # noqa: PTH111 - which never raises
        try:
            yield from [path] if is_game(path) else sorted(filter(is_game, path.iterdir()))
        except OSError as error:
            raise Refused(
                f"${SHELVES} names {shelf}: {error.strerror}; name folders that hold games, "
                f"separated by {os.pathsep!r}"
            ) from None


def is_game(path: Path) -> bool:
    """Whether a folder looks like that of a game."""
    return (path / "rules.py").is_file() and (path / "__init__.py").is_file()


class _Shelf(ModuleType):
    def __call__(self) -> list[str]:
        return ids()


sys.modules[__name__].__class__ = _Shelf
