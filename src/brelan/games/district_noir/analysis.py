"""What can be said for certain about a position of District Noir: its last round, solved."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from brelan.engine.view import Move, View
from brelan.errors import Refused
from brelan.rules import new_scratch

from .last_round import is_solvable, solve


@dataclass(frozen=True)
class Solution:
    """What a move of the last round is worth: 1 is a win, 0 a draw, -1 a loss.

    Every deal of the unseen cards is equally likely, and from this move on both play perfectly
    with all cards open.
    """

    move: Move
    expected: float
    worst: int  # in the worst deal


def solutions(view: View) -> list[Solution]:
    """Return the value of each legal move of a view in the last round, the best first."""
    library = view.game.folder.library("compiled")
    record, legal = view.record.copy(), view.legal()
    if not legal or not library(is_solvable)(record):
        raise Refused("only a decision in the last round, with at most 56 deals, can be solved")
    scratch, values = new_scratch(), np.zeros((len(legal), 2))
    scratch.count = len(legal)
    scratch.moves[: len(legal)] = [move.id for move in legal]
    library(solve)(record, scratch, values)
    solved = [
        Solution(move, float(expected), int(worst))
        for move, (expected, worst) in zip(legal, values, strict=True)
    ]
    return sorted(solved, key=lambda each: (-each.expected, -each.worst))
