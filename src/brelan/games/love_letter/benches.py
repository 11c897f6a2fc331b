"""The yardstick of Love Letter: the same random matches in C, beside the rates of every game.

It is built with the system's C compiler (`$CC`, or `cc`) when it is measured.
"""

from __future__ import annotations

import atexit
import functools
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from brelan.engine.game import Game
from brelan.engine.match_driver import Results, luck_of_seed
from brelan.errors import Refused
from brelan.lab.bench import Counts, Paced, Task
from brelan.lab.simulate import simulate

SOURCE = Path(__file__).with_name("yardstick.c")
FLAGS = (["-O3", "-march=native"], ["-O3"])  # the first that the compiler knows
MATCHES = 2000  # that are compared
RATIOS = {"rounds, simulate to C": ("rounds, simulate", "rounds, C")}


def tasks(game: Game, seed: int) -> dict[str, Task]:
    """Return what is measured: the program in C, if it can be built."""
    program = built()
    return {} if isinstance(program, str) else {"C": Paced(functools.partial(_work, program, seed))}


def check(game: Game, seed: int) -> str:
    """Compare the matches in C with those of the driver; return what was found, in one line."""
    program = built()
    if isinstance(program, str):
        return f"The line of C is left out: {program}."
    found, expected = run(program, seed, MATCHES)["checksum"], checksum_of(game, seed, MATCHES)
    if found != expected:
        raise Refused(f"C does not play the driver's matches: {found}, not {expected}")
    return f"C plays the same matches as the driver: {MATCHES:,} compared, checksum {found}."


@functools.cache
def built() -> Path | str:
    """Build the program in C in a folder that is removed in the end; or return why it cannot be."""
    named = os.environ.get("CC", "cc")
    compiler = shutil.which(named)
    if compiler is None:
        return f"there is no C compiler ({named}) here"
    folder = tempfile.mkdtemp(prefix="brelan-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    program = Path(folder) / "yardstick"
    for flags in FLAGS:
        command = [compiler, *flags, "-o", str(program), str(SOURCE)]
        if subprocess.run(command, capture_output=True, check=False).returncode == 0:  # noqa: S603
            return program
    return f"{compiler} cannot build {SOURCE.name}"


def run(program: Path, seed: int, matches: int) -> dict[str, Any]:
    """Let the program play; return what it prints."""
    command = [str(program), str(int(luck_of_seed(seed))), str(matches)]
    return dict(json.loads(subprocess.check_output(command)))  # noqa: S603


def _work(program: Path, seed: int, matches: int) -> tuple[Counts, float]:
    printed = run(program, seed, matches)
    counts = {unit: float(printed[unit]) for unit in ("matches", "decisions", "rounds")}
    return counts, printed["cpu_seconds"]


def checksum_of(game: Game, seed: int, matches: int) -> str:
    """Return the checksum of the matches that `simulate` plays between random bots."""
    return checksum(simulate(game, ["random"] * game.players, matches, seed).results)


def checksum(results: Results) -> str:
    """Return the FNV-1a of six bytes for each match, as the program in C reckons it."""
    decisions = results["decisions"][:, None]
    rows = [results["scores"], results["winners"], decisions & 255, decisions >> 8]
    total = 0xCBF29CE484222325
    for byte in np.hstack(rows).astype(np.uint8).tobytes():
        total = (total ^ byte) * 0x100000001B3 % 2**64
    return f"{total:016x}"
