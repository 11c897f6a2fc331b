"""Fit the taste of a game's bot `shrewd` to what another bot chooses, and print it.

uv run tools/shrewd.py GAME [BOT] [MATCHES]

The game's `traits.py` says what each legal move is judged by. How likely it is made goes up or down
with each of these traits: a conditional logit, fitted by Newton's method.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from typing import Any

import numpy as np
import numpy.typing as npt

import brelan
from brelan.engine.folder import open_folder

CAUTION = 1e-3  # pulls a taste that nothing is known of to nothing

Table = npt.NDArray[np.float64]


def traits_of(game: str) -> Any:
    """Return what is looked at in a game; a game that does not say it is refused."""
    name = f"{open_folder(game).rules.__package__}.traits"
    if importlib.util.find_spec(name) is None:
        raise brelan.Refused(f"{game} has no traits.py, which says what a move is judged by")
    return importlib.import_module(name)


def choices(game: str, fit: Any, bot: str, matches: int) -> list[tuple[Table, int]]:
    """Return what a bot could choose from, and which it chose, in many matches."""
    table, found, names = brelan.game(game, **fit.VARIANT), [], (bot, *fit.OPPONENTS)
    players = {name: brelan.bot(name, table) for name in names}
    for seed in range(matches):
        match, other = table.deal(seed=seed), names[seed % len(names)]
        while match.turn is not None:
            view = match.view(match.turn)
            name = bot if view.seat == seed // len(names) % 2 else other
            move = players[name].choose(view)
            rows = list(fit.traits(view)) if name == bot else []
            if len(rows) > 1:
                found.append((np.array(rows), view.legal().index(move)))
            match.play(move)
    return found


def fitted(found: list[tuple[Table, int]]) -> tuple[Table, float]:
    """Return the taste that explains the choices best, and how well: in nats for a choice."""
    traits = found[0][0].shape[1]
    taste, surprise = np.zeros(traits), 0.0
    for _ in range(20):
        slope, bend, surprise = -CAUTION * taste, CAUTION * np.eye(traits), 0.0
        for rows, chosen in found:
            odds = np.exp(rows @ taste)
            odds /= odds.sum()
            mean = odds @ rows
            slope += rows[chosen] - mean
            bend += (rows * odds[:, None]).T @ rows - np.outer(mean, mean)
            surprise -= np.log(odds[chosen]) / len(found)
        taste = taste + np.linalg.solve(bend, slope)
    return taste, surprise


def main(game: str, bot: str = "club", matches: str = "3000") -> None:
    """Print the taste of a bot."""
    fit = traits_of(game)
    found = choices(game, fit, bot, int(matches))
    taste, surprise = fitted(found)
    if fit.RELATIVE:
        taste[: fit.RELATIVE] -= taste[: fit.RELATIVE - 1].mean()  # the last one aside
    for name, each in zip(fit.NAMES, taste, strict=True):
        sys.stdout.write(f"{name:12}{each:6.2f}\n")
    even = np.mean([np.log(len(rows)) for rows, _ in found])
    sys.stdout.write(f"{len(found)} choices; surprise {surprise:.3f}, of a random one {even:.3f}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
