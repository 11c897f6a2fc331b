"""The course of a study: how far it is, and what is to be done next."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from brelan.lab.study.folder import StudyFolder
from brelan.lab.study.intervals import SHARE, mean_of
from brelan.lab.study.plan import PLAY, Job, fixed_jobs, play_batches
from brelan.lab.study.summary import is_precise


@dataclass
class LevelCourse:
    """How far a level is: its first batches without a gap, and the wins in each of their deals."""

    batches: int  # at most
    precision: float
    wins: list[npt.NDArray[Any]]
    is_settled: bool = False
    margin: float = math.inf
    sd: float = 0.5

    @property
    def is_over(self) -> bool:
        """Whether no more matches are needed."""
        return self.is_settled or len(self.wins) >= self.batches

    def add(self, wins: npt.NDArray[Any]) -> None:
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
        self.left = set(self._fixed)

    def read(self) -> None:
        """Take in what the folder has."""
        self.left = {job for job in self.left if not self.folder.has(job)}
        for level in self.levels:
            self._advance(level)

    def note(self, job: Job) -> None:
        """Take in that a job is done."""
        self.left.discard(job)
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
        return not self.left and all(level.is_over for level in self.levels.values())

    @property
    def reached(self) -> tuple[int, int]:
        """How much is done, of how much: in jobs, each of which takes about as long."""
        fixed = len(self._fixed)
        played = sum(len(level.wins) for level in self.levels.values())
        expected = sum(level.expected for level in self.levels.values())
        return fixed - len(self.left) + played, fixed + expected

    def jobs(self) -> Iterator[Job]:
        """Yield what is to be done, level by level: what is known beforehand, then matches until
        the level is settled. So who stops early has the first levels whole.
        """
        for name, level in self.levels.items():
            for job in self._fixed:
                if job.level == name and job in self.left:
                    yield job
            for batch in range(level.batches):
                if level.is_over:
                    break
                job = Job(name, PLAY, batch)
                if not self.folder.has(job):
                    yield job
