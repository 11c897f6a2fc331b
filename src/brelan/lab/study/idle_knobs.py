"""Knobs that never come into play: turning them changes none of some matches."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from brelan.engine.game import Game
from brelan.errors import Refused
from brelan.lab.study.plan import KNOBS_AT_ONCE
from brelan.lab.study.table import Rows, StudyTable

DEALS = 16
MOST_VALUES = 3  # of a knob, which are tried
COMPARED = ("won", "scores", "decisions", "legal", "forced", "turns", "rounds", "metrics")


def turn_knobs(game: Game, bot: str, batch: int, seed: int) -> dict[str, npt.NDArray[Any]]:
    """Turn some knobs, each alone, on the same deals; count the matches that change."""
    names = [name for name in game.knobs if name != "players"]
    chosen = names[batch * KNOBS_AT_ONCE : (batch + 1) * KNOBS_AT_ONCE]
    before = _played(game, bot, seed)
    found = [
        (name, str(value), len(before), _changed(before, _played(variant, bot, seed)))
        for name in chosen
        for value, variant in _variants(game, name)
    ]
    columns = ("knob", "value", "matches", "changed")
    return (
        {name: np.array([row[place] for row in found]) for place, name in enumerate(columns)}
        if found
        else {}
    )


def _variants(game: Game, name: str) -> list[tuple[Any, Game]]:
    """Return the variants with another value of a knob, the nearest ones; some have none."""
    values = list(game.folder.knobs[name].values)
    place = values.index(game.knobs[name])
    others = sorted(range(len(values)), key=lambda other: abs(other - place))[1:]
    found: list[tuple[Any, Game]] = []
    for other in others:
        knobs = {**game.knobs, name: values[other]}
        try:
            settled = game.folder.knobs.settle(knobs)
            found.append((values[other], Game(game.folder, settled)))
        except Refused:
            continue
        if len(found) == MOST_VALUES:
            break
    return found


def _played(game: Game, bot: str, seed: int) -> Rows:
    table = StudyTable(game, [bot])
    rows = table.deals(range(DEALS), seed, sides=1)
    table.play(rows)
    return rows


def _changed(before: Rows, after: Rows) -> int:
    """Return how many matches differ in anything that is counted."""
    differs = np.zeros(len(before), bool)
    for name in COMPARED:
        unlike = before[name] != after[name]
        differs |= unlike.reshape(len(before), -1).any(axis=1)
    return int(differs.sum())
