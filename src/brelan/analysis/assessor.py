"""The assessment of one view of the seat in turn: what each of its legal moves is worth.

A search builds a tree; simulations of their own, in worlds of another belief update, then measure
the moves. So no value is that of simulations by which its move was chosen.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from brelan.analysis.simulations import measure_move, sample_worlds
from brelan.bots.base import check_view, decision_seed
from brelan.bots.search.searcher import BATCH_STRIDE, Searcher
from brelan.bots.search.settings import Level, parse_level
from brelan.compiler.warmup import Call, Progress, warm_up
from brelan.engine.game import Game
from brelan.engine.view import Move, View
from brelan.errors import Refused, Stopped
from brelan.rules.hooks import NO_MOVE

MEASURING = 5  # as many steps as the search took, for measuring
CHOOSING_SHARE = 0.4  # of these steps: they choose the best move, the others measure its lead
MAX_SIMULATIONS = 50_000  # of one move, in each of the two parts
ROUND = 64  # simulations of a move at a time, at most
CERTAIN = 2.0  # standard errors by which a move must be better
FIRST_STRIDE = 1 << 40  # between the luck of the search and that of the measuring
PRIOR_VARIANCE = 0.25  # of a result that is 0 or 1 with equal probability

Values = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Measured:
    """A legal move, and the win chance after it."""

    move: Move
    chance: float
    error: float  # its standard error; 0 if it was solved
    simulations: int


@dataclass(frozen=True)
class Assessment:
    """The legal moves of a view, the best first, and what the move made loses against it."""

    moves: list[Measured]
    made: int | None
    loss: float  # of win chance, whether it is certain or not
    loss_error: float  # its standard error
    is_solved: bool

    @property
    def best(self) -> Measured:
        """The best move."""
        return self.moves[0]

    def of(self, number: int) -> Measured:
        """Return what was found of a legal move."""
        return next(each for each in self.moves if each.move.id == number)

    @property
    def is_certain(self) -> bool:
        """Whether the best move is better by more than chance explains."""
        return self.loss > CERTAIN * self.loss_error


class EvenSearcher(Searcher):
    """A searcher to whom all opponents play like the game's strongest quick bot, as it does itself.

    What the opponents did tells their cards, whatever bot they may be like; but from now on none is
    taken for a weaker player, or the win chance would be too high from the start.
    """

    def update_belief(self, view: View, level: Level, luck: int) -> None:
        """Set the belief of the seat in a view, whoever has the turn."""
        self._update_belief(view, level, luck)

    def _update_belief(self, view: View, level: Level, luck: int) -> None:
        super()._update_belief(view, level, luck)
        belief = self.tracker.belief
        belief.models[:] = belief.strongest_model
        belief.model_posterior[:] = 0.0
        belief.model_posterior[:, belief.strongest_model] = 1.0


class Assessor:
    """What assesses views of one game at one level; it keeps its working memory.

    An assessment follows from the view, the level and the move made.
    """

    def __init__(self, game: Game, level: str = "expert") -> None:
        self.game, self.level = game, _untimed(level)
        self.searcher = EvenSearcher(game)
        library = game.folder.library("compiled")
        self._measure_move = library(measure_move)
        self._sample_worlds = library(sample_worlds)
        self._words = game.folder.layout.dtype.itemsize // 8
        self._untraced = (np.zeros((0, self._words), np.uint64), np.zeros(0, np.int64))

    def prepare(self, progress: Progress | None = None) -> None:
        """Compile or load the machine code that it needs."""
        state, _, raw = self.searcher.tracker.buffers
        few = (state, raw, self.searcher.tracker.scratch, self.searcher.tracker.belief)
        values, worlds = np.zeros(1), np.zeros(1, np.int64)
        word, traced = np.uint64(0), self._room(1)
        calls: list[Call] = [
            *self.searcher.calls(self.level),
            (self._measure_move, (*self._records, 0, word, 0, 0, values, worlds, *traced)),
            (self._sample_worlds, (*few, 0, word, traced[0])),
        ]
        warm_up(calls, progress)

    def assess(self, view: View, made: int | None = None) -> Assessment:
        """Return what the legal moves of a view are worth, and what the move `made` loses."""
        check_view(view, self.game)
        legal = view.legal()
        if made is not None and made not in {move.id for move in legal}:
            raise Refused(f"move {made} is not one of the legal moves of this view")
        luck = self._luck(view)
        self.searcher.search(view, self.level, luck, keep=made)
        self.update_belief(view, luck + FIRST_STRIDE)
        solved = solution(view)
        if solved is not None:
            return _solved(legal, solved, made)
        return self._measured(view, legal, made)

    def update_belief(self, view: View, luck: int | None = None) -> None:
        """Let the belief be that of the seat in a view, whoever has the turn."""
        luck = self._luck(view) if luck is None else luck
        self.searcher.update_belief(view, self.level, luck)

    def worlds(self, view: View, count: int) -> Any:
        """Return worlds of the belief as records, after `update_belief`."""
        state, _, raw = self.searcher.tracker.buffers
        tracker, found = self.searcher.tracker, np.zeros((count, self._words), np.uint64)
        luck = np.uint64(self._luck(view) % 2**64)
        self._sample_worlds(state, raw, tracker.scratch, tracker.belief, view.seat, luck, found)
        return found.view(self.game.folder.layout.dtype).reshape(count)

    def trace(
        self, view: View, move: int, number: int, plies: int
    ) -> tuple[list[tuple[bytes, int]], float]:
        """Return the first states of a simulation, the move made in each, and its value.

        It needs the tree and the belief of the last assessment. The state after the last move ends
        the list, with NO_MOVE.
        """
        states, moves = self._room(plies)
        luck = np.uint64((self._luck(view) + 3 * FIRST_STRIDE) % 2**64)
        arguments = (view.seat, luck, self._edges()[move], number)
        values, worlds = np.zeros(1), np.zeros(1, np.int64)
        count = self._measure_move(*self._records, *arguments, values, worlds, states, moves)
        numbers = [*moves[:count].tolist(), NO_MOVE]
        steps = [(states[ply].tobytes(), numbers[ply]) for ply in range(count + 1)]
        return steps, float(values[0])

    def _room(self, plies: int) -> tuple[Any, Any]:
        """Return room for the states and the moves of so many plies."""
        return np.zeros((plies + 1, self._words), np.uint64), np.zeros(plies, np.int64)

    @property
    def _records(self) -> tuple[Any, ...]:
        tracker = self.searcher.tracker
        return (*tracker.buffers, tracker.scratch, self.searcher.tree, tracker.belief)

    def _luck(self, view: View) -> int:
        return decision_seed(0, view) % 2**63

    def _edges(self) -> dict[int, int]:
        """Return the edges of the root, by their moves."""
        tree = self.searcher.tree
        return {int(tree.moves[edge]): edge for edge in range(int(tree.edge_count[0]))}

    # ------------------------------------------------------------ measuring

    def _measured(self, view: View, legal: Sequence[Move], made: int | None) -> Assessment:
        budget = MEASURING * min(self.level.steps, 100 * self.level.simulations)
        luck = self._luck(view) + 2 * FIRST_STRIDE
        numbers = [move.id for move in legal]
        chosen = self._choose(view, numbers, luck, CHOOSING_SHARE * budget)
        found = {number: _mean(*chosen[number]) for number in numbers}
        best = max(numbers, key=lambda number: found[number][0] - found[number][1])
        pair = [best] if made in (None, best) else [best, made]
        samples = self._compare(view, pair, luck + BATCH_STRIDE, (1 - CHOOSING_SHARE) * budget)
        found |= {number: _mean(*samples[number]) for number in pair}
        loss, error = 0.0, 0.0
        if made is not None and made != best:
            values, worlds = samples[best]
            loss, error, _ = _mean(values - samples[made][0], worlds)
            if loss < 0:
                best, loss = made, -loss
        moves = [Measured(move, *found[move.id]) for move in legal]
        moves.sort(key=lambda each: (each.move.id != best, -each.chance))
        if made == best:
            loss, error = 0.0, 0.0
        return Assessment(moves, made, loss, error, False)

    def _choose(
        self, view: View, numbers: list[int], luck: int, budget: float
    ) -> dict[int, tuple[Values, npt.NDArray[np.int64]]]:
        """Simulate all moves, then the better half of them, and so on to the last two."""
        rounds = max(1, math.ceil(math.log2(len(numbers))))
        found = {number: _Sample() for number in numbers}
        left = list(numbers)
        for _ in range(rounds):
            self._run(view, {number: found[number] for number in left}, luck, budget / rounds)
            left.sort(key=lambda number: -found[number].lower_bound)
            left = left[: max(2, math.ceil(len(left) / 2))]
        return {number: sample.result for number, sample in found.items()}

    def _compare(
        self, view: View, numbers: list[int], luck: int, budget: float
    ) -> dict[int, tuple[Values, npt.NDArray[np.int64]]]:
        """Simulate moves equally often, in the same worlds."""
        found = {number: _Sample() for number in numbers}
        self._run(view, found, luck, budget)
        return {number: sample.result for number, sample in found.items()}

    def _run(self, view: View, samples: dict[int, _Sample], luck: int, budget: float) -> None:
        """Add simulations to samples in turn, until so many steps are used.

        Raise Stopped when the search is not wanted any more.
        """
        edges, used = self._edges(), 0
        word = np.uint64(luck % 2**64)
        while used < budget:
            first = min(sample.count for sample in samples.values())
            if first >= MAX_SIMULATIONS:
                return
            if not self.searcher.is_wanted():
                raise Stopped
            for number, sample in samples.items():
                last = min(first + ROUND, MAX_SIMULATIONS)
                used += self._simulate(view, edges[number], word, sample, last)

    def _simulate(self, view: View, edge: int, luck: Any, sample: _Sample, last: int) -> int:
        """Add simulations to a sample, up to the number `last`; return the steps they took."""
        if last <= sample.count:
            return 0
        sample.grow(last)
        part = slice(sample.count, last)
        arguments = (view.seat, luck, edge, sample.count, sample.values[part], sample.worlds[part])
        self._measure_move(*self._records, *arguments, *self._untraced)
        sample.count = last
        return int(self.searcher.tree.steps)


class _Sample:
    """The simulations of one move so far."""

    def __init__(self) -> None:
        self.count = 0
        self.values, self.worlds = np.zeros(ROUND), np.zeros(ROUND, np.int64)

    def grow(self, count: int) -> None:
        """Make room for so many simulations."""
        if count > len(self.values):
            self.values = np.concatenate([self.values, np.zeros(len(self.values))])
            self.worlds = np.concatenate([self.worlds, np.zeros(len(self.worlds), np.int64)])
            self.grow(count)

    @property
    def result(self) -> tuple[Values, npt.NDArray[np.int64]]:
        """The values, and the particles that their worlds came from."""
        return self.values[: self.count], self.worlds[: self.count]

    @property
    def lower_bound(self) -> float:
        """The mean less its standard error."""
        chance, error, _ = _mean(*self.result)
        return chance - error


def _mean(values: Values, worlds: npt.NDArray[np.int64]) -> tuple[float, float, int]:
    """Return a mean, its standard error and the size of the sample.

    Simulations whose worlds came from the same particle are one cluster: they share its hidden
    cards. Few simulations do not make the error small.
    """
    count = len(values)
    mean = float(values.mean())
    own = np.where(worlds < 0, worlds.max(initial=0) + 1 + np.arange(count), worlds)
    clusters = np.bincount(own, weights=values - mean)
    spread = float((clusters**2).sum()) / count
    prior = PRIOR_VARIANCE * float(np.any(values != values[0])) / count
    return mean, math.sqrt((spread + prior) / count), count


# ---------------------------------------------------------------- solved positions


def solution(view: View) -> dict[int, float] | None:
    """Return the exact value of each move, if the game's `analysis.py` solves the view."""
    solver = _solver(view.game.folder.rules.__package__)
    if solver is None:
        return None
    try:
        return {each.move.id: (1 + each.expected) / 2 for each in solver.solutions(view)}
    except Refused:
        return None


@functools.cache
def _solver(package: str) -> Any:
    name = f"{package}.analysis"
    return None if importlib.util.find_spec(name) is None else importlib.import_module(name)


def _solved(legal: Sequence[Move], values: dict[int, float], made: int | None) -> Assessment:
    best = max(values.values())
    moves = [Measured(move, values[move.id], 0.0, 0) for move in legal]
    moves.sort(key=lambda each: (-each.chance, each.move.id != made))
    loss = 0.0 if made is None else best - values[made]
    return Assessment(moves, made, loss, 0.0, True)


def _untimed(text: str) -> Level:
    """Return the level of an analysis; one that counts seconds or threads is refused."""
    level = parse_level(text)
    if level.seconds < math.inf or level.threads > 1:
        raise Refused(
            f"the level {text!r} is not for an analysis, which is the same on every machine: "
            "give novice, club, expert, a number of simulations, or steps=N; no seconds, no threads"
        )
    return level
