"""Features of moves: `tools/shrewd.py` fits the weights of `shrewd` to another bot's choices.

Not who can win by cities at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .cards import TAKE
from .shrewd import prospect
from .trial import would_win

NAMES = ["gain", "threat", "profit", "patience", "hurry"]
RELATIVE = 0  # traits that come first, of which only the differences tell
OPPONENTS = ("greedy",)  # besides the bot itself
VARIANT: dict[str, Any] = {}


def traits(view: Any) -> Iterator[list[float]]:
    """Yield what each legal move gains and leaves to the other; of a take, how late it is."""
    record = view.record.copy()
    if would_win(record, view.seat):
        return
    for legal in view.legal():
        gain, threat = prospect(record, legal.id)
        take = float(legal.id == TAKE)
        yield [gain, -threat, take * gain, -take, take * record.action_no]
