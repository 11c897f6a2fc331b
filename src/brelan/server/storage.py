"""What is stored: guests, tables, seats, and the events of each match.

A match is its log. (table, ply) is the primary key of an event, and the lock: of two writers of
the same ply one is refused. Whoever has written an event knows that it is durable.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy import event as sa_event
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

GROUP = 200  # events that are written together, at most
metadata = sa.MetaData()

guests = sa.Table(
    "guests",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("name", sa.String(40), nullable=False),
    sa.Column("created", sa.Float, nullable=False),
)

tables = sa.Table(
    "tables",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("game", sa.String(64), nullable=False),
    sa.Column("rules", sa.Integer, nullable=False),
    sa.Column("knobs", sa.Text, nullable=False),  # JSON
    sa.Column("options", sa.Text, nullable=False),  # JSON: messages.Options
    sa.Column("secret", sa.LargeBinary, nullable=False),
    sa.Column("host", sa.String(32), nullable=False, index=True),  # the guest who opened it
    sa.Column("status", sa.String(16), nullable=False, index=True),
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("started", sa.Float),
    sa.Column("ended", sa.Float),
    sa.Column("result", sa.Text),  # JSON, when it is over
    sa.Column("rematch", sa.String(32)),  # the table that follows
)

seats = sa.Table(
    "seats",
    metadata,
    sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("kind", sa.String(8), nullable=False),  # open, guest, bot
    sa.Column("guest", sa.String(32), index=True),
    sa.Column("name", sa.String(40), nullable=False),
    sa.Column("bot", sa.String(80)),
    sa.Column("invitation", sa.String(64), index=True),  # the hash of its link, while it is open
    sa.Column("key", sa.String(64), index=True),  # the hash of its owner's link
    sa.Column("nonce", sa.String(64)),
)

events = sa.Table(
    "events",
    metadata,
    sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("ply", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("kind", sa.String(16), nullable=False),  # move, resign, timeout, takeover
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("number", sa.Integer),  # of the move
    sa.Column("at", sa.Float, nullable=False),  # seconds since 1970
)

keys = sa.Table(  # that sign cookies, where none are given
    "keys",
    metadata,
    sa.Column("key", sa.String(64), primary_key=True),
    sa.Column("created", sa.Float, nullable=False),
)


class Event(NamedTuple):
    """One entry of the log of a match."""

    table: str
    ply: int
    kind: str
    seat: int
    number: int | None
    at: float


class Unavailable(Exception):  # noqa: N818 - a state of the database
    """The database does not answer, or cannot write: nothing was stored."""


class Store:
    """The database: SQLite or PostgreSQL."""

    def __init__(self, url: str) -> None:
        self.is_sqlite = url.startswith("sqlite")
        options: dict[str, Any] = {} if self.is_sqlite else {"pool_pre_ping": True, "pool_size": 8}
        self.engine: AsyncEngine = create_async_engine(url, **options)
        if self.is_sqlite:
            sa_event.listen(self.engine.sync_engine, "connect", _set_up_sqlite)
        self._insert = sqlite.insert if self.is_sqlite else postgresql.insert
        self._waiting: list[tuple[Event, asyncio.Future[bool]]] = []
        self._wake = asyncio.Event()
        self._writer: asyncio.Task[None] | None = None

    # ------------------------------------------------------------ any statement

    async def fetch(self, statement: Any) -> Sequence[sa.RowMapping]:
        """Return the rows of a question."""
        try:
            async with self.engine.connect() as connection:
                return (await connection.execute(statement)).mappings().all()
        except (SQLAlchemyError, OSError) as error:
            raise Unavailable(type(error).__name__) from error

    async def fetch_one(self, statement: Any) -> sa.RowMapping | None:
        """Return the first row of a question, if there is one."""
        found = await self.fetch(statement)
        return found[0] if found else None

    async def change(self, *statements: Any) -> list[int]:
        """Carry out statements together, or none; return how many rows each has changed."""
        try:
            async with self.engine.begin() as connection:
                return [(await connection.execute(each)).rowcount for each in statements]
        except (SQLAlchemyError, OSError) as error:
            raise Unavailable(type(error).__name__) from error

    async def is_ready(self) -> bool:
        """Whether the database answers."""
        try:
            await self.fetch(sa.select(sa.literal(1)))
        except Unavailable:
            return False
        return True

    # ------------------------------------------------------------ the log of a match

    async def append(self, event: Event) -> bool:
        """Write an event; True: it is durable. False: its ply is taken, and nothing is changed.

        Events that come at the same time are written in one transaction.
        """
        if self._writer is None:
            self._writer = asyncio.create_task(self._write())
        written: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append((event, written))
        self._wake.set()
        return await written

    async def _write(self) -> None:
        """Write events, group by group, as long as the server runs."""
        while True:
            await self._wake.wait()
            group, self._waiting = self._waiting[:GROUP], self._waiting[GROUP:]
            if not self._waiting:
                self._wake.clear()
            try:
                accepted = await self._insert_events([event for event, _ in group])
            except (SQLAlchemyError, OSError) as error:
                for _, written in group:
                    if not written.done():
                        written.set_exception(Unavailable(type(error).__name__))
                continue
            for event, written in group:
                if not written.done():
                    is_ours = (event.table, event.ply) in accepted
                    accepted.discard((event.table, event.ply))  # of two in one group, the first
                    written.set_result(is_ours)

    async def _insert_events(self, group: Iterable[Event]) -> set[tuple[str, int]]:
        """Insert events whose ply is free; return which were."""
        unique: dict[tuple[str, int], Event] = {}
        for event in group:
            unique.setdefault((event.table, event.ply), event)
        rows = [{"table_id": each.table, **each._asdict()} for each in unique.values()]
        for row in rows:
            del row["table"]
        # The rows are parameters, so that SQLAlchemy works out the statement once.
        statement = (
            self._insert(events).on_conflict_do_nothing().returning(events.c.table_id, events.c.ply)
        )
        async with self.engine.begin() as connection:
            found = (await connection.execute(statement, rows)).all()
        return {(row[0], row[1]) for row in found}

    async def log(self, table: str, since: int = 0) -> list[Event]:
        """Return the events of a match from a ply on."""
        wanted = sa.select(events).where(events.c.table_id == table, events.c.ply >= since)
        rows = await self.fetch(wanted.order_by(events.c.ply))
        return [
            Event(row["table_id"], row["ply"], row["kind"], row["seat"], row["number"], row["at"])
            for row in rows
        ]

    async def close(self) -> None:
        """Write what waits, and leave."""
        while self._waiting and self._writer is not None and not self._writer.done():
            await asyncio.sleep(0.01)
        if self._writer is not None:
            self._writer.cancel()
        await self.engine.dispose()


def _set_up_sqlite(connection: Any, _: Any) -> None:
    """Let readers and a writer work at the same time; a commit is on the disk."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA busy_timeout=5000")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()
