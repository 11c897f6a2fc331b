"""Solve a reduced Love Letter with OpenSpiel's external-sampling MCCFR, and print how well.

uv run --extra openspiel tools/mccfr.py [--iterations N] [--copies 0,0,2,1,1,0,1,0,0,0,0] [--seed N]

The reduced game is the folder of Love Letter with fewer cards: `--copies` are those of Spy, Guard,
Priest and so on, after a 0. Two players, one round, the first seat begins. Exploitability is what a
best response wins on average against the average policy, in matches (a win is 1, a defeat -1).
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from open_spiel.python.algorithms import exploitability, external_sampling_mccfr
from open_spiel.python.policy import UniformRandomPolicy

import brelan
from brelan.engine.folder import open_folder
from brelan.envs import openspiel

USUAL = "[0, 2, 6, 2, 2, 2, 2, 2, 1, 1, 1]"
ONE_ROUND = {"face_up_set_aside": 0, "tokens_to_win": 1, "first_starter": "seat0"}
NO_MORE = {"spy_bonus": "off", "next_starter": "alternate"}  # what follows a round draws no luck


def reduced(folder: Path, copies: Sequence[int]) -> Any:
    """Write Love Letter with so many copies of each character; return it for OpenSpiel."""
    own = folder / f"letter_{'_'.join(map(str, copies))}"
    ignored = shutil.ignore_patterns("__pycache__", "tests", "web")
    shutil.copytree(open_folder("love-letter").path, own, ignore=ignored)
    cards = (own / "cards.py").read_text(encoding="utf-8")
    assert USUAL in cards
    (own / "cards.py").write_text(cards.replace(USUAL, str(list(copies))), encoding="utf-8")
    return openspiel.load(brelan.game(str(own), **ONE_ROUND, **NO_MORE))


def solve(game: Any, iterations: int, seed: int = 1) -> list[tuple[int, float]]:
    """Run MCCFR; return the exploitability before it and after 100, 1000 … iterations."""
    np.random.seed(seed)
    random.seed(seed)
    solver = external_sampling_mccfr.ExternalSamplingSolver(game)
    measured = [(0, float(exploitability.exploitability(game, UniformRandomPolicy(game))))]
    due = 100
    for done in range(1, iterations + 1):
        solver.iteration()
        if done in (due, iterations):
            found = exploitability.exploitability(game, solver.average_policy())
            measured.append((done, float(found)))
            due *= 10 if done == due else 1
    return measured


def main(*arguments: str) -> None:
    """Print the exploitability of the uniform policy, and of the average policy on the way."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--iterations", type=int, default=10_000)
    asked.add_argument("--copies", default="0,0,2,1,1,0,1,0,0,0,0")
    asked.add_argument("--seed", type=int, default=1)
    options = asked.parse_args(arguments)
    copies = [int(count) for count in options.copies.split(",")]
    with tempfile.TemporaryDirectory() as folder:
        game = reduced(Path(folder), copies)
        for iterations, found in solve(game, options.iterations, options.seed):
            print(f"{iterations:>8,} iterations: exploitability {found:.4f}", flush=True)  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
