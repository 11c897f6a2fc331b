"""Ratings on the Elo scale: the Bradley-Terry model, fitted to all matches of an arena at once.

With more seats than two it is Luce's choice: who sits alone among equals wins with a probability in
proportion to its strength. The order in which the matches were played does not matter.

R. A. Bradley, M. E. Terry, "Rank analysis of incomplete block designs", Biometrika 39 (1952).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

ELO = 400 / math.log(10)  # points for odds of e : 1
STEPS = 100  # of Newton's method, at most
CLOSE = 1e-10  # a step that ends it
LONGEST = 2.0  # a step, in any rating

Numbers = npt.NDArray[np.float64]


class Rating(NamedTuple):
    """A strength in Elo, the average of all bots being 0, and its standard error."""

    mu: float
    sigma: float


class Met(NamedTuple):
    """What one bot won against others of one kind: on each deal, of so many matches, its share."""

    one: int
    others: int
    deals: Sequence[int]
    shares: Numbers
    matches: Numbers


def ratings(count: int, players: int, met: Sequence[Met]) -> list[Rating]:
    """Return the rating of each bot, by maximum likelihood; its error counts deals as clusters.

    Each pairing begins with one match that counts as evenly shared. So a bot that has won or lost
    every match has a rating too, with the error to match.
    """
    sides = np.zeros((len(met), count))
    for number, pairing in enumerate(met):
        sides[number, pairing.one], sides[number, pairing.others] = 1, -1
    won = np.array([pairing.matches @ pairing.shares + 1 / players for pairing in met])
    played = np.array([pairing.matches.sum() + 1 for pairing in met])
    strengths = np.zeros(count)
    for _ in range(STEPS):
        chance = _chance(sides @ strengths, players)
        step = _inverse(sides, played * chance * (1 - chance)) @ sides.T @ (won - played * chance)
        strengths += step * min(1.0, LONGEST / max(np.abs(step).max(), CLOSE))
        if np.abs(step).max() < CLOSE:
            break
    chance = _chance(sides @ strengths, players)
    inverse = _inverse(sides, played * chance * (1 - chance))
    errors = np.sqrt(np.diag(inverse @ _spread(sides, chance, players, met) @ inverse))
    return [Rating(*map(float, each)) for each in zip(ELO * strengths, ELO * errors, strict=True)]


def _chance(ahead: Numbers, players: int) -> Numbers:
    """Return how often one wins that is so far ahead of all others."""
    return 1 / (1 + (players - 1) * np.exp(-ahead))


def _inverse(sides: Numbers, weights: Numbers) -> Numbers:
    """Return the inverse of the information, where the average of all strengths is 0."""
    count = sides.shape[1]
    average = np.full((count, count), 1 / count)
    inverse: Numbers = np.linalg.inv(sides.T @ (weights[:, None] * sides) + average) - average
    return inverse


def _spread(sides: Numbers, chance: Numbers, players: int, met: Sequence[Met]) -> Numbers:
    """Return the covariance of the scores of the likelihood, summed over independent deals."""
    scores: dict[int, Numbers] = {}
    first = [(1 / players - chance[number]) * side for number, side in enumerate(sides)]
    for number, pairing in enumerate(met):
        left = pairing.matches * (pairing.shares - chance[number])
        for deal, each in zip(pairing.deals, left, strict=True):
            scores[deal] = scores.get(deal, 0) + each * sides[number]
    every: Numbers = np.array([*scores.values(), *first])
    return np.asarray(every.T @ every)
