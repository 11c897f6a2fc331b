"""The searcher of one thread: batches of simulations, with sequential halving at the root."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import numpy as np

from brelan.bots.belief.tracker import BeliefTracker
from brelan.bots.search.rollout import run_simulations
from brelan.bots.search.settings import BATCH, Level
from brelan.bots.search.stats import MoveStats
from brelan.bots.search.tree import clear, halve, new_tree, reopen, root_stats
from brelan.compiler.warmup import Call
from brelan.engine.game import Game
from brelan.engine.view import View
from brelan.errors import Stopped

CHECK_INTERVAL = 20_000  # steps between two readings of the clock
MIN_IMPROVEMENT = 0.0005  # of a match: a timed search stops when no move promises more
BATCH_STRIDE = 1 << 32  # between the lucks of two batches
NO_LIMIT = 2**62


class Searcher:
    """A belief tracker and a tree, which is built anew for each decision."""

    def __init__(self, game: Game) -> None:
        self.tracker, self.tree = BeliefTracker(game), new_tree()
        self._run_simulations = game.folder.library("compiled")(run_simulations)
        tracker = self.tracker
        self._records = (*tracker.buffers, tracker.scratch, self.tree, tracker.belief)
        self.simulations = 0
        self._belief_steps = 0
        self.is_wanted: Callable[[], bool] = lambda: True  # False: `search` raises Stopped

    @property
    def steps(self) -> int:
        """The moves played in imagined worlds for this decision, by belief updates and search."""
        return self._belief_steps + int(self.tree.steps)

    def search(
        self, view: View, level: Level, luck: int, keep: int | None = None
    ) -> dict[int, MoveStats]:
        """Search until the level's limit; return the statistics of each legal move, by its id.

        The move `keep` stays a candidate to the end of the first batch.

        A search runs in batches. Each batch begins with a new belief, so that the tree does not
        learn the cards of a few particles, and simulates the moves whose values are uncertain. A
        longer search repeats the batches of a shorter one and adds some; only the last batch may
        differ. A timed search stops early when more simulations would gain less than
        MIN_IMPROVEMENT.
        """
        deadline = time.perf_counter() + level.seconds
        clear(self.tree)
        self.simulations = self._belief_steps = 0
        while True:
            used = self.steps
            self._update_belief(view, level, luck)
            self._run_batch(view, level, luck, deadline, used, keep)
            is_timed = level.seconds < math.inf
            if self._is_spent(level, deadline) or not reopen(
                self.tree, MIN_IMPROVEMENT, fallback=0 if is_timed else 1
            ):
                return root_stats(self.tree)
            luck += BATCH_STRIDE

    def run_simulations(self, view: View, luck: int, count: int, max_steps: int) -> int:
        """Run up to `count` simulations, until so many steps are used; return how many."""
        left = max_steps - self._belief_steps
        word = np.uint64(luck % 2**64)
        return int(self._run_simulations(*self._records, view.seat, word, count, left))

    def calls(self, level: Level) -> list[Call]:
        """Return the calls of machine code that a search at a level makes."""
        simulations = (self._run_simulations, (*self._records, 0, np.uint64(0), 0, 0))
        return [simulations, *(self.tracker.calls() if level.belief else ())]

    def _update_belief(self, view: View, level: Level, luck: int) -> None:
        if level.belief:
            self._belief_steps += self.tracker.update(view, level.belief_budget, luck)
        else:
            self.tracker.reset(view, luck)

    def _run_batch(
        self, view: View, level: Level, luck: int, deadline: float, used: int, keep: int | None
    ) -> None:
        """Run a batch by sequential halving: equal rounds, each with half as many candidates.

        `used` are the steps before the batch; its belief update is a part of it.
        """
        begun, steps, simulations = time.perf_counter(), self.steps, self.simulations
        left = level.steps - used
        end = used + (left if left <= 1.5 * BATCH else BATCH)
        candidates = self.tree.candidate_count or len(view.legal())  # no root before batch 1
        rounds = max(1, math.ceil(math.log2(candidates)))
        for number in range(1, rounds + 1):
            share = number / rounds
            max_simulations = _whole(simulations + (level.simulations - simulations) * share)
            max_steps = _whole(steps + max(end - steps, 1) * share)
            while self.simulations < max_simulations and self.steps < max_steps:
                if not self.is_wanted():
                    raise Stopped
                until = min(self.steps + CHECK_INTERVAL // rounds, max_steps)
                count = max_simulations - self.simulations
                self.simulations += self.run_simulations(view, luck, count, until)
                if time.perf_counter() >= begun + (deadline - begun) * share:
                    break
            if number < rounds:
                halve(self.tree, keep)

    def _is_spent(self, level: Level, deadline: float) -> bool:
        has_played = self.steps >= level.steps or self.simulations >= level.simulations
        return has_played or time.perf_counter() >= deadline


def _whole(number: float) -> int:
    return math.ceil(min(number, NO_LIMIT))
