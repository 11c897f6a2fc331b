"""What a network sees of a view, and what its answers stand for: the reader always comes first."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from brelan.encoding import Encoder
from brelan.engine.game import Game
from brelan.rules import NOBODY, Seats

Numbers = npt.NDArray[np.int64]
TARGET = "target"  # the column of a table of moves that names a seat


class Sight:
    """The tensor of a view, turned so that the first entry of each axis of seats is the reader's.

    `columns[seat]` says which entries of the encoder's tensor are the inputs of that seat, and
    `moves[seat]` which move each output stands for: an aimed move has the same output from every
    seat that sits as far from its target. So a network learns one game, not one for each seat.
    Moves at seats that the variant has not are left out; so are all entries but those in `used`,
    if that is given.
    """

    def __init__(self, game: Game, used: Numbers | None = None) -> None:
        self.game = game
        self.encoder = Encoder(game)
        seats = range(game.players)
        self.columns: Numbers = np.stack([_columns(self.encoder, seat) for seat in seats])
        if used is not None:
            self.columns = self.columns[:, used]
        self.moves: Numbers = np.stack([_moves(game, seat) for seat in seats])

    @property
    def shape(self) -> tuple[int, int]:
        """How many inputs and outputs a network has."""
        return self.columns.shape[1], self.moves.shape[1]

    @property
    def layout(self) -> str:
        """The layout of the tensor and the number of moves, as text: a network fits one alone."""
        found = self.encoder.slices.values()
        slices = " ".join(f"{each.name}:{each.how}:{each.shape}" for each in found)
        return f"{slices} moves:{len(self.game.folder.cards.MOVES)}"


def _columns(encoder: Encoder, seat: int) -> Numbers:
    """Return the entry of the tensor that each input is, from one seat."""
    columns = np.arange(encoder.size)
    for each in encoder.slices.values():
        place = encoder.game.folder.layout.places.get(each.name)
        entries, axes = columns[each.where].reshape(each.shape), []
        if place is not None:
            lengths = place.shape[1:] if place.sight == "owner" else place.shape
            axes = [axis for axis, length in enumerate(lengths) if isinstance(length, Seats)]
        if each.how == "seat":
            axes.append(len(each.shape) - 1)
        for axis in axes:
            entries = np.roll(entries, -seat, axis)
        columns[each.where] = entries.ravel()
    return columns


def _moves(game: Game, seat: int) -> Numbers:
    """Return the move that each output stands for, from one seat."""
    table: Any = game.folder.cards.MOVES
    rows = [tuple(int(number) for number in row) for row in table.tolist()]
    names = table.dtype.names or ()
    if TARGET not in names:
        return np.arange(len(rows))
    place, moves = names.index(TARGET), []
    found = {row: number for number, row in enumerate(rows)}
    for number, row in enumerate(rows):
        if row[place] == NOBODY:
            moves.append(number)
        elif row[place] < game.players:
            aimed = (row[place] + seat) % game.players
            moves.append(found[(*row[:place], aimed, *row[place + 1 :])])
    return np.array(moves)
