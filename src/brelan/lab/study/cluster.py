"""An executor on a cluster: the workers of a Dask scheduler, anywhere."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator
from typing import Any

from brelan.errors import Refused
from brelan.lab.study.executors import AHEAD, Done
from brelan.lab.study.plan import Job, Plan
from brelan.lab.study.worker import work

PATIENCE = 10  # seconds in which a scheduler answers, and has a worker


class Cluster:
    """The workers of a Dask scheduler; a job of one that is lost is done by another.

    Results come back over the network, so workers and this machine need no files in common but
    Brelan itself.
    """

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise Refused(
                "a cluster needs Dask; install it: pip install 'brelan[lab,cluster]'"
            ) from None
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # one line says what is wrong
        try:
            self._client = Client(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError, ImportError):
            raise Refused(
                f"there is no Dask scheduler at {address!r}; an address is like tcp://HOST:8786"
            ) from None
        try:
            self._client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            self.close()
            raise Refused(f"the Dask scheduler at {address} has no workers") from None
        self.workers = sum(self._client.nthreads().values())

    def run(self, plan: Plan, jobs: Iterator[Job]) -> Done:
        """Do the jobs; one is taken from the line when a worker is about to be free."""
        from distributed import as_completed

        waiting: dict[Any, Job] = {}
        done = as_completed(loop=self._client.loop)
        try:
            while True:
                while len(waiting) < AHEAD * self.workers and (job := next(jobs, None)):
                    future = self._client.submit(work, plan, job, pure=False)
                    waiting[future] = job
                    done.add(future)
                if not waiting:
                    return
                future = next(done)
                yield waiting.pop(future), self._result(future)
        finally:
            self._client.cancel(list(waiting))

    def _result(self, future: Any) -> Any:
        """Return what a job gave; what went wrong on a worker is said in one line."""
        from distributed.scheduler import KilledWorker

        try:
            return future.result()
        except KilledWorker:
            raise Refused(
                "the workers that did one job were lost, one after another; the same command goes "
                "on where it was"
            ) from None
        except ImportError as error:
            raise Refused(f"a worker of the cluster cannot run Brelan: {error}") from None

    def close(self) -> None:
        """Leave the cluster."""
        with contextlib.suppress(TimeoutError, OSError):
            self._client.close()
