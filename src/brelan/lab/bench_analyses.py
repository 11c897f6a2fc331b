"""Analyses that are asked for while the tables of a server are measured."""

from __future__ import annotations

import queue
import threading
from collections.abc import Sequence
from http.client import HTTPException

from brelan.lab.bench_client import House, Table

ASKERS = 4  # people who look at an analysis at the same time


class Analyses:
    """People who have matches analysed, one after the other, as long as the context lasts."""

    def __init__(self, port: int, tables: Sequence[Table]) -> None:
        self.decisions = 0  # that were analysed so far
        self._port, self._is_over = port, False
        self._wanted: queue.SimpleQueue[tuple[str, int]] = queue.SimpleQueue()
        for table in tables:
            for seat in range(len(table.keys)):
                self._wanted.put((table.id, seat))
        self._askers = [threading.Thread(target=self._ask, daemon=True) for _ in range(ASKERS)]

    def __enter__(self) -> Analyses:
        for asker in self._askers:
            asker.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over = True  # who waits for an answer leaves with it; nobody waits for them

    def warm_up(self) -> None:
        """Let the server make one whole analysis: then it has all that it needs for others."""
        self._analyse(House(self._port), *self._wanted.get_nowait())
        self.decisions = 0

    def _ask(self) -> None:
        house = House(self._port)
        while not self._is_over:
            try:
                self._analyse(house, *self._wanted.get_nowait())
            except queue.Empty:
                break
            except (OSError, RuntimeError, HTTPException):  # the server stops
                if not self._is_over:
                    raise
        house.close()

    def _analyse(self, house: House, table: str, seat: int) -> None:
        count, state = 0, ""
        while state != "done" and not self._is_over:
            path = f"/api/tables/{table}/analysis?seat={seat}&from={count}"
            found = house.ask("GET", path)
            state, new = found["state"], len(found["decisions"])
            count += new
            self.decisions += new
