"""Lines over time, each in the band of its intervals."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from brelan.lab.charts.dots import mark
from brelan.lab.charts.markup import Markup, element
from brelan.lab.charts.scale import Scale

HEIGHT = 200
LEFT = 44  # pixels for the values beside the axis


@dataclass(frozen=True)
class Line:
    """A series: its points from left to right, each with its interval."""

    name: str
    x: Sequence[float]
    mean: Sequence[float]
    low: Sequence[float]
    high: Sequence[float]
    series: int = 0


def line_chart(
    title: str,
    lines: Sequence[Line],
    across: Scale,
    up: Scale,
    *,
    printed_across: Callable[[float], str],
    printed_up: Callable[[float], str],
    fair: float | None = None,
) -> Markup:
    """Return lines over time; `fair` is a level that is drawn across.

    The title is the text alternative; give the points in a table beside it too.
    """
    rules = [rule(up, tick, printed_up(tick)) for tick in up.ticks()]
    if fair is not None:
        y = up_to(up, fair)
        rules.append(element("line", x1="0", x2="100%", y1=y, y2=y, class_="fair"))
    # A path knows no per cents: it is drawn in a hundred units that are stretched to the chart.
    stretched = element(
        "svg",
        *(_band(line, across, up) for line in lines),
        *(_path(line, across, up) for line in lines),
        viewBox=f"0 0 100 {HEIGHT}",
        preserveAspectRatio="none",
        width="100%",
        height=HEIGHT,
    )
    points = [
        mark(line.series, across.at(x), up_to(up, value))
        for line in lines
        for x, value in zip(line.x, line.mean, strict=True)
        if not math.isnan(value)
    ]
    numbers = [
        element("text", printed_across(tick), x=across.at(tick), y=HEIGHT + 18, text_anchor=anchor)
        for tick in across.ticks()
        for anchor in [
            "start" if tick == across.low else "end" if tick == across.high else "middle"
        ]
    ]
    inner = element("svg", *rules, stretched, *points, *numbers, overflow="visible", class_="inner")
    return element(
        "svg",
        element("title", title),
        inner,
        width="100%",
        height=HEIGHT + 26,
        role="img",
        aria_label=title,
        class_="lines",
        style=f"padding:8px 8px 0 {LEFT}px",
    )


def rule(up: Scale, tick: float, printed: str) -> Markup:
    """Return a line across at a value, which is printed on its left."""
    y = up_to(up, tick)
    line = element("line", x1="0", x2="100%", y1=y, y2=y, class_="grid")
    text = element("text", printed, x=-8, y=y + 4, text_anchor="end")
    return element("g", line, text)


def up_to(up: Scale, value: float) -> float:
    """Return where a value stands, in pixels from the top."""
    return HEIGHT * (1 - up.place(value) / 100)


def _known(line: Line) -> list[int]:
    return [number for number, value in enumerate(line.mean) if not math.isnan(value)]


def _path(line: Line, across: Scale, up: Scale) -> Markup:
    points = (f"{across.place(line.x[n]):.2f},{up_to(up, line.mean[n]):.1f}" for n in _known(line))
    return element("polyline", points=" ".join(points), class_=f"line s{line.series % 4}")


def _band(line: Line, across: Scale, up: Scale) -> Markup:
    known = [n for n in _known(line) if not math.isnan(line.low[n])]
    lower = [f"{across.place(line.x[n]):.2f},{up_to(up, line.low[n]):.1f}" for n in known]
    upper = [
        f"{across.place(line.x[n]):.2f},{up_to(up, line.high[n]):.1f}" for n in reversed(known)
    ]
    return element("polygon", points=" ".join(lower + upper), class_=f"around s{line.series % 4}")
