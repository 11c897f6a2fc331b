"""The bus: how one server process tells the others that something has happened at a table.

It carries the id of a table and what to read again: its log, or all of it. What is stored is
announced by the transaction that stores it, so nothing is announced that is not there, and a
process that is killed has announced all that it has stored. With SQLite there is one process, and
nobody to tell.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import secrets
import time
from collections.abc import Callable, Iterable
from typing import Any, Protocol

import sqlalchemy as sa

from brelan.server.storage import CONNECTING, FAILURES, Store

CHANNEL = "brelan"
RETRY = 1.0  # seconds between attempts to reach the database again
PROBE = 10.0  # seconds after which a process says again that it is here
SILENT = 3  # times as long, after which a process that is not heard of is gone
HELLO, HERE, GONE = "hello", "here", "gone"  # what processes say about themselves

SAYING = "SELECT pg_notify($1, $2)"
ANNOUNCING = sa.text(
    "SELECT pg_notify(:channel, payload) FROM unnest(CAST(:told AS text[])) AS payload"
)

# The id of a table, and what; an empty id: anything may have happened. `hello:ME` says that a
# process has come, which knows of nothing that was only told; `gone:ME` that one has left, and
# `gone:` that those which are still there will say so again.
Hear = Callable[[str, str], None]
log = logging.getLogger("brelan.bus")


class Bus(Protocol):
    """Tells other processes of a table, and hears of those that they change."""

    is_alone: bool  # there cannot be another process
    me: str  # what this process is called

    @property
    def has_company(self) -> bool:
        """Whether another process was heard of lately."""

    async def start(self, hear: Hear) -> None:
        """Begin to listen."""

    async def tell(self, table: str, what: str) -> None:
        """Tell the others of something that is not stored, if they can be reached."""

    async def close(self) -> None:
        """Stop listening."""


class Alone:
    """The bus of a server that is one process."""

    is_alone = True
    has_company = False
    me = ""

    async def start(self, hear: Hear) -> None:
        """Do nothing: there is nobody to listen to."""

    async def tell(self, table: str, what: str) -> None:
        """Do nothing: there is nobody to tell."""

    async def close(self) -> None:
        """Do nothing."""


class PostgresBus:
    """LISTEN and NOTIFY of PostgreSQL. It listens on a connection of its own."""

    is_alone = False

    def __init__(self, store: Store) -> None:
        _, self._address = store.engine.dialect.create_connect_args(store.engine.url)
        self.me = secrets.token_hex(4)
        self._connection: Any = None
        self._keeper: asyncio.Task[None] | None = None
        self._talking = asyncio.Lock()  # one question at a time on a connection
        self._heard: dict[str, float] = {}  # when other processes were last heard of
        self._answers: set[asyncio.Task[None]] = set()
        store.announce = self._announcement

    def _announcement(self, names: Iterable[str], what: str) -> Any:
        """Return the statement that announces tables when its transaction is done."""
        told = [f"{self.me} {name} {what}" for name in names]
        return ANNOUNCING.bindparams(channel=CHANNEL, told=told)

    @property
    def has_company(self) -> bool:
        """Whether another process was heard of lately."""
        latest = max(self._heard.values(), default=-math.inf)
        return time.monotonic() - latest < SILENT * PROBE

    async def start(self, hear: Hear) -> None:
        """Listen, and come back whenever the connection is lost."""
        self._keeper = asyncio.create_task(self._keep(hear))

    async def _keep(self, hear: Hear) -> None:
        while True:
            try:
                await self._listen(hear)
            except FAILURES as error:
                log.warning("the bus has lost the database: %s", type(error).__name__)
            except Exception:
                log.exception("the bus has failed")
            await asyncio.sleep(RETRY)

    async def _listen(self, hear: Hear) -> None:
        """Listen until the connection is lost."""
        import asyncpg

        def heard(_: Any, __: int, ___: str, payload: str) -> None:
            sender, _, message = payload.partition(" ")
            if sender == self.me:
                return
            self._heard[sender] = time.monotonic()
            table, _, what = message.partition(" ")
            if what == HELLO:
                answer = asyncio.create_task(self.tell("", HERE))
                self._answers.add(answer)
                answer.add_done_callback(self._answers.discard)
            if what == GONE:
                del self._heard[sender]
            if what in (HELLO, GONE):
                hear("", f"{what}:{sender}")
            elif what != HERE:
                hear(table, what)

        lost = asyncio.Event()
        connection = await asyncpg.connect(**self._address, timeout=CONNECTING)
        try:
            connection.add_termination_listener(lambda _: lost.set())
            await connection.add_listener(CHANNEL, heard)
            self._connection = connection
            hear("", "table")  # what was said meanwhile was not heard
            hear("", f"{GONE}:")
            await self._say("", HELLO)
            while not lost.is_set():
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(lost.wait(), PROBE)
                if not lost.is_set():
                    await self._say("", HERE)
                    self._miss_silent(hear)
        finally:
            self._connection = None
            connection.terminate()

    def _miss_silent(self, hear: Hear) -> None:
        """Say that processes are gone which were not heard of for long: they may be killed."""
        for sender, heard in list(self._heard.items()):
            if time.monotonic() - heard > SILENT * PROBE:
                del self._heard[sender]
                hear("", f"{GONE}:{sender}")

    async def _say(self, table: str, what: str) -> None:
        said = f"{self.me} {table} {what}"
        async with self._talking:
            if self._connection is not None:
                await self._connection.execute(SAYING, CHANNEL, said, timeout=CONNECTING)

    async def tell(self, table: str, what: str) -> None:
        """Tell the others of something that is not stored, if they can be reached."""
        with contextlib.suppress(*FAILURES):
            await self._say(table, what)

    async def close(self) -> None:
        """Stop listening, and say so."""
        await self.tell("", GONE)
        if self._keeper is not None:
            self._keeper.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._keeper
