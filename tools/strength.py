"""Play the arenas of docs/bots.md again, and print its tables anew.

uv run tools/strength.py FOLDER [WORD…]

Only lines that hold all the words are played. What was played is kept in the folder, line by line:
the same command goes on where it was stopped. As many arenas as there are cores are played at once,
each by one worker, so that times for a decision are those of one core.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

FIGURES = Path(__file__).resolve().parent.parent / "docs" / "bots.md"
LINE = re.compile(r"^\| `([a-z-]+ [^`]*--matches [0-9]+[^`]*)`", re.MULTILINE)


def arenas() -> list[str]:
    """Return the arenas of the tables, each as the arguments of `brelan arena`."""
    return LINE.findall(FIGURES.read_text(encoding="utf-8"))


def played(folder: Path, arena: str) -> dict[str, Any]:
    """Play an arena, or go on with it; return what it says of itself."""
    kept = folder / f"{hashlib.blake2b(arena.encode(), digest_size=6).hexdigest()}.jsonl"
    asked = [*shlex.split(arena), "--workers", "1", "--json", "--results", str(kept)]
    run = [sys.executable, "-m", "brelan", "arena", *asked]
    said = subprocess.run(run, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)  # noqa: S603
    return dict(json.loads(said.stdout))


def row(arena: str, said: dict[str, Any]) -> str:
    """Return a line of a table: win rates, gains if bots are compared, times for a decision."""
    times = {bot["bot"]: f"{1000 * bot['seconds']:.0f} ms" for bot in said["bots"]}
    rates = [figure(pairing, " %") for pairing in said["pairings"]]
    gains = [figure(gain, "", "+") for gain in said["gains"]]
    spent = [times[pairing["bot"]] for pairing in said["pairings"]]
    columns = [f"`{arena}`", *("; ".join(part) for part in (rates, gains, spent) if part)]
    return f"| {' | '.join(columns)} |"


def figure(said: dict[str, Any], unit: str, sign: str = "") -> str:
    """Return a share with its interval, in hundredths."""
    mean, low, high = (f"{100 * said[part]:{sign}.1f}" for part in ("mean", "low", "high"))
    return f"{mean}{unit} ({low} – {high})"


def main(folder: str, *words: str) -> None:
    """Play the arenas of the tables."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    chosen = [arena for arena in arenas() if all(word in arena for word in words)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for line in pool.map(lambda arena: row(arena, played(Path(folder), arena)), chosen):
            sys.stdout.write(line + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
