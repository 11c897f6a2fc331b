"""A scatter: things by two figures at once, each with its number and its intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from brelan.lab.charts.lines import HEIGHT, LEFT, rule, up_to
from brelan.lab.charts.markup import Markup, element
from brelan.lab.charts.scale import Scale

RADIUS = 10
Span = tuple[float, float, float]  # a value and the bounds of its interval


@dataclass(frozen=True)
class Spot:
    """A thing: what is printed on its mark, and where it stands; a hollow mark stands apart."""

    label: str
    x: Span
    y: Span
    is_hollow: bool = False


def scatter(
    title: str,
    spots: Sequence[Spot],
    *,
    printed_x: Callable[[float], str],
    printed_y: Callable[[float], str],
) -> Markup:
    """Return a scatter; the title is the text alternative, and a table has the figures."""
    across = Scale.around([bound for spot in spots for bound in spot.x], least=1e-6)
    up = Scale.around([bound for spot in spots for bound in spot.y], least=1e-6)
    rules = [rule(up, tick, printed_y(tick)) for tick in up.ticks()]
    numbers = [
        element("text", printed_x(tick), x=across.at(tick), y=HEIGHT + 18, text_anchor="middle")
        for tick in across.ticks()
    ]
    reaches = [line for spot in spots for line in _reaches(spot, across, up)]
    marks = [_mark(spot, across, up) for spot in spots]
    inside = [*rules, *reaches, *marks, *numbers]
    inner = element("svg", *inside, overflow="visible", class_="inner")
    return element(
        "svg",
        element("title", title),
        inner,
        width="100%",
        height=HEIGHT + 34,
        role="img",
        aria_label=title,
        class_="lines scatter",
        style=f"padding:12px 24px 0 {LEFT + 12}px",
    )


def _reaches(spot: Spot, across: Scale, up: Scale) -> list[Markup]:
    x, y = across.at(spot.x[0]), up_to(up, spot.y[0])
    level = {"x1": across.at(spot.x[1]), "x2": across.at(spot.x[2]), "y1": y, "y2": y}
    steep = {"x1": x, "x2": x, "y1": up_to(up, spot.y[1]), "y2": up_to(up, spot.y[2])}
    return [element("line", **ends, class_="reach thin") for ends in (level, steep)]


def _mark(spot: Spot, across: Scale, up: Scale) -> Markup:
    x, y = across.at(spot.x[0]), up_to(up, spot.y[0])
    disc = element("circle", cx=x, cy=y, r=RADIUS, class_=f"mark s{int(spot.is_hollow)}")
    below = y + 4.5
    text = element(
        "text", spot.label, x=x, y=below, text_anchor="middle",
        class_="on" if not spot.is_hollow else None,
    )  # fmt: skip
    return element("g", disc, text)
