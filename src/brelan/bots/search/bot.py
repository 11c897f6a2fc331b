"""The bot `search`: it thinks ahead from its view, for as long as its level says."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from brelan.bots.base import check_view, decision_seed
from brelan.bots.search.searcher import Searcher
from brelan.bots.search.settings import LEVELS, level_of
from brelan.bots.search.stats import MoveStats, combined
from brelan.compiler.warmup import Progress, warm_up
from brelan.engine.game import Game
from brelan.engine.view import Move, View
from brelan.rules import new_scratch
from brelan.rules.hooks import NO_MOVE


class SearchBot:
    """A bot that searches over the worlds it can imagine, in machine code.

    What it does follows from its view and its seed, unless its level counts seconds. Each thread
    grows a tree of its own.
    """

    def __init__(self, game: Game, level: str = "expert", seed: int = 0) -> None:
        self.name = level if level in LEVELS else f"search:{level}"
        self.game, self.seed, self.level = game, seed, level_of(level)
        self._hooks = game.folder.hooks("compiled")
        self._searchers = [Searcher(game) for _ in range(self.level.threads)]

    def choose(self, view: View) -> Move:
        """Return the move that looks best in a view of the bot's own turn."""
        check_view(view, self.game)
        legal = view.legal()
        if len(legal) == 1:
            return legal[0]
        if self.level.temperature == 0 and (proven := self._proven(view)):
            return proven
        stats = self.search(view)
        tried = [move for move in legal if stats[move.id].visits]
        heat = self.level.temperature * combined(stats.values()).std
        luck = np.random.default_rng(decision_seed(self.seed, view))
        return max(tried, key=lambda move: stats[move.id].lower_bound + heat * luck.gumbel())

    def prepare(self, progress: Progress | None = None) -> None:
        """Compile what it needs at its level, or load it, before it is asked for a move."""
        calls = self._searchers[0].calls(self.level)
        if self.level.temperature == 0:
            arguments = (self.game.blank(), new_scratch())
            calls += [(self._hooks.legal_moves, arguments), (self._hooks.proven_move, arguments)]
        warm_up(calls, progress)

    def search(self, view: View) -> dict[int, MoveStats]:
        """Return what is thought of each legal move, by its id."""
        luck = decision_seed(self.seed, view)
        shares = [(searcher, luck + n) for n, searcher in enumerate(self._searchers)]
        with ThreadPoolExecutor(len(shares)) as pool:
            found = list(
                pool.map(lambda share: share[0].search(view, self.level, share[1]), shares)
            )
        return {move: combined(stats[move] for stats in found) for move in found[0]}

    def _proven(self, view: View) -> Move | None:
        """Return the move that the game can prove to be best, if it can."""
        record, scratch = view.record.copy(), new_scratch(decision_seed(self.seed, view))
        self._hooks.legal_moves(record, scratch)
        number = int(self._hooks.proven_move(record, scratch))
        return None if number == NO_MOVE else Move(self.game, view.record, number)
