"""One who thinks, on one thread: it reads what the others did, then it searches."""

from __future__ import annotations

import math
import time

from brelan.bots.levels import Level
from brelan.bots.reading import SITTING, Reader
from brelan.bots.search import ROOT
from brelan.bots.thought import Thought
from brelan.table import Game, View

CHUNK = 20_000  # moves made in imagined worlds between two looks at the clock
HAIR = 0.0005  # of a match: to know a move better is not worth more thinking if it gains less
APART = 1 << 32  # the lucks of two sittings
NO_END = 2**62


class Thinker:
    """A reader who grows a tree, anew for each decision."""

    def __init__(self, game: Game) -> None:
        self.reader = Reader(game)
        self.spent = 0  # moves made in all sittings before this one
        self.done = 0  # simulations of all sittings

    @property
    def moved(self) -> int:
        """How many moves were made in imagined worlds, to read and to search."""
        return self.spent + int(self.reader.mind.moved)

    def think(self, view: View, level: Level, luck: int) -> dict[int, Thought]:
        """Think until the level has enough; return what is thought of each legal move.

        It thinks in sittings. Each begins with reading again: else the tree would learn by heart
        how the cards lie in the worlds that were found. So thinking longer is the same and more:
        it changes its mind only by what it finds in later sittings. Those are about the moves whose
        worth is still in question, and seconds that are left are not spent if there is none.
        """
        end = time.perf_counter() + level.seconds
        self.reader.forget()
        self.spent = self.done = 0
        while True:
            self.reader.read(view, level, luck)
            self._sit(view, level, end)
            if self._has_enough(level, end) or not self._reopen(level):
                return self._thoughts()
            self.spent, luck = self.moved, luck + APART

    def _sit(self, view: View, level: Level, end: float) -> None:
        """Search for one sitting: after each of its equal parts, leave out the worse half."""
        begun, read, done = time.perf_counter(), self.moved, self.done
        left = level.moves - self.spent
        enough = self.spent + (left if left <= 1.5 * SITTING else SITTING)
        parts = max(1, math.ceil(math.log2(self.reader.tree.width or len(view.legal()))))
        for part in range(1, parts + 1):
            share = part / parts
            count = _whole(done + (level.simulations - done) * share)
            until = _whole(read + max(enough - read, 1) * share)
            while self.done < count and self.moved < until:
                glance = min(self.moved + CHUNK // parts, until)
                self.done += self.reader.ponder(view, count - self.done, glance - self.spent)
                if time.perf_counter() >= begun + (end - begun) * share:
                    break
            if part < parts:
                self._halve()

    def _has_enough(self, level: Level, end: float) -> bool:
        is_spent = self.moved >= level.moves or self.done >= level.simulations
        return is_spent or time.perf_counter() >= end

    def _thoughts(self) -> dict[int, Thought]:
        tree = self.reader.tree
        return {int(tree.moves[edge]): self._thought(edge) for edge in range(tree.count[ROOT])}

    def _thought(self, edge: int) -> Thought:
        tree = self.reader.tree
        return Thought(int(tree.tries[edge]), float(tree.gains[edge]), float(tree.squares[edge]))

    def _reopen(self, level: Level) -> bool:
        """Take up the moves again that are in question beside the best; False: there are none."""
        tree = self.reader.tree
        best, *others = sorted(range(tree.count[ROOT]), key=lambda edge: -self._thought(edge).sure)
        found = self._thought(best)
        asked = [edge for edge in others if found.doubt(self._thought(edge)) > HAIR]
        if not asked and level.seconds == math.inf:
            asked = others[:1]  # a level that does not count seconds makes all its moves
        tree.width = 1 + len(asked)
        tree.open[: tree.width] = [best, *asked]
        return bool(asked)

    def _halve(self) -> None:
        """Leave out the worse half of the moves that are still tried."""
        tree = self.reader.tree
        best = sorted(tree.open[: tree.width], key=lambda edge: -self._thought(edge).sure)
        tree.width = math.ceil(len(best) / 2)
        tree.open[: tree.width] = best[: tree.width]


def _whole(number: float) -> int:
    return math.ceil(min(number, NO_END))
