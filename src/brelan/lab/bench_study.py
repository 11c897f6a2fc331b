"""How soon moves at tables are answered while a study of the lab runs, and while none does.

Both are measured in one run, in turn, at the same server: the study is begun, watched every second
as its page does, and stopped.
"""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from brelan.compiler.warmup import Progress
from brelan.engine.game import Game
from brelan.errors import Refused
from brelan.lab.bench_client import House, Player, Tally, leave, play, sit_down
from brelan.lab.bench_server import PACE, Server, serving

TABLES = 100  # at which people play
GRACE = 2.0  # times as long as the moves should take
SOON = 60.0  # seconds in which a study begins to play, or has ended
WITHOUT, BESIDE = "no study", "a study"


@dataclass(frozen=True)
class Waits:
    """What people felt: seconds until a move was answered."""

    what: str
    waits: list[float]
    seconds: float  # in all
    cpu: float  # seconds of the server's processor, without the process of the study
    matches: int  # that the study has played

    def wait(self, percent: float) -> float:
        """Return within how many seconds so many of the moves were answered."""
        return float(np.percentile(self.waits, percent))

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as plain data."""
        return {
            "beside": self.what, "moves": len(self.waits), "seconds": self.seconds,
            "cpu": self.cpu, "p50": self.wait(50), "p99": self.wait(99), "matches": self.matches,
        }  # fmt: skip


class Study:
    """A guest who has a study run, and looks at it every second."""

    def __init__(self, port: int, game: Game, level: str | None) -> None:
        self._port, self._cookie, self._is_over = port, "", threading.Event()
        wanted = {"game": game.id, "knobs": {"players": game.players}, "level": level}
        self._path = f"/api/lab/studies/{self._ask('POST', '/api/lab/studies', wanted)['study']}"
        while not self.matches:
            if self._told["status"] != "running" or self._told["look"]["seconds"] > SOON:
                raise Refused("the study did not begin to play; the lab needs brelan[lab]")
            time.sleep(0.2)
        self._watcher = threading.Thread(target=self._watch, daemon=True)
        self._watcher.start()

    @property
    def matches(self) -> int:
        """How many matches it has played."""
        self._told = self._ask("GET", self._path)
        found: int = self._told["look"]["matches"]
        return found

    def stop(self) -> int:
        """Let it end; return how many matches it has played, and that it ran until now."""
        self._is_over.set()
        self._watcher.join()
        is_running = self._ask("GET", self._path)["status"] == "running"
        self._ask("POST", f"{self._path}/stop", {})
        until = time.monotonic() + SOON
        while self.matches and self._told["status"] == "running" and time.monotonic() < until:
            time.sleep(0.2)
        if not is_running:
            raise Refused("the study was over before the moves were made; make fewer with --moves")
        return self.matches

    def _watch(self) -> None:
        while not self._is_over.wait(1.0):
            self._ask("GET", self._path)
            self._ask("GET", f"{self._path}/told/en")

    def _ask(self, method: str, path: str, content: Any = None) -> Any:
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self._port)) as connection:
            body = None if content is None else json.dumps(content)
            connection.request(method, path, body, {"Cookie": self._cookie})
            answer = connection.getresponse()
            found = json.loads(answer.read())
        if answer.status >= 400:
            raise Refused(f"{method} {path}: {answer.status} {found}")
        given = answer.getheader("Set-Cookie")
        self._cookie = given.partition(";")[0] if given else self._cookie
        return found


def measure(
    game: Game, level: str | None, moves: int, repeats: int, database: str | None,
    progress: Progress,
) -> list[Waits]:  # fmt: skip
    """Measure so many moves without and with a study, several times in turn; return both."""
    with serving(database) as server:
        house = server.ready()
        found = list(_rounds(server, house, game, level, moves, repeats, progress))
        house.close()
    return [_joined([each for each in found if each.what == what]) for what in (WITHOUT, BESIDE)]


def _rounds(
    server: Server, house: House, game: Game, level: str | None, moves: int, repeats: int,
    progress: Progress,
) -> Iterator[Waits]:  # fmt: skip
    for number in range(2 * repeats):
        study = Study(server.port, game, level) if number % 2 else None
        tally, begun, at = Tally(moves, PACE), server.cpu(), time.perf_counter()
        asyncio.run(_play(server.port, house, game, tally))
        spent, seconds = server.cpu() - begun, time.perf_counter() - at
        matches = study.stop() if study is not None else 0
        yield Waits(BESIDE if study else WITHOUT, tally.waits, seconds, spent, matches)
        progress(number + 1, 2 * repeats)


async def _play(port: int, house: House, game: Game, tally: Tally) -> None:
    """Let people play at tables until the moves are made; tables that are over are replaced."""
    until = time.perf_counter() + GRACE * tally.left / PACE + 5
    while not tally.is_done and time.perf_counter() < until:
        seats = [None] * game.players
        players: list[Player] = await sit_down(
            port, [house.open(game.id, seats) for _ in range(TABLES)]
        )
        await play(players, tally, until - time.perf_counter())
        await leave(players)


def _joined(rounds: list[Waits]) -> Waits:
    return Waits(
        rounds[0].what,
        [wait for each in rounds for wait in each.waits],
        sum(each.seconds for each in rounds),
        sum(each.cpu for each in rounds),
        sum(each.matches for each in rounds),
    )
