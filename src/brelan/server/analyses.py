"""Analyses of matches that are over: made decision by decision on a thread, and kept.

One decision is analysed at a time, of each match in turn; before each, bots that wait for a thread
go first, and on Linux the system prefers all other threads of the server. An analysis goes on while
somebody asks for it. When it is whole it is stored.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import queue
import sys
import threading
import time
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import Any, Literal

import msgspec
import sqlalchemy as sa

from brelan.engine.match import Match
from brelan.errors import Refused
from brelan.server import history
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
LEVEL = "expert"
WANTED = 20.0  # seconds after a question in which an analysis goes on
ANSWERED = 10.0  # seconds after which a question is answered though there is nothing new
GIVES_WAY = 3.0  # seconds that one decision waits for bots, at most
MOST_JOBS = 8  # analyses that are being made, or rest until somebody asks again
NICE, LOWEST = 10, 19  # how much less than the server's other threads this one is preferred
MOST_ASSESSORS = 2  # kept; each takes some tens of MB

Key = tuple[str, int]  # a table and a seat


class Job:
    """One analysis: what there is so far, and what goes on with it."""

    def __init__(self, exported: Exported, seat: int) -> None:
        self.exported, self.seat = exported, seat
        self.match: Match | None = None
        self.steps: Iterator[Any] | None = None
        self.reviewed: list[Any] = []  # analysis.Decision
        self.decisions: list[AnalysedDecision] = []
        self.names: dict[str, dict[str, Text]] = {}
        self.start, self.count = 0, 0
        self.end: AnalysisEnd | None = None
        self.error: Refusal | None = None
        self.wanted_until = 0.0
        self.changed = asyncio.Event()

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
        return "preparing" if self.steps is None else "working"

    def told(self, since: int) -> Analysis:
        """Return what there is, with the decisions from one on."""
        count = None if self.steps is None else self.count
        return Analysis(
            self.exported.table, self.seat, LEVEL, self.state, self.start, count,
            self.decisions[since:], self.names, self.end,
        )  # fmt: skip


class Analysts:
    """What makes analyses, and what keeps them."""

    def __init__(self, store: Store, thinkers: Thinkers) -> None:
        self.store, self.thinkers = store, thinkers
        self._jobs: OrderedDict[Key, Job] = OrderedDict()  # those at the end had their turn last
        self._assessors: OrderedDict[str, Any] = OrderedDict()
        self._work: queue.SimpleQueue[tuple[Callable[[], None], Future[None]] | None]
        self._work = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._task: asyncio.Task[None] | None = None
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
        self._work.put(None)
        for job in self._jobs.values():
            job.tell()

    # ------------------------------------------------------------ jobs

    def _begin(self, key: Key, exported: Exported) -> Job:
        while len(self._jobs) >= MOST_JOBS:
            unwanted = next((each for each, job in self._jobs.items() if not job.is_wanted), None)
            if unwanted is None:
                raise Refusal("too_many_analyses", 429)
            del self._jobs[unwanted]
        job = self._jobs[key] = Job(exported, key[1])
        return job

    def _go_on(self) -> None:
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._run())

    async def _run(self) -> None:
        """Analyse one decision after the other while somebody wants to know."""
        while (found := self._next()) is not None:
            key, job = found
            self._jobs.move_to_end(key)
            await self._give_way()
            try:
                await self._on_thread(job)
                if job.end is not None:
                    await self._keep(key, job)
            except Exception as error:  # noqa: BLE001 - the others go on
                job.error = _refusal(error)
            if (job.end or job.error) is not None and self._jobs.get(key) is job:
                del self._jobs[key]
            job.tell()

    def _next(self) -> tuple[Key, Job] | None:
        return next(((key, job) for key, job in self._jobs.items() if job.is_wanted), None)

    async def _give_way(self) -> None:
        """Let bots go first, for a while."""
        until = time.monotonic() + GIVES_WAY
        while self.thinkers.queued and time.monotonic() < until:
            await asyncio.sleep(0.05)

    # ------------------------------------------------------------ the thread

    async def _on_thread(self, job: Job) -> None:
        """Go one step on with an analysis, on a thread that nobody waits for at the end."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._serve, daemon=True, name="analyst")
            self._thread.start()
        done: Future[None] = Future()
        self._work.put((lambda: self._step(job), done))
        await asyncio.wrap_future(done)

    def _serve(self) -> None:
        if sys.platform.startswith("linux"):  # elsewhere a thread has no priority of its own
            rank = os.getpriority(os.PRIO_PROCESS, 0)  # 0: this thread
            os.setpriority(os.PRIO_PROCESS, 0, min(rank + NICE, LOWEST))
        while (wanted := self._work.get()) is not None:
            work, done = wanted
            if not done.set_running_or_notify_cancel():
                continue
            try:
                work()
            except BaseException as error:  # noqa: BLE001 - whoever waits is told
                done.set_exception(error)
            else:
                done.set_result(None)

    def _step(self, job: Job) -> None:
        """Prepare an analysis, or analyse its next decision."""
        from brelan.analysis import review
        from brelan.server import analysed

        if job.match is None or job.steps is None:
            _, job.match = history.replayed(encode(job.exported))
            job.start = review.start_of(job.match, [])
            job.count = len(review.decision_plies(job.match, job.seat))
            assessor = self._assessor(job.match) if job.count else None
            job.steps = review.review_steps(job.match, job.seat, LEVEL, assessor)
            return
        found = next(job.steps, None)
        if found is None:
            job.end = analysed.end(review.summary(job.match, job.seat, LEVEL, job.reviewed))
            return
        job.reviewed.append(found)
        job.start = review.start_of(job.match, job.reviewed)
        job.decisions.append(analysed.decision(found))
        job.names = analysed.names(job.match.game, job.decisions)

    def _assessor(self, match: Match) -> Any:
        """Return what assesses views of a variant; analyses share it, decision by decision."""
        from brelan.analysis import Assessor

        variant = match.game.variant
        found = self._assessors.get(variant)
        if found is None:
            found = Assessor(match.game, LEVEL)
            found.prepare()
            self._assessors[variant] = found
            if len(self._assessors) > MOST_ASSESSORS:
                self._assessors.popitem(last=False)
        self._assessors.move_to_end(variant)
        return found

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
