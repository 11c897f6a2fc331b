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
    ask,
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
            bots = ("club",) if place % 5 == 4 else ()
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

    def counted(self, code: str) -> int:
        return sum(player.counted[code] for _, players in self.played for player in players)


def test_nothing_is_lost_when_the_server_is_killed(mortal: Process, database: Database) -> None:
    chance = random.Random(20)

    async def run() -> Play:
        async with Play([mortal.url], TABLES, pace=0.01) as play:
            for _ in range(KILLS):
                before = play.acknowledged()
                while play.acknowledged() < before + TABLES:
                    await asyncio.sleep(0.01)
                    play.check()
                await asyncio.sleep(chance.uniform(0, 0.3))
                mortal.kill()
                await asyncio.to_thread(mortal.start)
        await check_matches(play.played, database, mortal.url)
        return play

    play = asyncio.run(run())
    assert play.counted("again") >= KILLS * TABLES  # everybody came back each time
    assert play.acknowledged() > KILLS * TABLES
