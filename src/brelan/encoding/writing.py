"""Writing tensors, as a rule: a state, as the numbers of its cells, becomes a row of reals."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from brelan.encoding.slices import Source
from brelan.rules import clear, record_type, rule

ONE_OF, SET, SCALED = 0, 1, 2
BITS = 16  # of a cell
ROOT = 0.25  # a number is written as so much of its square root

# Cells one after another that are written alike. `by_seat` is -1 for what everyone sees.
SPAN = record_type(
    [
        ("way", np.int64),
        ("first", np.int64),
        ("by_seat", np.int64),
        ("cells", np.int64),
        ("at", np.int64),
        ("width", np.int64),
        ("shift", np.int64),
    ]
)


def spans(found: Iterable[Source]) -> Any:
    """Return the table that `write_tensor` goes by."""
    rows: list[tuple[int, ...]] = []
    for source in found:
        by_seat = source.by_seat or -1
        how, at = source.slice.how, source.slice.at
        if how == "set":  # bits are spread over the cells of one number, the lowest first
            for cell in source.cells:
                for low in range(0, source.width, BITS):
                    width = min(BITS, source.width - low)
                    rows.append((SET, int(cell) + low // BITS, by_seat, 1, at + low, width, 0))
                at += source.width
            continue
        way = ONE_OF if how in ("one_of", "seat") else SCALED
        breaks = np.flatnonzero(np.diff(source.cells) != 1) + 1
        for run in np.split(source.cells, breaks):
            rows.append((way, int(run[0]), by_seat, len(run), at, source.width, source.shift))
            at += len(run) * source.width
    return np.array(rows, SPAN)


@rule
def write_tensor(cells, mask, spans, scales, seat, players, out):
    """Write what a seat sees of a state into a row; `seat` is beyond `players` for a spectator.

    `cells` is the state as numbers of 16 bits, `mask` what the reader sees of it.
    """
    clear(out)
    if seat < players:
        out[seat] = 1
    for number in range(len(spans)):
        span = spans[number]
        if span.by_seat < 0:
            write_span(cells, mask, span, scales, span.first, out)
        elif seat < players:
            write_span(cells, mask, span, scales, span.first + seat * span.by_seat, out)


@rule
def write_span(cells, mask, span, scales, first, out):
    """Write cells one after another, from the first on."""
    for place in range(span.cells):
        value, at = cells[first + place] & mask[first + place], span.at + place * span.width
        if span.way == ONE_OF:
            entry = value + span.shift - 1
            if 0 <= entry < span.width:
                out[at + entry] = 1
        elif value != 0:
            if span.way == SET:
                for bit in range(span.width):
                    out[at + bit] = (value >> bit) & 1
            else:
                out[at] = scaled(value, scales[at])


@rule
def scaled(value, scale):
    """Return a number times its scale; with the scale 0, a part of its square root."""
    if scale > 0:
        return value * scale
    root = ROOT * math.sqrt(float(abs(value)))
    return -root if value < 0 else root


@rule
def write_tensors(states, masks, spans, scales, seats, players, out):
    """Write what a seat of each state sees of it."""
    for number in range(len(states)):
        seat = seats[number]
        mask = masks[min(seat, len(masks) - 1)]
        write_tensor(states[number], mask, spans, scales, seat, players, out[number])
