"""Executors: where the jobs of a study are done."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import parent_process
from typing import Protocol

from brelan.errors import Refused
from brelan.lab.study.plan import Job, Plan
from brelan.lab.study.worker import Tables, work

AHEAD = 2  # jobs for each worker that wait in line

Done = Generator[tuple[Job, Tables]]


class Executor(Protocol):
    """Does jobs anywhere; what they give depends on the plan and the job alone."""

    workers: int

    def run(self, plan: Plan, jobs: Iterator[Job]) -> Done:
        """Yield each job with its tables when it is done, in any order; closing it ends all."""

    def close(self) -> None:
        """Leave the place."""


class Processes:
    """Processes on this machine."""

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def run(self, plan: Plan, jobs: Iterator[Job]) -> Done:
        """Do the jobs; one is taken from the line when a process is about to be free."""
        context = multiprocessing.get_context("spawn")
        pool = ProcessPoolExecutor(self.workers, context, initializer=_begin)
        waiting: dict[Future[Tables], Job] = {}
        try:
            while True:
                while len(waiting) < AHEAD * self.workers and (job := next(jobs, None)):
                    waiting[pool.submit(work, plan, job)] = job
                if not waiting:
                    return
                finished, _ = wait(waiting, return_when=FIRST_COMPLETED)
                for future in finished:
                    yield waiting.pop(future), future.result()
        except BrokenProcessPool:
            raise Refused(
                "a process of the study was killed; the same command goes on where it was"
            ) from None
        finally:
            processes = list(pool._processes.values())
            pool.shutdown(wait=False, cancel_futures=True)
            for process in processes:  # what they still do does not count
                process.terminate()

    def close(self) -> None:
        """Nothing is left: the processes end with each run."""


def _begin() -> None:
    """Set a process up: it ends with its study, which alone is told of Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        study = parent_process()
        assert study is not None
        study.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
