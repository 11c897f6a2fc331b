"""The front of a search: variants that no other one beats, as fresh deals show them."""

from __future__ import annotations

import json
import shlex
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from brelan.knobs import Value
from brelan.lab.multiplicity import ALPHA, holm
from brelan.lab.tune.objectives import CHANGES, Measured, Objective, surely_better
from brelan.lab.tune.plan import TunePlan
from brelan.lab.tune.space import Values
from brelan.lab.tune.sums import Sums

Distances = tuple[float, ...]
BETTER, WORSE, UNSURE = "better", "worse", "unsure"


@dataclass(frozen=True)
class Seen:
    """An objective of a variant at a level of play."""

    value: float
    low: float
    high: float
    distance: float  # from what is wanted
    verdict: str = UNSURE  # beside the original, after Holm's correction


@dataclass(frozen=True)
class Point:
    """A variant of the front; `figures` are by level, then by objective."""

    turned: dict[str, Value]
    deals: dict[str, int]
    figures: dict[str, dict[str, Seen]]
    compare: str  # the command that compares it with the original
    play: str  # the command that plays it

    @property
    def is_original(self) -> bool:
        """Whether nothing is turned."""
        return not self.turned

    def is_better(self, level: str) -> bool:
        """Return whether it is surely better in something, and surely worse in nothing."""
        verdicts = {seen.verdict for seen in self.figures[level].values()}
        return BETTER in verdicts and WORSE not in verdicts


@dataclass(frozen=True)
class Front:
    """What a search has found; the first point is the original."""

    game: str
    names: dict[str, str]
    players: int
    variant: str  # of the original
    over: dict[str, list[Value]]
    objectives: list[Objective]
    levels: list[str]  # of the figures
    size: int  # combinations there are
    tried: int
    fallen: int  # candidates that fresh deals have thrown off the front
    claims: int  # for which the verdicts are corrected
    is_fresh: bool  # whether the figures are of deals that the search never saw
    is_stopped: bool
    seed: int
    version: str
    rules_version: int
    command: str
    file: str
    points: list[Point]

    def as_dict(self) -> dict[str, Any]:
        """Return the front as plain data: what is not known is None."""
        text = json.dumps(asdict(self))
        values: dict[str, Any] = json.loads(text, parse_constant=lambda _: None)
        return values


def dominates(one: Distances, other: Distances) -> bool:
    """Return whether one is as good in everything and better in something.

    >>> dominates((0.1, 1), (0.2, 1)), dominates((0.1, 2), (0.2, 1))
    (True, False)
    """
    pairs = list(zip(one, other, strict=True))
    return all(a <= b for a, b in pairs) and any(a < b for a, b in pairs)


def undominated(found: dict[Values, Distances]) -> list[Values]:
    """Return the variants that no other one dominates."""
    return [
        values
        for values, mine in found.items()
        if not any(dominates(other, mine) for other in found.values())
    ]


def candidates(plan: TunePlan, found: dict[Values, Distances]) -> list[Values]:
    """Return the variants of a search that are worth checking, at most so many as are asked for.

    First the best in each objective, then those whose ranks in all of them are best.
    """
    front = [values for values in undominated(found) if values != plan.space.original]
    ranks = dict.fromkeys(front, 0)
    first = []
    for number in range(len(plan.objectives)):
        order = sorted(front, key=lambda values: (found[values][number], sum(found[values])))
        first += order[:1]
        for values in order:
            ranks[values] += sum(found[other][number] < found[values][number] for other in front)
    chosen = list(dict.fromkeys([*first, *sorted(front, key=ranks.__getitem__)]))
    return chosen[: plan.front]


def distances_of(plan: TunePlan, values: Values, sums: dict[str, Sums]) -> Distances:
    """Return how far a variant is from each objective."""
    changes, players = len(plan.space.turned(values)), plan.space.base.players
    measured = (each.measure(sums, players, changes) for each in plan.objectives)
    return tuple(float(o.distance(m).value) for o, m in zip(plan.objectives, measured, strict=True))


def points(
    plan: TunePlan,
    levels: Sequence[str],
    known: dict[Values, dict[str, dict[str, Sums]]],
    standing: Collection[Values],
) -> tuple[list[Point], int]:
    """Return the variants that stand, the original first, and how many claims are made.

    Claims are corrected for all variants that were checked, whether or not they stand.
    """
    original = plan.space.original
    claims = [
        (values, level, objective, verdict)
        for values in known
        if values != original
        for level in levels
        for objective in plan.objectives
        if objective.name != CHANGES
        for verdict in (BETTER, WORSE)
    ]
    ps = [_p(plan, known, *claim) for claim in claims]
    sure = {
        (values, level, objective.name): verdict
        for (values, level, objective, verdict), p in zip(claims, holm(ps), strict=True)
        if p <= ALPHA
    }
    found = [
        Point(
            plan.space.turned(values),
            {level: known[values][level]["ties"].deals for level in levels},
            {level: _seen(plan, level, values, known[values][level], sure) for level in levels},
            compare_command(plan, values, levels[-1]),
            play_command(plan, values),
        )
        for values in known
        if values in standing
    ]
    return sorted(found, key=lambda point: len(point.turned)), len(claims)


def _p(
    plan: TunePlan,
    known: dict[Values, dict[str, dict[str, Sums]]],
    values: Values,
    level: str,
    objective: Objective,
    verdict: str,
) -> float:
    changes = len(plan.space.turned(values))
    mine = known[values][level], changes
    theirs = known[plan.space.original][level], 0
    sides = (mine, theirs) if verdict == BETTER else (theirs, mine)
    return surely_better(objective, *sides, plan.space.base.players)


def _seen(
    plan: TunePlan,
    level: str,
    values: Values,
    sums: dict[str, Sums],
    sure: dict[tuple[Values, str, str], str],
) -> dict[str, Seen]:
    changes, players = len(plan.space.turned(values)), plan.space.base.players
    found = {}
    for objective in plan.objectives:
        measured: Measured = objective.measure(sums, players, changes)
        verdict = sure.get((values, level, objective.name), UNSURE)
        found[objective.name] = Seen(*measured, objective.distance(measured).value, verdict)
    return found


def compare_command(plan: TunePlan, values: Values, level: str) -> str:
    """Return the command that compares a variant with the original."""
    before = _settings("--a", _base(plan))
    after = _settings("--b", {**_base(plan), **plan.space.turned(values)})
    words = ["brelan", "lab", "compare", plan.game_name, *_players(plan), *before, *after]
    return shlex.join([*words, "--level", level])


def play_command(plan: TunePlan, values: Values) -> str:
    """Return the command that plays a variant."""
    turned = _settings("--set", {**_base(plan), **plan.space.turned(values)})
    return shlex.join(["brelan", "play", plan.game_name, *_players(plan), *turned])


def _players(plan: TunePlan) -> list[str]:
    return ["--players", str(plan.space.base.players)]


def _base(plan: TunePlan) -> dict[str, Value]:
    """Return the knobs that are turned in the original already."""
    game = plan.space.base
    knobs = game.folder.knobs
    return {
        name: value
        for name, value in game.knobs.items()
        if name != "players" and value != knobs[name].default_for(game.players)
    }


def _settings(option: str, turned: dict[str, Value]) -> list[str]:
    return [word for name, value in turned.items() for word in (option, f"{name}={value}")]
