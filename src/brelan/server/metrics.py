"""Figures for Prometheus, in its text format: docs/operate.md lists them."""

from __future__ import annotations

import bisect
import itertools
import os
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from brelan.server.house import House

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
STATM = Path("/proc/self/statm")  # memory, where the system tells it
STARTED = time.time()


class Histogram:
    """How often something took how long."""

    def __init__(self, limits: tuple[float, ...] = SECONDS) -> None:
        self.limits = limits
        self.counts = [0] * (len(limits) + 1)
        self.sum = 0.0

    def observe(self, value: float) -> None:
        """Count one more."""
        self.counts[bisect.bisect_left(self.limits, value)] += 1
        self.sum += value

    def lines(self, name: str) -> Iterator[str]:
        """Return its samples; each bucket counts all that are not longer."""
        names = [f"{limit:g}" for limit in self.limits] + ["+Inf"]
        for limit, count in zip(names, itertools.accumulate(self.counts), strict=True):
            yield f'{name}_bucket{{le="{limit}"}} {count}'
        yield f"{name}_sum {self.sum:.6f}"
        yield f"{name}_count {sum(self.counts)}"


class Figures:
    """What one process has counted since it started."""

    def __init__(self) -> None:
        self.events: Counter[str] = Counter()  # by kind
        self.errors: Counter[str] = Counter()  # by code
        self.stored = Histogram()  # from a command to its durable event
        self.thinking = Histogram()  # of one decision of a bot
        self.waiting = Histogram()  # in line, before it


def text(house: House) -> str:
    """Return the figures of one server process."""
    figures, thinkers = house.figures, house.thinkers
    compiled = sum(house.readiness.compiled.values())
    counted = {"requests": 0, "tables_opened": 0, **house.counted}
    plain = {
        "requests": "Requests over HTTP.",
        "tables_opened": "Tables opened, rematches among them.",
    }
    lines: list[str] = []
    gauges: list[tuple[str, str, float]] = [
        ("tables_loaded", "Tables in memory.", house.loaded),
        ("tables_timed", "Matches with clocks that this process watches.", house.upkeep.timed),
        ("sockets", "Sockets at tables.", house.sockets),
        ("decisions_waiting", "Decisions of bots that wait for a thread.", thinkers.queued),
        ("decisions_running", "Decisions of bots that are being thought about.", thinkers.busy),
        ("bots_kept", "Bots of the search that are kept in memory.", thinkers.kept),
        ("games_compiled", "Games whose rules run as machine code.", compiled),
    ]
    for name, what, value in gauges:
        lines += _family(f"brelan_{name}", "gauge", what, [f"brelan_{name} {value:g}"])
    for name, count in sorted(counted.items()):
        full = f"brelan_{name}_total"
        lines += _family(full, "counter", plain.get(name, name), [f"{full} {count}"])
    for full, what, label, counts in (
        ("brelan_events_total", "Events stored, by kind.", "kind", figures.events),
        ("brelan_errors_total", "Coded errors sent, by code.", "code", figures.errors),
    ):
        samples = [f'{full}{{{label}="{key}"}} {count}' for key, count in sorted(counts.items())]
        lines += _family(full, "counter", what, samples)
    for name, what, histogram in (
        ("brelan_stored_seconds", "From a command to its durable event.", figures.stored),
        ("brelan_thinking_seconds", "One decision of a bot.", figures.thinking),
        ("brelan_waiting_seconds", "In line before a decision of a bot.", figures.waiting),
    ):
        lines += _family(name, "histogram", what, histogram.lines(name))
    return "\n".join([*lines, *_process()]) + "\n"


def _family(name: str, kind: str, what: str, samples: Iterable[str]) -> list[str]:
    return [f"# HELP {name} {what}", f"# TYPE {name} {kind}", *samples]


def _process() -> list[str]:
    """Return what every Prometheus client tells of its process."""
    name, spent = "process_cpu_seconds_total", time.process_time()
    lines = _family(name, "counter", "CPU time of the process.", [f"{name} {spent:.2f}"])
    name = "process_start_time_seconds"
    lines += _family(name, "gauge", "When it started, since 1970.", [f"{name} {STARTED:.2f}"])
    if STATM.exists():
        name = "process_resident_memory_bytes"
        pages = int(STATM.read_text(encoding="ascii").split()[1])
        resident = pages * os.sysconf("SC_PAGE_SIZE")
        lines += _family(name, "gauge", "Memory of the process.", [f"{name} {resident}"])
    return lines
