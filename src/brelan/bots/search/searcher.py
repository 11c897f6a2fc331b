"""The searcher of one thread: it updates its belief, then it searches, batch by batch."""

from __future__ import annotations

import math
import time

from brelan.bots.belief.tracker import BeliefTracker
from brelan.bots.search.rollout import run_simulations
from brelan.bots.search.settings import BATCH, Level
from brelan.bots.search.stats import MoveStats
from brelan.bots.search.tree import ROOT, clear, new_tree
from brelan.compiler.warmup import Call
from brelan.engine.game import Game
from brelan.engine.view import View

CHUNK = 20_000  # moves made in imagined worlds between two looks at the clock
MIN_IMPROVEMENT = (
    0.0005  # of a match: to know a move better is not worth more thinking if it gains less
)
BATCH_STRIDE = 1 << 32  # the lucks of two batches
NO_END = 2**62


class Searcher:
    """A belief tracker, and a tree that is grown anew for each decision."""

    def __init__(self, game: Game) -> None:
        self.tracker, self.tree = BeliefTracker(game), new_tree()
        self._run_simulations = game.folder.library("compiled")(run_simulations)
        tracker = self.tracker
        self._records = (*tracker.buffers, tracker.scratch, self.tree, tracker.belief)
        self.spent = 0  # moves made in all batches before this one
        self.done = 0  # simulations of all batches

    @property
    def steps(self) -> int:
        """How many moves were made in imagined worlds, to read and to search."""
        return self.spent + int(self.tracker.belief.steps)

    def search(self, view: View, level: Level, luck: int) -> dict[int, MoveStats]:
        """Think until the level has enough; return what is thought of each legal move.

        It thinks in batches. Each begins with a new belief: else the tree would learn by heart
        how the cards lie in the worlds that were found. So thinking longer is the same and more:
        it changes its mind only by what it finds in later batches. Those are about the moves whose
        worth is still in question, and seconds that are left are not spent if there is none.
        """
        end = time.perf_counter() + level.seconds
        clear(self.tree)
        self.spent = self.done = 0
        while True:
            self.tracker.update(view, level, luck)
            self._run_batch(view, level, end)
            if self._has_enough(level, end) or not self._reopen(level):
                return self._stats()
            self.spent, luck = self.steps, luck + BATCH_STRIDE

    def run_simulations(self, view: View, count: int, most_steps: int) -> int:
        """Simulate so often, or until so many steps were made; return how often it was."""
        return int(self._run_simulations(*self._records, view.seat, count, most_steps))

    def calls(self, level: Level) -> list[Call]:
        """Return the calls of machine code that a level makes."""
        simulations = (self._run_simulations, (*self._records, 0, 0, 0))
        return [simulations, *(self.tracker.calls() if level.belief else ())]

    def _run_batch(self, view: View, level: Level, end: float) -> None:
        """Search for one batch: after each of its equal parts, leave out the worse half."""
        begun, read, done = time.perf_counter(), self.steps, self.done
        left = level.steps - self.spent
        enough = self.spent + (left if left <= 1.5 * BATCH else BATCH)
        parts = max(1, math.ceil(math.log2(self.tree.candidate_count or len(view.legal()))))
        for part in range(1, parts + 1):
            share = part / parts
            count = _whole(done + (level.simulations - done) * share)
            until = _whole(read + max(enough - read, 1) * share)
            while self.done < count and self.steps < until:
                glance = min(self.steps + CHUNK // parts, until)
                self.done += self.run_simulations(view, count - self.done, glance - self.spent)
                if time.perf_counter() >= begun + (end - begun) * share:
                    break
            if part < parts:
                self._halve()

    def _has_enough(self, level: Level, end: float) -> bool:
        is_spent = self.steps >= level.steps or self.done >= level.simulations
        return is_spent or time.perf_counter() >= end

    def _stats(self) -> dict[int, MoveStats]:
        tree = self.tree
        return {int(tree.moves[edge]): self._stats_of(edge) for edge in range(tree.count[ROOT])}

    def _stats_of(self, edge: int) -> MoveStats:
        tree = self.tree
        return MoveStats(
            int(tree.visits[edge]), float(tree.value_sum[edge]), float(tree.value_sq_sum[edge])
        )

    def _reopen(self, level: Level) -> bool:
        """Take up the moves again that are in question beside the best; False: there are none."""
        tree = self.tree
        best, *others = sorted(
            range(tree.count[ROOT]), key=lambda edge: -self._stats_of(edge).lower_bound
        )
        found = self._stats_of(best)
        asked = [
            edge
            for edge in others
            if found.expected_improvement(self._stats_of(edge)) > MIN_IMPROVEMENT
        ]
        if not asked and level.seconds == math.inf:
            asked = others[:1]  # a level that does not count seconds makes all its moves
        tree.candidate_count = 1 + len(asked)
        tree.candidates[: tree.candidate_count] = [best, *asked]
        return bool(asked)

    def _halve(self) -> None:
        """Leave out the worse half of the moves that are still tried."""
        tree = self.tree
        best = sorted(
            tree.candidates[: tree.candidate_count],
            key=lambda edge: -self._stats_of(edge).lower_bound,
        )
        tree.candidate_count = math.ceil(len(best) / 2)
        tree.candidates[: tree.candidate_count] = best[: tree.candidate_count]


def _whole(number: float) -> int:
    return math.ceil(min(number, NO_END))
