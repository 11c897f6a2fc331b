"""Reading the others: which worlds are likely, and whom the others are like, by what they did."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from brelan.bots.base import is_compiled_only, names
from brelan.bots.belief.exact import enumerate_worlds
from brelan.bots.belief.history import Segment, after_table, deals, segment, segments
from brelan.bots.belief.importance import tempered, weight_worlds
from brelan.bots.belief.particles import particle_filter
from brelan.bots.belief.record import MAX_MODELS, PRIOR_SAMPLES, new_belief
from brelan.bots.belief.rejection import rejection_sample
from brelan.bots.search.settings import BATCH, Level
from brelan.compiler.warmup import Call
from brelan.engine.game import Game
from brelan.engine.view import View
from brelan.rules import MAX_SEATS, hooks, new_scratch

BELIEF_SHARE = 0.25  # of all moves, how many may be spent on the last segment
STEPS_PER_SECOND = 500_000  # about so many are made in a second
MAX_ATTEMPTS = 8000  # at worlds that reproduce the last segment
SEGMENT_BUDGET = 20_000  # moves to spend on each earlier segment, to tell whom the others are like
DEAL_BUDGET = 200_000  # moves to spend on all that may have happened between two earlier deals
MAX_SEGMENTS = 20  # earlier segments that are looked at
WEIGHT_COST = 0.5  # moves that could be made while one that was made is weighed
PSEUDO_COUNT = 5.0  # worlds that each bot is granted, so that few of them prove little
MIN_POSTERIOR = 0.02  # how likely it stays at least that a seat is like any of the bots
MAX_CACHED = 5000  # segments whose evidence is kept
NO_SUPPORT = np.zeros((MAX_SEATS, MAX_MODELS))  # whom the others are like
TINY = 1e-300  # a chance as good as none

Support = npt.NDArray[np.float64]  # for each seat and bot, how well it explains what was seen
Explains = Callable[[View, Segment], Support]


class BeliefTracker:
    """What a seat believes: it updates the belief record from a view, on buffers of its own."""

    def __init__(self, game: Game) -> None:
        library, implementations = game.folder.library("compiled"), game.folder.implementations
        self._models = [n for n, name in enumerate(names(game)) if not is_compiled_only(game, name)]
        self._has_evidence = (
            implementations[hooks.log_evidence] is not hooks.log_evidence and len(self._models) > 1
        )
        self._has_moves = implementations[hooks.reveal_seen] is not hooks.reveal_seen
        self.buffers = game.folder.layout.buffers(game.blank().tobytes())
        self.scratch = new_scratch()
        self.belief = new_belief(game.folder.layout, self._has_moves)
        self.belief.model = self._models[-1]
        self._rejection_sample = library(rejection_sample)
        self._weight_worlds = library(weight_worlds)
        if self._has_moves:
            self._enumerate_worlds = library(enumerate_worlds)
            self._particle_filter = library(particle_filter)
        self._evidence: dict[tuple[Segment, int | None], Support] = {}

    def update(self, view: View, level: Level, luck: int) -> None:
        """Find out which worlds are likely; read again with other luck, and others are found."""
        self.scratch.bots[:] = self._models[-1]  # as which it plays itself where its tree ends
        moves = min(level.steps, BATCH, STEPS_PER_SECOND * level.seconds)
        if not level.belief:
            self._set_posterior(NO_SUPPORT)
            self._begin(segment(view, len(view.history), len(view.history)), luck)
        elif self._has_evidence:
            self._sample_by_weight(view, luck, BELIEF_SHARE * moves)
        elif not (self._has_moves and self._follow_deal(view, luck, moves)):
            self._sample_by_rejection(view, luck, BELIEF_SHARE * moves)

    def calls(self) -> list[Call]:
        """Return the calls of machine code that an update may make."""
        state, view, raw = self.buffers
        if self._has_evidence:
            return [(self._weight_worlds, (state, raw, self.scratch, self.belief, 0))]
        ways = [self._rejection_sample]
        if self._has_moves:
            ways += [self._enumerate_worlds, self._particle_filter]
        return [(way, (state, view, raw, self.scratch, self.belief, 0)) for way in ways]

    def _begin(self, segment: Segment, luck: int, attempts: int = 0, moves: float = 0.0) -> None:
        """Begin after a segment of the match, for which so many worlds may be tried."""
        belief = self.belief
        self.scratch.luck[0] = belief.luck[0] = luck % 2**64
        belief.plies, belief.attempts = len(segment.moves), attempts
        belief.budget, belief.steps, belief.particle_count = math.ceil(moves), 0, 0
        for ply, record in enumerate(segment.observations):
            belief.observations[ply] = np.frombuffer(record, np.uint64)
        for ply, number in enumerate(segment.moves):
            belief.moves[ply] = number
        self.buffers[2].blank[:] = belief.observations[belief.plies]

    def _reject(self, view: View) -> None:
        """Sample worlds by rejection, as it was begun."""
        self._rejection_sample(*self.buffers, self.scratch, self.belief, view.seat)

    # ------------------------------------------------------------ which worlds are likely

    def _follow_deal(self, view: View, luck: int, moves: float) -> bool:
        """Go through what may have happened since the deal; False: nothing can be said of it."""
        *earlier, (first, last) = deals(view) or [(0, 0)]
        part = segment(view, first, last)
        if first == 0 or len(part.moves) < last - first:
            return False  # the match was set up by hand, or it is too long
        self._set_posterior(self._support(view, earlier, self._support_of_deal))
        self._infer_deal(view, part, luck, moves)
        self.belief.steps = 0  # what a level may spend it spends on the search
        return bool(self.belief.particle_count > 0)

    def _infer_deal(self, view: View, part: Segment, luck: int, moves: float) -> bool:
        """Find worlds that explain what happened after a deal; True: they are all there are."""
        if view.game.players == 2:
            self._begin(part, luck, moves=moves)
            self._enumerate_worlds(*self.buffers, self.scratch, self.belief, view.seat)
            if self.belief.particle_count > 0:
                return True
        self._begin(part, luck, moves=moves)
        self._particle_filter(*self.buffers, self.scratch, self.belief, view.seat)
        return False

    def _sample_by_rejection(self, view: View, luck: int, moves: float) -> None:
        """Sample worlds that reproduce the last segment; the earlier ones tell of the others."""
        *earlier, (first, last) = segments(view)
        self._set_posterior(self._support(view, earlier, self._support_by_rejection))
        for start in sorted({first, after_table(view, first)}):
            self._begin(segment(view, start, last), luck, MAX_ATTEMPTS, moves)
            self._reject(view)
            if self.belief.particle_count >= PRIOR_SAMPLES:
                return

    def _sample_by_weight(self, view: View, luck: int, moves: float) -> None:
        """Imagine worlds, and keep those that explain what the others did."""
        belief = self.belief
        self._set_posterior(NO_SUPPORT)
        self._begin(segment(view, len(view.history), len(view.history)), luck, moves=moves)
        belief.cost = max(1, math.ceil(WEIGHT_COST * len(view.history)))
        state, _, raw = self.buffers
        self._weight_worlds(state, raw, self.scratch, belief, view.seat)
        count = int(belief.particle_count)
        shares = np.cumsum(tempered(belief.log_weight[:count]))
        chosen = np.searchsorted(shares, shares[-1] * (np.arange(count) + 0.5) / count)
        belief.particles[:count], belief.models[:count] = (
            belief.particles[chosen],
            belief.models[chosen],
        )

    # ------------------------------------------------------------ whom the others are like

    def _support(self, view: View, past: list[tuple[int, int]], explains: Explains) -> Support:
        """Return how well each bot explains earlier parts of a match, all together."""
        support = NO_SUPPORT
        for start, stop in past[-MAX_SEGMENTS:]:
            part = segment(view, start, stop)
            key = (part, view.seat)
            if key not in self._evidence:
                if len(self._evidence) >= MAX_CACHED:
                    self._evidence.clear()
                self._set_posterior(NO_SUPPORT)
                self._evidence[key] = explains(view, part)
            support = support + self._evidence[key]
        return support

    def _support_by_rejection(self, view: View, past: Segment) -> Support:
        """Return how well each bot explains a segment, by rejection sampling."""
        self._begin(past, past.luck, MAX_ATTEMPTS, SEGMENT_BUDGET)
        self._reject(view)
        return self._count_models()

    def _support_of_deal(self, view: View, past: Segment) -> Support:
        """Return how well each bot explains all that happened after a deal."""
        if not self._infer_deal(view, past, past.luck, DEAL_BUDGET):
            return self._count_models()
        chances = self.belief.joint[: self.belief.hypothesis_count].sum(axis=0)
        return np.tile(np.log(np.maximum(chances, TINY)), (MAX_SEATS, 1))

    def _count_models(self) -> Support:
        """Return in how many of the worlds that are believed in each bot is there."""
        models = self.belief.models[: self.belief.particle_count]
        kept = np.array([(models == bot).sum(axis=0) for bot in range(MAX_MODELS)]).T
        return np.asarray(np.log(kept + PSEUDO_COUNT))

    def _set_posterior(self, support: npt.NDArray[Any]) -> None:
        """Set how likely each seat is like each bot; if nothing is known, like any of them."""
        odds = np.exp(support - np.max(support, axis=-1, keepdims=True))
        odds[:, [bot for bot in range(MAX_MODELS) if bot not in self._models]] = 0.0
        odds /= odds.sum(axis=-1, keepdims=True)
        odds[:, self._models] += MIN_POSTERIOR
        self.belief.model_posterior[:] = odds / odds.sum(axis=-1, keepdims=True)
