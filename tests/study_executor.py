"""An executor of studies that works in the process of the test."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from brelan.lab.study.executors import Done
from brelan.lab.study.plan import Job, Plan
from brelan.lab.study.worker import work


class Here:
    """An executor in this very process, which may stop after some jobs."""

    workers = 1

    def __init__(self, most: int = 10**9, *, backwards: bool = False) -> None:
        self.most, self.backwards, self.done = most, backwards, list[Job]()

    def run(self, plan: Plan, jobs: Iterator[Job]) -> Done:
        """Do the jobs, in the order given, or the first ten in the opposite one."""
        line = list(itertools.islice(jobs, 10 if self.backwards else 0))
        for job in itertools.chain(reversed(line), jobs):
            if len(self.done) == self.most:
                raise KeyboardInterrupt
            self.done.append(job)
            yield job, work(plan, job)

    def close(self) -> None:
        """Nothing is left."""
