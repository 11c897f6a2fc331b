"""The server under load: the bench, and what keeps an idle socket small."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from typing import Any

import brelan
from brelan.server import readers
from brelan.server.messages import encode
from brelan.server.sessions import MOST_WAITING, TOO_SLOW, Session
from brelan.server.sockets import Inbox


class Wire:
    """A client that takes messages when it is let."""

    def __init__(self) -> None:
        self.got: list[bytes] = []
        self.ended: int | None = None
        self.free = asyncio.Event()
        self.is_gone = False

    def offer(self, content: bytes) -> bool:
        if self.free.is_set() and not self.is_gone:
            self.got.append(content)
            return True
        return False

    async def send(self, content: bytes) -> None:
        await self.free.wait()
        if self.is_gone:
            raise OSError("gone")
        self.got.append(content)

    async def end(self, code: int) -> None:
        self.ended = code


def session() -> Session:
    nothing: Any = None
    return Session(nothing, 0, "", 1e6)


def test_messages_are_delivered_in_order_and_nothing_runs_while_none_waits() -> None:
    async def test() -> None:
        one, wire = session(), Wire()
        one.send(b"1")
        one.connect(wire)
        one.send(b"2")
        one.send({"three": 3})
        wire.free.set()
        await one.delivered()
        assert wire.got == [b"1", b"2", b'{"three":3}']
        assert len(asyncio.all_tasks()) == 1
        one.close(1000)
        one.send(b"4")
        await one.delivered()
        assert (wire.got[3:], wire.ended) == ([], 1000)

    asyncio.run(test())


def test_what_needs_no_waiting_is_sent_at_once_and_never_overtakes() -> None:
    async def test() -> None:
        one, wire = session(), Wire()
        wire.free.set()
        one.connect(wire)
        await one.delivered()
        one.send(b"1")
        assert wire.got == [b"1"]  # without a task
        wire.free.clear()
        one.send(b"2")
        wire.free.set()
        one.send(b"3")  # the client would take it, and 2 still waits
        assert wire.got == [b"1"]
        await one.delivered()
        assert wire.got == [b"1", b"2", b"3"]

    asyncio.run(test())


def test_a_client_that_is_too_slow_is_sent_away() -> None:
    async def test() -> None:
        one, wire = session(), Wire()
        one.connect(wire)
        for _ in range(MOST_WAITING + 2):
            one.send(b"more")
            await asyncio.sleep(0)
        assert one.closed_with == TOO_SLOW
        wire.free.set()
        await one.delivered()
        assert wire.ended == TOO_SLOW

    asyncio.run(test())


def test_a_client_that_is_gone_is_not_written_to() -> None:
    async def test() -> None:
        one, wire = session(), Wire()
        wire.is_gone = True
        wire.free.set()
        one.connect(wire)
        one.send(b"1")
        one.send(b"2")
        await one.delivered()
        assert one.closed_with is not None
        one.send(b"3")
        await one.delivered()
        assert (wire.got, wire.ended) == ([], None)

    asyncio.run(test())


def test_an_inbox_is_a_queue() -> None:
    async def test() -> None:
        inbox = Inbox()
        waiting = asyncio.create_task(inbox.get())
        await asyncio.sleep(0)
        for number in range(3):
            inbox.put_nowait(number)
        assert [await waiting, await inbox.get(), await inbox.get()] == [0, 1, 2]
        assert inbox.empty()
        given_up = asyncio.create_task(inbox.get())
        await asyncio.sleep(0)
        given_up.cancel()
        await asyncio.sleep(0)
        inbox.put_nowait(3)
        assert await inbox.get() == 3

    asyncio.run(test())


def test_what_is_sent_is_the_same_interpreted_and_compiled() -> None:
    for name in brelan.games():
        sent = []
        for mode in ("interpreted", "compiled"):
            plain = brelan.game(name)
            game = type(plain)(plain.folder, plain.knobs, mode)
            match, told = game.deal(seed=5), b""
            match.release()
            while match.turn is not None and match.ply < 30:
                legal = match.legal_numbers()
                for moved in match.advance(legal[match.ply % len(legal)]):
                    for reader in (None, *range(game.players)):
                        told += encode(readers.step(game, moved, reader))
                        told += encode(readers.choices(match, reader))
            sent.append(told)
        assert sent[0] == sent[1]


def test_bench_server_measures_a_server() -> None:
    few = ("--tables", "1,3", "--moves", "20", "--idle", "5", "--sockets", "12")
    command = [sys.executable, "-m", "brelan", "bench", "server", "love-letter", *few, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if not sys.platform.startswith("linux"):
        assert done.returncode == 2
        return
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)
    (game,) = figures["games"]
    assert [load["tables"] for load in game["loads"]] == [1, 3]
    phases = figures["crowd"]["phases"]
    beside = ["nothing", "bots", "bots and analyses", "analyses"]
    assert [phase["beside"] for phase in phases] == beside
    for load in (*game["loads"], *phases):
        assert (load["moves"], load["refused"]) == (20, {})
        assert load["moves_per_cpu_second"] > 0
        assert 0 < load["p50"] <= load["p99"]
    assert game["kilobytes"]["at_rest"] > 10_000
    assert figures["crowd"]["sockets"] == 10
