"""What a seat sees of a state, as OpenSpiel's observers give it: tensors by name, and a string."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyspiel

from brelan.envs.openspiel.position import SeatMoves, shown

if TYPE_CHECKING:
    from brelan.envs.openspiel.game import BrelanGame, BrelanState

MOVES = "moves"  # the piece of a tensor that holds the history


class Observer:
    """An observer as `open_spiel.python.observation` wants it, for one kind of observation.

    `tensor` holds the pieces of `dict` one after another: one for each place that is seen (see
    `brelan.encoding`), and with perfect recall `moves`, a row for each move of the seats. Without
    private information it is what a spectator sees, and without public information only the
    places that their owner sees.
    """

    def __init__(self, game: BrelanGame, kind: pyspiel.IIGObservationType, params: Any) -> None:
        if params:
            raise ValueError(f"there are no parameters of observations; given: {params}")
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError("one seat's private information is seen, or nobody's; not all")
        self._game = game
        self._is_public = kind.public_info
        self._is_private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._recalls = kind.perfect_recall
        self._encoder = encoder = game.encoder
        places = game.variant.folder.layout.places
        slices = [
            each
            for name, each in encoder.slices.items()
            if name not in places or self._sees(places[name].sight == "owner")
        ]
        entries = np.arange(encoder.size)
        self._entries = np.concatenate([entries[each.where] for each in slices])
        self._view = np.zeros(encoder.size, np.float32)
        shapes = {each.name: each.shape or (1,) for each in slices}
        if self._recalls and self._is_public:
            shapes[MOVES] = (game.recall, game.variant.players + game.num_distinct_actions())
        sizes = {name: int(np.prod(shape)) for name, shape in shapes.items()}
        self.tensor = np.zeros(sum(sizes.values()), np.float32)
        self.dict: dict[str, Any] = {}
        at = 0
        for name, shape in shapes.items():
            self.dict[name] = self.tensor[at : at + sizes[name]].reshape(shape)
            at += sizes[name]

    def _sees(self, is_private: bool) -> bool:
        return bool(self._is_private if is_private else self._is_public)

    def set_from(self, state: BrelanState, player: int) -> None:
        """Write what a seat sees of a state into `tensor`, and so into `dict`."""
        position = state.position
        reader = player if self._is_private else None
        self._encoder.encode_record(position.seen(reader), reader, self._view)
        np.take(self._view, self._entries, out=self.tensor[: len(self._entries)])
        if MOVES in self.dict:
            rows = self.dict[MOVES]
            rows[:] = 0
            made: SeatMoves = position.memory(reader).numbers
            for row, (mover, number) in zip(
                rows, made[max(0, len(made) - len(rows)) :], strict=False
            ):
                row[mover] = 1
                row[self._game.variant.players + number] = 1

    def string_from(self, state: BrelanState, player: int) -> str:
        """Return what a seat sees of a state as text.

        With perfect recall equal texts are equal information states: all moves as the seat saw
        them made, and a digest of every view it has had. Without, it is the view in words.
        """
        position = state.position
        reader = player if self._is_private else None
        who = "everybody" if reader is None else f"seat {reader}"
        if self._recalls:
            return f"{who} | {position.information(reader)}"
        places = position.rules.game.folder.layout.places
        wanted = [name for name, place in places.items() if self._sees(place.sight == "owner")]
        return f"{who} | {shown(position, reader, wanted)}"
