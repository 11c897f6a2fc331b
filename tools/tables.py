"""Write the generated tables anew: games in README.md, modules in ARCHITECTURE.md, each page.md.

uv run tools/tables.py

A table stands between the comments `<!-- NAME: by tools/tables.py -->` and `<!-- end -->`. The rows
of bots and metrics are generated, their last column is written by hand and kept: a new row gets
`?` there, which a test refuses. Several metrics may share a row.
"""

from __future__ import annotations

import ast
import itertools
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import brelan
from brelan.bots import names
from brelan.engine.folder import GameFolder, open_folder
from brelan.engine.game import Game
from brelan.kit.new import TEMPLATE
from brelan.knobs import Knob

ROOT = Path(__file__).resolve().parents[1]
BLOCK = re.compile(r"(<!-- (\w+): by tools/tables\.py -->\n)(.*?)(<!-- end -->)", re.DOTALL)
UNWRITTEN = "?"


def pages() -> Iterator[tuple[Path, str, str]]:
    """Yield each file with tables: its path, its text, and the text as it should be."""
    folders = [open_folder(name) for name in brelan.games()]
    readme = ROOT / "README.md"
    yield readme, *_rewritten(readme, {"games": lambda _: _games(folders)})
    architecture = ROOT / "ARCHITECTURE.md"
    yield architecture, *_rewritten(architecture, {"modules": lambda _: _modules()})
    for folder in [*folders, open_folder(str(TEMPLATE))]:
        page = folder.path / "page.md"
        yield page, *_rewritten(page, _tables_of(folder))


Table = Callable[[str], Iterator[str]]  # from the text that stands there to the lines that should


def _rewritten(file: Path, tables: dict[str, Table]) -> tuple[str, str]:
    text = file.read_text(encoding="utf-8")
    found = [name for _, name, _, _ in BLOCK.findall(text)]
    if sorted(found) != sorted(tables):
        raise ValueError(f"{file} needs these tables, each once: {', '.join(tables)}")

    def replace(block: re.Match[str]) -> str:
        begin, name, old, end = block.groups()
        return begin + "".join(f"{line}\n" for line in tables[name](old)) + end

    return text, BLOCK.sub(replace, text)


def _table(*rows: Sequence[str]) -> Iterator[str]:
    head, *others = (f"| {' | '.join(row)} |" for row in rows)
    yield from (head, "|---" * len(rows[0]) + "|", *others)


def _codes(each: Sequence[object]) -> str:
    return ", ".join(f"`{name}`" for name in each)


def _span(numbers: Sequence[object]) -> str:
    return f"{numbers[0]} to {numbers[-1]}" if len(numbers) > 1 else str(numbers[0])


# ---------------------------------------------------------------- README.md


def _games(folders: list[GameFolder]) -> Iterator[str]:
    rows = [
        (
            folder.texts("en")("game.name"),
            _span(folder.knobs["players"].values),
            _codes(folder.bots.BOTS),
            f"[page]({(folder.path / 'page.md').relative_to(ROOT).as_posix()})",
        )
        for folder in folders
    ]
    return _table(("game", "players", "bots besides `random`", "more"), *rows)


# ---------------------------------------------------------------- ARCHITECTURE.md


def _modules() -> Iterator[str]:
    """List every module of the house with the first line of its docstring."""
    house = ROOT / "src" / "brelan"
    files = [file for file in sorted(house.rglob("*.py")) if _is_described(file, house)]
    rows = [(f"`{file.relative_to(house).as_posix()}`", _first_line(file)) for file in files]
    return _table(("module", "what it holds"), *rows)


def _is_described(file: Path, house: Path) -> bool:
    """Whether a module has a row: those of a game have their page, migrations their own order."""
    path = file.relative_to(house).as_posix()
    is_listed_elsewhere = re.match(r"games/\w+/|kit/template_game/|.*/versions/", path)
    return not is_listed_elsewhere and bool(_first_line(file))


def _first_line(file: Path) -> str:
    docstring = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return docstring.partition("\n")[0].replace("|", "\\|")


# ---------------------------------------------------------------- page.md


def _tables_of(folder: GameFolder) -> dict[str, Table]:
    game = Game(folder, folder.knobs.settle({}))
    metrics = folder.metrics.METRICS
    return {
        "facts": lambda _: _facts(folder),
        "knobs": lambda _: _knobs(list(folder.knobs.values())),
        "bots": lambda old: _table(("bot", "how it plays"), *_described(names(game), old)),
        "metrics": lambda old: _table(("metric", "counts"), *_described(metrics, old)),
    }


def _facts(folder: GameFolder) -> Iterator[str]:
    code = folder.path.relative_to(ROOT).as_posix()
    yield (
        f"- **id** `{folder.id}` · **rules version** {folder.version} · "
        f"**players** {_span(folder.knobs['players'].values)} · **code** `{code}`"
    )
    yield f"- Decisions in a match with default knobs: at most {folder.rules.LONGEST}."
    yield (
        f"- A state takes {folder.layout.dtype.itemsize} bytes; the table of moves has "
        f"{len(folder.cards.MOVES)} rows."
    )


def _described(wanted: Sequence[str], old: str) -> Iterator[tuple[str, str]]:
    """Yield a row for each name, or for several that share what is written of them."""
    written: dict[str, tuple[list[str], str]] = {}
    for row in old.splitlines()[2:]:
        first, words = (cell.strip() for cell in row.strip("| ").split(" | ", 1))
        shared = [name for name in re.findall(r"`(\w+)`", first) if name in wanted]
        written |= dict.fromkeys(shared, (shared, words))
    for name in wanted:
        shared, words = written.get(name, ([name], UNWRITTEN))
        if name == min(shared, key=wanted.index):
            yield _codes(sorted(shared, key=wanted.index)), words


def _knobs(knobs: list[Knob]) -> Iterator[str]:
    rows = []
    for _, alike in itertools.groupby(knobs, key=_family):
        same = list(alike)
        shown = _codes([knob.name for knob in same])
        if len(same) > 3:
            shown = f"`{same[0].name}` … `{same[-1].name}`"
        rows.append((shown, _values(same), same[0].section))
    return _table(("knob", "values, the default first", "§"), *rows)


def _family(knob: Knob) -> tuple[object, ...]:
    """Say which knobs share a row: those named alike that allow the same."""
    stem = knob.name.rpartition("_")[0] if re.search(r"_\w?\d+$", knob.name) else knob.name
    return stem, knob.section, knob.values, tuple(knob.by_players), tuple(knob.only_for)


def _values(knobs: list[Knob]) -> str:
    """Return what knobs that share a row allow, and their defaults."""
    knob, defaults = knobs[0], [each.default for each in knobs]
    usual = max(defaults, key=defaults.count)
    if isinstance(usual, int) and len(knob.values) > 3:
        shown = [usual] if len(set(defaults)) == 1 else defaults
        said = [f"{', '.join(map(str, shown))} ({_span(knob.values)})"]
    else:
        ordered = sorted(knob.values, key=lambda value: value != usual)
        said = [", ".join(_value(knob, value) for value in ordered)]
        for value in dict.fromkeys(each for each in defaults if each != usual):
            others = _codes([each.name for each in knobs if each.default == value])
            said.append(f"{_value(knob, value)} for {others}")
    if knob.by_players:
        values = list(knob.by_players.values())
        shown = values[:1] if len(set(values)) == 1 else values
        said.append(f"{', '.join(map(str, shown))} with {_span(list(knob.by_players))} players")
    return "; ".join(said)


def _value(knob: Knob, value: object) -> str:
    shown = str(value) if isinstance(value, int) else f"`{value}`"
    seats = [players for allowed, players in knob.only_for.items() if allowed == value]
    return f"{shown} ({_span(seats[0])} players)" if seats else shown


def main() -> None:
    """Write every table anew, and say which files changed."""
    for file, text, rewritten in pages():
        if rewritten != text:
            file.write_text(rewritten, encoding="utf-8")
            sys.stdout.write(f"{file.relative_to(ROOT)} written\n")


if __name__ == "__main__":
    main()
