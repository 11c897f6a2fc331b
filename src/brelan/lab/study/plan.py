"""The plan of a study: what is played, and how it is cut into jobs that any process can do."""

from __future__ import annotations

import dataclasses
import hashlib
import importlib.metadata
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from brelan import bots as house
from brelan.bots.search.settings import LEVELS
from brelan.engine.folder import open_folder
from brelan.engine.game import Game
from brelan.errors import Refused
from brelan.games import ids
from brelan.knobs import Value

FORMAT = 1  # of the files of a study

PLAY, CONTEST, EXCHANGE, SAMPLE, KNOBS = "play", "contest", "exchange", "sample", "knobs"


@dataclass(frozen=True)
class Budget:
    """How much is played at a level; a batch is what one job plays."""

    precision: float  # of every seat's share of wins
    matches: int  # at most
    batch: int  # deals of a batch
    contest: int  # deals on which a stronger player meets weaker ones
    exchanges: int  # pairs of deals in which two cards are exchanged
    samples: int  # matches whose positions are examined
    sampled: int  # of them, in one batch


QUICK = Budget(0.01, 400_000, 250, 2000, 100_000, 60, 3)  # bots that are rules of the game
SEARCH = Budget(0.05, 20_000, 1, 40, 0, 24, 1)
EXCHANGED = 4_000_000  # decisions of deals with exchanged cards, at most
PAIRS = 2  # of exchanges in a batch, for each of its deals
KNOBS_AT_ONCE = 6  # knobs that one job turns
FEWEST_DEALS = 30  # before an interval is trusted


class Job(NamedTuple):
    """A piece of a study; what it gives depends on the plan and on these alone."""

    level: str
    kind: str
    batch: int

    @property
    def name(self) -> str:
        """How its folder is called."""
        return f"{self.batch:06}"


@dataclass(frozen=True)
class Plan:
    """A variant, the levels at which it is played, and how much."""

    game: str  # the id, or the path of its folder
    knobs: tuple[tuple[str, Value], ...]
    levels: tuple[str, ...]
    seed: int
    budgets: tuple[Budget, ...]  # one for each level
    variant: str
    code: str  # a hash of the game's folder: edited rules are another game
    version: str  # of brelan

    @property
    def id(self) -> str:
        """A name for the study: the game, its seats, and a hash of all that is in the plan."""
        content = json.dumps(self.as_dict(), sort_keys=True)
        digest = hashlib.blake2b(content.encode(), digest_size=4).hexdigest()
        players = dict(self.knobs)["players"]
        return f"{self.variant.partition('/')[0]}-{players}p-{digest}"

    def open(self) -> Game:
        """Return the variant."""
        folder = open_folder(self.game)
        return Game(folder, folder.knobs.settle(dict(self.knobs)))

    def budget(self, level: str) -> Budget:
        """Return how much is played at a level."""
        return self.budgets[self.levels.index(level)]

    def as_dict(self) -> dict[str, Any]:
        """Return the plan as plain data."""
        plain = dataclasses.asdict(self)
        plain["knobs"] = dict(self.knobs)
        return {"format": FORMAT, **plain}

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> Plan:
        """Return the plan that `as_dict` wrote."""
        given = {name: value for name, value in plain.items() if name != "format"}
        given["knobs"] = tuple(given["knobs"].items())
        given["levels"] = tuple(given["levels"])
        given["budgets"] = tuple(Budget(**budget) for budget in given["budgets"])
        return cls(**given)


def plan(
    game: Game,
    levels: Sequence[str] = (),
    seed: int = 1,
    precision: float | None = None,
    matches: int | None = None,
) -> Plan:
    """Return the plan of a study of a variant; what cannot be played is refused.

    Without levels it is the game's strongest quick bot.
    """
    chosen = [known_level(game, level) for level in levels] or [default_level(game)]
    if len(set(chosen)) < len(chosen):
        raise Refused("each level may be named once")
    longest = game.folder.rules.LONGEST
    quick = dataclasses.replace(QUICK, exchanges=min(QUICK.exchanges, EXCHANGED // longest))
    budgets = [quick if level in house.names(game) else SEARCH for level in chosen]
    if precision is not None:
        budgets = [dataclasses.replace(budget, precision=precision) for budget in budgets]
    if matches is not None:
        budgets = [_limited(budget, matches, game.players) for budget in budgets]
    return Plan(
        game.id if game.id in ids() else str(game.folder.path),
        tuple(game.knobs.items()),
        tuple(chosen),
        seed,
        tuple(budgets),
        game.variant,
        code_of(game),
        importlib.metadata.version("brelan"),
    )


def code_of(game: Game) -> str:
    """Return a hash of the code of a game's folder, and of its knobs."""
    files = [*sorted(game.folder.path.glob("*.py")), game.folder.path / "knobs.toml"]
    digest = hashlib.blake2b(digest_size=8)
    for file in files:
        digest.update(file.name.encode() + file.read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()


def default_level(game: Game) -> str:
    """Return the strongest quick bot of the game, which also plays rollouts in the search."""
    return [bot for bot in house.names(game) if not house.is_compiled_only(game, bot)][-1]


def known_level(game: Game, level: str | None) -> str:
    """Return the level that is meant, otherwise the strongest quick bot; Refused: there is none."""
    if level is None:
        return default_level(game)
    known, current = house.all_names(game), house.current_name(game, level)
    if current not in known:
        raise Refused(f"there is no level {level!r} of {game.id}; there are: {', '.join(known)}")
    return current


def _limited(budget: Budget, matches: int, players: int) -> Budget:
    """Return a budget of so many matches at most, for each of its parts."""
    deals = max(1, matches // players)
    played = deals * players
    return dataclasses.replace(
        budget,
        matches=played,
        contest=min(budget.contest, deals),
        exchanges=min(budget.exchanges, max(1, played // 2)),
        samples=min(budget.samples, played),
    )


def weaker(game: Game, level: str) -> str | None:
    """Return the next weaker player, which meets a level to see what skill is worth."""
    names = house.names(game)
    if level in names:
        place = names.index(level)
        return names[place - 1] if place else None
    below = list(LEVELS)[: list(LEVELS).index(level)]
    return below[-1] if below else names[0]


def play_batches(plan: Plan, level: str, players: int) -> int:
    """Return how many batches of matches a level may have."""
    budget = plan.budget(level)
    return -(-budget.matches // (budget.batch * players))


def fixed_jobs(plan: Plan, level: str, game: Game) -> Iterator[Job]:
    """Yield the jobs of a level whose number is known beforehand."""
    budget = plan.budget(level)
    yield from _jobs(level, SAMPLE, budget.samples, budget.sampled)
    if weaker(game, level) is not None:
        yield from _jobs(level, CONTEST, budget.contest, budget.batch)
    yield from _jobs(level, EXCHANGE, budget.exchanges, PAIRS * budget.batch)
    yield from _jobs(level, KNOBS, len(game.knobs) - 1, KNOBS_AT_ONCE)


def _jobs(level: str, kind: str, total: int, step: int) -> Iterator[Job]:
    yield from (Job(level, kind, batch) for batch in range(-(-total // step)))


def batch_of(job: Job, total: int, step: int) -> range:
    """Return what a job does of a total, which is cut into equal steps."""
    return range(job.batch * step, min((job.batch + 1) * step, total))
