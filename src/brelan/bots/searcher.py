"""The bot `search`: it thinks ahead from its view, for as long as its level says."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from brelan import verbs
from brelan.bots.house import check_view, luck_of
from brelan.bots.levels import LEVELS, level_of
from brelan.bots.thinker import Thinker
from brelan.bots.thought import Thought, together
from brelan.table import Game, Move, View
from brelan.words import desk


class SearchBot:
    """A bot that searches over the worlds it can imagine, in machine code.

    What it does follows from its view and its seed, unless its level counts seconds. Each thread
    grows a tree of its own.
    """

    def __init__(self, game: Game, level: str = "expert", seed: int = 0) -> None:
        self.name = level if level in LEVELS else f"search:{level}"
        self.game, self.seed, self.level = game, seed, level_of(level)
        self.machine = game.folder.machine("compiled")
        self._thinkers = [Thinker(game) for _ in range(self.level.threads)]

    def choose(self, view: View) -> Move:
        """Return the move that looks best in a view of the bot's own turn."""
        check_view(view, self.game)
        legal = view.legal()
        if len(legal) == 1:
            return legal[0]
        if self.level.temperature == 0 and (surest := self._surest(view)):
            return surest
        thoughts = self.think(view)
        tried = [move for move in legal if thoughts[move.id].tries]
        heat = self.level.temperature * together(thoughts.values()).spread
        luck = np.random.default_rng(luck_of(self.seed, view))
        return max(tried, key=lambda move: thoughts[move.id].sure + heat * luck.gumbel())

    def rehearse(self, view: View) -> None:
        """Do all that it may ever do once, in a view of the bot's own turn: it is compiled then."""
        self.choose(view)
        self._thinkers[0].reader.rehearse(view)

    def think(self, view: View) -> dict[int, Thought]:
        """Return what is thought of each legal move, by its id."""
        luck = luck_of(self.seed, view)
        shares = [(thinker, luck + n) for n, thinker in enumerate(self._thinkers)]
        with ThreadPoolExecutor(len(shares)) as pool:
            found = list(pool.map(lambda share: share[0].think(view, self.level, share[1]), shares))
        return {move: together(thoughts[move] for thoughts in found) for move in found[0]}

    def _surest(self, view: View) -> Move | None:
        """Return the move that the game can prove to be best, if it can."""
        record, paper = view.record.copy(), desk(luck_of(self.seed, view))
        self.machine(verbs.legal_moves)(record, paper)
        number = int(self.machine(verbs.surest)(record, paper))
        return None if number == verbs.NO_MOVE else Move(self.game, view.record, number)
