"""What a reader sees, as it goes onto the wire: numbers by place, texts by key."""

from __future__ import annotations

from typing import Any

import numpy as np

from brelan import i18n
from brelan.engine.vocabulary import LUCK_BYTES
from brelan.server.messages import Text

WORD = np.dtype("<i2")  # a view is sent as numbers of 16 bits


def words_of(seen: Any) -> list[int]:
    """Return the numbers of what a reader sees: a record that is under the reader's mask.

    The vocabulary says where each place begins; a place of 64 bits takes four numbers, the lowest
    first. The luck, which comes first in the record and which nobody sees, is left out.
    """
    numbers: list[int] = np.frombuffer(seen, WORD, offset=LUCK_BYTES).tolist()
    return numbers


def text(message: i18n.Message) -> Text:
    """Return a text by its key and arguments, as it goes onto the wire."""
    key, args = message
    return Text(key, args)
