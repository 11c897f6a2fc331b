"""Analyses of matches that are over: made decision by decision in a process beside, and kept.

One decision is analysed at a time, of each match in turn; before each, bots that wait for a thread
go first. An analysis goes on while somebody asks for it. When it is whole it is stored. The process
is started when there is something to do, and ends when there was nothing for a while.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import subprocess
import sys
import time
import zlib
from collections import OrderedDict
from collections.abc import Callable
from typing import Literal

import msgspec
import sqlalchemy as sa

from brelan.errors import Refused
from brelan.server import history
from brelan.server.analyst import LEVEL, Found, Order
from brelan.server.messages import (
    AnalysedDecision,
    Analysis,
    AnalysisEnd,
    Exported,
    Refusal,
    Text,
    encode,
)
from brelan.server.storage import Store, Unavailable, analyses
from brelan.server.tables import Table
from brelan.server.thinking import Thinkers

log = logging.getLogger("brelan.analyses")
VERSION = 1  # of what makes them: an analysis that was stored by another one is made anew
WANTED = 20.0  # seconds after a question in which an analysis goes on
ANSWERED = 10.0  # seconds after which a question is answered though there is nothing new
GIVES_WAY = 3.0  # seconds that one decision waits for bots, at most
IDLE = 60.0  # seconds without anything to do after which the process ends
LATE = 600.0  # seconds after which an answer of the process is not waited for any more
MOST_ENDS = 1  # of the process, after which an analysis is not begun again
MOST_JOBS = 8  # analyses that are being made, or rest until somebody asks again
LONGEST = 16_000_000  # bytes of an answer of the process

Key = tuple[str, int]  # a table and a seat


class Job:
    """One analysis: what there is so far, and what goes on with it."""

    def __init__(self, number: int, exported: Exported, seat: int) -> None:
        self.number, self.exported, self.seat = number, exported, seat
        self.decisions: list[AnalysedDecision] = []
        self.names: dict[str, dict[str, Text]] = {}
        self.start = 0
        self.count: int | None = None  # None: it is being prepared
        self.end: AnalysisEnd | None = None
        self.error: Refusal | None = None
        self.ended = 0  # so often has the process ended that worked on it
        self.wanted_until = 0.0
        self.changed = asyncio.Event()

    def begin_anew(self) -> None:
        """Forget what there is: the same will be found again."""
        self.decisions, self.count = [], None

    def tell(self) -> None:
        """Let whoever waits look again."""
        self.changed.set()
        self.changed = asyncio.Event()

    @property
    def is_wanted(self) -> bool:
        """Whether somebody has asked for it a short time ago."""
        return time.monotonic() < self.wanted_until

    @property
    def state(self) -> Literal["preparing", "working", "done"]:
        """How far it is."""
        if self.end is not None:
            return "done"
        return "preparing" if self.count is None else "working"

    def told(self, since: int) -> Analysis:
        """Return what there is, with the decisions from one on."""
        return Analysis(
            self.exported.table, self.seat, LEVEL, self.state, self.start, self.count,
            self.decisions[since:], self.names, self.end,
        )  # fmt: skip


class EndedError(RuntimeError):
    """The process that analyses has ended, and with it all that it knew."""


class Beside:
    """The process that analyses."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None

    @property
    def number(self) -> int | None:
        """The number by which the system knows it; None: it does not run."""
        return None if self._process is None else self._process.pid

    async def ask(self, order: Order) -> Found:
        """Return its answer to an order; EndedError: it has ended."""
        if self._process is None:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-P", "-m", "brelan.server.analyst"),  # -P: not from this folder
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, limit=LONGEST,
                creationflags=getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0),
            )  # fmt: skip
        to, answers = self._process.stdin, self._process.stdout
        assert to is not None
        assert answers is not None
        try:
            async with asyncio.timeout(LATE):  # the first may have to be compiled before
                to.write(encode(order) + b"\n")
                await to.drain()
                line = await answers.readline()
        except (OSError, ValueError):  # TimeoutError among them: it hangs
            line = b""
        if not line:
            await self.end()
            raise EndedError("the process that analyses has ended")
        return msgspec.json.decode(line, type=Found)

    async def end(self) -> None:
        """End it; all that it knows is lost."""
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    def kill(self) -> None:
        """End it, and do not wait for that."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()


class Analysts:
    """What makes analyses, and what keeps them."""

    def __init__(self, store: Store, thinkers: Thinkers) -> None:
        self.store, self.thinkers, self.beside = store, thinkers, Beside()
        self._jobs: OrderedDict[Key, Job] = OrderedDict()  # those at the end had their turn last
        self._numbers, self._forgotten = itertools.count(), list[int]()
        self._task: asyncio.Task[None] | None = None
        self._wake = asyncio.Event()
        self._is_closed = False

    async def analysis(
        self, table: Table, seat: int, since: int, begin: Callable[[], None]
    ) -> Analysis:
        """Return what there is of an analysis, as soon as there is more than `since` decisions.

        `begin` is called before one is begun, and may refuse that.
        """
        exported = history.exported(table)  # refuses a match that is not over
        key = table.id, seat
        if key not in self._jobs:
            kept = await self._kept(key)
            if kept is not None:
                return msgspec.structs.replace(kept, decisions=kept.decisions[since:])
        if self._is_closed:
            raise Refusal("shutting_down", 503)
        job = self._jobs.get(key)
        if job is None:
            begin()
            job = self._begin(key, exported)
        job.wanted_until = time.monotonic() + WANTED
        self._go_on()
        if job.end is None and job.error is None and len(job.decisions) <= since:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(job.changed.wait(), ANSWERED)
        if job.error is not None:
            raise job.error
        if self._is_closed:
            raise Refusal("shutting_down", 503)
        return job.told(since)

    def close(self) -> None:
        """Go on with nothing more; whoever waits is told so."""
        self._is_closed = True
        if self._task is not None:
            self._task.cancel()
        self.beside.kill()
        for job in self._jobs.values():
            job.tell()

    # ------------------------------------------------------------ jobs

    def _begin(self, key: Key, exported: Exported) -> Job:
        while len(self._jobs) >= MOST_JOBS:
            unwanted = next((each for each, job in self._jobs.items() if not job.is_wanted), None)
            if unwanted is None:
                raise Refusal("too_many_analyses", 429)
            self._forgotten.append(self._jobs.pop(unwanted).number)
        job = self._jobs[key] = Job(next(self._numbers), exported, key[1])
        return job

    def _go_on(self) -> None:
        self._wake.set()
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._run())

    async def _run(self) -> None:
        """Analyse one decision after the other while somebody wants to know; then rest."""
        while True:
            while (found := self._next()) is not None:
                await self._go_one_step(*found)
            self._wake.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), IDLE)
                continue
            self._jobs.clear()  # those that rest begin anew
            await self.beside.end()
            if self._next() is None:
                return

    async def _go_one_step(self, key: Key, job: Job) -> None:
        """Go one step on with an analysis; keep it when it is whole."""
        self._jobs.move_to_end(key)
        await self._give_way()
        try:
            await self._step(job)
            if job.end is not None:
                await self._keep(key, job)
        except EndedError as error:
            for each in self._jobs.values():
                each.begin_anew()
            job.ended += 1
            if job.ended > MOST_ENDS:
                job.error = _refusal(error)
        except Exception as error:  # noqa: BLE001 - the others go on
            job.error = _refusal(error)
            self._forgotten.append(job.number)
        if (job.end or job.error) is not None and self._jobs.get(key) is job:
            del self._jobs[key]
        job.tell()

    async def _step(self, job: Job) -> None:
        """Let an analysis be begun, or its next decision be analysed."""
        forgotten, self._forgotten = self._forgotten, []
        exported = job.exported if job.count is None else None
        found = await self.beside.ask(Order(job.number, job.seat, exported, forgotten))
        if found.why is not None:
            raise Refused(found.why)
        if found.failure is not None:
            raise RuntimeError(found.failure)
        job.start, job.count, job.end = found.start, found.count, found.end
        if found.decision is not None:
            job.decisions.append(found.decision)
            job.names = found.names

    def _next(self) -> tuple[Key, Job] | None:
        return next(((key, job) for key, job in self._jobs.items() if job.is_wanted), None)

    async def _give_way(self) -> None:
        """Let bots go first, for a while."""
        until = time.monotonic() + GIVES_WAY
        while self.thinkers.queued and time.monotonic() < until:
            await asyncio.sleep(0.05)

    # ------------------------------------------------------------ what is kept

    async def _kept(self, key: Key) -> Analysis | None:
        is_it = (analyses.c.table_id == key[0]) & (analyses.c.seat == key[1])
        row = await self.store.fetch_one(
            sa.select(analyses.c.content).where(is_it, analyses.c.version == VERSION)
        )
        if row is None:
            return None
        try:
            return msgspec.json.decode(zlib.decompress(row["content"]), type=Analysis)
        except (msgspec.MsgspecError, zlib.error):
            log.warning("the analysis of table %s, seat %d, cannot be read: it is made anew", *key)
            return None

    async def _keep(self, key: Key, job: Job) -> None:
        table, seat = key
        content = zlib.compress(encode(job.told(0)))
        row = {"table_id": table, "seat": seat, "version": VERSION, "content": content}
        is_it = (analyses.c.table_id == table) & (analyses.c.seat == seat)
        change = sa.delete(analyses).where(is_it), sa.insert(analyses).values(row)
        with contextlib.suppress(Unavailable):  # or another process has just kept the same
            await self.store.change(*change)


def _refusal(error: Exception) -> Refusal:
    if isinstance(error, Refused):
        return Refusal("refused", 422, why=str(error)[:200])
    log.error("an analysis has failed", exc_info=error)
    return Refusal("internal", 500)
