"""Clients of a server under load: lean, so that the server's share of a machine is the larger one.

A table is opened over HTTP with all its seats for one guest; each seat has a socket of its own, and
plays a random legal move when it is its turn.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import random
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect

AT_ONCE = 50  # sockets that are being connected
KEPT = 2.0  # seconds for which a connection is used again


class Told(msgspec.Struct):
    """What matters here of any message of the server."""

    t: str
    ply: int = 0
    legal: list[int] = []
    result: Any = None
    code: str = ""


read = msgspec.json.Decoder(Told).decode


class House:
    """The server's HTTP side, on one connection at a time."""

    def __init__(self, port: int) -> None:
        self._http = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self._used = 0.0

    def ask(self, method: str, path: str, content: Any = None) -> Any:
        """Return the answer to a request, which must succeed."""
        return json.loads(self.read(path, method, content))

    def read(self, path: str, method: str = "GET", content: Any = None) -> str:
        """Return what is answered, as text."""
        if time.monotonic() - self._used > KEPT:
            self._http.close()  # the server may have closed it; it is opened again by itself
        self._used = time.monotonic()
        self._http.request(method, path, None if content is None else json.dumps(content))
        answer = self._http.getresponse()
        found = answer.read().decode()
        if answer.status >= 400:
            raise RuntimeError(f"{method} {path.split('?')[0]}: {answer.status} {found[:200]}")
        return found

    def open(self, game: str, bots: Sequence[str | None]) -> Table:
        """Open a table; a bot's name for each seat, None for a seat of ours."""
        seats = [{"kind": "bot", "bot": bot} if bot else {"kind": "me"} for bot in bots]
        opened = self.ask("POST", "/api/tables", {"game": game, "seats": seats})
        keys = [opened["links"][f"seat {n}"] for n, bot in enumerate(bots) if bot is None]
        return Table(opened["table"], keys)

    def close(self) -> None:
        """Close the connection."""
        self._http.close()


class Table:
    """A table that was opened, and the secrets of our seats."""

    def __init__(self, name: str, keys: list[str]) -> None:
        self.id, self.keys = name, keys


class Tally:
    """What all players of one measurement have seen, and when they stop."""

    def __init__(self, moves: int, rate: float | None = None) -> None:
        self._left, self._pace = moves, rate
        self.moves, self.waits = 0, list[float]()
        self.refused: Counter[str] = Counter()
        self._under_way = 0
        self._next = time.perf_counter()

    async def begin(self) -> bool:
        """Let one more move be made, at a given rate if there is one; False: no more."""
        if self._pace is not None:
            now = time.perf_counter()
            self._next = max(self._next, now) + 1 / self._pace
            await asyncio.sleep(self._next - now)
        if self._left <= 0:
            return False
        self._left -= 1
        self._under_way += 1
        return True

    def end(self, code: str, seconds: float) -> None:
        """Note the answer to a move: an empty code is a good one."""
        self._under_way -= 1
        self.waits.append(seconds)
        self.moves += not code
        if code:
            self.refused[code] += 1

    @property
    def left(self) -> int:
        """How many moves are still to be begun."""
        return self._left

    @property
    def is_done(self) -> bool:
        """Whether all moves are made and answered."""
        return self._left <= 0 and self._under_way == 0


class Player:
    """A seat with its socket."""

    def __init__(self, socket: ClientConnection, seed: int) -> None:
        self._socket, self._random = socket, random.Random(seed)  # noqa: S311 - not for secrets
        self._standing: Told | None = None  # how the match stands, if it is our turn

    async def welcome(self) -> None:
        """Hear how the match stands."""
        while (told := read(await self._socket.recv())).t != "snapshot":
            if told.t == "error":
                raise RuntimeError(f"a socket was refused: {told.code}")
        self._standing = told if told.legal else None

    async def play(self, tally: Tally) -> None:
        """Play until the match is over, or no more moves are wanted."""
        while await self._move(tally):
            told = read(await self._socket.recv())
            while told.t not in ("event", "snapshot"):
                told = read(await self._socket.recv())
            self._standing = told if told.legal else None
            if told.result is not None:
                return

    async def _move(self, tally: Tally) -> bool:
        """Make moves as long as it is our turn; False: no more are wanted, or the match is over."""
        while (standing := self._standing) is not None:
            if not await tally.begin():
                return False
            number, began = self._random.choice(standing.legal), time.perf_counter()
            asked = {"t": "move", "id": 1, "ply": standing.ply, "move": number}
            await self._socket.send(json.dumps(asked))
            self._standing, is_over = None, False
            while (told := read(await self._socket.recv())).t not in ("done", "error"):
                if told.t == "event":
                    self._standing = told if told.legal else None
                    is_over = told.result is not None
            tally.end(told.code, time.perf_counter() - began)
            if is_over:
                return False
        return True

    async def leave(self) -> None:
        """Close the socket."""
        await self._socket.close()


async def sit_down(port: int, tables: Sequence[Table]) -> list[Player]:
    """Return a player for each of our seats, connected and welcomed."""
    free = asyncio.Semaphore(AT_ONCE)

    async def one(table: str, key: str, seed: int) -> Player:
        async with free:
            address = f"ws://127.0.0.1:{port}/api/tables/{table}/socket?key={key}"
            socket = await connect(
                address, compression=None, ping_interval=None, max_queue=None, proxy=None
            )
            player = Player(socket, seed)
            await player.welcome()
            return player

    places = [(table.id, key) for table in tables for key in table.keys]
    return list(await asyncio.gather(*(one(*place, seed) for seed, place in enumerate(places))))


async def play(players: Sequence[Player], tally: Tally, seconds: float) -> None:
    """Let players play until their matches are over, the moves are made, or the time is up."""
    until = time.perf_counter() + seconds
    waiting = {asyncio.create_task(player.play(tally)) for player in players}
    try:
        while waiting and not tally.is_done and time.perf_counter() < until:
            done, waiting = await asyncio.wait(waiting, timeout=0.02)
            for task in done:
                task.result()
    finally:
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)


async def leave(players: Sequence[Player]) -> None:
    """Close all sockets."""
    await asyncio.gather(*(player.leave() for player in players))
