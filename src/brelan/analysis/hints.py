"""Hints during play: the assessment of the present view, as a bot that thinkers can use."""

from __future__ import annotations

from collections.abc import Callable

from brelan.analysis.assessor import Assessor, Measured
from brelan.bots.base import check_view
from brelan.bots.search.stats import MoveStats
from brelan.compiler.warmup import Progress
from brelan.engine.game import Game
from brelan.engine.view import Move, View


class HintBot:
    """A bot that plays the move which the analysis finds best.

    Its moves follow from the view and the level alone: a seed makes no difference.
    """

    def __init__(self, game: Game, level: str) -> None:
        self.name, self.game, self.seed = level, game, 0
        self._assessor = Assessor(game, level)
        self.stats: dict[int, MoveStats] = {}  # of the last decision; empty if it had no choice

    def prepare(self, progress: Progress | None = None) -> None:
        """Compile or load the machine code that it needs."""
        self._assessor.prepare(progress)

    def search_while(self, is_wanted: Callable[[], bool]) -> None:
        """Let `choose` raise Stopped soon after `is_wanted` has become false."""
        self._assessor.searcher.is_wanted = is_wanted

    def choose(self, view: View) -> Move:
        """Return the best move of a view of its own turn."""
        check_view(view, self.game)
        legal, self.stats = view.legal(), {}
        if len(legal) == 1:
            return legal[0]
        found = self._assessor.assess(view)
        self.stats = {each.move.id: _stats(each) for each in found.moves}
        return found.best.move


def _stats(measured: Measured) -> MoveStats:
    """Return a win chance as the statistics of a search; a solved one counts as one visit."""
    visits = max(measured.simulations, 1)
    return MoveStats(visits, visits * measured.chance, visits * measured.chance**2)
