"""The workers of an arena: each is a process, with tables of its own."""

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
from brelan.engine.folder import open_folder
from brelan.engine.game import Game
from brelan.engine.match_driver import Driver
from brelan.knobs import Value
from brelan.lab.arena.matches import MatchRecord, Table
from brelan.lab.arena.standings import Pairing
from brelan.rules import MAX_SEATS, payoffs

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
    is_quick: bool  # whether all bots are rules: then machine code plays, and deals otherwise


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
            table.play(job.pairing, deal, luck_of(self.order.seed, deal), seat)
            for deal in job.deals
            for seat in range(self.game.players)
        ]

    def close(self) -> None:
        """End the programs that play here."""
        for table in list(self._tables.values()):
            table.close()

    def _drive(self, job: Job, names: list[str]) -> Iterator[MatchRecord]:
        players = self.game.players
        numbers = [house.names(self.game).index(name) for name in names]
        plan = [(deal, seat) for deal in job.deals for seat in range(players)]
        seatings = np.full((len(plan), MAX_SEATS), numbers[1])
        seatings[np.arange(len(plan)), [seat for _, seat in plan]] = numbers[0]
        lucks = np.array([luck_of(self.order.seed, deal) for deal, _ in plan], np.uint64)
        begun = time.perf_counter()
        scores, winners, _, decisions = Driver(self.game).play(lucks, seatings)
        seconds = (time.perf_counter() - begun) / decisions.sum()
        shares = payoffs(winners)
        for match, (deal, seat) in enumerate(plan):
            won = [int(winner) for winner in np.flatnonzero(winners[match])]
            count = int(decisions[match])
            yield MatchRecord(
                job.pairing, deal, seat, float(shares[match, seat]), scores[match].tolist(), won,
                [count, count], [seconds * count] * 2,
            )  # fmt: skip


def luck_of(seed: int, deal: int) -> int:
    """Return the luck of a deal, however many there are."""
    return int(np.random.SeedSequence((seed, deal)).generate_state(1, np.uint64)[0])


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
