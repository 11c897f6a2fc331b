"""The encoder of a variant: its views as flat tensors, in Python and in machine code."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import numpy.typing as npt

from brelan.encoding.indices import Indices
from brelan.encoding.slices import Slice, reader_slice, sources
from brelan.encoding.writing import ROOT, spans, write_tensors
from brelan.engine.game import Game
from brelan.engine.view import View
from brelan.errors import Refused

Tensor = npt.NDArray[np.float32]
HIGHEST = ROOT * 2**7.5  # of a number of 16 bits


class Encoder:
    """Views of a variant as tensors of 32-bit reals, all of one length, `size`.

    `slices` says by name which entries each place fills, and how: see `brelan.encoding.slices`.
    Knobs, the same in all views of a variant, are left out unless `knobs` is true. Equal views have
    equal tensors.

    >>> import brelan
    >>> game = brelan.game("love-letter", players=2)
    >>> encoder = Encoder(game)
    >>> tensor = encoder.encode(game.deal(seed=7).view(0))
    >>> encoder.part(tensor, "hand").tolist()
    [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    """

    def __init__(self, game: Game, *, knobs: bool = False) -> None:
        self.game = game
        self._sources = list(sources(game, knobs=knobs))
        found = [reader_slice(game), *(source.slice for source in self._sources)]
        self.slices: dict[str, Slice] = {each.name: each for each in found}
        self.size = sum(each.size for each in found)
        ones = [np.ones(game.players), *(source.scales for source in self._sources)]
        self.scales: npt.NDArray[np.float64] = np.concatenate(ones)
        self.spans = spans(self._sources)
        self.masks = game.folder.layout.masks.view(np.int16)  # a row for each seat, and spectators
        self._indices: dict[int | None, Indices] = {}

    @functools.cached_property
    def bounds(self) -> tuple[Tensor, Tensor]:
        """The lowest and the highest value that each entry can have."""
        low, high = np.zeros((2, self.size), np.float32)
        for each in self.slices.values():
            if each.how in ("one_of", "seat", "set"):
                high[each.where] = 1
            else:
                low[each.where], high[each.where] = -HIGHEST, HIGHEST
        return low, high

    def encode(self, view: View, out: Tensor | None = None) -> Tensor:
        """Return a view as a tensor, written into `out` if that is given."""
        if view.game.variant != self.game.variant:
            raise Refused(f"this encoder is for {self.game.variant}, not {view.game.variant}")
        return self.encode_record(view.record, view.seat, out)

    def encode_record(self, record: Any, seat: int | None, out: Tensor | None = None) -> Tensor:
        """Return the record of what a seat sees as a tensor; None: a spectator."""
        tensor = np.zeros(self.size, np.float32) if out is None else out
        if tensor.shape != (self.size,):
            raise Refused(f"a tensor of {self.game.id} has {self.size} entries")
        if seat not in self._indices:
            self._indices[seat] = Indices(self._sources, self.scales, seat)
        tensor[:] = 0
        if seat is not None:
            tensor[seat] = 1
        mask = self.masks[len(self.masks) - 1 if seat is None else seat]
        self._indices[seat].write(np.frombuffer(record.tobytes(), np.int16) & mask, tensor)
        return tensor

    def encode_states(
        self, states: Any, seats: npt.NDArray[np.int64], out: Tensor, mode: str = "compiled"
    ) -> None:
        """Write what one seat of each state sees of it into the rows of `out`.

        `states` is an array of state or view records; a seat from the number of players on is a
        spectator. It runs as machine code, and is the same as `encode_record`.
        """
        cells = states.view(np.int16).reshape(len(states), -1)
        write = self.game.folder.library(mode)(write_tensors)
        write(cells, self.masks, self.spans, self.scales, seats, self.game.players, out)

    def part(self, tensor: Tensor, name: str) -> Tensor:
        """Return the part of a tensor that a place fills, in the shape of its slice."""
        if name not in self.slices:
            raise Refused(f"there is no slice {name!r}; there are: {', '.join(self.slices)}")
        found = self.slices[name]
        return tensor[..., found.where].reshape((*tensor.shape[:-1], *found.shape))
