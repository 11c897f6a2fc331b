"""Ratings of an arena: what they recover, how sure they are, and what does not change them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from brelan.lab.arena.ratings import ELO, Met, ratings

STRENGTHS = np.array([0.6, 0.1, -0.2, -0.5])


def played(rng: np.random.Generator, players: int, deals: int) -> list[Met]:
    """Return matches of bots of known strengths; luck of a deal is shared by all who play it."""
    luck = rng.normal(0, 0.5, deals)
    met = []
    for one, others in itertools.permutations(range(len(STRENGTHS)), 2):
        if players == 2 and one > others:
            continue
        odds = np.exp(STRENGTHS[one] - STRENGTHS[others]) / (players - 1)
        chance = np.clip(odds / (1 + odds) + 0.1 * luck, 0, 1)
        shares = rng.binomial(players, chance) / players
        met.append(Met(one, others, range(deals), shares, np.full(deals, float(players))))
    return met


@pytest.mark.parametrize("players", [2, 4])
def test_intervals_hold_the_strengths_as_often_as_they_say(players: int) -> None:
    rng, held = np.random.default_rng(players), []
    for _ in range(200):
        found = ratings(len(STRENGTHS), players, played(rng, players, 150))
        assert sum(each.mu for each in found) == pytest.approx(0, abs=1e-6)
        for each, true in zip(found, ELO * STRENGTHS, strict=True):
            held.append(abs(each.mu - true) < 1.96 * each.sigma)
    assert 0.92 < np.mean(held) < 0.98


def test_the_order_of_matches_does_not_matter_and_more_of_them_tell_more() -> None:
    rng = np.random.default_rng(1)
    met = played(rng, 2, 100)
    turned = [
        Met(each.one, each.others, each.deals[::-1], each.shares[::-1], each.matches[::-1])
        for each in reversed(met)
    ]
    once, again = ratings(4, 2, met), ratings(4, 2, turned)
    assert [each.mu for each in once] == pytest.approx([each.mu for each in again])
    assert [each.sigma for each in once] == pytest.approx([each.sigma for each in again])
    more = ratings(4, 2, played(rng, 2, 1600))
    assert all(2 * after.sigma < before.sigma for before, after in zip(once, more, strict=True))


def test_who_always_wins_is_rated_and_that_is_not_sure() -> None:
    won, even = np.ones(50), np.full(50, 0.5)
    twice = np.full(50, 2.0)
    met = [Met(0, 1, range(50), won, twice), Met(1, 2, range(50), even, twice)]
    best, middle, last = ratings(3, 2, met)
    assert best.mu > middle.mu + 400
    assert best.sigma > 50
    assert middle.mu == pytest.approx(last.mu, abs=5)


def test_bots_that_have_not_met_yet_are_equal() -> None:
    nothing = np.array([])
    assert [each.mu for each in ratings(2, 2, [Met(0, 1, [], nothing, nothing)])] == [0, 0]
