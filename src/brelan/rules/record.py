"""Records: what states, the scratch record, trees and beliefs are made of."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any

import numpy as np


class Record(np.record):  # type: ignore[misc]  # numpy's types call it final, its code does not
    """A numpy record whose fields are attributes, found six times faster than numpy's own.

    `record_type` makes a class of its own for each type of record, which knows the names.
    """

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
    dtype = np.dtype(fields, align=True)
    names = [name for name in dtype.names or () if not hasattr(np.void, name)]
    known = {name: property(operator.itemgetter(name)) for name in names}
    kind = type("Record", (Record,), {"__module__": __name__, **known})
    return np.dtype((kind, dtype))


def move_table(columns: Iterable[str], rows: Iterable[Iterable[int]]) -> Any:
    """Return the table of moves: row n says what move n is, by the names of the columns."""
    kind = record_type([(column, np.int16) for column in columns])
    return np.array([tuple(row) for row in rows], kind)
