"""Figures for Prometheus, in its text format."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from brelan.server.house import House

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"


def text(house: House) -> str:
    """Return the figures of one server process."""
    lines: list[str] = []
    gauges = {
        "tables_loaded": ("Tables in memory.", house.loaded),
        "sockets": ("Sockets at tables.", house.sockets),
        "decisions_waiting": ("Decisions of bots that wait for a thread.", house.thinkers.queued),
        "games_compiled": ("Games whose rules run as machine code.", sum(house.compiled.values())),
    }
    for name, (what, value) in gauges.items():
        lines += [f"# HELP brelan_{name} {what}", f"# TYPE brelan_{name} gauge"]
        lines.append(f"brelan_{name} {value}")
    counters = {"requests": 0, "tables_opened": 0, **house.counted}
    for name, count in sorted(counters.items()):
        lines += [f"# TYPE brelan_{name}_total counter", f"brelan_{name}_total {count}"]
    return "\n".join(lines) + "\n"
