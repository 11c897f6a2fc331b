"""Dot plots: figures in rows, each with its interval, beside a value that is wanted or fair."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from brelan.lab.charts.markup import Markup, element, joined
from brelan.lab.charts.scale import Scale

HEIGHT = 18  # of the lane of one series, in pixels
SIZE = 5  # of a mark


@dataclass(frozen=True)
class Dot:
    """A figure of one series, and how it is printed; nan: it is not known."""

    mean: float
    low: float
    high: float
    printed: str
    series: int = 0


@dataclass(frozen=True)
class Row:
    """The figures of one thing."""

    name: str
    dots: Sequence[Dot]
    note: str = ""
    fair: float | None = None  # a tick in this row


def dot_plot(
    title: str,
    rows: Sequence[Row],
    scale: Scale,
    printed: Callable[[float], str],
    *,
    series: Sequence[str] = ("",),
    band: tuple[float, float] | None = None,
    most: int = 5,
) -> Markup:
    """Return a table with a row for each thing: its name, its plot, its figures as text.

    The table is the chart's text alternative: what is drawn stands beside it in words. `printed`
    writes the values under the axis, of which there are at most `most`; `band` is a wanted range.
    """
    head = element(
        "tr",
        element("td", ""),
        element("td", "", class_="plot"),
        *(element("th", _named(name, number), scope="col") for number, name in enumerate(series)),
        class_="heads" if any(series) else "heads away",
    )
    body = [_row(row, scale, band, len(series)) for row in rows]
    axis = element(
        "tr",
        element("td", ""),
        element("td", _axis(scale.ticks(most), scale, printed), class_="plot"),
        *(element("td", "") for _ in series),
        class_="axis",
        aria_hidden="true",
    )
    return element(
        "table",
        element("caption", title, class_="unseen"),
        element("thead", head),
        element("tbody", *body, axis),
        class_=f"dots of{len(series)}",
    )


def mark(series: int, place: str, y: float) -> Markup:
    """Return the mark of a series: a full or hollow disc, a full or hollow lozenge."""
    inside = f"s{series % 4}"
    if series % 4 < 2:
        return element("circle", cx=place, cy=y, r=SIZE, class_=f"mark {inside}")
    shape = element("path", d=f"M0 {-SIZE - 1} {SIZE + 1} 0 0 {SIZE + 1} {-SIZE - 1} 0Z")
    return element("svg", shape, x=place, y=y, overflow="visible", class_=f"mark {inside}")


def key(name: str, series: int) -> Markup:
    """Return a series' name behind its mark, as a legend has it."""
    drawing = element("svg", mark(series, "7", 7), width=14, height=14, aria_hidden="true")
    return element("span", drawing, name, class_="key")


def _named(name: str, series: int) -> Markup:
    return key(name, series) if name else Markup("")


def _row(row: Row, scale: Scale, band: tuple[float, float] | None, count: int) -> Markup:
    height = max(28, HEIGHT * max(1, len(row.dots)) + 8)
    drawn = []
    if band is not None:
        left, right = scale.place(band[0]), scale.place(band[1])
        drawn.append(_box(left, right, height, "band"))
    if row.fair is not None:
        place = scale.at(row.fair)
        drawn.append(element("line", x1=place, x2=place, y1=4, y2=height - 4, class_="fair"))
    for lane, dot in enumerate(row.dots):
        y = height / 2 + HEIGHT * (lane - (len(row.dots) - 1) / 2)
        drawn += _drawn(dot, scale, y)
    plot = element("svg", *drawn, width="100%", height=height, aria_hidden="true")
    note = [element("small", row.note)] if row.note else []
    by_series = {dot.series: dot for dot in row.dots}
    figures = (
        _printed(by_series[number], number, count) if number in by_series else element("td", "–")
        for number in range(count)
    )
    return element(
        "tr",
        element("th", element("span", row.name), *note, scope="row"),
        element("td", plot, class_="plot"),
        *figures,
    )


def _printed(dot: Dot, number: int, count: int) -> Markup:
    """Return the figure in words; among several series its mark goes with it on a phone."""
    main, _, rest = dot.printed.partition("|")
    small = [" ", element("small", rest)] if rest else []
    sign = element("svg", mark(number, "6", 6), width=12, height=12, aria_hidden="true")
    return element("td", *([sign] if count > 1 else []), element("b", main), *small)


def _drawn(dot: Dot, scale: Scale, y: float) -> list[Markup]:
    if math.isnan(dot.mean):
        return []
    drawn = []
    if not math.isnan(dot.low):
        ends = {"x1": scale.at(dot.low), "x2": scale.at(dot.high), "y1": y, "y2": y}
        drawn.append(element("line", **ends, class_=f"reach s{dot.series % 4}"))
    return [*drawn, mark(dot.series, scale.at(dot.mean), y)]


def _box(left: float, right: float, height: float, class_: str) -> Markup:
    wide = f"{right - left:.2f}%"
    return element("rect", x=f"{left:.2f}%", width=wide, y=0, height=height, class_=class_)


def _axis(ticks: Sequence[float], scale: Scale, printed: Callable[[float], str]) -> Markup:
    texts = (
        element(
            "text", printed(tick), x=scale.at(tick), y=14, text_anchor=_anchor(scale.place(tick))
        )
        for tick in ticks
    )
    return element(
        "svg", joined(texts), width="100%", height=18, aria_hidden="true", class_="ticks"
    )


def _anchor(place: float) -> str:
    return "start" if place < 4 else "end" if place > 96 else "middle"
