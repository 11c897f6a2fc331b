"""The bus: how one server process tells the others that something has happened at a table.

It carries the id of the table only; who hears of it reads the log. With SQLite there is one
process, and nobody to tell.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Callable
from typing import Any, Protocol

CHANNEL = "brelan"
RETRY = 1.0  # seconds between attempts to reach the database again

Hear = Callable[[str], None]  # called with the id of a table; an empty one: anything may have
log = logging.getLogger("brelan.bus")


class Bus(Protocol):
    """Tells other processes of a table, and hears of those that they change."""

    async def start(self, hear: Hear) -> None:
        """Begin to listen."""

    async def tell(self, table: str) -> None:
        """Tell the others that something has happened at a table."""

    async def close(self) -> None:
        """Stop listening."""


class Alone:
    """The bus of a server that is one process."""

    async def start(self, hear: Hear) -> None:
        """Do nothing: there is nobody to listen to."""

    async def tell(self, table: str) -> None:
        """Do nothing: there is nobody to tell."""

    async def close(self) -> None:
        """Do nothing."""


class PostgresBus:
    """LISTEN and NOTIFY of PostgreSQL, on a connection of its own."""

    def __init__(self, url: str) -> None:
        self._url = url.replace("postgresql+asyncpg://", "postgresql://")
        self._me = secrets.token_hex(4)
        self._connection: Any = None
        self._keeper: asyncio.Task[None] | None = None
        self._lost = asyncio.Event()

    async def start(self, hear: Hear) -> None:
        """Listen, and come back whenever the connection is lost."""
        self._keeper = asyncio.create_task(self._keep(hear))

    async def _keep(self, hear: Hear) -> None:
        import asyncpg

        def heard(_: Any, __: int, ___: str, payload: str) -> None:
            sender, _, table = payload.partition(" ")
            if sender != self._me:
                hear(table)

        while True:
            try:
                self._connection = await asyncpg.connect(self._url)
                self._lost.clear()
                self._connection.add_termination_listener(lambda _: self._lost.set())
                await self._connection.add_listener(CHANNEL, heard)
                hear("")  # what was said meanwhile was not heard
                await self._lost.wait()
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
                log.warning("the bus has lost the database: %s", type(error).__name__)
            self._connection = None
            await asyncio.sleep(RETRY)

    async def tell(self, table: str) -> None:
        """Tell the others; if they cannot be reached now, they will look at the log later."""
        import asyncpg

        if self._connection is None:
            return
        with contextlib.suppress(OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
            await self._connection.execute(
                "SELECT pg_notify($1, $2)", CHANNEL, f"{self._me} {table}"
            )

    async def close(self) -> None:
        """Stop listening."""
        if self._keeper is not None:
            self._keeper.cancel()
        if self._connection is not None:
            await self._connection.close()
