"""Run a study: its jobs are done anywhere, kept in a folder, and summed up."""

from __future__ import annotations

import contextlib
import math
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from brelan.compiler.warmup import Progress
from brelan.lab.study.executors import Executor, Processes
from brelan.lab.study.figures import StudyFigures
from brelan.lab.study.folder import StudyFolder
from brelan.lab.study.intervals import SHARE, mean_of
from brelan.lab.study.plan import (
    CONTEST,
    EXCHANGE,
    KNOBS,
    PLAY,
    SAMPLE,
    Job,
    Plan,
    fixed_jobs,
    play_batches,
)
from brelan.lab.study.summary import is_precise, level_figures
from brelan.lab.study.worker import Worker

Report = Callable[[int, int], None]


def run(
    plan: Plan,
    path: Path,
    *,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
    command: str = "",
) -> StudyFigures:
    """Do what is left of a study in a folder; return its figures.

    The figures do not depend on where, by how many workers and in which order jobs are done: a
    level is settled by the first batches that are enough, and no other batch counts.
    """
    folder = StudyFolder(path, plan)
    course = Course(folder)
    course.read()
    chosen = executor or Processes(workers or os.cpu_count() or 1)
    with contextlib.closing(chosen.run(plan, course.jobs())) as done:
        for job, tables in done:
            folder.add(job, tables)
            course.note(job)
            if progress is not None:
                progress(*course.reached)
            if course.is_over:
                break
    return figures(folder, command)


def figures(folder: StudyFolder, command: str = "") -> StudyFigures:
    """Return the figures of what a folder keeps."""
    course = Course(folder)
    course.read()
    plan, game = folder.plan, course.game
    texts = {lang: game.folder.texts(lang) for lang in ("fr", "en")}
    return StudyFigures(
        game=game.id,
        names={lang: each("game.name") for lang, each in texts.items()},
        variant=plan.variant,
        rules_version=game.folder.version,
        version=plan.version,
        players=game.players,
        knobs=dict(game.knobs),
        turned={
            name: value
            for name, value in game.knobs.items()
            if name != "players" and value != game.folder.knobs[name].default_for(game.players)
        },
        seed=plan.seed,
        command=command,
        levels=[
            level_figures(folder, game, name, course.counted(name), is_settled=level.is_settled)
            for name, level in course.levels.items()
            if course.counted(name)
        ],
    )


@dataclass
class LevelCourse:
    """How far a level is: its first batches without a gap, and the wins in each of their deals."""

    batches: int  # at most
    precision: float
    wins: list[np.ndarray]  # type: ignore[type-arg]
    is_settled: bool = False
    margin: float = math.inf
    sd: float = 0.5

    @property
    def is_over(self) -> bool:
        """Whether no more matches are needed."""
        return self.is_settled or len(self.wins) >= self.batches

    def add(self, wins: np.ndarray) -> None:  # type: ignore[type-arg]
        """Add the next batch: what each seat won in each deal, on average."""
        if self.is_over:
            return
        self.wins.append(wins)
        known = np.concatenate(self.wins)
        shares = [mean_of(seat, SHARE) for seat in known.T]
        self.margin = max(share.margin for share in shares)
        self.sd = float(known.std(axis=0, ddof=1).max()) if len(known) > 1 else self.sd
        self.is_settled = is_precise(shares, self.precision)

    @property
    def expected(self) -> int:
        """How many batches will be needed, as far as one can tell."""
        if self.is_over:
            return len(self.wins)
        if len(self.wins) < 2 or not math.isfinite(self.margin):
            return self.batches
        needed = len(self.wins) * (self.margin / self.precision) ** 2
        return min(self.batches, max(len(self.wins) + 1, math.ceil(needed)))


class Course:
    """How far a study is, and what is to be done next."""

    def __init__(self, folder: StudyFolder) -> None:
        self.folder, self.plan = folder, folder.plan
        self.game = self.plan.open()
        players = self.game.players
        self.levels = {
            level: LevelCourse(
                play_batches(self.plan, level, players), self.plan.budget(level).precision, []
            )
            for level in self.plan.levels
        }
        self._fixed = [
            job for level in self.plan.levels for job in fixed_jobs(self.plan, level, self.game)
        ]
        self._left = set(self._fixed)

    def read(self) -> None:
        """Take in what the folder has."""
        self._left = {job for job in self._left if not self.folder.has(job)}
        for level in self.levels:
            self._advance(level)

    def note(self, job: Job) -> None:
        """Take in that a job is done."""
        self._left.discard(job)
        if job.kind == PLAY:
            self._advance(job.level)

    def _advance(self, name: str) -> None:
        level = self.levels[name]
        while not level.is_over and self.folder.has(job := Job(name, PLAY, len(level.wins))):
            table = self.folder.read(job, "matches")
            players = self.game.players
            won = np.stack([table[f"won_{seat}"].to_numpy() for seat in range(players)], axis=1)
            level.add(won.reshape(-1, players, players).mean(axis=1))

    def counted(self, level: str) -> int:
        """Return how many batches of matches of a level count."""
        return len(self.levels[level].wins)

    @property
    def is_over(self) -> bool:
        """Whether all is done."""
        return not self._left and all(level.is_over for level in self.levels.values())

    @property
    def reached(self) -> tuple[int, int]:
        """How much is done, of how much: in jobs, each of which takes about as long."""
        fixed = len(self._fixed)
        played = sum(len(level.wins) for level in self.levels.values())
        expected = sum(level.expected for level in self.levels.values())
        return fixed - len(self._left) + played, fixed + expected

    def jobs(self) -> Iterator[Job]:
        """Yield what is to be done: matches until their level is settled, and all the rest."""
        for job in self._fixed:
            if job in self._left:
                yield job
        for name, level in self.levels.items():
            for batch in range(level.batches):
                if level.is_over:
                    break
                job = Job(name, PLAY, batch)
                if not self.folder.has(job):
                    yield job


# ---------------------------------------------------------------- how long it will take


@dataclass(frozen=True)
class Forecast:
    """How long a study will take, and about how many matches of each level it will play."""

    seconds: float
    matches: dict[str, int]


def forecast(plan: Plan, path: Path, workers: int, preparing: Progress | None = None) -> Forecast:
    """Compile all that is needed, do a small job of each kind, and say what the rest will take."""
    worker = Worker(plan)
    course = Course(StudyFolder(path, plan))
    course.read()
    seconds, matches = 0.0, {}
    for place, level in enumerate(plan.levels):
        found = worker.try_out(level)
        state = course.levels[level]
        deals = _deals_needed(found.sd, plan.budget(level).precision)
        batch = plan.budget(level).batch
        batches = max(state.expected if state.wins else 0, min(state.batches, -(-deals // batch)))
        left = 0 if state.is_over else batches - len(state.wins)
        matches[level] = batches * batch * worker.game.players
        seconds += found.seconds[PLAY] * left
        for kind in (CONTEST, EXCHANGE, SAMPLE, KNOBS):
            jobs = sum(job.level == level and job.kind == kind for job in course.left)
            seconds += found.seconds.get(kind, 0.0) * jobs
        if preparing is not None:
            preparing(place + 1, len(plan.levels))
    return Forecast(seconds / workers, matches)


def _deals_needed(sd: float, precision: float) -> int:
    """Return after how many deals an interval is so narrow."""
    deals = 30
    while deals < 10**8 and mean_margin(sd, deals) > precision:
        deals = math.ceil(deals * 1.1)
    return deals


def mean_margin(sd: float, deals: int) -> float:
    """Return the margin of a share of wins near a half."""
    from brelan.lab.sequences import interval

    low, high = interval(0.5, min(sd, 0.5), deals, low=0.0, high=1.0)
    return (high - low) / 2


now = time.perf_counter
