"""Folders of games: finding them and opening them.

A folder in `brelan/games` is a game and is discovered automatically, and so are those on the
shelves that $BRELAN_GAMES names. Any other folder is opened by its path.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import inspect
import sys
import threading
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from brelan import i18n
from brelan.compiler.library import Library
from brelan.errors import Refused
from brelan.games import HOME, catalogue, id_of, is_game, shelved
from brelan.games import ids as games
from brelan.rules import MAX_METRICS, MAX_SEATS
from brelan.rules.hooks import HOOKS, TOGETHER, Function, Hooks

if TYPE_CHECKING:
    from brelan.knobs import Knobs, Value
    from brelan.rules import Layout

PARTS = ("rules", "state", "imagine", "cards", "story", "bots", "metrics")
_opening = threading.RLock()
MAY_HAVE = ("belief",)  # parts that not every game has


@dataclass(frozen=True, eq=False)
class GameFolder:
    """Everything about one game, as its folder holds it."""

    id: str
    path: Path
    rules: ModuleType
    cards: ModuleType
    story: ModuleType
    bots: ModuleType
    metrics: ModuleType
    layout: Layout
    implementations: dict[Function, Function]

    @property
    def knobs(self) -> Knobs:
        """The knobs of the game."""
        knobs: Knobs = self.cards.KNOBS
        return knobs

    @property
    def version(self) -> int:
        """The version of the rules."""
        version: int = self.rules.VERSION
        return version

    @property
    def replays(self) -> tuple[int, ...]:
        """The versions of the rules whose matches can be replayed: moves mean the same in them."""
        earlier: tuple[int, ...] = getattr(self.rules, "REPLAYS", ())
        return (self.version, *earlier)

    def conflict(self, knobs: Mapping[str, Value]) -> str | None:
        """Return why these knobs cannot be set together, as the game's `cards.py` says it."""
        conflict_of = getattr(self.cards, "conflict", None)
        return conflict_of(knobs) if conflict_of is not None else None

    def texts(self, lang: str) -> i18n.Texts:
        """Return the game's texts in a language."""
        return i18n.load(self.path, lang)

    def rulebook(self, lang: str) -> str:
        """Return the rulebook in a language, as Markdown."""
        i18n.load(self.path, lang)  # refuses an unknown language
        return (self.path / f"rulebook.{lang}.md").read_text(encoding="utf-8")

    @functools.cache  # noqa: B019 - folders live as long as the process
    def library(self, mode: str) -> Library:
        """Return the game's rules as they run in a mode: compiled, checked or interpreted."""
        return Library(self.id, mode, self.implementations)

    @functools.cache  # noqa: B019
    def hooks(self, mode: str) -> Hooks:
        """Return the game's hooks, to be called from Python, as they run in a mode."""
        return Hooks(self.library(mode))


_elsewhere: dict[str, GameFolder] = {}


def opened() -> list[str]:
    """Return the ids of the games that were opened by the path of their folder."""
    return list(_elsewhere)


def open_folder(game: str) -> GameFolder:
    """Open a game by its id, or by the path of its folder. Threads open it once."""
    with _opening:
        if "/" in game or "\\" in game or game.startswith("."):
            return _open_path(Path(game).resolve())
        return _elsewhere.get(game) or _open_by_id(game)


@functools.cache
def _open_by_id(game: str) -> GameFolder:
    if game in catalogue():
        name = game.replace("-", "_")
        return _open(game, HOME / name, f"brelan.games.{name}")
    shelf = shelved()
    if game in shelf:
        return _open_elsewhere(game, shelf[game])
    here = Path(game.replace("-", "_"))
    hint = f"; the folder here is opened as ./{here}" if is_game(here) else ""
    raise Refused(f"unknown game {game!r}; there are: {', '.join(games())}{hint}")


def _open_path(path: Path) -> GameFolder:
    """Open a folder by its path; from then on it is known by its id too."""
    game = id_of(path.name)
    known = _elsewhere.get(game) or (_open_by_id(game) if game in games() else None)
    if known is None:
        return _open_elsewhere(game, path)
    if known.path.resolve() != path:
        raise Refused(f"there is a game {game!r} already; give the folder another name")
    return known


def _open_elsewhere(game: str, path: Path) -> GameFolder:
    """Open a folder that is not in the catalogue; what is wrong with its code is told."""
    missing = [name for name in ("__init__", *PARTS) if not (path / f"{name}.py").is_file()]
    if missing:
        raise Refused(f"{path} is not the folder of a game: it has no {missing[0]}.py")
    try:
        _elsewhere[game] = _open(game, path, _import_folder(path))
    except Exception as error:
        for name in [name for name in sys.modules if f"{name}.".startswith(f"{_package(path)}.")]:
            del sys.modules[name]  # who mends the folder may open it again
        if isinstance(error, Refused):
            raise
        at = line_of(error, path)
        raise Refused(
            f"{game} cannot be opened: {f'{at}: ' if at else ''}{type(error).__name__}: {error}"
        ) from error
    return _elsewhere[game]


def line_of(error: BaseException, folder: Path) -> str | None:
    """Return the file of a folder, and the line in it, where an exception comes from."""
    if isinstance(error, SyntaxError) and error.filename:
        places = [(error.filename, error.lineno)]
    else:
        frames = traceback.extract_tb(error.__traceback__)
        places = [(frame.filename, frame.lineno) for frame in reversed(frames)]
    for name, line in places:
        file = Path(name)
        if folder in file.parents:
            return f"{file.relative_to(folder).as_posix()}, line {line}"
    return None


def _import_folder(path: Path) -> str:
    """Import a folder from anywhere as a package of its own."""
    name = _package(path)
    spec = importlib.util.spec_from_file_location(
        name, path / "__init__.py", submodule_search_locations=[str(path)]
    )
    assert spec is not None
    assert spec.loader is not None
    package = importlib.util.module_from_spec(spec)
    sys.modules[name] = package
    spec.loader.exec_module(package)
    return name


def _package(path: Path) -> str:
    return f"brelan_game_{path.name}"


def _open(game: str, path: Path, package: str) -> GameFolder:
    found = [*PARTS, *(name for name in MAY_HAVE if (path / f"{name}.py").is_file())]
    parts = {name: importlib.import_module(f"{package}.{name}") for name in found}
    implementations = {
        hook: _implementation(game, hook, file, parts.get(file)) for hook, file in HOOKS.items()
    }
    missing = [hook.__name__ for hook in TOGETHER if implementations[hook] is hook]
    if 0 < len(missing) < len(TOGETHER):
        together = ", ".join(hook.__name__ for hook in TOGETHER)
        raise Refused(f"{game} does not implement {missing[0]!r}: {together} go together")
    layout = parts["state"].LAYOUT
    if layout.seats > MAX_SEATS or len(parts["metrics"].METRICS) > MAX_METRICS:
        raise Refused(f"{game} may have {MAX_SEATS} seats and {MAX_METRICS} metrics at most")
    kept = {name: parts[name] for name in ("rules", "cards", "story", "bots", "metrics")}
    return GameFolder(id=game, path=path, layout=layout, implementations=implementations, **kept)


def _implementation(game: str, hook: Function, file: str, module: ModuleType | None) -> Function:
    """Return the function by which a game implements a hook; without one, the hook itself."""
    name = hook.__name__
    function = getattr(module, name, hook)
    if function is hook and not hasattr(hook, "__rule__"):
        raise Refused(f"{game} does not implement the hook {name!r}: it belongs in {file}.py")
    given, asked = (list(inspect.signature(each).parameters) for each in (function, hook))
    if len(given) != len(asked):
        raise Refused(
            f"{game} defines {name}({', '.join(given)}) in {file}.py, but the hook is "
            f"{name}({', '.join(asked)}): give it another name, or these parameters"
        )
    implementation: Function = function
    return implementation
