"""What is stored: guests, tables, seats, the events of each match, and what follows from it.

A match is its log. (table, ply) is the primary key of an event, and the lock: of two writers of
the same ply one is refused. Whoever has written an event knows that it is durable.

What other processes must hear of is announced in the transaction that changes it: they hear of
all that is stored, and of nothing else.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import sqlite3
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

import sqlalchemy as sa
from sqlalchemy import event as sa_event
from sqlalchemy import exc
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from brelan.errors import Refused

GROUP = 200  # events that are written together, at most
CONNECTING, ANSWERING = 5.0, 10.0  # seconds that PostgreSQL may take
PROBED = 5.0  # seconds for which it is believed that the database can be written
CLOSING = 5.0  # seconds in which what waits is written when the server stops
log = logging.getLogger("brelan.storage")
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
    sa.Column("variant", sa.Text, index=True),  # None: it goes on from another match
    sa.Column("beginning", sa.Text),  # JSON: messages.Beginning; null: it begins with a deal
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

analyses = sa.Table(  # of matches that are over, from a seat's views
    "analyses",
    metadata,
    sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("version", sa.Integer, nullable=False),  # of what makes them: analyses.VERSION
    sa.Column("content", sa.LargeBinary, nullable=False),  # messages.Analysis: JSON, deflated
)

played = sa.Table(  # what matches of people give, measured by `lab.people`
    "played",
    metadata,
    sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("content", sa.Text),  # lab.played.Played as JSON; None: it is not counted
)

surveys = sa.Table(  # what people have answered after a match
    "surveys",
    metadata,
    sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("liked", sa.Integer, nullable=False),
    sa.Column("length", sa.String(8), nullable=False),
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


class Stored(NamedTuple):
    """A table as it is stored: itself, its seats, and the events of its match from a ply on."""

    row: dict[str, Any]
    seats: list[dict[str, Any]]
    events: list[Event]


class Unavailable(Exception):  # noqa: N818 - a state of the database
    """The database does not answer, or cannot write.

    Nothing was acknowledged. If the connection was lost while a transaction ended, it may have
    been stored: who was told this reads the log again.
    """


def _failures() -> tuple[type[Exception], ...]:
    """Return what a database that does not work raises."""
    found: list[type[Exception]] = [DBAPIError, exc.TimeoutError, OSError, sqlite3.Error]
    with contextlib.suppress(ImportError):
        import asyncpg

        found += [asyncpg.PostgresError, asyncpg.InterfaceError]
    return tuple(found)


FAILURES = _failures()
Waiting = tuple[Event, asyncio.Future[bool]]
Found = TypeVar("Found")


class Store:
    """The database: SQLite or PostgreSQL."""

    def __init__(self, url: str) -> None:
        self.is_sqlite = url.startswith("sqlite")
        self.engine = make_engine(url, {"timeout": CONNECTING, "command_timeout": ANSWERING})
        self.announce: Callable[[Iterable[str], str], Any] | None = None  # see `bus`
        self._insert = sqlite.insert if self.is_sqlite else postgresql.insert
        self._one_writer = asyncio.Lock() if self.is_sqlite else None  # others would only poll
        self._waiting: list[Waiting] = []
        self._wake = asyncio.Event()
        self._writer: asyncio.Task[None] | None = None
        self._is_closing = False
        self._noted = 0.0  # when a failure was last noted
        self._probed = -PROBED  # when the database was last tried, and could be written

    # ------------------------------------------------------------ any statement

    @contextlib.contextmanager
    def _answering(self) -> Iterator[None]:
        """Raise Unavailable for all that a database raises that does not work."""
        try:
            yield
        except FAILURES as error:
            self._note(error)
            raise Unavailable(type(error).__name__) from error

    def _note(self, error: BaseException) -> None:
        """Note a failure; of many in one second, the first. Values may be secrets: they are not."""
        self._probed = -PROBED
        if time.monotonic() - self._noted > 1.0:
            self._noted = time.monotonic()
            why = str(getattr(error, "orig", None) or error).splitlines() or [""]
            log.warning("the database has failed: %s: %s", type(error).__name__, why[0])

    async def fetch(self, statement: Any) -> Sequence[sa.RowMapping]:
        """Return the rows of a question."""
        with self._answering():
            async with self.engine.connect() as connection:
                return (await connection.execute(statement)).mappings().all()

    async def fetch_one(self, statement: Any) -> sa.RowMapping | None:
        """Return the first row of a question, if there is one."""
        found = await self.fetch(statement)
        return found[0] if found else None

    async def change(self, *statements: Any) -> list[int]:
        """Carry out statements together, or none; return how many rows each has changed."""

        async def carry_out(connection: AsyncConnection) -> list[int]:
            return [(await connection.execute(each)).rowcount for each in statements]

        return await self.transact(carry_out)

    async def insert_new(self, table: sa.Table, row: dict[str, Any]) -> bool:
        """Insert a row; False: there is one of this key, and nothing is changed."""
        statement = self._insert(table).values(row).on_conflict_do_nothing()
        return (await self.change(statement))[0] > 0

    async def transact(
        self, work: Callable[[AsyncConnection], Awaitable[Found]], tell: Iterable[str] = ()
    ) -> Found:
        """Do something in one transaction, and announce the tables that it changes.

        Whatever `work` raises undoes all of it. With SQLite its first statement must be a change.
        """
        with self._answering():
            async with self._one_at_a_time(), self.engine.begin() as connection:
                found = await work(connection)
                await self._tell(connection, tell, "table")
            return found

    @contextlib.asynccontextmanager
    async def _one_at_a_time(self) -> AsyncIterator[None]:
        """Let writers of SQLite take turns: it lets one write, and the others only ask again."""
        if self._one_writer is None:
            yield
            return
        async with asyncio.timeout(CONNECTING):  # as long as SQLite waits for another program
            await self._one_writer.acquire()
        try:
            yield
        finally:
            self._one_writer.release()

    async def _tell(self, connection: AsyncConnection, names: Iterable[str], what: str) -> None:
        names = list(names)
        if names and self.announce is not None:
            await connection.execute(self.announce(names, what))

    async def is_ready(self) -> bool:
        """Whether the database answers and can be written: a disk may be full.

        A row is inserted and deleted again, at most once in some seconds unless something has
        failed since. (SQLite does not write a row that is only updated to what it was.)
        """
        try:
            await self.fetch(sa.select(sa.literal(1)))
            if time.monotonic() - self._probed > PROBED:
                row = {"key": f"probe {secrets.token_hex(8)}", "created": 0.0}
                probe = keys.c.key == row["key"]
                await self.change(sa.insert(keys).values(row), sa.delete(keys).where(probe))
                self._probed = time.monotonic()
        except Unavailable:
            return False
        return True

    # ------------------------------------------------------------ the log of a match

    async def append(self, event: Event) -> bool:
        """Write an event; True: it is durable. False: its ply is taken, and nothing is changed.

        Events that come at the same time are written in one transaction.
        """
        if self._is_closing:
            raise Unavailable("closing")
        if self._writer is None:
            self._writer = asyncio.create_task(self._write())
        written: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append((event, written))
        self._wake.set()
        return await written

    async def _write(self) -> None:
        """Write events, group by group, until the server stops and nothing waits."""
        while self._waiting or not self._is_closing:
            if not self._waiting:
                self._wake.clear()
                await self._wake.wait()
            group, self._waiting = self._waiting[:GROUP], self._waiting[GROUP:]
            if group:
                await self._write_group(group)

    async def _write_group(self, group: list[Waiting]) -> None:
        """Write events together; if one of them cannot be written, each by itself."""
        try:
            accepted = await self._insert_events([event for event, _ in group])
        except Exception as error:  # noqa: BLE001 - the writer must go on
            self._note(error)
            if len(group) > 1 and not isinstance(
                error, (OperationalError, InterfaceError, OSError)
            ):
                for each in group:
                    await self._write_group([each])
                return
            for _, written in group:
                if not written.done():
                    written.set_exception(Unavailable(type(error).__name__))
            return
        for event, written in group:
            is_ours = (event.table, event.ply) in accepted
            accepted.discard((event.table, event.ply))  # of two in one group, the first
            if not written.done():
                written.set_result(is_ours)

    async def _insert_events(self, group: Iterable[Event]) -> set[tuple[str, int]]:
        """Insert events whose ply is free; return which were."""
        unique: dict[tuple[str, int], Event] = {}
        for event in group:
            unique.setdefault((event.table, event.ply), event)
        rows = [{"table_id": each.table, **each._asdict()} for each in unique.values()]
        for row in rows:
            del row["table"]
        statement = (
            self._insert(events).on_conflict_do_nothing().returning(events.c.table_id, events.c.ply)
        )
        async with self._one_at_a_time(), self.engine.begin() as connection:
            found = (await connection.execute(statement, rows)).all()
            await self._tell(connection, {row[0] for row in found}, "log")
        return {(row[0], row[1]) for row in found}

    async def log(self, table: str, since: int = 0) -> list[Event]:
        """Return the events of a match from a ply on."""
        with self._answering():
            async with self.engine.connect() as connection:
                return await _log(connection, table, since)

    async def table(self, name: str, since: int = 0) -> Stored | None:
        """Return a table as it is stored, with the events of its match from a ply on."""
        with self._answering():
            async with self.engine.connect() as connection:
                return await read_table(connection, name, since)

    async def close(self) -> None:
        """Write what waits, and leave."""
        self._is_closing = True
        self._wake.set()
        if self._writer is not None:
            await asyncio.wait([self._writer], timeout=CLOSING)
            self._writer.cancel()
        for _, written in self._waiting:
            if not written.done():
                written.set_exception(Unavailable("closing"))
        await self.engine.dispose()


async def _log(connection: AsyncConnection, table: str, since: int) -> list[Event]:
    wanted = sa.select(events).where(events.c.table_id == table, events.c.ply >= since)
    rows = (await connection.execute(wanted.order_by(events.c.ply))).mappings()
    return [
        Event(row["table_id"], row["ply"], row["kind"], row["seat"], row["number"], row["at"])
        for row in rows
    ]


async def read_table(connection: AsyncConnection, name: str, since: int = 0) -> Stored | None:
    """Return a table as a transaction sees it."""
    row = (
        (await connection.execute(sa.select(tables).where(tables.c.id == name))).mappings().first()
    )
    if row is None:
        return None
    places = await connection.execute(sa.select(seats).where(seats.c.table_id == name))
    log = await _log(connection, name, since) if row["started"] is not None else []
    return Stored(dict(row), [dict(place) for place in places.mappings()], log)


def make_engine(url: str, postgres: dict[str, Any]) -> AsyncEngine:
    """Return what connects to a database; `postgres` is for asyncpg only."""
    if url.startswith("sqlite"):
        engine = create_async_engine(url, hide_parameters=True)
        sa_event.listen(engine.sync_engine, "connect", _set_up_sqlite)
        return engine
    try:
        return create_async_engine(
            url, hide_parameters=True, connect_args=postgres, pool_pre_ping=True, pool_size=8
        )
    except ModuleNotFoundError:
        raise Refused("PostgreSQL needs asyncpg: install brelan[postgres]") from None


def _set_up_sqlite(connection: Any, _: Any) -> None:
    """Let readers and a writer work at the same time; a commit is on the disk."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA busy_timeout=5000")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()
