"""A study on a cluster: a real Dask scheduler, and workers in processes of their own."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import brelan
from brelan.errors import Refused
from brelan.kit.new import TEMPLATE
from brelan.lab.study.cluster import Cluster
from brelan.lab.study.executors import Done
from brelan.lab.study.plan import Job, Plan, plan
from brelan.lab.study.run import run
from study_executor import Here

pytest.importorskip("distributed")
SOON = 60.0


class Dask:
    """A scheduler on this machine, and its workers."""

    def __init__(self, home: Path) -> None:
        self.file, self.processes = home / "scheduler.json", list[subprocess.Popen[bytes]]()
        self.start("scheduler", "--port", "0", "--host", "127.0.0.1", "--no-dashboard")
        begun = time.monotonic()
        while not self.file.exists():
            assert time.monotonic() < begun + SOON
            time.sleep(0.05)
        self.address = json.loads(self.file.read_text(encoding="utf-8"))["address"]

    def start(self, what: str, *arguments: str) -> None:
        command = [sys.executable, "-m", f"distributed.cli.dask_{what}", *arguments]
        command += ["--scheduler-file", str(self.file)]
        log = (self.file.parent / f"{what}-{len(self.processes)}.log").open("wb")
        with log:
            self.processes.append(subprocess.Popen(command, stdout=log, stderr=log))

    def add_worker(self, threads: int = 1) -> None:
        self.start(
            "worker", "--no-nanny", "--nthreads", str(threads), "--no-dashboard",
            "--host", "127.0.0.1", "--local-directory", str(self.file.parent),
        )  # fmt: skip

    def kill(self, number: int) -> None:
        self.processes[number].kill()
        self.processes[number].wait()


@pytest.fixture(scope="module")
def dask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dask]:
    """One scheduler for all tests; the last of them adds workers."""
    cluster = Dask(tmp_path_factory.mktemp("dask"))
    try:
        yield cluster
    finally:
        for number in range(len(cluster.processes)):
            cluster.kill(number)


class Watched(Cluster):
    """A cluster whose first worker is killed after some jobs."""

    def __init__(self, dask: Dask, after: int) -> None:
        super().__init__(dask.address)
        self.dask, self.after, self.done = dask, after, list[Job]()

    def run(self, plan: Plan, jobs: Iterator[Job]) -> Done:
        with contextlib.closing(super().run(plan, jobs)) as done:
            for job, tables in done:
                self.done.append(job)
                yield job, tables
                if len(self.done) == self.after:
                    self.dask.kill(1)


def test_a_cluster_that_is_not_there_is_said_in_one_line(
    dask: Dask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("brelan.lab.study.cluster.PATIENCE", 2)
    with pytest.raises(Refused, match=r"no Dask scheduler at 'tcp://127\.0\.0\.1:1'; an address"):
        Cluster("tcp://127.0.0.1:1")
    with pytest.raises(Refused, match="no Dask scheduler at 'kings'"):
        Cluster("kings")
    monkeypatch.setattr("brelan.lab.study.cluster.PATIENCE", 5)
    with pytest.raises(Refused, match="has no workers"):
        Cluster(dask.address)


def test_a_worker_is_killed_and_nothing_is_lost(
    dask: Dask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("brelan.lab.study.cluster.PATIENCE", SOON)  # workers begin with imports
    asked = plan(brelan.game(str(TEMPLATE)), ["balanced"], precision=0.02)
    budget = dataclasses.replace(asked.budgets[0], contest=500, exchanges=2000, samples=12)
    asked = dataclasses.replace(asked, budgets=(budget,))
    alone = run(asked, tmp_path / "alone", executor=Here())
    dask.add_worker()
    dask.add_worker(threads=2)
    with contextlib.closing(Watched(dask, after=5)) as cluster:
        found = run(asked, tmp_path / "cluster", executor=cluster)
    assert dask.processes[1].returncode is not None
    assert len(cluster.done) > cluster.after
    assert len(set(cluster.done)) == len(cluster.done)
    assert found.as_dict() == alone.as_dict()
