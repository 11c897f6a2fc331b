"""The plan of a search: what is tried, what is wanted, and how much is played."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
from dataclasses import dataclass
from typing import Any, NamedTuple

from brelan import bots as house
from brelan.games import ids
from brelan.lab.study.plan import code_of, known_level
from brelan.lab.tune.objectives import Objective
from brelan.lab.tune.space import Space, Values

FORMAT = 1
SEARCH, FRESH = "search", "fresh"
FRESH_SEED = 1_000_003  # the seed of fresh deals is so much larger


class Amount(NamedTuple):
    """How much is played of a variant at a level."""

    deals: int
    batch: int  # deals of one job


class Job(NamedTuple):
    """A piece of work: some deals of a variant; what it gives depends on the plan and on these."""

    stage: str
    level: str
    values: Values
    batch: int


@dataclass(frozen=True)
class TunePlan:
    """A search."""

    space: Space
    objectives: tuple[Objective, ...]
    level: str  # of the search
    final_level: str  # of the check on fresh deals; may be the same
    trials: int
    front: int  # variants at most that are checked
    seed: int
    amounts: dict[str, Amount]  # by stage and level

    @property
    def levels(self) -> tuple[str, ...]:
        """The levels of the check on fresh deals."""
        return tuple(dict.fromkeys((self.level, self.final_level)))

    @property
    def id(self) -> str:
        """A name: the game, its seats, and a hash of all that is in the plan."""
        content = json.dumps(self.as_dict(), sort_keys=True)
        digest = hashlib.blake2b(content.encode(), digest_size=4).hexdigest()
        return f"{self.space.base.id}-{self.space.base.players}p-tune-{digest}"

    @property
    def game_name(self) -> str:
        """The game as one names it: its id, or the path of its folder."""
        game = self.space.base
        return game.id if game.id in ids() else str(game.folder.path)

    def seed_of(self, stage: str) -> int:
        """Return the seed of the deals of a stage; no deal of the search is played again."""
        return self.seed + (FRESH_SEED if stage == FRESH else 0)

    def amount(self, stage: str, level: str) -> Amount:
        """Return how much of a variant is played at a stage and level."""
        return self.amounts[f"{stage}:{level}"]

    def jobs(self, stage: str, level: str, values: Values) -> list[Job]:
        """Return the jobs of a variant at a stage and level."""
        deals, batch = self.amount(stage, level)
        return [Job(stage, level, values, number) for number in range(-(-deals // batch))]

    def deals(self, job: Job) -> range:
        """Return the deals of a job."""
        deals, batch = self.amount(job.stage, job.level)
        return range(job.batch * batch, min(deals, (job.batch + 1) * batch))

    def as_dict(self) -> dict[str, Any]:
        """Return the plan as plain data."""
        game = self.space.base
        return {
            "format": FORMAT,
            "game": self.game_name,
            "code": code_of(game),
            "version": importlib.metadata.version("brelan"),
            "knobs": game.knobs,
            "over": {name: list(values) for name, values in self.space.choices},
            "objectives": [objective.written for objective in self.objectives],
            "level": self.level,
            "final_level": self.final_level,
            "trials": self.trials,
            "front": self.front,
            "seed": self.seed,
            "amounts": {name: list(amount) for name, amount in self.amounts.items()},
        }


def tune_plan(
    space: Space,
    objectives: tuple[Objective, ...],
    *,
    level: str | None = None,
    final_level: str | None = None,
    trials: int = 100,
    front: int = 8,
    matches: int = 1000,
    final_matches: int | None = None,
    seed: int = 1,
) -> TunePlan:
    """Return the plan of a search; levels that the game does not have are refused."""
    game = space.base
    first = known_level(game, level)
    last = first if final_level is None else known_level(game, final_level)
    quick = {name: name in house.names(game) for name in (first, last)}
    players = game.players

    def amount(wanted: int, name: str) -> Amount:
        deals = max(2, wanted // players)
        return Amount(deals, min(deals, 250 if quick[name] else 5))

    checked = {name: 10 * matches if quick[name] else 200 for name in quick}
    if final_matches is not None:
        checked[last] = final_matches
    amounts = {f"{SEARCH}:{first}": amount(matches, first)}
    amounts |= {f"{FRESH}:{name}": amount(count, name) for name, count in checked.items()}
    return TunePlan(space, objectives, first, last, trials, front, seed, amounts)
