"""The action space of a game: the rows of its table of moves, with a mask of those allowed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from brelan.engine.game import Game
from brelan.engine.view import View
from brelan.rules import new_scratch

Mask = npt.NDArray[np.int8]


class Actions:
    """The moves of a game as the actions 0 to `size` - 1: action n is row n of its `MOVES`.

    The rows are the same in all variants. Those of the table are never allowed to a seat.

    >>> import brelan
    >>> game = brelan.game("love-letter", players=2)
    >>> match = game.deal(seed=7)
    >>> actions = Actions(game)
    >>> mask = actions.mask(match.view(match.turn))
    >>> [int(n) for n in np.flatnonzero(mask)] == sorted(move.id for move in match.legal())
    True
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.size = len(game.folder.cards.MOVES)
        self._scratch = new_scratch()

    def legal(self, view: View) -> list[int]:
        """Return the numbers of the moves that the view's seat may make; none out of its turn."""
        if view.seat is None or view.turn != view.seat:
            return []
        return self.legal_in(view.record)

    def legal_in(self, record: Any) -> list[int]:
        """Return the numbers of what the seat in turn may do, from the record of its view."""
        self.game.hooks.legal_moves(record, self._scratch)
        numbers: list[int] = self._scratch.moves[: self._scratch.count].tolist()
        return numbers

    def mask(self, view: View, out: Mask | None = None) -> Mask:
        """Return 1 for each move that the view's seat may make, 0 for all others."""
        return self.mask_of(self.legal(view), out)

    def mask_of(self, numbers: Iterable[int], out: Mask | None = None) -> Mask:
        """Return 1 for each of these moves, 0 for all others, written into `out` if given."""
        mask = np.zeros(self.size, np.int8) if out is None else out
        mask[:] = 0
        mask[list(numbers)] = 1
        return mask
