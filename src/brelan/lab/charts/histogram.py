"""Histograms: how often each range of values came, for one or a few series."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from brelan.lab.charts.markup import Markup, element

HEIGHT = 130


def histogram(
    title: str,
    edges: Sequence[float],
    counts: Sequence[int],
    printed: Callable[[float], str],
    *,
    highest: float | None = None,
    share: Callable[[float], str],
    series: int = 0,
) -> Markup:
    """Return a histogram; `edges` are one more than `counts`.

    Where edges lie between whole numbers, a bar is named by the first of its own.
    Its text alternative, in the title, says the range and where most of it lies. `highest` is the
    share of the highest bar, for histograms that stand side by side.
    """
    total = sum(counts) or 1
    shares = [count / total for count in counts]
    top = highest or max(shares, default=0.0) or 1.0
    wide = 100 / max(1, len(counts))
    is_whole = all(float(edge - 0.5).is_integer() for edge in edges)
    shift = 0.5 if is_whole else 0.0
    bars = [
        element(
            "rect",
            element(
                "title",
                f"{printed(edges[n] + shift)}–{printed(edges[n + 1] - shift)} · {share(part)}",
            ),
            x=f"{n * wide + wide * 0.06:.2f}%",
            width=f"{wide * 0.88:.2f}%",
            y=f"{HEIGHT * (1 - min(1.0, part / top)):.1f}",
            height=f"{HEIGHT * min(1.0, part / top):.1f}",
            class_=f"bar s{series % 4}",
        )
        for n, part in enumerate(shares)
        if part > 0
    ]
    base = element("line", x1="0", x2="100%", y1=HEIGHT, y2=HEIGHT, class_="base")
    step = max(1, -(-len(counts) // 6))
    numbers = [
        element(
            "text",
            printed(edges[n] + shift),
            x=f"{(n + shift) * wide:.2f}%",
            y=HEIGHT + 16,
            text_anchor="start" if n + shift == 0 else "middle",
        )
        for n in range(0, len(counts), step)
    ]
    return element(
        "svg",
        element("title", title),
        *bars,
        base,
        *numbers,
        width="100%",
        height=HEIGHT + 22,
        role="img",
        aria_label=title,
        class_="histogram",
    )
