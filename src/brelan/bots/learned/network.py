"""A network of two layers that says how likely it makes each move, and what it expects to win."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from brelan.bots.learned.sight import Numbers, Sight
from brelan.errors import Refused

Array = npt.NDArray[np.float32]
Weights = dict[str, Array]
Curve = npt.NDArray[np.float64]
NAMES = ("w1", "b1", "w2", "b2", "wp", "bp", "wv", "bv")

NEVER = np.float32(-1e9)  # the logit of a move that is not legal


def new_weights(inputs: int, moves: int, hidden: tuple[int, int], seed: int) -> Weights:
    """Return weights to begin with: of layers 1 and 2, of the policy and of the value."""
    draw = np.random.default_rng(seed)
    first, second = hidden
    shapes = {"1": (inputs, first), "2": (first, second), "p": (second, moves), "v": (second, 1)}
    weights = {}
    for name, shape in shapes.items():
        wide = 0.01 if name == "p" else np.sqrt(2 / shape[0])
        weights[f"w{name}"] = (wide * draw.standard_normal(shape)).astype(np.float32)
        weights[f"b{name}"] = np.zeros(shape[1], np.float32)
    return weights


def layers(weights: Weights, inputs: Array) -> tuple[Array, Array, Array, Array]:
    """Return what both layers answer to each row of inputs, its logits and its value."""
    first = np.maximum(inputs @ weights["w1"] + weights["b1"], 0)
    second = np.maximum(first @ weights["w2"] + weights["b2"], 0)
    logits = second @ weights["wp"] + weights["bp"]
    return first, second, logits, (second @ weights["wv"] + weights["bv"])[:, 0]


def log_softmax(logits: Array, masks: npt.NDArray[np.bool_]) -> Array:
    """Return the logarithm of how likely each move is, where the legal ones are marked."""
    legal = np.where(masks, logits, NEVER)
    legal -= legal.max(axis=1, keepdims=True)
    found: Array = legal - np.log(np.exp(legal).sum(axis=1, keepdims=True))
    return found


def save(path: Path, sight: Sight, used: Numbers, weights: Weights, curve: Curve) -> None:
    """Write weights, rounded to 16 bits, and which variant and which layout they are for.

    `used` are the entries of the tensor that are inputs. `curve` tells how the training went.
    """
    rounded = {name: each.astype(np.float16) for name, each in weights.items()}
    asked = {"variant": np.array(sight.game.variant), "layout": np.array(sight.layout)}
    np.savez_compressed(path, used=used.astype(np.int16), curve=curve, **asked, **rounded)  # type: ignore[arg-type]


def load(path: Path, layout: str) -> tuple[Weights, Numbers]:
    """Read weights, and which entries of the tensor are inputs; `Refused` for another layout."""
    with np.load(path) as file:
        if str(file["layout"]) != layout:
            raise Refused(
                f"the weights in {path.name} are for another layout of the tensor; train anew with "
                "tools/learn.py"
            )
        weights = {name: file[name].astype(np.float32) for name in NAMES}
        return weights, file["used"].astype(np.int64)


def trained_variant(path: Path) -> str:
    """Return the variant that weights were trained on."""
    with np.load(path) as file:
        return str(file["variant"])
