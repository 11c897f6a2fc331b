"""Self-play: thousands of decisions of all seats, and what the rounds they were made in paid."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from brelan.bots.learned.network import Array, Weights, layers, log_softmax
from brelan.bots.learned.sight import Numbers, Sight
from brelan.encoding.writing import ROOT
from brelan.engine.game import Game
from brelan.envs.gymnasium import MatchVectorEnv
from brelan.envs.learning.ppo import Batch

TRACE = 0.9  # λ of the generalised advantage estimate


def drawn(logs: Array, draw: np.random.Generator) -> npt.NDArray[np.int64]:
    """Draw an output for each row, each as likely as it says (the Gumbel-max trick)."""
    noise = -np.log(-np.log(draw.random(logs.shape, np.float32) + 1e-12) + 1e-12)
    found: npt.NDArray[np.int64] = (logs + noise).argmax(axis=1)
    return found


class SelfPlay:
    """Matches of two players that go on from batch to batch, with the network at both seats.

    In the first `past` of them an earlier network sits at one seat, and only the other one learns.
    A round is an episode. It pays the tokens that the seat won, less those that the other won.
    """

    def __init__(self, sight: Sight, matches: int, past: float, seed: int) -> None:
        self.sight, self.matches = sight, matches
        self.draw = np.random.default_rng(seed)
        self.envs = MatchVectorEnv(sight.game, matches, "self", threads=1)
        self._tokens = self.sight.encoder.slices["tokens"].where
        self._round = self.sight.encoder.slices["round_no"].at
        old = np.arange(matches) < past * matches
        self._old = np.where(old, np.arange(matches) % 2, -1)  # the seat of the earlier network
        self._seen, self._infos = self.envs.reset(seed=seed)

    def play(self, weights: Weights, earlier: Weights, steps: int) -> Batch:
        """Play so many steps of each match; return the decisions that the network made."""
        count, rows = self.matches, np.arange(self.matches)
        size, moves = self.sight.shape
        inputs = np.empty((steps, count, size), np.float32)
        masks = np.empty((steps, count, moves), bool)
        actions, seats = np.zeros((2, steps, count), np.int64)
        logs, values, pays = np.zeros((3, steps, count), np.float32)
        mine, ends = np.zeros((2, steps, count), bool)
        for step in range(steps):
            seat = seats[step] = self._infos["seat"]
            inputs[step] = self._seen[rows[:, None], self.sight.columns[seat]]
            given = self._infos["action_mask"][rows[:, None], self.sight.moves[seat]]
            masks[step] = given == 1
            asked = masks[step].any(axis=1)  # a match that is over is dealt anew
            _, _, logits, values[step] = layers(weights, inputs[step])
            old = asked & (self._old == seat)
            if old.any():
                logits[old] = layers(earlier, inputs[step][old])[2]
            odds = log_softmax(logits, masks[step])
            actions[step] = drawn(np.where(masks[step], odds, -np.inf), self.draw)
            logs[step] = odds[rows, actions[step]]
            mine[step] = asked & ~old
            before, number = self._tokens_now(), self._seen[:, self._round].copy()
            chosen = self.sight.moves[seat, actions[step]]
            self._seen, _, over, _, self._infos = self.envs.step(chosen)
            won = (self._tokens_now() - before).astype(np.float32)
            pays[step] = won[:, 0] - won[:, 1]  # to seat 0
            ends[step] = asked & (over | (self._seen[:, self._round] != number))
        seat = self._infos["seat"]
        last = layers(weights, self._seen[rows[:, None], self.sight.columns[seat]])[3]
        targets = returns(values, seats, pays, ends, seat, last)
        kept = mine.ravel()
        advantages = (targets - values).ravel()[kept]
        return Batch(
            inputs.reshape(-1, size)[kept], masks.reshape(-1, moves)[kept],
            actions.ravel()[kept], logs.ravel()[kept], advantages, targets.ravel()[kept],
        )  # fmt: skip

    def _tokens_now(self) -> npt.NDArray[np.float64]:
        """Return the tokens of both seats; a tensor has a quarter of their square roots."""
        return np.rint((self._seen[:, self._tokens] / ROOT) ** 2.0)


def entries_in_use(game: Game, seed: int, matches: int = 512, steps: int = 200) -> Numbers:
    """Return which entries of the tensor are not always the same in random play."""
    sight, rows = Sight(game), np.arange(matches)
    envs = MatchVectorEnv(game, matches, "self", threads=1)
    seen, infos = envs.reset(seed=seed)
    turned = seen[rows[:, None], sight.columns[infos["seat"]]]
    low, high = turned.min(axis=0), turned.max(axis=0)
    for _ in range(steps):
        turned = seen[rows[:, None], sight.columns[infos["seat"]]]
        low, high = np.minimum(low, turned.min(axis=0)), np.maximum(high, turned.max(axis=0))
        seen, _, _, _, infos = envs.step(envs.random_actions())
    return np.flatnonzero(low != high)


def returns(
    values: Array,
    seats: npt.NDArray[np.int64],
    pays: Array,
    ends: npt.NDArray[np.bool_],
    next_seats: npt.NDArray[np.int64],
    next_values: Array,
) -> Array:
    """Return what each value should have been, by what came later: λ-returns, seat by seat.

    All arrays have a row for each step and a column for each match. `pays` is what seat 0 got where
    a round ends. After the last step somebody else is asked: what is good for that seat is bad for
    the other.
    """
    rows = np.arange(len(next_seats))
    following = np.empty((len(rows), 2), np.float32)  # the value of each seat's next decision
    following[rows, next_seats], following[rows, 1 - next_seats] = next_values, -next_values
    later, targets = following.copy(), np.empty_like(values)
    for step in reversed(range(len(values))):
        ended = ends[step]
        paid = np.stack([pays[step], -pays[step]], axis=1)[ended]
        following[ended], later[ended] = paid, paid
        seat = seats[step]
        targets[step] = (1 - TRACE) * following[rows, seat] + TRACE * later[rows, seat]
        following[rows, seat], later[rows, seat] = values[step], targets[step]
    return targets
