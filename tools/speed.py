"""Measure how fast the games run, and write docs/speed.md.

uv run tools/speed.py [--repeats N] [GAME…]

It runs `brelan bench GAME` for each game and `brelan bench compiler` for all of them. The figures
go to tests/speed.json in each game's folder. With `--repeats 0` nothing is measured, and the page
is written from what is known.
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from llvmlite import binding as llvm
from measured import GAMES, ROOT, filled, home, keep, known, measured_by, version

import brelan

KEPT = "speed.json"
TEMPLATE = ROOT / "tools" / "speed.md"  # a name in braces stands for a table
PAGE = ROOT / "docs" / "speed.md"
PARTS = ("import", "front end", "LLVM", "load", "rest")

Figures = dict[str, Any]


def bench(*asked: str) -> Figures:
    """Run `brelan bench`; return what it prints."""
    command = [sys.executable, "-m", "brelan", "bench", *asked, "--json"]
    run = subprocess.run(command, stdout=subprocess.PIPE, check=True)  # noqa: S603
    return dict(json.loads(run.stdout))


def measure(games: Sequence[str], repeats: int) -> Iterator[tuple[str, Figures]]:
    """Yield the figures of each game."""
    often = ("--repeats", str(repeats))
    compiler = bench("compiler", *games, *often)
    cpu = f"{llvm.get_host_cpu_name()}, Python {platform.python_version()}"
    for game, ready in zip(games, compiler["games"], strict=True):
        figures = {"compiler": ready, "bench": bench(game, *often), "repeats": repeats}
        yield game, {**figures, "goals": compiler["goals"], "cpu": cpu, **measured_by()}


# ---------------------------------------------------------------- the page


def page(games: Path = GAMES) -> str:
    """Return the page, of all games that were measured."""
    found = {game: known(home(game, games) / KEPT) for game in brelan.games()}
    found = {game: figures for game, figures in found.items() if figures}
    return filled(TEMPLATE, lambda name: TABLES[name](found))


def _table(columns: Sequence[str], rows: Iterator[list[str]]) -> str:
    lines = [f"| {' | '.join(row)} |" for row in [list(columns), *rows]]
    return "\n".join([lines[0], "|---|" + "---:|" * (len(columns) - 1), *lines[1:]])


def _range(rates: dict[str, float], digits: int = 2) -> str:
    median, low, high = (f"{rates[part]:,.{digits}f}" for part in ("median", "low", "high"))
    return f"{median} ({low} – {high})"


def _rounded(rates: dict[str, float]) -> str:
    """Return a rate by its median, to three digits."""
    value = float(f"{rates['median']:.3g}")
    return f"{value:,.0f}" if value >= 100 else f"{value:,.3g}"


def ready(found: dict[str, Figures]) -> str:
    """Return the table of CPU-seconds to a decision."""

    def row(game: str, figures: Figures) -> list[str]:
        seconds = figures["compiler"]["seconds"]
        totals = [_range(seconds[start]["total"]) for start in ("cold", "warm")]
        return [f"`{game}`", *totals, *(f"{seconds['cold'][part]['median']:.2f}" for part in PARTS)]

    columns = ["`brelan bench compiler`", "cold", "warm", *(f"cold: {part}" for part in PARTS)]
    return _table(columns, (row(game, figures) for game, figures in found.items()))


def rates(found: dict[str, Figures]) -> str:
    """Return the table of rates per CPU-second."""
    names = {
        "matches, driver": "matches, driver",
        "matches, simulate": "matches, `simulate`",
        "decisions, simulate": "decisions, `simulate`",
        "worlds, imagine": "worlds imagined",
        "simulations, search": "simulations of the search",
    }
    rows = (
        [f"`brelan bench {game}`", *(_rounded(figures["bench"]["rates"][name]) for name in names)]
        for game, figures in found.items()
    )
    return _table(["per CPU-second", *names.values()], rows)


def ratios(found: dict[str, Figures]) -> str:
    """Return the table of ratios within one run."""
    rows = (
        [f"`brelan bench {game}`", name, _range(rates)]
        for game, figures in found.items()
        for name, rates in figures["bench"]["ratios"].items()
    )
    return _table(["command", "ratio", "median (lowest – highest)"], rows)


def notes(found: dict[str, Figures]) -> str:
    """Return what was checked before it was measured, a line for each game."""
    said = ((game, note) for game, figures in found.items() for note in figures["bench"]["notes"])
    return "\n".join(f"- `brelan bench {game}`: {note}" for game, note in said)


def origin(found: dict[str, Figures]) -> str:
    """Return the table of what measured."""
    rows = (
        [f"`{game}`", version(figures), figures["cpu"], str(figures["repeats"])]
        for game, figures in found.items()
    )
    return _table(["game", "version, commit, date", "processor", "repeats"], rows)


TABLES: dict[str, Callable[[dict[str, Figures]], str]] = {
    "ready": ready,
    "rates": rates,
    "ratios": ratios,
    "notes": notes,
    "origin": origin,
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(description="Measure speed, and write docs/speed.md.")
    parser.add_argument("chosen", nargs="*", metavar="GAME", help="otherwise all")
    parser.add_argument("--repeats", type=int, default=5, help="how many times, in turn")
    parser.add_argument("--games", type=Path, default=GAMES, help="the folder of the games")
    parser.add_argument("--page", type=Path, default=PAGE, help="the page that is written")
    asked = parser.parse_args(arguments)
    if asked.repeats:
        for game, figures in measure(asked.chosen or brelan.games(), asked.repeats):
            keep(home(game, asked.games) / KEPT, figures)
    asked.page.write_text(page(asked.games), encoding="utf-8")


if __name__ == "__main__":
    main()
