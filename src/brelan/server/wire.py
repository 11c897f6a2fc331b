"""What a reader sees, as it goes onto the wire: numbers by place, texts by key."""

from __future__ import annotations

from typing import Any

import numpy as np

from brelan import i18n
from brelan.engine.game import Game
from brelan.server.messages import Text

WORD = np.dtype("<i2")  # a view is sent as numbers of 16 bits


def words_of(game: Game, state: bytes, seat: int | None) -> list[int]:
    """Return the numbers that a reader sees of a state: the record under the reader's mask.

    The vocabulary says where each place begins; a place of 64 bits takes four numbers, the lowest
    first. The luck, which comes first in the record and which nobody sees, is left out.
    """
    layout = game.folder.layout
    mask = layout.masks[layout.seats if seat is None else seat]
    seen = np.frombuffer(state, np.uint64) & mask
    numbers: list[int] = seen[1:].view(WORD).tolist()
    return numbers


def text(message: i18n.Message) -> Text:
    """Return a text by its key and arguments, as it goes onto the wire."""
    key, args = message
    return Text(key, {name: _argument(value) for name, value in args.items()})


def _argument(value: Any) -> Any:
    if isinstance(value, i18n.Word):
        args = {name: _argument(inner) for name, inner in value.args.items()}
        return {"key": value.key, "kind": value.kind, "args": args}
    if isinstance(value, np.integer):
        return int(value)
    return value if isinstance(value, int | str) else str(value)
