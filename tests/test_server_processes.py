"""Two server processes and one database: any process serves any seat."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect

from server_processes import (
    Forked,
    Nursery,
    Postgres,
    Process,
    Sqlite,
    ask,
    check_matches,
    moves_made,
    open_match,
    postgres_server,
)

WAIT = 60.0  # seconds for a message

Pair = tuple[Forked, Forked]


@pytest.fixture(scope="module")
def postgres() -> Iterator[Any]:
    with postgres_server() as server:
        yield server


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    nursery = Nursery()
    yield nursery
    nursery.close()


@pytest.fixture
def database(postgres: Any) -> Postgres:
    return Postgres(postgres)


@pytest.fixture
def pair(nursery: Nursery, database: Postgres, tmp_path: Path) -> Iterator[Pair]:
    """Two processes, which begin at once on an empty database."""
    first = Forked(nursery, database.url, tmp_path).start(wait=False)
    second = Forked(nursery, database.url, tmp_path).start(wait=False)
    first.wait()
    second.wait()
    yield first, second
    first.close()
    second.close()


class Socket:
    """A socket at a table, whose messages a test waits for."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection, self.asked = connection, 0

    async def until(self, wanted: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        """Return the first message that is wanted; those before it are dropped."""
        async with asyncio.timeout(WAIT):
            while True:
                message: dict[str, Any] = json.loads(await self.connection.recv())
                if wanted(message):
                    return message

    async def kind(self, kind: str) -> dict[str, Any]:
        return await self.until(lambda message: message["t"] == kind)

    async def ask(self, command: str, **what: Any) -> dict[str, Any]:
        """Ask for something; return the answer."""
        self.asked += 1
        name = self.asked
        await self.connection.send(json.dumps({"t": command, "id": name, **what}))
        return await self.until(lambda message: message.get("id") == name)


@contextlib.asynccontextmanager
async def socket_at(server: Process, table: str, key: str | None = None) -> AsyncIterator[Socket]:
    address = f"{server.url}/api/tables/{table}/socket".replace("http", "ws", 1)
    if key is not None:
        address += f"?key={key}"
    async with connect(address, proxy=None, close_timeout=1) as connection:
        yield Socket(connection)


def test_two_processes_serve_the_seats_of_one_match(pair: Pair, database: Postgres) -> None:
    first, second = pair

    async def run() -> None:
        urls = [first.url, second.url]
        played = [await open_match(urls, pace=0.01) for _ in range(6)]
        tasks = [asyncio.create_task(player.play()) for _, players in played for player in players]
        await moves_made(played, tasks, 6)
        first.kill()
        await asyncio.gather(*tasks)
        await check_matches(played, database, second.url)
        for _, players in played:  # the other seat has not even noticed
            assert not players[1].closings
            assert not players[1].counted["again"]

    asyncio.run(run())


def test_a_double_move_is_accepted_once(pair: Pair, database: Postgres) -> None:
    async def run() -> None:
        match, players = await open_match([each.url for each in pair])
        table, keys = match.table, [player.key for player in players]
        async with contextlib.AsyncExitStack() as stack:
            sockets = [
                [await stack.enter_async_context(socket_at(each, table, key)) for each in pair]
                for key in keys
            ]
            stood = [[await each.kind("snapshot") for each in row] for row in sockets]
            assert stood[0][0] == stood[0][1]
            assert stood[1][0] == stood[1][1]
            state, made = stood[stood[0][0]["turn"]][0], []
            for ply in range(30):
                seat, legal = state["turn"], state["legal"]
                numbers = [legal[0], legal[-1]]
                answers = await asyncio.gather(
                    *(
                        socket.ask("move", ply=ply, move=number)
                        for socket, number in zip(sockets[seat], numbers, strict=True)
                    )
                )
                accepted = [answer["t"] == "done" for answer in answers]
                assert sorted(accepted) == [False, True], answers
                assert [each["code"] for each in answers if each["t"] == "error"] == ["behind"]
                made.append((seat, numbers[accepted.index(True)]))
                if ply == 29:
                    break
                async with socket_at(pair[ply % 2], table, keys[0]) as looking:
                    state = await looking.kind("snapshot")
                assert state["ply"] == ply + 1
                if state["turn"] != 0:
                    async with socket_at(pair[ply % 2], table, keys[1]) as looking:
                        state = await looking.kind("snapshot")
                if state["result"]:
                    break
        question = "SELECT seat, number FROM events ORDER BY ply"
        assert await asyncio.to_thread(database.ask, question) == made

    asyncio.run(run())


def test_a_bot_goes_on_when_its_process_dies(pair: Pair) -> None:
    first, second = pair

    async def run() -> None:
        match, (player,) = await open_match([first.url], bots=("search:1s",), people=1)
        async with socket_at(second, match.table, player.key) as there:
            async with socket_at(first, match.table, player.key) as here:
                state = await here.until(lambda message: message.get("legal"))
                is_mine = {"t": "event", "seat": 0}.items()
                while state["turn"] == 0:  # who wins a round begins the next one
                    move = {"t": "move", "id": 1, "ply": state["ply"], "move": state["legal"][0]}
                    await here.connection.send(json.dumps(move))
                    state = await here.until(lambda message: is_mine <= message.items())
                first.kill()  # while the bot thinks there
            await there.until(lambda m: m["t"] == "event" and m["ply"] == state["ply"])
            event = await there.kind("event")
            assert event["seat"] == 1

    asyncio.run(run())


def test_listeners_of_one_process_hear_what_happens_at_another(pair: Pair) -> None:
    here, there = pair

    async def run() -> None:
        async with httpx.AsyncClient(base_url=here.url, timeout=WAIT, trust_env=False) as host:
            seats = [{"kind": "me"}, {"kind": "open"}]
            opened = (
                await host.post("/api/tables", json={"game": "love-letter", "seats": seats})
            ).json()
            table, links = opened["table"], opened["links"]
            key = links["seat 0"]
            async with socket_at(there, table, key) as listener:
                assert (await listener.kind("table"))["status"] == "waiting"
                at = f"/api/tables/{table}"
                await host.post(f"{at}/nonce", json={"seat": 0, "nonce": "my own luck"})
                await listener.until(lambda m: m["t"] == "table" and m["seats"][0]["nonce"])
                # The guest who is met by one process is known to the other.
                cookies = dict(host.cookies)
                assert (await ask(there.url, "GET", at, cookies=cookies))["mine"] == [0]
                body = {"invitation": links["invitation 1"], "name": "Bea"}
                async with httpx.AsyncClient(base_url=here.url, trust_env=False) as guest:
                    joined = (await guest.post(f"{at}/join", json=body)).json()
                    # … and so is who has sat down, before anybody is told.
                    info = await ask(there.url, "GET", at, cookies=dict(guest.cookies))
                    assert (info["mine"], info["status"]) == ([1], "playing")
                start = await listener.until(lambda m: m["t"] == "event")
                assert start["kind"] == "start"
                info = await listener.kind("table")
                assert info["status"] == "playing"
                assert info["seats"][1]["name"] == "Bea"
                async with socket_at(here, table, key) as other:
                    snapshot = await other.kind("snapshot")
                assert snapshot["legal"] == start["legal"]  # dealt alike, with the nonce
                async with socket_at(here, table, joined["key"]) as other:
                    await other.ask("react", reaction="hello")
                    assert (await listener.kind("reaction"))["seat"] == 1
                    await other.ask("resign")
                assert (await listener.until(lambda m: m["t"] == "event"))["kind"] == "resign"
                # What one process has done the other one knows at once.
                assert "secret" in await ask(there.url, "GET", f"{at}/export")
                again = (await host.post(f"{at}/rematch")).json()["table"]
                info = await listener.until(lambda m: m["t"] == "table" and m["rematch"])
                assert info["rematch"] == again
                assert (await host.post(f"{there.url}{at}/rematch")).json()["table"] == again

    asyncio.run(run())


def test_the_last_seats_are_taken_at_once_in_two_processes(pair: Pair) -> None:
    async def run() -> None:
        for _ in range(5):
            seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]
            body = {"game": "love-letter", "seats": seats}
            opened = await ask(pair[0].url, "POST", "/api/tables", json=body)
            table, links = opened["table"], opened["links"]
            answers = await asyncio.gather(
                *(
                    ask(server.url, "POST", f"/api/tables/{table}/join", json={"invitation": link})
                    for server, link in [
                        (pair[0], links["invitation 1"]),
                        (pair[1], links["invitation 2"]),
                        (pair[1], links["invitation 1"]),
                    ]
                )
            )
            assert sum("key" in answer for answer in answers) == 2
            for server in pair:
                info = await ask(server.url, "GET", f"/api/tables/{table}")
                assert info["status"] == "playing"
                assert all(seat["kind"] == "guest" for seat in info["seats"])

    asyncio.run(run())


def children(parent: int) -> list[int]:
    found = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return [
        int(child)
        for child in found
        if b"resource_tracker" not in Path(f"/proc/{child}/cmdline").read_bytes()
    ]


@pytest.mark.skipif(not Path("/proc").exists(), reason="workers are looked for in /proc")
def test_workers_share_a_port(database: Postgres, tmp_path: Path) -> None:
    server = Process(database.url, tmp_path, "--workers", "2").start()
    try:
        assert server.process is not None
        workers = children(server.process.pid)
        assert len(workers) == 2

        async def run() -> None:
            played = [await open_match([server.url], pace=0.03) for _ in range(4)]
            players = [player for _, players in played for player in players]
            tasks = [asyncio.create_task(player.play()) for player in players]
            await moves_made(played, tasks, 4)
            os.kill(workers[0], signal.SIGKILL)
            await asyncio.gather(*tasks)
            await check_matches(played, database, server.url)

        asyncio.run(run())
        latest = time.monotonic() + WAIT
        while len(set(children(server.process.pid)) - {workers[0]}) < 2:  # another one began
            assert time.monotonic() < latest
            time.sleep(0.1)
        workers = children(server.process.pid)
        assert server.stop() == 0
        assert not [pid for pid in workers if Path(f"/proc/{pid}").exists()]
    finally:
        server.close()


@pytest.mark.skipif(not Path("/proc").exists(), reason="workers are looked for in /proc")
def test_workers_leave_with_the_process_that_began_them(database: Postgres, tmp_path: Path) -> None:
    server = Process(database.url, tmp_path, "--workers", "2").start()
    assert server.process is not None
    workers = children(server.process.pid)
    server.kill()
    latest = time.monotonic() + WAIT
    while any(Path(f"/proc/{pid}").exists() for pid in workers):
        assert time.monotonic() < latest
        time.sleep(0.05)


@pytest.mark.parametrize("where", ["sqlite", "nowhere"])
def test_workers_without_a_database_for_them_are_refused(where: str, tmp_path: Path) -> None:
    url = Sqlite(tmp_path).url if where == "sqlite" else "postgresql://me@127.0.0.1:1/none"
    server = Process(url, tmp_path, "--workers", "2").start(wait=False)
    assert server.process is not None
    assert server.process.wait(30) == 2
    said = server.said().splitlines()
    assert "Traceback" not in server.said()
    why = "several workers need PostgreSQL" if where == "sqlite" else "cannot be opened"
    assert why in said[-1]


def test_two_servers_begin_at_once_on_one_empty_file(nursery: Nursery, tmp_path: Path) -> None:
    database = Sqlite(tmp_path)
    servers = [Forked(nursery, database.url, tmp_path).start(wait=False) for _ in range(2)]
    try:
        for server in servers:
            server.wait()
        assert database.ask("SELECT count(*) FROM keys") == [(1,)]
    finally:
        for server in servers:
            server.close()
