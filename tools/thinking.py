"""Print what more thinking is worth by the search's own reckoning.

uv run tools/thinking.py GAME [POSITIONS] [MOVES…] [--json]

In positions of matches between `club` and `club`, a search chooses with so many moves in imagined
worlds. What it chose is judged by two others that each make twice the most of these moves, with
other luck: so it does not matter what it thought of the move itself. Chance is far smaller than in
an arena, but it is the worth against the bots that are reckoned with, not against any opponent.
"""

from __future__ import annotations

import itertools
import json
import random
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

import brelan
from brelan.bots import SearchBot
from brelan.bots.search.stats import MoveStats, combined
from brelan.engine.game import Game
from brelan.engine.view import View
from brelan.lab.estimates import mean

JUDGES = (101, 102)  # their seeds; the one who chooses has another
JSON = "--json"
BUDGETS = [50_000, 200_000, 1_000_000]  # moves, unless others are asked for
MORE = 2  # times the most moves: how many each of the judges makes


def positions(game: Game) -> Iterator[View]:
    """Yield views in which there is something to choose, one of each match."""
    club = brelan.bot("club", game)
    for seed in itertools.count():
        match, views = game.deal(seed=seed), []
        while match.turn is not None:
            view = match.view(match.turn)
            if len(view.legal()) > 1:
                views.append(view)
            match.play(club.choose(view))
        if views:
            yield random.Random(seed).choice(views)  # noqa: S311 - chance, not a secret


def sure(stats: dict[int, MoveStats]) -> int:
    """Return the move that a search would make."""
    return max(stats, key=lambda move: stats[move].lower_bound)


def worth(judges: list[SearchBot], view: View) -> dict[int, float]:
    """Return what each move is worth, as the judges think together."""
    found = [judge.search(view) for judge in judges]
    stats = {move: combined(each[move] for each in found) for move in found[0]}
    return {move: stat.value for move, stat in stats.items() if stat.visits}


def compare(game: str, count: int, budgets: list[int]) -> dict[str, Any]:
    """Return what the choices with each number of moves are worth, and the gains between them."""
    played = brelan.game(game)
    judges = [SearchBot(played, f"expert+steps={MORE * max(budgets)}", seed) for seed in JUDGES]
    bots = [SearchBot(played, f"expert+steps={each}") for each in budgets]
    rows = []
    for view in itertools.islice(positions(played), count):
        value = worth(judges, view)
        rows.append([value[sure(bot.search(view))] for bot in bots])
    found = np.array(rows)
    pairs = itertools.combinations(range(len(budgets)), 2)
    return {
        "worth": {str(each): float(found[:, n].mean()) for n, each in enumerate(budgets)},
        "gains": [
            [str(budgets[more]), str(budgets[less]), list(mean(found[:, more] - found[:, less]))]
            for less, more in pairs
        ],
    }


def main(game: str, count: str = "100", *words: str) -> None:
    """Print what the choices of each search are worth, and how much more than with less thought."""
    budgets = [int(each) for each in words if each != JSON] or BUDGETS
    found = compare(game, int(count), budgets)
    if JSON in words:
        sys.stdout.write(json.dumps(found) + "\n")
        return
    for moves, value in found["worth"].items():
        sys.stdout.write(f"{moves:>9} moves: worth {value:.2%} of a match\n")
    for more, less, rates in found["gains"]:
        gain, low, high = (f"{100 * each:+.2f}" for each in rates)
        sys.stdout.write(f"{more:>9} beside {less}: {gain} ({low} – {high})\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
