"""Why a move is better: an event that it brings about more often in the simulations.

Events are what the story of the game tells. A game names those that matter by texts: the text
`event.out` says in a clause what the sentence `story.out` tells.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from brelan.engine.view import View
from brelan.i18n import Message

if TYPE_CHECKING:
    from brelan.analysis.assessor import Assessor

TRACES = 120  # simulations of each move that are told
PLIES = 16  # of a simulation, from the move on
LEAST = 0.05  # by which the frequencies of an event must differ
CERTAIN = 3.0  # standard errors by which they must

Sample = npt.NDArray[np.float64]  # a row for each of the two moves


@dataclass(frozen=True)
class Reason:
    """An event, and how often it follows the better move and the move that was made."""

    event: Message
    better: float
    made: float


def reason(assessor: Assessor, view: View, better: int, made: int) -> Reason | None:
    """Return the event that explains best why a move is better; None if none does.

    It explains most whose frequencies differ most, weighted by how much it is worth to the seat.
    The tree and the belief must be those of the last assessment.
    """
    events: dict[str, Message] = {}
    happened: list[set[str]] = []
    values = []
    for move in (better, made):
        for number in range(TRACES):
            trace, value = assessor.trace(view, move, number, PLIES)
            told = _events(view, trace)
            events |= told
            happened.append(set(told))
            values.append(value)
    worth, best = np.array(values).reshape(2, TRACES), 0.0
    found = None
    for name, message in events.items():
        has = np.array([name in each for each in happened], float).reshape(2, TRACES)
        often, seldom = (float(share) for share in has.mean(axis=1))
        gained = (often - seldom) * _effect(has, worth)
        if _differ(often, seldom) and gained > best:
            best, found = gained, Reason(message, often, seldom)
    return found


def _effect(has: Sample, worth: Sample) -> float:
    """Return how much more a match is worth with an event, after the same move.

    Where it always or never follows each move, that is what the moves differ by.
    """
    centred = has - has.mean(axis=1, keepdims=True)
    varies = float((centred**2).sum())
    if varies > 0:
        return float((centred * worth).sum()) / varies
    change = float(has[0].mean() - has[1].mean())
    return float(worth[0].mean() - worth[1].mean()) / change if change else 0.0


def _differ(one: float, two: float) -> bool:
    error = math.sqrt((one * (1 - one) + two * (1 - two)) / TRACES)
    return abs(one - two) >= max(LEAST, CERTAIN * error)


def _events(view: View, trace: list[tuple[bytes, int]]) -> dict[str, Message]:
    """Return the events that a seat is told of in a simulation, by their English texts."""
    game, found = view.game, {}
    layout, texts = game.folder.layout, game.folder.texts("en")
    seen = [layout.view(state, view.seat) for state, _ in trace]
    for ply, (_, number) in enumerate(trace[:-1]):
        shown = game.shown(seen[ply], number, view.seat)
        for key, args in game.folder.story.tell(seen[ply], shown, seen[ply + 1], view.seat):
            event = f"event.{key.removeprefix('story.')}"
            if event in texts.entries:
                found[texts(event, args)] = (event, args)
    return found
