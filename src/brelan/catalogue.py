"""The catalogue: finding games and opening their folders.

A folder in `brelan/games` is a game, found by itself; so is any other folder given by its path.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from brelan import texts
from brelan.errors import Refused
from brelan.games import HOME
from brelan.games import ids as games

if TYPE_CHECKING:
    from brelan.knobs import Knobs, Value
    from brelan.machine import Machine
    from brelan.words import Layout

PARTS = ("rules", "sight", "imagine", "cards", "story", "bots", "metrics")
MAY_HAVE = ("belief",)  # parts that not every game has
FOR_PEOPLE = ("story", "terminal", "analysis")  # files of a game that no rule depends on


@dataclass(frozen=True, eq=False)
class Folder:
    """Everything about one game, as its folder holds it."""

    id: str
    path: Path
    rules: ModuleType
    cards: ModuleType
    story: ModuleType
    bots: ModuleType
    metrics: ModuleType
    layout: Layout
    meanings: dict[Callable[..., Any], Callable[..., Any]]

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

    def objection(self, knobs: Mapping[str, Value]) -> str | None:
        """Return why these knobs cannot be set together, as the game's `cards.py` says it."""
        object_to = getattr(self.cards, "objection", None)
        return object_to(knobs) if object_to is not None else None

    def texts(self, language: str) -> texts.Texts:
        """Return the game's texts in a language."""
        return texts.load(self.path, language)

    def rulebook(self, language: str) -> str:
        """Return the rulebook in a language, as Markdown."""
        texts.load(self.path, language)  # refuses an unknown language
        return (self.path / f"rulebook.{language}.md").read_text(encoding="utf-8")

    @functools.cache  # noqa: B019 - folders live as long as the process
    def machine(self, mode: str) -> Machine:
        """Return the game's rules as they run in a mode: compiled, checked or interpreted."""
        from brelan.machine import Machine

        house = Path(__file__).parent
        shared = ("words", "verbs", "driver", "machine", "compiling", "knobs")
        sources = [house / f"{name}.py" for name in shared]
        sources += [*(house / "bots").glob("*.py"), self.path / "knobs.toml"]
        sources += [file for file in self.path.glob("*.py") if file.stem not in FOR_PEOPLE]
        return Machine(self.id, mode, self.meanings, sources)


_elsewhere: dict[str, Folder] = {}


def opened() -> list[str]:
    """Return the ids of the games that were opened by the path of their folder."""
    return list(_elsewhere)


@functools.cache
def open_folder(game: str) -> Folder:
    """Open a game by its id, or by the path of its folder."""
    if "/" in game or "\\" in game or game.startswith("."):
        return _open_elsewhere(Path(game).resolve())
    if game in _elsewhere:
        return _elsewhere[game]
    if game not in games():
        raise Refused(f"unknown game {game!r}; there are: {', '.join(games())}")
    name = game.replace("-", "_")
    return _open(game, HOME / name, f"brelan.games.{name}")


def _open_elsewhere(path: Path) -> Folder:
    """Open a folder that is not in the catalogue; from then on it is known by its id too."""
    missing = [name for name in ("__init__", *PARTS) if not (path / f"{name}.py").is_file()]
    if missing:
        raise Refused(f"{path} is not the folder of a game: it has no {missing[0]}.py")
    name = path.name.replace("_", "-")
    if name in (*games(), *_elsewhere):
        raise Refused(f"there is a game {name!r} already; give the folder another name")
    _elsewhere[name] = _open(name, path, _import_folder(path))
    return _elsewhere[name]


def _import_folder(path: Path) -> str:
    """Import a folder from anywhere as a package of its own."""
    name = f"brelan_game_{path.name}"
    spec = importlib.util.spec_from_file_location(
        name, path / "__init__.py", submodule_search_locations=[str(path)]
    )
    assert spec is not None
    assert spec.loader is not None
    package = importlib.util.module_from_spec(spec)
    sys.modules[name] = package
    spec.loader.exec_module(package)
    return name


def _open(game: str, path: Path, package: str) -> Folder:
    from brelan import verbs, words

    found = [*PARTS, *(name for name in MAY_HAVE if (path / f"{name}.py").is_file())]
    parts = {name: importlib.import_module(f"{package}.{name}") for name in found}
    meanings = {word: _meaning(game, word, parts.values()) for word in verbs.WORDS}
    missing = [word.__name__ for word in verbs.TOGETHER if meanings[word] is word]
    if 0 < len(missing) < len(verbs.TOGETHER):
        together = ", ".join(word.__name__ for word in verbs.TOGETHER)
        raise Refused(f"{game} gives no meaning to {missing[0]!r}: {together} go together")
    layout = parts["sight"].LAYOUT
    if layout.seats > words.MOST_SEATS or len(parts["metrics"].METRICS) > words.MOST_METRICS:
        raise Refused(
            f"{game} may have {words.MOST_SEATS} seats and {words.MOST_METRICS} metrics at most"
        )
    kept = {name: parts[name] for name in ("rules", "cards", "story", "bots", "metrics")}
    return Folder(id=game, path=path, layout=layout, meanings=meanings, **kept)


def _meaning(game: str, word: Callable[..., Any], parts: Iterable[ModuleType]) -> Any:
    """Return what a game means by a word; if it says nothing, what every game means by it."""
    name = word.__name__
    homes = [part for part in parts if _is_home(part, name)]
    if not homes and not hasattr(word, "__rule__"):
        raise Refused(f"{game} gives no meaning to the word {name!r}")
    meaning = getattr(homes[0], name) if homes else word
    told, asked = (list(inspect.signature(said).parameters) for said in (meaning, word))
    if len(told) != len(asked):
        raise Refused(
            f"{game} says {name}({', '.join(told)}), but the word is {name}({', '.join(asked)}): "
            "give what it says another name, or these parameters"
        )
    return meaning


def _is_home(module: ModuleType, word: str) -> bool:
    function = getattr(module, word, None)
    return getattr(function, "__module__", None) == module.__name__
