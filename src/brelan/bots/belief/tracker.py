"""The belief tracker: it chooses the method of inference and updates the belief record."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from brelan.bots.base import is_compiled_only, names
from brelan.bots.belief.exact import enumerate_worlds
from brelan.bots.belief.history import Segment, after_table, deals, segment, segments
from brelan.bots.belief.importance import resample_by_weight, weight_worlds
from brelan.bots.belief.particles import particle_filter
from brelan.bots.belief.record import MAX_MODELS, PRIOR_SAMPLES, new_belief
from brelan.bots.belief.rejection import rejection_sample
from brelan.compiler.warmup import Call
from brelan.engine.game import Game
from brelan.engine.view import View
from brelan.rules import MAX_SEATS, hooks, new_scratch

DEAL_BUDGET_FACTOR = 4  # inference since the last deal may take so many budgets: it is cheap
MAX_ATTEMPTS = 8000  # of rejection sampling
SEGMENT_BUDGET = 20_000  # steps for each earlier segment
PAST_DEAL_BUDGET = 200_000  # steps for each earlier deal
MAX_SEGMENTS = 20  # earlier segments, or deals, that tell the opponents' models
WEIGHT_COST = 0.5  # steps that weighting a world takes, for each move of the history
PSEUDO_COUNT = 5.0  # particles that each model is granted: few of them prove little
MIN_POSTERIOR = 0.02  # of each model, before normalizing
MAX_CACHED = 5000  # segments whose evidence is kept
MIN_PROBABILITY = 1e-300  # instead of 0, which has no logarithm

Evidence = npt.NDArray[np.float64]  # the log likelihood of each model, by seat and model
NO_EVIDENCE: Evidence = np.zeros((MAX_SEATS, MAX_MODELS))


class BeliefTracker:
    """The belief of one seat, updated from its view.

    The hooks that a game implements decide on the method. With `log_evidence` it is importance
    sampling. With `move_probability` and `reveal_seen` it is exact enumeration from the last deal
    on, or a particle filter where that is too large. Otherwise it is rejection sampling from the
    seat's last decision on.

    `buffers` and `scratch` are working memory. A search that samples worlds from the belief may
    use them between two updates.
    """

    def __init__(self, game: Game) -> None:
        library, implementations = game.folder.library("compiled"), game.folder.implementations
        self._models = [n for n, name in enumerate(names(game)) if not is_compiled_only(game, name)]
        self._has_log_evidence = (
            implementations[hooks.log_evidence] is not hooks.log_evidence and len(self._models) > 1
        )
        self._has_probabilities = implementations[hooks.reveal_seen] is not hooks.reveal_seen
        self.buffers = game.folder.layout.buffers(game.blank().tobytes())
        self.scratch = new_scratch()
        self.belief = new_belief(game.folder.layout, self._has_probabilities)
        self.belief.strongest_model = self._models[-1]
        self._weight_worlds = library(weight_worlds)
        self._rejection_sample = library(rejection_sample)
        self._enumerate_worlds = library(enumerate_worlds)
        self._particle_filter = library(particle_filter)
        self._evidence: dict[tuple[Segment, int | None], Evidence] = {}

    def reset(self, view: View, luck: int) -> None:
        """Set the prior: no particles, and equally likely models."""
        self.scratch.bots[:] = self.belief.strongest_model
        self.set_posterior(NO_EVIDENCE)
        self.observe(_now(view), luck)

    def update(self, view: View, budget: float, luck: int) -> int:
        """Set the particles and the posterior of models from all that the seat observed.

        Return how many steps count against the budget. Evidence of earlier segments is cached,
        and counts nothing; equal views, budgets and lucks give equal beliefs all the same.
        """
        self.scratch.bots[:] = self.belief.strongest_model
        if self._has_log_evidence:
            return self._update_by_importance(view, budget, luck)
        if self._has_probabilities and self._update_since_deal(view, budget, luck):
            return 0
        return self._update_by_rejection(view, budget, luck)

    def calls(self) -> list[Call]:
        """Return the calls of machine code that `update` may make."""
        state, _, raw = self.buffers
        records = (self.scratch, self.belief, 0)
        if self._has_log_evidence:
            return [(self._weight_worlds, (state, raw, *records, 0, 0))]
        sampling: list[Call] = [(self._rejection_sample, (*self.buffers, *records, 0, 0))]
        if self._has_probabilities:
            sampling += [
                (self._enumerate_worlds, (*self.buffers, *records, 0)),
                (self._particle_filter, (*self.buffers, *records, 0)),
            ]
        return sampling

    # ------------------------------------------------------------ the four methods

    def observe(self, segment: Segment, luck: int) -> None:
        """Write a segment into the belief record; remove all particles."""
        belief = self.belief
        self.scratch.luck[0] = luck % 2**64
        belief.plies, belief.steps, belief.particle_count = len(segment.moves), 0, 0
        for ply, record in enumerate(segment.observations):
            belief.observations[ply] = np.frombuffer(record, np.uint64)
        for ply, number in enumerate(segment.moves):
            belief.moves[ply] = number

    def importance_sampling(self, seat: int | None, budget: int, cost: int) -> None:
        """Fill the particles with worlds that are consistent with the last observation."""
        state, _, raw = self.buffers
        self._weight_worlds(state, raw, self.scratch, self.belief, seat, budget, cost)
        resample_by_weight(self.belief)

    def rejection_sampling(self, seat: int | None, max_attempts: int, budget: int) -> None:
        """Fill the particles with worlds in which the observed segment happens again."""
        records = (*self.buffers, self.scratch, self.belief)
        self._rejection_sample(*records, seat, max_attempts, budget)

    def exact_enumeration(self, seat: int | None, budget: int) -> None:
        """Enumerate the hypotheses, and fill the particles with them; none if they are too many."""
        self._enumerate_worlds(*self.buffers, self.scratch, self.belief, seat, budget)

    def particle_filter(self, seat: int | None, budget: int) -> None:
        """Fill the particles by filtering them along the observed segment."""
        self._particle_filter(*self.buffers, self.scratch, self.belief, seat, budget)

    # ------------------------------------------------------------ updates

    def _update_by_importance(self, view: View, budget: float, luck: int) -> int:
        self.set_posterior(NO_EVIDENCE)
        self.observe(_now(view), luck)
        cost = max(1, math.ceil(WEIGHT_COST * len(view.history)))
        self.importance_sampling(view.seat, math.ceil(budget), cost)
        return int(self.belief.steps)

    def _update_since_deal(self, view: View, budget: float, luck: int) -> bool:
        """Update by exact enumeration or a particle filter; False: it found nothing."""
        *earlier, (first, last) = deals(view) or [(0, 0)]
        part = segment(view, first, last)
        if first == 0 or len(part.moves) < last - first:
            return False  # the position was set up by hand, or the deal has too many moves
        self.set_posterior(self._evidence_of(view, earlier, self._evidence_of_deal))
        self.infer_since_deal(view, part, luck, math.ceil(DEAL_BUDGET_FACTOR * budget))
        return bool(self.belief.particle_count > 0)

    def infer_since_deal(self, view: View, part: Segment, luck: int, budget: int) -> bool:
        """Fill the particles for a segment that begins with a deal; return whether it is exact."""
        if view.game.players == 2:
            self.observe(part, luck)
            self.exact_enumeration(view.seat, budget)
            if self.belief.particle_count > 0:
                return True
        self.observe(part, luck)
        self.particle_filter(view.seat, budget)
        return False

    def _update_by_rejection(self, view: View, budget: float, luck: int) -> int:
        """Sample from the seat's last decision on; if that yields little, from the last deal on."""
        *earlier, (first, last) = segments(view)
        self.set_posterior(self._evidence_of(view, earlier, self._evidence_by_rejection))
        for start in sorted({first, after_table(view, first)}):
            self.observe(segment(view, start, last), luck)
            self.rejection_sampling(view.seat, MAX_ATTEMPTS, math.ceil(budget))
            if self.belief.particle_count >= PRIOR_SAMPLES:
                break
        return int(self.belief.steps)

    # ------------------------------------------------------------ opponent models

    def set_posterior(self, evidence: Evidence) -> None:
        """Set the posterior of models from a uniform prior and their log likelihoods."""
        posterior = np.exp(evidence - np.max(evidence, axis=-1, keepdims=True))
        posterior[:, [n for n in range(MAX_MODELS) if n not in self._models]] = 0.0
        posterior /= posterior.sum(axis=-1, keepdims=True)
        posterior[:, self._models] += MIN_POSTERIOR
        self.belief.model_posterior[:] = posterior / posterior.sum(axis=-1, keepdims=True)

    def _evidence_of(
        self,
        view: View,
        past: list[tuple[int, int]],
        evidence_of: Callable[[View, Segment], Evidence],
    ) -> Evidence:
        """Return the evidence of the last MAX_SEGMENTS segments of the past, summed up.

        Overwrites the belief. The evidence of a segment depends on its observations only, and is
        cached.
        """
        total = NO_EVIDENCE
        for start, stop in past[-MAX_SEGMENTS:]:
            part = segment(view, start, stop)
            key = (part, view.seat)
            if key not in self._evidence:
                if len(self._evidence) >= MAX_CACHED:
                    self._evidence.clear()
                self.set_posterior(NO_EVIDENCE)
                self._evidence[key] = evidence_of(view, part)
            total = total + self._evidence[key]
        return total

    def _evidence_by_rejection(self, view: View, past: Segment) -> Evidence:
        self.observe(past, past.luck)
        self.rejection_sampling(view.seat, MAX_ATTEMPTS, SEGMENT_BUDGET)
        return self._evidence_of_particles()

    def _evidence_of_deal(self, view: View, past: Segment) -> Evidence:
        if not self.infer_since_deal(view, past, past.luck, PAST_DEAL_BUDGET):
            return self._evidence_of_particles()
        likelihood = self.belief.joint[: self.belief.hypothesis_count].sum(axis=0)
        return np.tile(np.log(np.maximum(likelihood, MIN_PROBABILITY)), (MAX_SEATS, 1))

    def _evidence_of_particles(self) -> Evidence:
        """Return the log of how many particles hold each model, by seat."""
        models = self.belief.models[: self.belief.particle_count]
        counts = np.array([(models == model).sum(axis=0) for model in range(MAX_MODELS)]).T
        return np.asarray(np.log(counts + PSEUDO_COUNT))


def _now(view: View) -> Segment:
    """Return a segment of no moves: what the seat sees now."""
    return segment(view, len(view.history), len(view.history))
