"""The history of a match as one seat observed it, cut into segments."""

from __future__ import annotations

import hashlib
import itertools
from typing import NamedTuple

from brelan.bots.belief.record import MAX_OBSERVATIONS
from brelan.engine.view import View


class Segment(NamedTuple):
    """The views of a seat before each of some moves and after the last, and these moves."""

    observations: tuple[bytes, ...]
    moves: tuple[int, ...]

    @property
    def luck(self) -> int:
        """Luck that depends on the observations only."""
        digest = hashlib.blake2b(b"".join(self.observations), digest_size=8).digest()
        return int.from_bytes(digest, "little")


def segments(view: View) -> list[tuple[int, int]]:
    """Return the first and last ply of each segment between two decisions of the seat.

    Somebody else moves in every segment but the last, which may be empty. The last one ends now.
    """
    cut: list[tuple[int, int]] = []
    start, have_moved = None, False
    for ply, move in enumerate(view.history):
        if move.seat == view.seat:
            if start is not None and have_moved:
                cut.append((start, ply))
            start, have_moved = ply, False
        elif move.seat is not None:
            start, have_moved = ply if start is None else start, True
    now = len(view.history)
    if not have_moved and cut:  # nobody else has moved since: the last segment is extended
        start, _ = cut.pop()
    return [*cut, (now if start is None else start, now)]


def deals(view: View) -> list[tuple[int, int]]:
    """Return the first and last ply of each deal: after the table dealt, until it deals again."""
    seats = [move.seat for move in view.history]
    dealt = [
        ply for ply, seat in enumerate(seats) if seat is None and seats[ply + 1 :][:1] != [None]
    ]
    return [(start + 1, stop) for start, stop in itertools.pairwise([*dealt, len(view.history)])]


def after_table(view: View, start: int) -> int:
    """Return the ply after the table's last move since `start`.

    Return `start` if the table has not moved since, or if nobody has moved after it.
    """
    for ply in range(len(view.history) - 1, start - 1, -1):
        if view.history[ply].seat is None:
            return ply + 1 if ply + 1 < len(view.history) else start
    return start


def segment(view: View, start: int, stop: int) -> Segment:
    """Return the segment from one ply to another; only its last view if it is too long."""
    if stop - start >= MAX_OBSERVATIONS:
        start = stop
    now = view.record.tobytes() if stop == len(view.history) else view.observations[stop]
    moves = tuple(move.id for move in view.history[start:stop])
    return Segment((*view.observations[start:stop], now), moves)
