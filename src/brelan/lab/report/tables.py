"""Tables and lists of a report: figures in rows, one column for each level of play."""

from __future__ import annotations

from collections.abc import Sequence

from brelan.lab.charts.dots import key
from brelan.lab.charts.markup import Markup, element


def figure_table(
    title: str, rows: Sequence[tuple[str, str, Sequence[str]]], series: Sequence[str]
) -> Markup:
    """Return a table of figures; a row is its name, a note, and what is printed for each series.

    What is printed may be divided by a bar: the figure, then its interval.
    """
    heads = element(
        "tr",
        element("td", ""),
        *(
            element("th", key(name, n) if name else "", scope="col")
            for n, name in enumerate(series)
        ),
        class_="heads" if any(series) else "heads away",
    )
    return element(
        "table",
        element("caption", title, class_="unseen"),
        element("thead", heads),
        element("tbody", *(_row(*row) for row in rows)),
        class_="figures",
    )


def _row(name: str, note: str, printed: Sequence[str]) -> Markup:
    small = [element("small", note)] if note else []
    cells = (element("td", figure(each)) for each in printed)
    return element("tr", element("th", element("span", name), *small, scope="row"), *cells)


def figure(printed: str) -> Markup:
    """Return a figure and, smaller, its interval, which a bar divides."""
    main, _, rest = printed.partition("|")
    small = [" ", element("small", rest)] if rest else []
    return Markup("".join([element("b", main), *small]))


def part(anchor: str, title: str, caption: str, *inside: str, is_long: bool = False) -> Markup:
    """Return a part of the page under its heading; a long one may be cut where a sheet ends."""
    below = [element("p", caption, class_="cap")] if caption else []
    return element(
        "section",
        element("h2", title),
        *below,
        *inside,
        id=anchor,
        class_="long" if is_long else None,
    )
