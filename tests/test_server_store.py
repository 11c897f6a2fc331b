"""What is stored: migrations, groups of events, what is announced, what expires."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from websockets.sync.client import connect

from brelan.server import bus, upkeep
from brelan.server.bus import PostgresBus
from brelan.server.database import prepare
from brelan.server.house import House
from brelan.server.messages import Clock, NewTable, Options, Refusal, Sitting
from brelan.server.sessions import Session
from brelan.server.settings import Settings
from brelan.server.storage import (
    Event,
    Store,
    Unavailable,
    events,
    make_engine,
    metadata,
    seats,
    tables,
)
from server_processes import Database, Postgres, Process, Sqlite, postgres_server

DAY = 24 * 3600.0


@pytest.fixture(scope="module")
def postgres() -> Iterator[Any]:
    with postgres_server() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Database:
    if request.param == "sqlite":
        return Sqlite(tmp_path)
    return Postgres(request.getfixturevalue("postgres"))


def address(database: Database) -> str:
    return Settings(database=database.url).database_url


@contextlib.asynccontextmanager
async def opened(database: Database) -> AsyncIterator[Store]:
    await prepare(address(database))
    store = Store(address(database))
    try:
        yield store
    finally:
        await store.close()


async def add_table(store: Store, name: str, **what: Any) -> None:
    row = {
        "id": name, "game": "love-letter", "rules": 1, "knobs": "{}", "options": "{}",
        "secret": b"0" * 32, "host": "me", "status": "playing", "created": 0.0, "started": 0.0,
    }  # fmt: skip
    await store.change(sa.insert(tables).values(row | what))


# ---------------------------------------------------------------- migrations


def test_migrations_lead_to_the_tables_that_the_server_uses(database: Database) -> None:
    url = address(database)

    async def run() -> None:
        first = await prepare(url)
        assert await prepare(url) == first
        engine = make_engine(url, {})
        async with engine.connect() as connection:
            differences = await connection.run_sync(
                lambda sync: compare_metadata(MigrationContext.configure(sync), metadata)
            )
        await engine.dispose()
        assert differences == []

    asyncio.run(run())


def test_many_processes_may_begin_at_once(database: Database) -> None:
    url = address(database)

    async def run() -> None:
        found = await asyncio.gather(*(prepare(url) for _ in range(5)))
        assert all(keys == found[0] for keys in found)  # all sign cookies alike
        assert len(found[0]) == 1

    asyncio.run(run())


# ---------------------------------------------------------------- events


def test_one_event_that_cannot_be_stored_does_no_harm_to_others(database: Database) -> None:
    async def run() -> None:
        async with opened(database) as store:
            await add_table(store, "one")
            wanted = [Event("one", ply, "move", 0, 7, 1.0) for ply in range(20)]
            bad = [
                Event("none such", 0, "move", 0, 7, 1.0),
                Event("one", 99, None, 0, 7, 1.0),  # type: ignore[arg-type]
            ]
            group = [*wanted[:10], *bad, *wanted[10:], wanted[3]]
            answers = await asyncio.gather(*map(store.append, group), return_exceptions=True)
            assert [each for each in answers if isinstance(each, BaseException)] == answers[10:12]
            assert all(isinstance(each, Unavailable) for each in answers[10:12])
            assert answers[:10] + answers[12:] == [True] * 20 + [False]
            assert await store.log("one") == wanted
            assert await store.append(wanted[5]) is False
            assert await store.append(Event("one", 20, "resign", 0, None, 1.0)) is True

    asyncio.run(run())


def test_what_waits_is_written_before_the_store_closes(database: Database) -> None:
    async def run() -> None:
        async with opened(database) as store:
            await add_table(store, "one")
            waiting = [
                asyncio.create_task(store.append(Event("one", ply, "move", 0, 7, 1.0)))
                for ply in range(500)
            ]
            await asyncio.sleep(0.001)
            await store.close()
            assert await asyncio.gather(*waiting) == [True] * 500
            with pytest.raises(Unavailable):
                await store.append(Event("one", 500, "move", 0, 7, 1.0))

    asyncio.run(run())
    assert database.ask("SELECT count(*) FROM events") == [(500,)]


def test_others_hear_of_what_is_stored_and_of_nothing_else(postgres: Any) -> None:
    database = Postgres(postgres)

    async def run() -> None:
        heard: list[tuple[str, str]] = []
        async with opened(database) as store, opened(database) as other:
            here, there = PostgresBus(store), PostgresBus(other)
            await here.start(lambda table, what: None)
            await there.start(lambda table, what: heard.append((table, what)))
            await until(lambda: {("", "table"), ("", "gone:")} <= set(heard))  # it listens
            for name in ("one", "two"):
                await add_table(store, name)
            await asyncio.gather(
                *(store.append(Event("one", ply, "move", 0, 7, 1.0)) for ply in range(5)),
                store.append(Event("two", 0, "move", 0, 7, 1.0)),
            )
            await until(lambda: {("one", "log"), ("two", "log")} <= set(heard))

            async def fail(connection: Any) -> None:
                await connection.execute(sa.update(tables).values(status="over"))
                raise ZeroDivisionError

            with pytest.raises(ZeroDivisionError):
                await store.transact(fail, ["undone"])
            # Many at once on one connection: none is lost.
            await asyncio.gather(*(here.tell("one", f"react:0:{n}") for n in range(50)))
            await until(lambda: sum(what.startswith("react") for _, what in heard) == 50)
            assert "undone" not in [table for table, _ in heard]
            # A connection that is lost comes back, and anything may have happened.
            heard.clear()
            await store.fetch(
                sa.text(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )
            )
            await until(lambda: ("", "table") in heard)
            await asyncio.sleep(0.1)
            await retried(lambda: store.append(Event("two", 1, "move", 0, 7, 1.0)))
            await until(lambda: ("two", "log") in heard)
            await here.close()
            await there.close()

    asyncio.run(run())


def test_a_seat_is_connected_wherever_its_socket_is(
    postgres: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bus, "PROBE", 0.05)
    database = Postgres(postgres)

    async def run() -> None:
        async with house_of(database) as here, house_of(database) as there:
            await here.bus.start(here._hear)
            name = await a_match(here)

            def shown(house: House) -> list[bool]:
                known = house._tables[name].info(None).seats
                return [seat.connected for seat in known]

            table = await here.table(name)
            first = Session(table, 0, "guest", 1e6)
            first.welcome(None)
            await there.table(name)
            assert shown(there) == [False, False]
            await there.bus.start(there._hear)  # it asks who is there
            await until(lambda: shown(there) == [True, False])
            second = Session(await there.table(name), 1, "guest", 1e6)
            second.welcome(None)
            await until(lambda: shown(here) == [True, True])
            waiting = [msgspec.json.decode(each) for each in first._waiting]
            assert waiting[-1]["seats"][1]["connected"] is True  # it was told
            both = Session(await there.table(name), 0, "guest", 1e6)
            both.welcome(None)
            first.leave()
            await until(lambda: here.presence.elsewhere(name) == {0, 1})
            assert shown(here) == [True, True]
            second.leave()
            await until(lambda: shown(here) == [True, False])
            assert isinstance(there.bus, bus.PostgresBus)
            assert there.bus._keeper is not None
            there.bus._keeper.cancel()  # as if it were killed: it says nothing any more
            await until(lambda: shown(here) == [False, False])
            assert not here.presence._present

    asyncio.run(run())


def test_a_process_that_ends_says_so(postgres: Any) -> None:
    database = Postgres(postgres)

    async def run() -> None:
        async with house_of(database) as here:
            await here.bus.start(here._hear)
            async with house_of(database) as there:
                await there.bus.start(there._hear)
                await until(lambda: here.bus.has_company and there.bus.has_company)
                name = await a_match(there)
                Session(await there.table(name), 0, "guest", 1e6).welcome(None)
                await until(lambda: here.presence.elsewhere(name) == {0})
            await until(lambda: not here.bus.has_company)
            assert not here.presence._present

    asyncio.run(run())


async def until(is_so: Any) -> None:
    async with asyncio.timeout(20):
        while not is_so():
            await asyncio.sleep(0.01)


async def retried(work: Any) -> Any:
    async with asyncio.timeout(20):
        while True:
            with contextlib.suppress(Unavailable):
                return await work()


# ---------------------------------------------------------------- tables


@contextlib.asynccontextmanager
async def house_of(database: Database, **settings: Any) -> AsyncIterator[House]:
    async with opened(database) as store:
        house = House(Settings(database=database.url, thinkers=1, **settings), store)
        try:
            yield house
        finally:
            await house.close()


async def a_match(house: House, **options: Any) -> str:
    sitting = [Sitting(kind="me"), Sitting(kind="me")]
    wanted = NewTable(game="love-letter", seats=sitting, options=Options(**options))
    return (await house.open("guest", "Ana", wanted))[0]


async def move(house: House, name: str) -> None:
    table = await house.table(name)
    assert table.match is not None
    assert table.match.turn is not None
    await table.move(table.match.turn, table.ply, table.match.legal_numbers()[0])


def test_a_table_of_a_variant_with_a_long_name_is_opened(database: Database) -> None:
    """Each knob that is turned adds to the name of the variant."""
    knobs: dict[str, int | str] = {
        "deck": "classic16", "tokens_to_win": 18, "tie_break": "both_win", "double_tie": "nobody",
        "prince_vs_handmaid": "may_fizzle", "simultaneous_match_win": "higher_total",
    }  # fmt: skip

    async def run() -> None:
        async with house_of(database) as house:
            wanted = NewTable(game="love-letter", seats=[Sitting(kind="me")] * 2, knobs=knobs)
            table, _ = await house.open("guest", "Ana", wanted)
            stored = await house.store.table(table)
            assert stored is not None
            assert len(stored.row["variant"]) > 100
            assert stored.row["variant"] == (await house.table(table)).game.variant

    asyncio.run(run())


def test_a_match_that_goes_on_does_not_expire(database: Database) -> None:
    async def run() -> None:
        async with house_of(database, expire_idle=30 * DAY, expire_waiting=DAY) as house:
            start, later = 1_000_000.0, 0.0
            house.now = lambda: start + later  # type: ignore[method-assign]
            clock = Clock(kind="per_move", seconds=30 * DAY)
            slow = await a_match(house, clock=clock)
            played, left, empty = [await a_match(house) for _ in range(3)]
            for name in (played, left):
                await move(house, name)
            open_seat = [Sitting(kind="me"), Sitting(kind="open")]
            wanted = NewTable(game="love-letter", seats=open_seat)
            waiting = (await house.open("guest", "Ana", wanted))[0]
            later = 29 * DAY
            await move(house, played)
            await house.upkeep.expire()
            assert await status_of(house) == {
                slow: "playing", played: "playing", left: "playing", empty: "playing",
                waiting: "expired",
            }  # fmt: skip
            later = 31 * DAY
            await house.upkeep.expire()
            assert await status_of(house) == {
                slow: "playing", played: "playing", left: "expired", empty: "expired",
                waiting: "expired",
            }  # fmt: skip
            # Whoever comes back to a match may go on; a table that never began stays closed.
            await move(house, left)
            assert (await house.table(left)).info(None).status == "playing"
            table = await house.table(waiting)
            with pytest.raises(Refusal, match="table_expired"):
                await house.join("other", "Bea", table, 1)
            # A move that came while the table was closed opens it again.
            change = sa.update(tables).where(tables.c.id == played).values(status="expired")
            await house.store.change(change)
            await house.upkeep.expire()
            assert await status_of(house) == {
                slow: "playing", played: "playing", left: "playing", empty: "expired",
                waiting: "expired",
            }  # fmt: skip

    asyncio.run(run())


async def status_of(house: House) -> dict[str, str]:
    return {row["id"]: row["status"] for row in await house.store.fetch(sa.select(tables))}


def test_a_table_that_nobody_looks_at_is_dropped_and_loaded_again(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upkeep, "IDLE", -1.0)

    async def run() -> None:
        async with house_of(database) as house:
            name = await a_match(house, spectators="delayed", delay=3)
            for _ in range(5):
                await move(house, name)
            table = await house.table(name)
            shown = [table.snapshot(reader) for reader in (0, 1, None)]
            await house.upkeep.drop_idle()
            assert house.loaded == 0
            # Many ask for it at once, and some give up: it is loaded once.
            asking = [asyncio.create_task(house.table(name)) for _ in range(5)]
            await asyncio.sleep(0)
            asking[0].cancel()
            await asyncio.sleep(0)
            found = await asyncio.gather(*asking[1:], house.table(name))
            assert all(each is found[0] for each in found)
            assert found[0] is not table
            assert [found[0].snapshot(reader) for reader in (0, 1)] == shown[:2]
            late = found[0].snapshot(None)  # spectators are as far behind as they were
            assert (late.ply, late.view) == (shown[2].ply, shown[2].view)

    asyncio.run(run())


def test_what_follows_from_the_log_is_noted_when_it_was_not(database: Database) -> None:
    """A server may be killed between the last event and the note that the match is over."""

    async def run() -> None:
        async with house_of(database) as house:
            name = await a_match(house)
            await (await house.table(name)).resign(0)
            lost = sa.update(tables).where(tables.c.id == name)
            await house.store.change(lost.values(status="playing", result=None, ended=None))
            house._tables.clear()
            assert (await house.table(name)).info(None).status == "over"
            row = await house.store.fetch_one(sa.select(tables))
            assert row is not None
            assert row["status"] == "over"
            assert json.loads(row["result"])[2] == "resignation"

    asyncio.run(run())


def test_a_log_that_was_not_written_by_us_is_refused(database: Database) -> None:
    async def run() -> None:
        async with house_of(database) as house:
            name = await a_match(house)
            await move(house, name)
            await house.store.change(sa.update(events).values(ply=1))
            house._tables.clear()
            with pytest.raises(Refusal, match="damaged"):
                await house.table(name)

    asyncio.run(run())


def test_a_table_of_older_rules_is_refused(tmp_path: Path) -> None:
    database = Sqlite(tmp_path)

    async def run() -> list[str]:
        async with house_of(database) as house:
            clock = Clock(kind="per_move")
            names = [await a_match(house, clock=clock), await a_match(house)]
            await move(house, names[1])
            await house.store.change(sa.update(tables).values(rules=0))
            return names

    names = asyncio.run(run())
    server = Process(database.url, tmp_path).start()
    try:
        for name in names:
            for path in ("", "/history", "/export"):
                answer = httpx.get(f"{server.url}/api/tables/{name}{path}", trust_env=False)
                assert answer.status_code == 410
                assert answer.json()["code"] == "other_rules"
                assert answer.json()["args"]["played"] == 0
            url = f"{server.url}/api/tables/{name}/socket".replace("http", "ws", 1)
            with connect(url, proxy=None) as socket:
                assert json.loads(socket.recv(timeout=10))["code"] == "other_rules"
    finally:
        assert server.stop() == 0
    assert "Traceback" not in server.said()


def test_seats_follow_the_log_while_they_are_not_noted(database: Database) -> None:
    """A bot has taken a seat over, and another process reads the seats before it is noted."""

    async def run() -> None:
        async with house_of(database) as house:
            name = await a_match(house, takeover="random", clock=Clock(kind="per_move"))
            table = await house.table(name)
            async with table.lock:
                await table.add(Event(name, 0, "takeover", 0, None, 1.0))
            lost = sa.update(seats).where(seats.c.seat == 0).values(kind="guest", bot=None)
            await house.store.change(lost)
            await table.hear()
            assert table.seats[0]["kind"] == "bot"
            row = await house.store.fetch_one(sa.select(seats).where(seats.c.seat == 0))
            assert row is not None
            assert row["kind"] == "bot"

    asyncio.run(run())
