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
HAIR = 0.005  # of a match: a move that is better by less is not worth more thinking
CERTAIN = 4.0  # standard errors
APART = 1 << 32  # the lucks of two sittings
NO_END = 2**62


class Thinker:
    """A reader who grows a tree, anew for each decision."""

    def __init__(self, game: Game) -> None:
        self.reader = Reader(game)
        self.spent = 0  # moves made in all sittings before this one

    @property
    def moved(self) -> int:
        """How many moves were made in imagined worlds, to read and to search."""
        return self.spent + int(self.reader.mind.moved)

    def think(self, view: View, level: Level, luck: int) -> dict[int, Thought]:
        """Think until the level has enough; return what is thought of each legal move.

        What there is to spend is cut into equal parts, and after each of them the worse half of the
        moves is left out. After each sitting it reads again: else the tree would learn by heart how
        the cards lie in the worlds that were found. Seconds that are left are not spent if they
        could not be worth a hair.
        """
        begun = time.perf_counter()
        self.reader.forget()
        self.spent = done = 0
        self.reader.read(view, level, luck)
        read, parts = self.moved, max(1, math.ceil(math.log2(len(view.legal()))))
        for part in range(1, parts + 1):
            share = part / parts
            count = _whole(level.simulations * share)
            moves = _whole(read + max(level.moves - read, 1) * share)
            while done < count and self.moved < moves:
                if self.reader.mind.moved >= SITTING and level.moves - self.moved > SITTING / 2:
                    if level.seconds < math.inf and self._is_settled():
                        return self._thoughts()
                    self.spent, luck = self.moved, luck + APART
                    self.reader.read(view, level, luck)
                until = min(self.moved + CHUNK // parts, moves)
                done += self.reader.ponder(view, count - done, until - self.spent)
                if time.perf_counter() >= begun + level.seconds * share:
                    break
            if part < parts:
                self._halve()
        return self._thoughts()

    def _thoughts(self) -> dict[int, Thought]:
        tree = self.reader.tree
        return {int(tree.moves[edge]): self._thought(edge) for edge in range(tree.count[ROOT])}

    def _thought(self, edge: int) -> Thought:
        tree = self.reader.tree
        return Thought(int(tree.tries[edge]), float(tree.gains[edge]), float(tree.squares[edge]))

    def _is_settled(self) -> bool:
        """Whether no move that is still tried can be better than the best by more than a hair."""
        tree = self.reader.tree
        best, *others = sorted(map(self._thought, tree.open[: tree.width]), key=lambda t: -t.sure)
        return all(
            other.tries > 0
            and other.worth + CERTAIN * math.hypot(best.error, other.error) < best.worth + HAIR
            for other in others
        )

    def _halve(self) -> None:
        """Leave out the worse half of the moves that are still tried."""
        tree = self.reader.tree
        best = sorted(tree.open[: tree.width], key=lambda edge: -self._thought(edge).sure)
        tree.width = math.ceil(len(best) / 2)
        tree.open[: tree.width] = best[: tree.width]


def _whole(number: float) -> int:
    return math.ceil(min(number, NO_END))
