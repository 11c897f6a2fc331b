"""Train the bot `learned` by self-play, write its weights, and draw how it learned.

uv run --extra gymnasium tools/learn.py [--iterations N] [--seed N] [--out FILE] [--figure FILE]

It plays Love Letter with two players and learns by proximal policy optimisation: docs/learned.md
tells how. Every ten iterations it prints which share of 512 matches it wins against `careful` and
`eager`, and keeps the weights so far. With `--figure` nothing is trained: it draws the curve of the
weights that are there.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # two threads are slower for tables so small

import numpy as np

import brelan
from brelan.bots.learned.bot import FILE
from brelan.bots.learned.network import Curve, Weights, save
from brelan.bots.learned.sight import Sight
from brelan.engine.folder import open_folder
from brelan.envs.learning.figure import drawn
from brelan.envs.learning.self_play import entries_in_use
from brelan.envs.learning.train import COOLED, MEASURED, OPPONENTS, share_won, train

ROOT = Path(__file__).resolve().parent.parent
GAME, PLAYERS = "love-letter", 2
EVERY = 10


def learn(iterations: int, seed: int, out: Path) -> Curve:
    """Train, print the curve, keep the weights; return the curve."""
    game = brelan.game(GAME, players=PLAYERS)
    used = entries_in_use(game, seed)
    sight, begun, curve = Sight(game, used), time.process_time(), []
    print(f"{sight.shape[0]} inputs, {sight.shape[1]} outputs", flush=True)  # noqa: T201

    def watch(iteration: int, weights: Weights) -> None:
        if iteration not in (1, 3, iterations) and iteration % EVERY:
            return
        shares = [share_won(sight, weights, bot, MEASURED, 9) for bot in OPPONENTS]
        curve.append((iteration, *shares))
        said = ", ".join(
            f"{100 * share:.1f} % against {bot}"
            for bot, share in zip(OPPONENTS, shares, strict=True)
        )
        minutes = (time.process_time() - begun) / 60
        print(f"{iteration:5} iterations, {minutes:4.1f} CPU minutes: {said}", flush=True)  # noqa: T201
        save(out, sight, used, weights, np.array(curve))

    train(sight, iterations, seed, watch)
    return np.array(curve)


def main(*arguments: str) -> None:
    """Train, or draw what is there."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--iterations", type=int, default=80)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--out", type=Path, default=open_folder(GAME).path / FILE)
    asked.add_argument("--figure", type=Path)
    options = asked.parse_args(arguments)
    if not 1 <= options.iterations <= COOLED or options.seed < 0:
        asked.error(f"--iterations is 1 to {COOLED}, --seed 0 or more")
    if options.figure is None:
        learn(options.iterations, options.seed, options.out)
        return
    with np.load(options.out) as file:
        options.figure.write_text(drawn(file["curve"], OPPONENTS), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
