"""How much a server bears: moves per CPU-second, memory per match, and how soon it answers.

A real server runs as a process of its own on this machine, with a database; its limits are lifted
by its documented settings. Its CPU-seconds and its memory are the system's figures for the process.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from brelan.compiler.warmup import Progress
from brelan.engine.game import Game
from brelan.errors import Refused
from brelan.lab.bench_analyses import Analyses
from brelan.lab.bench_client import House, Table, Tally, leave, play, sit_down

GOALS = {"moves": 3400.0, "kilobytes": 40.0, "p99": 0.1}
LIFTED = {  # the server's limits, which are for people
    "BRELAN_MESSAGES_PER_SECOND": "1e9",
    "BRELAN_REQUESTS_PER_SECOND": "1e9",
    "BRELAN_TABLES_PER_HOUR": "1000000000",
    "BRELAN_ANALYSES_PER_HOUR": "1000000000",
    "BRELAN_SOCKETS_PER_GUEST": "1000000000",
    "BRELAN_LOG_LEVEL": "error",
}
READY = 300.0  # seconds within which a server has compiled all games and their bots
WARM_UP = 50  # tables at which a server does everything once
ROUND = 30.0  # seconds that the matches of one round may take
ROUNDS = 12  # of matches, at most, for one measurement
PACE = 200.0  # moves a second, of people, while many sockets are connected
SETTLE = 1.0  # seconds after which a server is at rest
BOT, BOT_TABLES = "expert", 20  # at which a person answers at once, while many are connected
ANALYSED = 20  # matches that are over, whose seats are analysed then


@dataclass(frozen=True)
class Load:
    """What was measured with a number of tables played at the same time."""

    tables: int
    moves: int
    cpu: float  # seconds of the server's processor
    seconds: float  # by the clock
    waits: list[float]  # from sending a move until it was answered: it is durable then
    refused: dict[str, int] = field(default_factory=dict)

    @property
    def rate(self) -> float:
        """Moves per CPU-second of the server."""
        return self.moves / self.cpu

    def wait(self, percent: float) -> float:
        """Return within how many seconds so many of the moves were answered."""
        return float(np.percentile(self.waits, percent))

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as plain data."""
        found = {name: value for name, value in asdict(self).items() if name != "waits"}
        return found | {
            "moves_per_cpu_second": self.rate, "p50": self.wait(50), "p99": self.wait(99),
        }  # fmt: skip


@dataclass(frozen=True)
class Memory:
    """Kilobytes of the server: for each match that is not played at, and at rest."""

    matches: int
    seats: int
    connected: float  # a match with all its seats connected
    unwatched: float  # a match in memory that nobody is connected to
    at_rest: float  # the whole process, before, with a few matches


@dataclass(frozen=True)
class Figures:
    """All that was measured of one game."""

    game: Game
    loads: list[Load]
    memory: Memory
    opened: float  # tables opened, with all their seats connected, per CPU-second

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as plain data."""
        return {
            "variant": self.game.variant,
            "seats": self.game.players,
            "loads": [load.as_dict() for load in self.loads],
            "kilobytes": asdict(self.memory),
            "tables_opened_per_cpu_second": self.opened,
        }


class Server:
    """A server of our own, as a process."""

    def __init__(self, database: str) -> None:
        self.port = _free_port()
        command = [sys.executable, "-m", "brelan", "serve", "--port", str(self.port)]
        self._process = subprocess.Popen(  # noqa: S603 - this very program
            [*command, "--database", database], env=os.environ | LIFTED, stdin=subprocess.DEVNULL
        )
        self._clock = ~self._process.pid << 3 | 2  # Linux: the CPU clock of another process

    def ready(self) -> House:
        """Wait until nothing is compiled any more; return the way to ask."""
        until = time.monotonic() + READY
        while time.monotonic() < until and self._process.poll() is None:
            with contextlib.suppress(OSError, RuntimeError):
                house = House(self.port)
                if all(game["prepared"] == 1 for game in house.ask("GET", "/api/games")):
                    return house
            time.sleep(0.2)
        raise Refused("the server did not get ready")

    def cpu(self) -> float:
        """Return the seconds that the processor has spent on it, all threads."""
        return time.clock_gettime(self._clock)

    def kilobytes(self) -> float:
        """Return the memory that it holds, when it is at rest."""
        time.sleep(SETTLE)
        for line in Path(f"/proc/{self._process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return float(line.split()[1])
        raise RuntimeError("the system does not say how much memory a process holds")

    def stop(self) -> None:
        """End it."""
        self._process.terminate()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


@contextlib.contextmanager
def serving(database: str | None) -> Iterator[Server]:
    """Run a server, with a new SQLite file unless a database is given."""
    if not sys.platform.startswith("linux"):
        raise Refused("`bench server` reads the figures of another process as Linux gives them")
    with tempfile.TemporaryDirectory() as folder:
        server = Server(database or f"sqlite:///{folder}/bench.db")
        try:
            yield server
        finally:
            server.stop()


def measure(
    games: Sequence[Game], tables: Sequence[int], moves: int, idle: int,
    database: str | None, progress: Progress,
) -> list[Figures]:  # fmt: skip
    """Measure games, each with a server of its own."""
    steps, done, found = len(games) * (len(tables) + 1), 0, []
    for game in games:
        with serving(database) as server:
            house = server.ready()
            memory, opened = asyncio.run(_memory(server, house, game, idle))
            progress(done := done + 1, steps)
            loads = []
            for count in tables:
                loads.append(asyncio.run(_load(server, house, game, count, moves)))
                progress(done := done + 1, steps)
            found.append(Figures(game, loads, memory, opened))
            house.close()
    return found


def _open(house: House, game: Game, count: int) -> list[Table]:
    return [house.open(game.id, [None] * game.players) for _ in range(count)]


async def _memory(server: Server, house: House, game: Game, count: int) -> tuple[Memory, float]:
    """Return what idle matches hold, and how many are opened per CPU-second.

    The server has done everything before; who played then stays, so that no memory is used again.
    """
    others = await sit_down(server.port, _open(house, game, WARM_UP))
    await play(others, Tally(20 * WARM_UP), ROUND)
    at_rest, begun = server.kilobytes(), server.cpu()
    tables = _open(house, game, count)
    for table in tables:
        house.ask("GET", f"/api/tables/{table.id}")
    spent = server.cpu() - begun
    unwatched = server.kilobytes() - at_rest
    begun = server.cpu()
    players = await sit_down(server.port, tables)
    spent += server.cpu() - begun
    connected = server.kilobytes() - at_rest
    await leave(players + others)
    memory = Memory(count, game.players, connected / count, unwatched / count, at_rest)
    return memory, count / spent


async def _load(server: Server, house: House, game: Game, tables: int, moves: int) -> Load:
    """Return what the moves at so many tables cost; new matches begin until enough are made."""
    tally, cpu, seconds = Tally(moves), 0.0, 0.0
    for _ in range(ROUNDS):
        players = await sit_down(server.port, _open(house, game, tables))
        await asyncio.sleep(0.1)
        begun, at = server.cpu(), time.perf_counter()
        await play(players, tally, ROUND)
        cpu, seconds = cpu + server.cpu() - begun, seconds + time.perf_counter() - at
        await leave(players)
        if tally.is_done:
            break
    return Load(tables, tally.moves, cpu, seconds, tally.waits, dict(tally.refused))


# ---------------------------------------------------------------- many sockets


@dataclass(frozen=True)
class Crowded:
    """What people felt while other things went on, and how much of these was done in a second."""

    beside: str
    load: Load
    bot_moves: float
    decisions: float  # that were analysed

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as plain data."""
        return {
            "beside": self.beside, "moves_of_bots_per_second": self.bot_moves,
            "decisions_analysed_per_second": self.decisions, **self.load.as_dict(),
        }  # fmt: skip


@dataclass(frozen=True)
class Crowd:
    """What was measured with many sockets connected, while bots think and matches are analysed."""

    game: Game
    sockets: int  # of people at tables without bots
    bot_tables: int
    kilobytes: float  # of the whole server
    phases: list[Crowded]

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as plain data."""
        return {
            "variant": self.game.variant, "sockets": self.sockets, "bot": BOT,
            "tables_with_bots": self.bot_tables, "kilobytes": self.kilobytes,
            "phases": [each.as_dict() for each in self.phases],
        }  # fmt: skip


def measure_crowd(
    game: Game, sockets: int, moves: int, database: str | None, progress: Progress
) -> Crowd:
    """Measure how soon people are answered, with many sockets connected and bots at some tables."""
    with serving(database) as server:
        house = server.ready()
        found = asyncio.run(_crowd(server, house, game, sockets, moves, progress))
        house.close()
        return found


def _events(house: House) -> int:
    """Return how many moves the server has stored."""
    for line in house.read("/metrics").splitlines():
        name, _, value = line.partition(" ")
        if name == 'brelan_events_total{kind="move"}':
            return int(float(value))
    return 0


async def _crowd(
    server: Server, house: House, game: Game, sockets: int, moves: int, progress: Progress
) -> Crowd:
    beside = min(BOT_TABLES, max(1, sockets // 10))
    bots = [None] + [BOT] * (game.players - 1)
    over = await _played(server, house, game)
    tables = _open(house, game, max(1, (sockets - beside) // game.players))
    progress(1, 6)
    people = await sit_down(server.port, tables)
    await play(people, Tally(moves // 10, PACE), moves / PACE)
    analyses, phases = Analyses(server.port, over), list[Crowded]()
    analyses.warm_up()
    progress(2, 6)
    kilobytes = server.kilobytes()

    async def measure_beside(what: str, tables_with_bots: int) -> None:
        with_bots = [house.open(game.id, bots) for _ in range(tables_with_bots)]
        challengers, against_bots = await sit_down(server.port, with_bots), Tally(10**9)
        answering = asyncio.create_task(play(challengers, against_bots, 10 * moves / PACE + 60))
        before, decisions = _events(house) - against_bots.moves, analyses.decisions
        tally, begun, at = Tally(moves, PACE), server.cpu(), time.perf_counter()
        await play(people, tally, 2 * moves / PACE + 5)
        while not tally.is_done:  # the matches are over
            await leave(people)
            people[:] = await sit_down(server.port, _open(house, game, len(tables)))
            await play(people, tally, 2 * moves / PACE + 5)
        seconds, cpu = time.perf_counter() - at, server.cpu() - begun
        made = _events(house) - against_bots.moves - before - tally.moves
        analysed = (analyses.decisions - decisions) / seconds
        answering.cancel()
        await asyncio.gather(answering, return_exceptions=True)
        await leave(challengers)
        load = Load(len(tables), tally.moves, cpu, seconds, tally.waits, dict(tally.refused))
        phases.append(Crowded(what, load, made / seconds, analysed))
        progress(2 + len(phases), 6)

    await measure_beside("nothing", 0)
    await measure_beside("bots", beside)
    with analyses:
        await measure_beside("bots and analyses", beside)
        await measure_beside("analyses", 0)
    await leave(people)
    return Crowd(game, len(people), beside, kilobytes, phases)


async def _played(server: Server, house: House, game: Game) -> list[Table]:
    """Return tables whose matches are over."""
    tables = _open(house, game, ANALYSED)
    players = await sit_down(server.port, tables)
    await play(players, Tally(10**9), ROUND)
    await leave(players)
    return tables
