"""Nothing lost: servers are killed, disks are full, databases are gone, and play goes on."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import resource
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from server_processes import (
    Database,
    Forked,
    Match,
    Nursery,
    Player,
    Postgres,
    Process,
    Sqlite,
    check_matches,
    open_match,
    postgres_server,
)

IS_LONG = os.environ.get("BRELAN_LONG") == "1"
KILLS = 100 if IS_LONG else 10  # of each database
TABLES = 10  # that are played at when a server is killed


@pytest.fixture(scope="module")
def postgres() -> Iterator[Any]:
    with postgres_server() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Database:
    if request.param == "sqlite":
        return Sqlite(tmp_path)
    return Postgres(request.getfixturevalue("postgres"))


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    nursery = Nursery()
    yield nursery
    nursery.close()


@pytest.fixture
def mortal(nursery: Nursery, database: Database, tmp_path: Path) -> Iterator[Process]:
    """A server that may be killed often."""
    process = Forked(nursery, database.url, tmp_path).start()
    yield process
    process.close()


@pytest.fixture
def server(database: Database, tmp_path: Path) -> Iterator[Process]:
    process = Process(database.url, tmp_path).start()
    yield process
    process.close()


class Play:
    """Many tables, at which people play one match after another."""

    def __init__(self, urls: list[str], tables: int, pace: float = 0.0) -> None:
        self.urls, self.tables, self.pace = urls, tables, pace
        self.played: list[tuple[Match, list[Player]]] = []
        self.is_ending = False
        self.tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Play:
        self.tasks = [asyncio.create_task(self._table(place)) for place in range(self.tables)]
        return self

    async def __aexit__(self, *error: object) -> None:
        self.is_ending = True
        if error[0] is not None:
            for task in self.tasks:
                task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=error[0] is not None)

    async def _table(self, place: int) -> None:
        while not self.is_ending:
            bots = (
                ("random",) if place % 5 == 4 else ()
            )  # others prepare longer than a server lives
            match, players = await open_match(
                self.urls, bots=bots, people=2 - len(bots), pace=self.pace
            )
            self.played.append((match, players))
            await asyncio.gather(*(player.play() for player in players))

    def check(self) -> None:
        """Raise what has gone wrong at a table so far."""
        for task in self.tasks:
            if task.done():
                task.result()

    def acknowledged(self) -> int:
        return sum(len(match.acknowledged) for match, _ in self.played)

    async def goes_on(self) -> None:
        """Wait until more moves are acknowledged."""
        before = self.acknowledged()
        while self.acknowledged() < before + self.tables:
            await asyncio.sleep(0.01)
            self.check()

    def closings(self) -> list[int | None]:
        return [code for _, players in self.played for each in players for code in each.closings]

    def counted(self, code: str) -> int:
        return sum(player.counted[code] for _, players in self.played for player in players)


def test_nothing_is_lost_when_the_server_is_killed(mortal: Process, database: Database) -> None:
    chance = random.Random(20)

    async def run() -> Play:
        async with Play([mortal.url], TABLES, pace=0.01) as play:
            for _ in range(KILLS):
                await play.goes_on()
                await asyncio.sleep(chance.uniform(0, 0.3))
                mortal.kill()
                await asyncio.to_thread(mortal.start)
        await check_matches(play.played, database, mortal.url)
        return play

    play = asyncio.run(run())
    assert play.counted("again") >= KILLS * TABLES  # everybody came back each time
    assert play.acknowledged() > KILLS * TABLES


@contextlib.contextmanager
def outage(database: Database, server: Process) -> Iterator[None]:
    """Let the disk of SQLite be full, or PostgreSQL be stopped, for a while."""
    if isinstance(database, Postgres):
        database.stop()
        try:
            yield
        finally:
            database.start()
        return
    assert server.process is not None
    before = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (4096, before[1]))
    try:
        yield
    finally:
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, before)


def code_of(url: str, method: str, path: str, content: object = None) -> tuple[int, str | None]:
    """Return the status of an answer, and the code of a refusal."""
    answer = httpx.request(method, url + path, json=content, timeout=20, trust_env=False)
    found = answer.json()
    return answer.status_code, found.get("code") if isinstance(found, dict) else None


def test_play_goes_on_when_the_database_is_back(server: Process, database: Database) -> None:
    wanted = {"game": "love-letter", "seats": [{"kind": "me"}, {"kind": "open"}]}

    async def run() -> None:
        async with Play([server.url], TABLES, pace=0.02) as play:
            for _ in range(2):
                await play.goes_on()
                with outage(database, server):
                    await asyncio.sleep(0.2)  # what was on its way has arrived
                    stored, refused = play.acknowledged(), play.counted("database_unavailable")
                    asked = ("POST", "/api/tables", wanted)
                    answer = await asyncio.to_thread(code_of, server.url, *asked)
                    assert answer == (503, "database_unavailable")
                    answer = await asyncio.to_thread(code_of, server.url, "GET", "/healthz")
                    assert answer[0] == 200
                    answer = await asyncio.to_thread(code_of, server.url, "GET", "/readyz")
                    assert answer[0] == 503
                    while play.counted("database_unavailable") < refused + TABLES:
                        await asyncio.sleep(0.01)
                        play.check()
                    assert play.acknowledged() == stored
            await play.goes_on()
            assert (await asyncio.to_thread(code_of, server.url, "GET", "/readyz"))[0] == 200
        await check_matches(play.played, database, server.url)
        # Who was connected stayed connected; who came meanwhile was turned away with a code.
        assert set(play.closings()) <= {4503}

    asyncio.run(run())
    assert server.stop() == 0


@pytest.mark.skipif(not IS_LONG, reason="it waits for as long as SQLite does")
@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_another_program_locks_the_file(server: Process, database: Sqlite) -> None:
    async def run() -> None:
        async with Play([server.url], TABLES, pace=0.02) as play:
            await play.goes_on()
            with contextlib.closing(sqlite3.connect(database.file)) as other:
                other.execute("BEGIN EXCLUSIVE")
                await asyncio.sleep(12)
                other.rollback()
            assert play.counted("database_unavailable") > 0
            await asyncio.sleep(1)
        await check_matches(play.played, database, server.url)

    asyncio.run(run())
    assert server.stop() == 0


def test_a_server_that_stops_lets_its_clients_know(server: Process, database: Database) -> None:
    async def run() -> None:
        thinking = await open_match([server.url], bots=("search:10s",), people=1)
        person = asyncio.create_task(thinking[1][0].play())
        async with Play([server.url], TABLES, pace=0.02) as play:
            await play.goes_on()
            begun = time.monotonic()
            assert await asyncio.to_thread(server.stop) == 0
            assert time.monotonic() - begun < 8
            await asyncio.to_thread(server.start)  # on the same port
            await asyncio.sleep(0.3)
        person.cancel()
        await check_matches(play.played, database, server.url)
        assert {1012} <= set(play.closings()) <= {1012, 4503}  # 4503: who came back too early

    asyncio.run(run())
    assert "Traceback" not in server.said()
