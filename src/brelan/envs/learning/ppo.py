"""Proximal policy optimisation: the loss, its gradient by hand, and Adam."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from brelan.bots.learned.network import Array, Weights, layers, log_softmax


@dataclass(frozen=True)
class Batch:
    """Decisions, a row for each: what was seen and done, and how it turned out."""

    inputs: Array
    masks: npt.NDArray[np.bool_]
    actions: npt.NDArray[np.int64]
    logs: Array  # the logarithm of how likely each action was
    advantages: Array  # how much better it turned out than expected
    targets: Array  # what the value should have been

    def part(self, rows: npt.NDArray[np.int64]) -> Batch:
        """Return some of the rows."""
        return Batch(*(each[rows] for each in vars(self).values()))


def gradient(
    weights: Weights, batch: Batch, *, clip: float = 0.2, entropy: float = 0.01
) -> tuple[float, Weights]:
    """Return the loss of a batch, and its derivative by each weight.

    The loss is that of Schulman et al. 2017: the clipped surrogate, half the square of the value's
    error, and less `entropy` times the entropy of the policy.
    """
    count = len(batch.actions)
    rows = np.arange(count)
    first, second, logits, values = layers(weights, batch.inputs)
    logs = log_softmax(logits, batch.masks)
    odds = np.exp(logs)
    ratio = np.exp(logs[rows, batch.actions] - batch.logs)
    clipped = np.clip(ratio, 1 - clip, 1 + clip) * batch.advantages
    plain = ratio * batch.advantages
    surprise = np.where(batch.masks, odds * logs, 0)
    spread = -surprise.sum(axis=1)
    errors = values - batch.targets
    loss = (-np.minimum(plain, clipped) + errors**2 / 2 - entropy * spread).mean()

    # By the logits: of the surrogate where it is not clipped, and of the entropy.
    by_log = np.where(plain <= clipped, -plain, 0)
    by_logits = -odds * by_log[:, None]
    by_logits[rows, batch.actions] += by_log
    by_logits += entropy * (surprise + odds * spread[:, None])
    by_logits /= count
    by_value = (errors / count)[:, None]
    by_second = (by_logits @ weights["wp"].T + by_value @ weights["wv"].T) * (second > 0)
    by_first = (by_second @ weights["w2"].T) * (first > 0)
    slopes = {
        "wp": second.T @ by_logits, "bp": by_logits.sum(axis=0),
        "wv": second.T @ by_value, "bv": by_value.sum(axis=0),
        "w2": first.T @ by_second, "b2": by_second.sum(axis=0),
        "w1": batch.inputs.T @ by_first, "b1": by_first.sum(axis=0),
    }  # fmt: skip
    return float(loss), slopes


class Adam:
    """Steps down a gradient, each weight by its own length (Kingma and Ba 2015)."""

    def __init__(self, weights: Weights) -> None:
        self._mean = {name: np.zeros_like(each) for name, each in weights.items()}
        self._square = {name: np.zeros_like(each) for name, each in weights.items()}
        self._steps = 0

    def step(self, weights: Weights, slopes: Weights, rate: float, longest: float = 0.5) -> None:
        """Change the weights; a gradient longer than `longest` is shortened first."""
        self._steps += 1
        length = np.sqrt(sum(float((each**2).sum()) for each in slopes.values()))
        shorter = np.float32(min(1.0, longest / (length + 1e-8)))
        pace = np.float32(rate * np.sqrt(1 - 0.999**self._steps) / (1 - 0.9**self._steps))
        for name, slope in slopes.items():
            slope *= shorter
            mean, square = self._mean[name], self._square[name]
            mean += np.float32(0.1) * (slope - mean)
            square += np.float32(0.001) * (slope * slope - square)
            weights[name] -= pace * mean / (np.sqrt(square) + np.float32(1e-6))
