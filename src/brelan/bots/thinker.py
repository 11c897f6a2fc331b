"""One who thinks, on one thread: it reads what the others did, then it searches."""

from __future__ import annotations

import math
import time

from brelan.bots.levels import Level
from brelan.bots.reading import SITTING, Reader
from brelan.bots.search import ROOT, forget
from brelan.bots.thought import Thought
from brelan.table import Game, View

CHUNK = 20_000  # moves made in imagined worlds between two looks at the clock
NO_END = 2**62
PLENTY = 200_000  # moves made in imagined worlds, after which thinking may end early: an expert's
HAIR = 0.005  # of a match: a move that is better by less is not worth more thinking
CERTAIN = 4.0  # standard errors


class Thinker:
    """A reader who has a tree of its own."""

    def __init__(self, game: Game) -> None:
        self.reader = Reader(game)

    def think(self, view: View, level: Level, luck: int) -> dict[int, Thought]:
        """Think until the level has enough; return what is thought of each legal move.

        What there is to spend is cut into equal parts, and after each of them the worse half of the
        moves is left out. Seconds are not all spent if more of them could not be worth a hair.
        """
        begun = time.perf_counter()
        tree, mind = self.reader.tree, self.reader.mind
        forget(tree)
        self.reader.read(view, level, luck)
        parts = max(1, math.ceil(math.log2(len(view.legal()))))
        read, spent, sittings, done = int(mind.moved), 0, 0, 0
        may_settle, is_settled = level.seconds < math.inf, False
        for part in range(1, parts + 1):
            share = part / parts
            count = _whole(level.simulations * share)
            moves = _whole(read + max(level.moves - read, 1) * share)
            while done < count and spent + mind.moved < moves and not is_settled:
                if mind.moved >= SITTING:
                    spent, sittings = spent + int(mind.moved), sittings + 1
                    self.reader.read(view, level, luck + (sittings << 32))
                until = min(mind.moved + CHUNK // parts, moves - spent)
                done += self.reader.ponder(view, count - done, until)
                is_settled = may_settle and spent + mind.moved >= PLENTY and self._is_settled()
                if time.perf_counter() >= begun + level.seconds * share:
                    break
            if part < parts and not is_settled:
                self._halve()
        edges = range(tree.count[ROOT])
        return {int(tree.moves[edge]): self._thought(edge) for edge in edges}

    def _thought(self, edge: int) -> Thought:
        tree = self.reader.tree
        return Thought(int(tree.tries[edge]), float(tree.gains[edge]), float(tree.squares[edge]))

    def _is_settled(self) -> bool:
        """Whether one move is as good as the best, but for a hair, unless chance deceives."""
        tree = self.reader.tree
        best, *others = sorted(map(self._thought, tree.open[: tree.width]), key=lambda t: -t.sure)
        return all(
            other.worth + CERTAIN * math.hypot(best.error, other.error) < best.worth + HAIR
            for other in others
            if other.tries
        )

    def _halve(self) -> None:
        """Leave out the worse half of the moves that are still tried."""
        tree = self.reader.tree
        best = sorted(tree.open[: tree.width], key=lambda edge: -self._thought(edge).sure)
        tree.width = math.ceil(len(best) / 2)
        tree.open[: tree.width] = best[: tree.width]


def _whole(number: float) -> int:
    return math.ceil(min(number, NO_END))
