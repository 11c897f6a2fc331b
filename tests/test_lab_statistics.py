"""Intervals hold as often as they say, at whatever time one looks; false alarms are as rare."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import brelan
from brelan.lab import estimates, sequences
from brelan.lab.estimates import Z
from brelan.lab.multiplicity import ALPHA, holm
from brelan.lab.study.intervals import SHARE, ratio_of
from brelan.suite import often

Values = npt.NDArray[Any]
Misses = Callable[[Values, float], bool]  # an interval of these deals, the truth

STUDIES = min(often(300), 3000)
LONGEST = 400  # deals of a study
LOOKS = [10, 15, 20, 30, 45, 70, 100, 150, 200, 300, 400]

# `balanced` against `honest`: the higher card wins, but when the Jack's bluff (1/3) after a pass
# makes the Queen (1/6 of the deals) give up (1/2); the bluff needs `balanced` to act second (1/2).
BALANCED_WINS = 0.5 + 1 / 6 * 1 / 3 * 1 / 2 * 1 / 2

# `honest` against `honest`: the King bets, and the Queen calls it half of the time.
BETS = 1 / 3 * 1.5 + 1 / 3 * 1.0 + 1 / 3 * 0.0


@functools.cache
def played(figure: str) -> Values:
    """Return a figure of each deal of each study."""
    game = brelan.game("template-game")
    bots = ["balanced" if figure == "won" else "honest", "honest"]
    results = brelan.simulate(game, bots, matches=2 * LONGEST * STUDIES, seed=5).results
    values = results[figure]
    if figure == "won":
        values = np.take_along_axis(values, results["seating"].argmin(axis=1)[:, None], 1)[:, 0]
    return (np.bincount(results["deal"], weights=values) / 2).reshape(STUDIES, LONGEST)


def too_many(rate: float, tries: int = STUDIES) -> float:
    """Return a number that so many events of a rate surpass once in 30,000 runs."""
    return rate * tries + 4 * math.sqrt(rate * (1 - rate) * tries)


def moments(deals: Values) -> tuple[float, float, int]:
    return float(deals.mean()), float(deals.std(ddof=1)) if len(deals) > 1 else 0.0, len(deals)


def share(deals: Values, truth: float) -> bool:
    """Return whether the confidence sequence of values from 0 to 1 leaves the truth out."""
    return sequences.p_value(*moments(deals), truth, low=0, high=1) <= 0.05


def any_mean(deals: Values, truth: float) -> bool:
    """Return whether the asymptotic confidence sequence leaves the truth out."""
    return sequences.p_value(*moments(deals), truth) <= 0.05


def ordinary(deals: Values, truth: float) -> bool:
    """Return whether the interval for one time of looking leaves the truth out."""
    figure = estimates.mean(deals)
    return not figure.low <= truth <= figure.high


def missed(studies: Values, misses: Misses, truth: float, looks: list[int] = LOOKS) -> int:
    """Return how many studies have an interval without the truth at any of the looks."""
    return sum(any(misses(deals[:look], truth) for look in looks) for deals in studies)


def test_the_known_values_are_those_of_the_game() -> None:
    for known, truth in ((played("won"), BALANCED_WINS), (played("bets"), BETS)):
        assert abs(known.mean() - truth) < 4 * known.std() / math.sqrt(known.size)


def test_intervals_of_a_fixed_number_of_deals_hold_at_it() -> None:
    assert missed(played("bets"), ordinary, BETS, [LONGEST]) <= too_many(0.05)


def test_sequences_hold_at_the_worst_time_of_looking() -> None:
    assert missed(played("won"), share, BALANCED_WINS) <= too_many(0.05)
    assert missed(played("bets") / 2, share, BETS / 2) <= too_many(0.05)
    assert missed(played("bets"), any_mean, BETS) <= too_many(0.05)


def test_ordinary_intervals_do_not_hold_there() -> None:
    assert missed(played("won"), ordinary, BALANCED_WINS) > too_many(0.05)
    assert missed(played("bets"), ordinary, BETS) > too_many(0.05)


@pytest.mark.parametrize("rate", [0.002, 0.03, 0.5, 0.97])
def test_rates_near_the_ends_are_covered_from_the_first_deal_on(rate: float) -> None:
    chance = np.random.default_rng(3)
    studies = (chance.random((STUDIES, 300)) < rate).astype(float)
    assert missed(studies, share, rate, [1, 2, 5, 12, 40, 120, 300]) <= too_many(0.05)


def few(deals: Values, truth: float) -> bool:
    """Return whether the bounds from the values themselves leave the truth out."""
    low, high = sequences.of_shares(deals)
    return not low <= truth <= high


@pytest.mark.parametrize("rate", [0.03, 0.5])
def test_bounds_of_few_values_hold_and_are_narrower(rate: float) -> None:
    chance = np.random.default_rng(4)
    studies = (chance.random((120, 60)) < rate).astype(float)
    assert missed(studies, few, rate, [1, 3, 8, 20, 60]) <= too_many(0.05, len(studies))
    for deals in studies[:20]:
        low, high = sequences.of_shares(deals)
        wide = sequences.interval(*moments(deals), low=0, high=1)
        assert high - low < wide[1] - wide[0]


@pytest.mark.parametrize("bounds", [{"low": 0.0, "high": 2.0}, {}])
def test_an_interval_narrows_as_deals_are_added(bounds: dict[str, float]) -> None:
    deals = played("bets").ravel()
    widths = []
    for count in (200, 2000, 20000):
        low, high = sequences.interval(*moments(deals[:count]), **bounds)
        widths.append(high - low)
    assert widths[0] > 2 * widths[1] > 4 * widths[2]
    assert 1 < widths[2] / (2 * estimates.mean(deals[:20000]).margin) < 2


def test_a_p_value_is_small_just_when_the_interval_leaves_the_value_out() -> None:
    for deals in played("bets")[:20]:
        for bounds in ({"low": 0.0, "high": 2.0}, {}):
            low, high = sequences.interval(*moments(deals), **bounds)
            for null in np.linspace(0.3, 1.3, 21):
                is_out = not low <= null <= high
                assert (sequences.p_value(*moments(deals), null, **bounds) <= 0.05) == is_out


def test_a_rate_is_far_above_a_tiny_one() -> None:
    for null in (1e-6, 1e-4, 0.01, 0.3):
        assert sequences.above(0.5, 0.5, 1000, null, low=0, high=1) < 1e-6
    assert sequences.above(0.5, 0.5, 1000, 0.49, low=0, high=1) > 0.05


def test_what_is_not_known_is_not_claimed() -> None:
    assert sequences.interval(math.nan, math.nan, 0, low=0, high=1) == (0, 1)
    assert sequences.interval(1.0, 0.0, 1, low=0, high=1)[0] < 0.1
    assert all(map(math.isnan, sequences.interval(3.0, 0.0, 1)))
    assert sequences.p_value(3.0, 0.0, 50, 2.0) == 1


def test_false_alarms_of_whoever_stops_at_the_first_one() -> None:
    """A family of ten true nulls, looked at eleven times, stopped when anything is significant."""
    families = played("bets").reshape(-1, 10, LONGEST)
    alarms = plain = 0
    for family in families:
        corrected, single = [], []
        for look in LOOKS:
            seen = [moments(deals[:look]) for deals in family]
            found = [sequences.p_value(*each, BETS, low=0, high=2) for each in seen]
            corrected.append(min(holm(found)) <= ALPHA)
            single.append(any(sd and abs(m - BETS) > Z * sd / math.sqrt(n) for m, sd, n in seen))
        alarms, plain = alarms + any(corrected), plain + any(single)
    assert alarms <= too_many(ALPHA, len(families))
    assert plain > len(families) / 2  # with neither correction nor sequences


def test_what_is_true_is_found() -> None:
    seen = moments(played("won").ravel()[:40000])
    found = [
        sequences.above(*seen, 0.5, low=0, high=1),
        sequences.below(*seen, 0.5, low=0, high=1),
        sequences.above(*seen, 0.52, low=0, high=1),
        sequences.below(*seen, 0.52, low=0, high=1),
    ]
    assert [value <= ALPHA for value in holm(found)] == [True, False, False, True]


def test_holm_is_the_procedure_of_the_paper() -> None:
    chance = np.random.default_rng(1)
    for _ in range(200):
        values = list(chance.random(6) ** 3)
        adjusted = holm(values)
        rejected: set[int] = set()
        for rank, place in enumerate(np.argsort(values)):  # step down, stop at the first kept
            if values[place] > ALPHA / (len(values) - rank):
                break
            rejected.add(int(place))
        assert {place for place, value in enumerate(adjusted) if value <= ALPHA} == rejected
    assert holm([]) == []


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_a_share_that_has_never_varied_is_not_known_for_sure(share: float) -> None:
    few, many = (ratio_of(np.full(n, share), np.ones(n), SHARE) for n in (24, 2400))
    assert few.margin > 0.1
    assert 0 < many.margin < 0.01
    assert many.low <= share <= many.high
