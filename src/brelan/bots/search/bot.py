"""The bot `search`: it plays the move that the search finds best from its view."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from brelan.bots.base import check_view, decision_seed
from brelan.bots.search.searcher import Searcher
from brelan.bots.search.settings import LEVELS, parse_level
from brelan.bots.search.stats import MoveStats, combined
from brelan.compiler.warmup import Progress, warm_up
from brelan.engine.game import Game
from brelan.engine.view import Move, View
from brelan.rules import new_scratch
from brelan.rules.hooks import NO_MOVE


class SearchBot:
    """A bot that searches, in machine code, over worlds that fit its view.

    Its moves follow from its views and its seed, unless its level counts seconds. With several
    threads each builds its own tree, and their statistics are added up (root parallelization).
    """

    def __init__(self, game: Game, level: str = "expert", seed: int = 0) -> None:
        self.name = level if level in LEVELS else f"search:{level}"
        self.game, self.seed, self.level = game, seed, parse_level(level)
        self._hooks = game.folder.hooks("compiled")
        self._searchers = [Searcher(game) for _ in range(self.level.threads)]
        self.stats: dict[int, MoveStats] = {}  # of the last decision; empty if none was searched

    def choose(self, view: View) -> Move:
        """Return a move in a view of the bot's own turn.

        It is the only legal one, or one that the game proves to be best, or the one whose value has
        the highest lower bound. A temperature adds Gumbel noise to these bounds and skips proofs.
        """
        check_view(view, self.game)
        self.stats = {}
        legal = view.legal()
        if len(legal) == 1:
            return legal[0]
        if self.level.temperature == 0 and (proven := self._proven_move(view)):
            return proven
        stats = self.stats = self.search(view)
        visited = [move for move in legal if stats[move.id].visits]
        scale = self.level.temperature * combined(stats.values()).std
        luck = np.random.default_rng(decision_seed(self.seed, view))
        return max(visited, key=lambda move: stats[move.id].lower_bound + scale * luck.gumbel())

    def search_while(self, is_wanted: Callable[[], bool]) -> None:
        """Let `choose` raise Stopped, from now on, as soon as nobody wants its answer."""
        for searcher in self._searchers:
            searcher.is_wanted = is_wanted

    def prepare(self, progress: Progress | None = None) -> None:
        """Compile or load the machine code that `choose` needs at the bot's level."""
        calls = self._searchers[0].calls(self.level)
        if self.level.temperature == 0:
            arguments = (self.game.blank(), new_scratch())
            calls += [(self._hooks.legal_moves, arguments), (self._hooks.proven_move, arguments)]
        warm_up(calls, progress)

    def search(self, view: View) -> dict[int, MoveStats]:
        """Return the statistics of each legal move, by its id."""
        luck = decision_seed(self.seed, view)
        lucks = [luck + n for n in range(len(self._searchers))]
        with ThreadPoolExecutor(len(lucks)) as pool:
            found = list(
                pool.map(self._search_in_thread, self._searchers, [view] * len(lucks), lucks)
            )
        return {move: combined(stats[move] for stats in found) for move in found[0]}

    def _search_in_thread(self, searcher: Searcher, view: View, luck: int) -> dict[int, MoveStats]:
        return searcher.search(view, self.level, luck)

    def _proven_move(self, view: View) -> Move | None:
        """Return the move that the game proves to be best, or None."""
        record, scratch = view.record.copy(), new_scratch(decision_seed(self.seed, view))
        self._hooks.legal_moves(record, scratch)
        number = int(self._hooks.proven_move(record, scratch))
        return None if number == NO_MOVE else Move(self.game, view.record, number)
