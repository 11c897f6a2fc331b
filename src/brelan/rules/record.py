"""Records: what states, the scratch record, trees and beliefs are made of."""

from __future__ import annotations

from typing import Any

import numpy as np


class Record(np.record):  # type: ignore[misc]  # numpy's types call it final, its code does not
    """A numpy record that finds its fields four times faster than numpy's own."""

    __getattribute__ = np.void.__getattribute__
    __getitem__ = np.void.__getitem__  # type: ignore[assignment]

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except ValueError:
            raise AttributeError(f"there is no {name!r} in this record") from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


def record_type(fields: Any) -> np.dtype[Any]:
    """Return the type of a record with these fields."""
    return np.dtype((Record, np.dtype(fields, align=True)))
