"""Play the arenas that show how strong the bots are, and write docs/strength.md.

uv run tools/strength.py [FOLDER [WORD…]]

What is played stands in each game's folder, in tests/arenas.toml: the arguments of `brelan arena`,
or those of tools/thinking.py. Only lines that hold all the words are played. Finished matches are
kept in the folder, line by line: the same command goes on where it was stopped. As many lines as
there are cores are played at once, each by one worker, so that times for a decision are those of
one core. What came of a line goes to tests/strength.json, beside its definition. Without a folder
nothing is played, and the page is written from what is known.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from measured import GAMES, ROOT, filled, home, keep, known, measured_by, version

import brelan

KEPT = "strength.json"  # in the folder of the definition
TEMPLATE = ROOT / "tools" / "strength.md"  # a name in braces stands for a table
PAGE = ROOT / "docs" / "strength.md"
ARENA, THINKING = "brelan arena", "tools/thinking.py"


@dataclass(frozen=True)
class Line:
    """A line of a table: what is played, and what came of it if that is known."""

    home: Path  # of the definition
    section: str
    command: str
    note: str
    outcome: dict[str, Any] | None

    @property
    def tool(self) -> str:
        """What the command gives arguments to."""
        return THINKING if self.section == "thinking" else ARENA


def lines(games: Path = GAMES) -> list[Line]:
    """Return what is defined, game by game in catalogue order."""
    return [line for game in brelan.games() for line in _lines(home(game, games))]


def _lines(folder: Path) -> Iterator[Line]:
    defined, played = folder / "arenas.toml", known(folder / KEPT)
    if not defined.is_file():
        return
    for line in tomllib.loads(defined.read_text(encoding="utf-8"))["line"]:
        command = line["command"]
        yield Line(folder, line["section"], command, line.get("note", ""), played.get(command))


# ---------------------------------------------------------------- playing


def played(line: Line, folder: Path) -> dict[str, Any]:
    """Play a line, or go on with it; return what came of it."""
    if line.tool == THINKING:
        command = [sys.executable, str(ROOT / THINKING), *shlex.split(line.command), "--json"]
        return {**_printed(command), **measured_by()}
    kept = folder / f"{hashlib.blake2b(line.command.encode(), digest_size=6).hexdigest()}.jsonl"
    asked = [*shlex.split(line.command), "--workers", "1", "--json", "--results", str(kept)]
    said = _printed([sys.executable, "-m", "brelan", "arena", *asked])
    figures = ("mean", "low", "high")
    return {
        "fair": said["fair_share"],
        "matches": said["matches"],
        "wins": {each["bot"]: [each[part] for part in figures] for each in said["pairings"]},
        "gains": [
            [each["bot"], each["beside"], [each[part] for part in figures]]
            for each in said["gains"]
        ],
        "seconds": {each["bot"]: each["seconds"] for each in said["bots"]},
        **measured_by(),
    }


def _printed(command: list[str]) -> dict[str, Any]:
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)  # noqa: S603
    return dict(json.loads(run.stdout))


# ---------------------------------------------------------------- the page


def page(games: Path = GAMES) -> str:
    """Return the page: a table for each section, of all games."""
    defined = lines(games)

    def table(section: str) -> str:
        chosen = [line for line in defined if line.section == section]
        return "\n".join(_table(chosen)) if chosen else "Nothing is played."

    return filled(TEMPLATE, table)


def _table(chosen: Sequence[Line]) -> Iterator[str]:
    has_gains = any(line.outcome and line.outcome.get("gains") for line in chosen)
    is_arena = chosen[0].tool == ARENA
    columns = [f"`{chosen[0].tool} …`", *["wins"] * is_arena, *["gain"] * has_gains]
    columns += [*["time"] * is_arena, "measured"]
    yield f"| {' | '.join(columns)} |"
    yield "|" + "---|" * len(columns)
    for line in chosen:
        yield f"| {' | '.join(_cells(line, len(columns), has_gains=has_gains))} |"


def _cells(line: Line, count: int, *, has_gains: bool) -> list[str]:
    outcome = line.outcome
    command = f"`{line.command}`" + (f" ({line.note})" if line.note else "")
    if outcome is None:
        return [command, *[""] * (count - 2), "not yet"]
    gains = "; ".join(_gain(*gain) for gain in outcome.get("gains", ()))
    measured = version(outcome)
    if line.tool == THINKING:
        return [command, gains, measured]
    wins = outcome["wins"]
    several = len(wins) > 1
    shown = [f"`{bot}` {_share(rate)}" if several else _share(rate) for bot, rate in wins.items()]
    fair = f"; fair: {outcome['fair']:.1%}".replace("%", " %") if outcome["fair"] < 1 / 2 else ""
    times = "; ".join(_time(outcome["seconds"][bot]) for bot in wins if bot in outcome["seconds"])
    return [command, "; ".join(shown) + fair, *[gains] * has_gains, times, measured]


def _time(seconds: float) -> str:
    return (
        f"{1000 * seconds:,.0f} ms" if seconds >= 0.001 else f"{float(f'{1e6 * seconds:.2g}'):g} µs"
    )


def _share(rate: Sequence[float | None]) -> str:
    """Return a share in percent, with its interval if that is known."""
    mean, *bounds = (None if part is None else f"{100 * part:.1f}" for part in rate)
    return f"{mean} %" + (f" ({' – '.join(map(str, bounds))})" if all(bounds) else "")


def _gain(bot: str, beside: str, rate: Sequence[float | None]) -> str:
    """Return how much better one did than another, in hundredths; bold if it differs from 0."""
    is_steps = bot.isdecimal()
    pair = f"{int(bot):,} beside {int(beside):,}" if is_steps else f"`{bot}` beside `{beside}`"
    _, low, high = rate
    shown = [f"{100 * part:+.{2 if is_steps else 1}f}" for part in rate if part is not None]
    if low is None or high is None:  # one deal says nothing of the spread
        return f"{pair}: {shown[0]}"
    text = f"{shown[0]} ({shown[1]} – {shown[2]})"
    return f"{pair}: **{text}**" if low > 0 or high < 0 else f"{pair}: {text}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Play lines, and write the page."""
    parser = argparse.ArgumentParser(description="Play arenas, and write docs/strength.md.")
    parser.add_argument("folder", nargs="?", type=Path, help="where finished matches are kept")
    parser.add_argument("words", nargs="*", help="only lines that hold all of them are played")
    parser.add_argument("--games", type=Path, default=GAMES, help="the folder of the games")
    parser.add_argument("--page", type=Path, default=PAGE, help="the page that is written")
    asked = parser.parse_args(arguments)
    if asked.folder is not None:
        asked.folder.mkdir(parents=True, exist_ok=True)
        words = asked.words
        chosen = [line for line in lines(asked.games) if all(w in line.command for w in words)]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            found = pool.map(lambda line: played(line, asked.folder), chosen)
            for line, outcome in zip(chosen, found, strict=True):
                keep(line.home / KEPT, {line.command: outcome})
                sys.stdout.write(f"{line.command}\n")
                sys.stdout.flush()
    asked.page.write_text(page(asked.games), encoding="utf-8")


if __name__ == "__main__":
    main()
