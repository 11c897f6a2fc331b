"""Confidence sequences: intervals for a mean that hold at every time of looking at once.

An ordinary 95 % interval holds at one time, fixed before. Who looks again and again, and stops when
the figures please, sees some of its intervals miss far more often. A confidence sequence misses in
at most 5 % of all studies at *any* of their times, so a study may be watched, and may stop when it
is precise enough.

Where the range of the values is known, each candidate mean is tested by betting against it, and
those are kept that no bet has beaten [1]. The bets are a mixture of constant ones, bounded from
below by Fan's inequality [2] so that mean and variance are all that is needed of the data; such
an interval holds for every sample size. Where the range is not known, the interval is asymptotic
[3]: it holds as the sample grows.

The data are one value for each deal, since matches of one deal share their luck. Every function
takes the mean of these values, their standard deviation, and the number of deals.

[1] I. Waudby-Smith, A. Ramdas, "Estimating means of bounded random variables by betting", Journal
    of the Royal Statistical Society B 86 (2024).
[2] X. Fan, I. Grama, Q. Liu, "Exponential inequalities for martingales with applications",
    Electronic Journal of Probability 20 (2015), lemma 4.1.
[3] I. Waudby-Smith, D. Arbour, R. Sinha, E. H. Kennedy, A. Ramdas, "Time-uniform central limit
    theory and asymptotic confidence sequences", Annals of Statistics 52 (2024).
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

ALPHA = 0.05
PLANNED = 2000  # deals for which asymptotic intervals are narrowest
BETS = 0.97 * 0.5 ** np.arange(12)  # parts of the largest bet that cannot lose more than there is
COSTS = np.log1p(-BETS) + BETS  # of a bet, for each unit of variance
GRID = 50  # nulls that are tried together
ROUNDS = 4  # of ever finer nulls, by which a bound is found
FEW_BETS, FEW_NULLS = 39, 400  # of `of_shares`

Nulls = npt.NDArray[np.float64]


def interval(
    mean: float,
    sd: float,
    count: int,
    *,
    low: float = -math.inf,
    high: float = math.inf,
    alpha: float = ALPHA,
) -> tuple[float, float]:
    """Return the bounds of a mean, from values that lie between `low` and `high`.

    Without a value, and with a single one of unknown range, nothing is known.

    >>> interval(0.5, 0.5, 1000, low=0, high=1)
    (0.442..., 0.557...)
    >>> interval(0.0, 0.0, 1000, low=0, high=1)  # it has never happened
    (0.0, 0.006...)
    >>> interval(20.0, 5.0, 1000)
    (19.51..., 20.48...)
    """
    if not math.isfinite(low) or not math.isfinite(high):
        return _asymptotic(mean, sd, count, alpha)
    if count < 1:
        return low, high
    width, doubt = high - low, math.log(2 / alpha)
    middle, spread = (mean - low) / width, sd / width
    return (
        low + width * _refuted(middle, spread, count, doubt),
        high - width * _refuted(1 - middle, spread, count, doubt),
    )


def of_shares(shares: npt.NDArray[np.float64], alpha: float = ALPHA) -> tuple[float, float]:
    """Return the bounds of a mean from the values themselves, which lie between 0 and 1.

    Like `interval`, whenever one looks, and narrower where there are few: the bets are what they
    really gain.

    >>> of_shares(np.array([1.0] * 13 + [0.0] * 2))
    (0.497..., 0.997...)
    """
    return _lowest(shares, alpha), 1.0 - _lowest(1.0 - shares, alpha)


def _lowest(shares: npt.NDArray[np.float64], alpha: float) -> float:
    """Return the largest of some means that is refuted, since betting on more has gained."""
    found, count = np.unique(shares, return_counts=True)
    bets = np.linspace(0.0, 1.0, FEW_BETS + 2)[1:-1]
    refuted = 0.0
    for null in np.linspace(0.0, 1.0, FEW_NULLS + 1)[1:-1]:
        gains = np.log1p(np.outer(bets, found / null - 1)) @ count
        if np.logaddexp.reduce(gains) - math.log(len(bets)) < math.log(2 / alpha):
            break  # a bet against a larger null gains less
        refuted = float(null)
    return refuted


def above(
    mean: float,
    sd: float,
    count: int,
    null: float,
    *,
    low: float = -math.inf,
    high: float = math.inf,
) -> float:
    """Return the p-value of the claim that a mean is above `null`, whenever one stops.

    >>> above(0.6, 0.5, 1000, 0.5, low=0, high=1) < 0.001
    True
    """
    if math.isfinite(low) and math.isfinite(high):
        width = high - low
        capital = _most_capital((mean - low) / width, sd / width, count, (null - low) / width)
        return math.exp(-max(0.0, capital))
    if count < 2 or mean <= null:
        return 1.0
    if sd == 0:
        return 1.0  # values that never vary say nothing of how much they may
    scale = count * _tuned(ALPHA)
    exponent = count * ((mean - null) / sd) ** 2 * scale / (scale + 1) / 2
    return min(1.0, math.sqrt(scale + 1) * math.exp(-exponent) / 2)


def below(
    mean: float,
    sd: float,
    count: int,
    null: float,
    *,
    low: float = -math.inf,
    high: float = math.inf,
) -> float:
    """Return the p-value of the claim that a mean is below `null`, whenever one stops.

    >>> below(0.0, 0.0, 5000, 0.01, low=0, high=1) < 0.001
    True
    """
    return above(-mean, sd, count, -null, low=-high, high=-low)


def p_value(
    mean: float,
    sd: float,
    count: int,
    null: float,
    *,
    low: float = -math.inf,
    high: float = math.inf,
) -> float:
    """Return the p-value of the claim that a mean is not `null`, whenever one stops.

    At most `alpha` means that the interval of that `alpha` leaves `null` out.

    >>> p_value(20.0, 5.0, 1000, 20.5) <= 0.05
    True
    """
    sides = (side(mean, sd, count, null, low=low, high=high) for side in (above, below))
    return min(1.0, 2 * min(sides))


def _log_capital(mean: float, sd: float, count: int, nulls: Nulls) -> Nulls:
    """Return the log of what betting that the mean is above each null has made of 1, or less.

    The values lie between 0 and 1. If their mean is not above, the capital is a nonnegative
    supermartingale: it ever reaches 20 with a probability of at most 1/20 (Ville's inequality). A
    bet b multiplies it by 1 + by, with y = value / null - 1, which is at least -1; and
    log(1 + by) is at least by + y²(log(1 - b) + b).
    """
    totals = count * (mean / nulls - 1)
    squares = count * (sd**2 + (mean - nulls) ** 2) / nulls**2
    gains = np.outer(totals, BETS) + np.outer(squares, COSTS)
    return np.asarray(np.logaddexp.reduce(gains, axis=1)) - math.log(len(BETS))


def _most_capital(mean: float, sd: float, count: int, null: float) -> float:
    """Return the log of the capital against a null, or less.

    A bet against a larger null gains less; so what is gained against any larger one is a bound too,
    and often a better one.
    """
    if mean <= null:
        return 0.0
    if null <= 0:
        return math.inf
    nulls = np.geomspace(null, mean, GRID, endpoint=False)
    return float(_log_capital(mean, sd, count, nulls).max())


def _refuted(mean: float, sd: float, count: int, doubt: float) -> float:
    """Return the largest null below the mean that is refuted; those below it are then too."""
    if mean <= 0:
        return 0.0
    nulls = mean * (1 - np.geomspace(1 - 1e-9, 1e-7, GRID))
    refuted = 0.0
    for _ in range(ROUNDS):
        places = np.flatnonzero(_log_capital(mean, sd, count, nulls) >= doubt)
        if len(places) == 0:
            break
        refuted, following = nulls[places[-1]], nulls[min(places[-1] + 1, GRID - 1)]
        nulls = np.linspace(refuted, following, GRID)
    return float(refuted)


def _asymptotic(mean: float, sd: float, count: int, alpha: float) -> tuple[float, float]:
    if count < 2:
        return math.nan, math.nan
    scale = count * _tuned(ALPHA)
    half = math.sqrt(2 * (scale + 1) / scale * math.log(math.sqrt(scale + 1) / alpha))
    half *= sd / math.sqrt(count)
    return mean - half, mean + half


def _tuned(alpha: float) -> float:
    """Return the variance of the mixture that makes intervals narrowest at `PLANNED` deals."""
    doubt = -2 * math.log(alpha)
    return (doubt + math.log(doubt) + 1) / PLANNED
