"""Features of moves: `tools/shrewd.py` fits the weights of `shrewd` to another bot's choices.

Single rounds of two players, without the Spy's bonus; not what a Chancellor keeps.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from .cards import KINDS, MOVES, Card
from .shrewd import guess_hand, prospect, whom_it_meets
from .state import Phase

NAMES = [*(card.name.lower() for card in list(Card)[1:]), "stake"]
RELATIVE = (
    KINDS - 1
)  # traits that come first, of which only the differences tell: one for each card
OPPONENTS = ("eager", "careful")  # besides the bot itself
VARIANT = {"tokens_to_win": 1, "spy_bonus": "off"}


def traits(view: Any) -> Iterator[list[float]]:
    """Yield for each legal move its card, and how much likelier it wins than it loses."""
    if view.record.phase != Phase.CHOOSE_PLAY:
        return
    for legal in view.legal():
        move, odds = MOVES[legal.id], np.empty(KINDS)
        met = whom_it_meets(view.record, move.target)
        guess_hand(view.record, met, odds)
        yield [*np.eye(KINDS)[move.card][1:], prospect(view.record, move, met, odds)]
