"""How long a study will take, said beforehand."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

import numpy as np

from brelan import bots as house
from brelan.bots.registry import fast_bot
from brelan.compiler.warmup import Progress
from brelan.engine.game import Game
from brelan.engine.match import Match
from brelan.lab.sequences import interval
from brelan.lab.study.course import Course
from brelan.lab.study.folder import StudyFolder
from brelan.lab.study.idle_knobs import DEALS
from brelan.lab.study.plan import (
    CONTEST,
    EXCHANGE,
    FEWEST_DEALS,
    KNOBS,
    KNOBS_AT_ONCE,
    PAIRS,
    PLAY,
    SAMPLE,
    Budget,
    default_level,
    weaker,
)
from brelan.lab.study.sample import Sampler
from brelan.lab.study.table import StudyTable

TRIED = 20  # deals that quick bots play
DECISIONS = 8  # that bots that search make
VALUES = 2  # of a knob, about, which are tried
START = 3.0  # seconds until all processes work


@dataclass(frozen=True)
class Forecast:
    """How long a study will take, and about how many matches of each level it will play."""

    seconds: float
    matches: dict[str, int]


def forecast(folder: StudyFolder, workers: int, preparing: Progress | None = None) -> Forecast:
    """Compile what is needed, play a little, and say what is left to do."""
    course = Course(folder)
    course.read()
    seconds, matches = 0.0, {}
    for place, (level, state) in enumerate(course.levels.items()):
        budget = folder.plan.budget(level)
        trial = _Trial(course.game, level)
        needed = -(-_deals_needed(trial.sd, budget.precision) // budget.batch)
        batches = state.expected if len(state.wins) > 1 else min(state.batches, needed)
        matches[level] = batches * budget.batch * course.game.players
        jobs = {PLAY: batches - len(state.wins)}
        for kind in (CONTEST, EXCHANGE, SAMPLE, KNOBS):
            jobs[kind] = sum(job.level == level and job.kind == kind for job in course.left)
        if any(jobs.values()):
            seconds += sum(trial.seconds(kind, budget) * count for kind, count in jobs.items())
        if preparing is not None:
            preparing(place + 1, len(course.levels))
    return Forecast(seconds / workers + (START if seconds else 0.0), matches)


class _Trial:
    """How long matches take at a level."""

    def __init__(self, game: Game, level: str) -> None:
        self.game = game
        table = StudyTable(game, [default_level(game)])
        quick = _Rate(game, default_level(game))
        self.quick = quick.seconds
        rate = quick if level == default_level(game) else _Rate(game, level, quick.decisions)
        self.match, self.sd = rate.seconds, rate.sd
        other = weaker(game, level)
        self.weaker = _Rate(game, other, quick.decisions).seconds if other else 0.0
        sampler = Sampler(table)
        sampler.sample(range(1), 0)
        begun = time.perf_counter()
        sampler.sample(range(1), 0)
        self.sample = time.perf_counter() - begun

    def seconds(self, kind: str, budget: Budget) -> float:
        """Return how long a job of a kind takes."""
        players = self.game.players
        contest = (self.match + (players - 1) * self.weaker) / players
        variants = 1 + VALUES * KNOBS_AT_ONCE
        return {
            PLAY: budget.batch * players * self.match,
            CONTEST: budget.batch * players * contest,
            EXCHANGE: PAIRS * budget.batch * 2 * self.match,
            SAMPLE: budget.sampled * (self.match + self.sample),
            KNOBS: variants * DEALS * players * self.quick,
        }[kind]


class _Rate:
    """How long one match of a bot takes."""

    def __init__(self, game: Game, bot: str, decisions: float = 0.0) -> None:
        fair = 1 / game.players
        self.sd = math.sqrt(fair * (1 - fair) / game.players)  # if seatings were independent
        if bot not in house.names(game):
            self.seconds, self.decisions = _searching(game, bot) * decisions, decisions
            return
        table = StudyTable(game, [bot])
        table.prepare()
        rows = table.deals(range(TRIED), 0, sides=1)
        begun = time.perf_counter()
        table.play(rows)
        self.seconds = (time.perf_counter() - begun) / len(rows)
        self.decisions = float(rows["decisions"].mean())
        won = rows["won"].reshape(TRIED, game.players, -1).mean(axis=1)
        self.sd = max(self.sd, float(won.std(axis=0, ddof=1).mean()))


def _searching(game: Game, name: str) -> float:
    """Return how long a bot that searches takes for a decision, at moments of a quick match."""
    table = StudyTable(game, [default_level(game)])
    rows = table.deals(range(1), 0, sides=1)[:1]
    _, scripts = table.play(rows)
    numbers = scripts[0, : int(rows["decisions"][0])].tolist()
    bot = fast_bot(name, game, seed=0)
    if isinstance(bot, house.SearchBot):
        bot.prepare()
    match = Match.simulated(table.game, int(rows["luck"][0]))
    moments = set(np.linspace(0, len(numbers) - 1, 1 + DECISIONS, dtype=int).tolist())
    taken: list[float] = []
    for place, number in enumerate(numbers):
        if place in moments and match.turn is not None:
            begun = time.perf_counter()
            bot.choose(match.view(match.turn))
            taken.append(time.perf_counter() - begun)
        match.play_unchecked(number)
    return float(np.mean(taken[1:] or taken))  # the first one is slow: it loads what it needs


def _deals_needed(sd: float, precision: float) -> int:
    """Return after how many deals the interval of a share is about so narrow."""
    deals = FEWEST_DEALS
    while deals < 10**8:
        low, high = interval(0.5, min(sd, 0.5), deals, low=0.0, high=1.0)
        if (high - low) / 2 <= precision:
            break
        deals = math.ceil(deals * 1.05)
    return deals
