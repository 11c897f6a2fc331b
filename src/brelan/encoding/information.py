"""Information states: a view with its history, as arrays, as one flat tensor, and as text."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from brelan.encoding.encoder import Encoder, Tensor
from brelan.engine.view import View
from brelan.errors import Refused

TABLE_MOVED = -1


class InformationState(NamedTuple):
    """All that a seat has seen of a match, so far: two matches with equal ones are one to it.

    `now` is the tensor of its view; for each ply, `movers` is the seat that moved (-1: the table),
    `moves` the number of the move as the reader saw it made, `before` the tensor of what the reader
    saw before it.
    """

    now: Tensor
    movers: npt.NDArray[np.int64]
    moves: npt.NDArray[np.int64]
    before: Tensor


class InformationStates:
    """Makes the information states of a variant from its views.

    The flat tensor, of `size` entries, is the tensor of the view, then the last `moves` moves of
    the seats, the first of them first: for each, one entry for each seat and one for each move of
    the game. Unused rows are 0. By default there is room for the longest match with default knobs.
    """

    def __init__(self, encoder: Encoder, moves: int | None = None) -> None:
        self.encoder = encoder
        folder = encoder.game.folder
        self.moves = folder.rules.LONGEST if moves is None else moves
        if self.moves < 0:
            raise Refused("an information state has room for 0 moves or more")
        self._width = encoder.game.players + len(folder.cards.MOVES)
        self.size = encoder.size + self.moves * self._width

    def state(self, view: View) -> InformationState:
        """Return an information state as arrays, as long as the history is."""
        encoder, count = self.encoder, len(view.history)
        before = np.zeros((count, encoder.size), np.float32)
        dtype = encoder.game.folder.layout.dtype
        for ply, seen in enumerate(view.observations):
            encoder.encode_record(np.frombuffer(seen, dtype)[0], view.seat, before[ply])
        movers = [TABLE_MOVED if move.seat is None else move.seat for move in view.history]
        numbers = [move.id for move in view.history]
        now = encoder.encode(view)
        return InformationState(
            now, np.array(movers, np.int64), np.array(numbers, np.int64), before
        )

    def tensor(self, view: View, out: Tensor | None = None) -> Tensor:
        """Return an information state as one flat tensor, written into `out` if that is given.

        Moves of the table are left out; of more moves than there is room for, the last are kept.
        """
        tensor = np.zeros(self.size, np.float32) if out is None else out
        size, players = self.encoder.size, self.encoder.game.players
        self.encoder.encode(view, tensor[:size])
        rows = tensor[size:].reshape(self.moves, self._width)
        rows[:] = 0
        made = [move for move in view.history if move.seat is not None]
        for row, move in zip(rows, made[max(0, len(made) - self.moves) :], strict=False):
            row[move.seat] = 1
            row[players + move.id] = 1
        return tensor

    def text(self, view: View) -> str:
        """Return an information state as one line: the reader, the moves, and a digest of all.

        The digest is of every view that the reader has had: equal texts are equal states.
        """
        moves = [
            f"{'table' if move.seat is None else move.seat}:{move.notation}"
            for move in view.history
        ]
        seen = hashlib.blake2b(digest_size=16)
        for record in (*view.observations, view.record.tobytes()):
            seen.update(record)
        reader = "spectator" if view.seat is None else f"seat {view.seat}"
        return f"{view.game.variant} {reader} | {' '.join(moves)} | {seen.hexdigest()}"
