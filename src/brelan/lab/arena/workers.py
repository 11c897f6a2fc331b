"""The workers of an arena: processes that play its matches."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from multiprocessing import parent_process
from multiprocessing.util import Finalize
from typing import NamedTuple

import numpy as np

from brelan import bots as house
from brelan.engine.driver import luck_of_deal
from brelan.engine.folder import open_folder
from brelan.engine.game import Game
from brelan.engine.match_driver import Driver, blank_results, luck_of_seed
from brelan.knobs import Value
from brelan.lab.arena.matches import MatchRecord, Table
from brelan.lab.arena.standings import Pairing

PATIENCE = 2.0  # seconds to end programs when the arena was killed


class Job(NamedTuple):
    """Deals that a pairing plays, each from all seats."""

    pairing: int
    deals: tuple[int, ...]


class Order(NamedTuple):
    """What a worker must know of the arena."""

    game: str
    knobs: dict[str, Value]
    bots: list[str]
    pairings: list[Pairing]
    seed: int
    move_time: float
    is_quick: bool  # whether all bots are rules: then machine code plays the whole match


class Worker:
    """One process of the arena."""

    def __init__(self, order: Order) -> None:
        self.order = order
        folder = open_folder(order.game)
        self.game = Game(folder, folder.knobs.settle(order.knobs))
        self._tables: dict[int, Table] = {}

    def work(self, job: Job) -> list[MatchRecord]:
        """Play a job: in machine code if all bots are rules, so that all meet on the same deals."""
        names = [self.order.bots[bot] for bot in self.order.pairings[job.pairing]]
        if self.order.is_quick:
            return list(self._drive(job, names))
        table = self._tables.setdefault(
            job.pairing, Table(self.game, names, self.order.seed, self.order.move_time)
        )
        return [
            table.play(job.pairing, deal, luck_of_match(self.game, self.order.seed, deal), seat)
            for deal in job.deals
            for seat in range(self.game.players)
        ]

    def close(self) -> None:
        """End the programs that play here."""
        for table in list(self._tables.values()):
            table.close()

    def _drive(self, job: Job, names: list[str]) -> Iterator[MatchRecord]:
        """Play in machine code: seat by seat the one bot among others, who are all alike."""
        players = self.game.players
        numbers = [house.names(self.game).index(name) for name in names]
        results = blank_results(self.game, len(job.deals) * players)
        results["deal"] = np.repeat(job.deals, players)
        results["rotation"] = np.tile(np.arange(players), len(job.deals))
        lucks = [luck_of_match(self.game, self.order.seed, deal) for deal in job.deals]
        results["luck"] = np.repeat(np.array(lucks, np.uint64), players)
        results["seating"] = results["rotation"][:, None] != np.arange(players)
        begun = time.perf_counter()
        Driver(self.game, numbers).play(results)
        seconds = (time.perf_counter() - begun) / results["decisions"].sum()
        for row in results:
            seat, count = int(row["rotation"]), int(row["decisions"])
            won = np.flatnonzero(row["winners"]).tolist()
            yield MatchRecord(
                job.pairing, int(row["deal"]), seat, float(row["won"][seat]),
                row["scores"].tolist(), won, [count, count], [seconds * count] * 2,
            )  # fmt: skip


def luck_of_match(game: Game, seed: int, deal: int) -> int:
    """Return the luck of a deal: the same as in `simulate`."""
    luck = game.folder.library("interpreted")(luck_of_deal)
    return int(luck(luck_of_seed(seed), deal))


_worker: Worker


def begin(order: Order) -> None:
    """Set a process up."""
    global _worker
    _worker = Worker(order)
    Finalize(_worker, _worker.close, exitpriority=1)  # no program outlives the arena
    threading.Thread(target=_leave_with_the_arena, daemon=True).start()


def _leave_with_the_arena() -> None:
    """End this process when the arena was killed: nobody asks for what is played here any more."""
    arena = parent_process()
    assert arena is not None
    arena.join()
    closing = threading.Thread(target=_worker.close, daemon=True)  # while bots play, it may fail
    closing.start()
    closing.join(PATIENCE)
    os._exit(1)


def work(job: Job) -> list[MatchRecord]:
    """Play a job in this process."""
    return _worker.work(job)
