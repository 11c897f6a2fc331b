"""Writing tensors with numpy: what the rule in `writing` does, for one view."""

from __future__ import annotations

import functools

import numpy as np
import numpy.typing as npt

from brelan.encoding.slices import Source
from brelan.encoding.writing import BITS, ROOT

Columns = tuple[npt.NDArray[np.int64], ...]


class Indices:
    """Where the cells of one reader's view go in a tensor."""

    def __init__(
        self, found: list[Source], scales: npt.NDArray[np.float64], seat: int | None
    ) -> None:
        seen = [each for each in found if seat is not None or not each.by_seat]
        by_way: dict[str, list[Columns]] = {"one_of": [], "set": [], "number": [], "scaled": []}
        for each in seen:
            how = "one_of" if each.slice.how == "seat" else each.slice.how
            by_way[how if how in by_way else "scaled"].append(_columns(each, seat or 0))
        self._one_of, self._set, self._roots, self._scaled = (
            np.concatenate([np.stack(each) for each in columns], axis=1)
            if columns
            else np.zeros((4, 0), np.int64)
            for columns in by_way.values()
        )
        self._scales = scales[self._scaled[1]]

    def write(self, cells: npt.NDArray[np.int16], out: npt.NDArray[np.float32]) -> None:
        """Write the cells of a view into a tensor that is 0."""
        source, at, first, end = self._one_of
        entries = at + cells[source]
        out[entries[(first <= entries) & (entries < end)]] = 1
        source, at, bits = self._set[:3]
        out[at] = (cells[source] >> bits) & 1
        source, at = self._roots[:2]
        out[at] = _roots()[cells[source]]
        source, at = self._scaled[:2]
        out[at] = cells[source] * self._scales


@functools.cache
def _roots() -> npt.NDArray[np.float32]:
    """Return what is written of each number of 16 bits; a negative one counts from the end."""
    numbers = np.arange(2**16).astype(np.uint16).view(np.int16).astype(np.float64)
    return np.copysign(ROOT * np.sqrt(np.abs(numbers)), numbers).astype(np.float32)


def _columns(each: Source, seat: int) -> Columns:
    """Return, for each number or bit: its cell, its entry, and what else `write` needs."""
    cells = each.cells + each.by_seat * seat
    starts = each.slice.at + each.width * np.arange(len(cells))
    if each.slice.how == "set":
        bits = np.tile(np.arange(each.width), len(cells))
        return (
            np.repeat(cells, each.width) + bits // BITS,
            np.repeat(starts, each.width) + bits,
            bits % BITS,
        )
    if each.slice.how in ("one_of", "seat"):
        return cells, starts + each.shift - 1, starts, starts + each.width
    return cells, starts
