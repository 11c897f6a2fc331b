"""The search itself: which variants are tried next.

A space that is small enough is tried as a whole. Otherwise Optuna's tree-structured Parzen
estimator, for several objectives, proposes a generation of variants from the results of all former
ones [1]. A generation has the same size whatever the number of threads, and its luck comes from the
seed and its number alone; so the search is the same anywhere, and goes on after a crash as if there
had been none.

[1] Y. Ozaki, Y. Tanigaki, S. Watanabe, M. Onishi, "Multiobjective tree-structured Parzen estimator
    for computationally expensive optimization problems", GECCO (2020).
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from brelan.lab.tune.plan import TunePlan
from brelan.lab.tune.space import Space, Values

if TYPE_CHECKING:
    import optuna

GENERATION = 8  # variants that are proposed at once
STARTUP = 16  # variants that are drawn at random, before there is something to learn from
PATIENCE = 200  # proposals that may be refused or known before one is drawn by lot
Tried = Sequence[tuple[Values, tuple[float, ...]]]  # variants, and how far from what is wanted


def is_whole(plan: TunePlan) -> bool:
    """Return whether all variants of the space are tried."""
    return plan.space.size <= plan.trials


def first_generation(plan: TunePlan) -> list[Values]:
    """Return the variants that are tried first: the original, and all others if they are few."""
    others = plan.space.all() if is_whole(plan) else []
    return list(dict.fromkeys([plan.space.original, *others]))


def next_generation(plan: TunePlan, tried: Tried) -> list[Values]:
    """Return the variants that are tried next; none: the search is over."""
    if not tried:
        return first_generation(plan)
    wanted = min(GENERATION, plan.trials - len(tried))
    if wanted <= 0 or is_whole(plan):
        return []
    known = {values for values, _ in tried}
    found: list[Values] = []
    proposals = _proposals(plan, tried)
    for _ in range(PATIENCE):
        values = next(proposals)
        if values not in known and plan.space.is_allowed(values):
            known.add(values)
            found.append(values)
        if len(found) == wanted:
            return found
    luck = np.random.default_rng([plan.seed, len(tried)])
    for _ in range(PATIENCE * wanted):
        values = tuple(each[luck.integers(len(each))] for _, each in plan.space.choices)
        if values not in known and plan.space.is_allowed(values) and len(found) < wanted:
            known.add(values)
            found.append(values)
    return found


def _proposals(plan: TunePlan, tried: Tried) -> Iterator[Values]:
    """Yield proposals without end."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    space, luck = plan.space, np.random.default_rng([plan.seed, len(tried)])
    ways = _distributions(space)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
        sampler = optuna.samplers.TPESampler(
            seed=int(luck.integers(2**31)), multivariate=True, n_startup_trials=STARTUP
        )
    study = optuna.create_study(directions=["minimize"] * len(plan.objectives), sampler=sampler)
    for values, distances in tried:
        places = {
            name: each.index(value)
            for (name, each), value in zip(space.choices, values, strict=True)
            if value in each
        }
        if len(places) == len(values):  # the original may lie outside
            study.add_trial(
                optuna.trial.create_trial(params=places, distributions=ways, values=distances)
            )
    while True:
        trial = study.ask(ways)
        yield tuple(each[trial.params[name]] for name, each in space.choices)


def _distributions(space: Space) -> dict[str, optuna.distributions.BaseDistribution]:
    """Return how the place of each knob's value among its choices is drawn."""
    from optuna.distributions import CategoricalDistribution, IntDistribution

    return {
        name: IntDistribution(0, len(values) - 1)
        if isinstance(values[0], int)
        else CategoricalDistribution(range(len(values)))
        for name, values in space.choices
    }
