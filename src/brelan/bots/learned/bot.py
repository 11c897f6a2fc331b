"""The bot `learned`: it draws its move from what a trained network makes of its view."""

from __future__ import annotations

import functools
from pathlib import Path

import numpy as np

from brelan.bots.base import check_view, decision_seed
from brelan.bots.learned.network import layers, load, log_softmax, trained_variant
from brelan.bots.learned.sight import Sight
from brelan.compiler.warmup import Progress
from brelan.encoding import Actions
from brelan.engine.game import Game
from brelan.engine.view import Move, View
from brelan.errors import Refused

NAME = "learned"
FILE = "learned.npz"  # in the folder of a game: the weights


class LearnedBot:
    """A network that was trained by self-play, for the variant it was trained on alone.

    Each legal move is drawn as often as the network finds it good. Its luck follows from its seed
    and the view, so equal views get equal moves.
    """

    name = NAME

    def __init__(self, game: Game, seed: int = 0, weights: Path | None = None) -> None:
        path = weights or game.folder.path / FILE
        if weights is None:
            check_trained(game)
        self.game, self.seed = game, seed
        self._weights, used = load(path, Sight(game).layout)
        self._sight, self._actions = Sight(game, used), Actions(game)

    def prepare(self, progress: Progress | None = None) -> None:
        """Do nothing: it has no machine code."""

    def choose(self, view: View) -> Move:
        """Return the bot's move in a view of its own turn; another view is `Refused`."""
        check_view(view, self.game)
        assert view.seat is not None
        moves = self._sight.moves[view.seat]
        inputs = self._sight.encoder.encode(view)[self._sight.columns[view.seat]]
        masks = self._actions.mask(view)[moves] == 1
        logits = layers(self._weights, inputs[None])[2]
        odds = np.exp(log_softmax(logits, masks[None])[0].astype(np.float64)) * masks
        luck = decision_seed(self.seed, view) / 2**64
        place = int(np.searchsorted(np.cumsum(odds), luck * odds.sum(), side="right"))
        return Move(self.game, view.record, int(moves[min(place, np.flatnonzero(masks)[-1])]))


def is_trained(game: Game) -> bool:
    """Whether there are weights for a variant."""
    path = game.folder.path / FILE
    return path.is_file() and _variant(path) == game.variant


def check_trained(game: Game) -> None:
    """Refuse a variant that there are no weights for; say which there are."""
    path = game.folder.path / FILE
    if not path.is_file():
        raise Refused(f"{game.id} has no bot {NAME!r}: its folder has no {FILE}")
    if _variant(path) != game.variant:
        trained, asked = (each.partition("#")[0] for each in (_variant(path), game.variant))
        raise Refused(
            f"the bot {NAME!r} plays {trained}, with all other knobs at their defaults, and not "
            f"{asked}: it was trained on nothing else"
        )


@functools.cache
def _variant(path: Path) -> str:
    return trained_variant(path)
