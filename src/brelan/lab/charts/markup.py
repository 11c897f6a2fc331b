"""Elements of SVG and HTML, with their letters escaped."""

from __future__ import annotations

import html
from collections.abc import Iterable


class Markup(str):
    """Text that is markup already."""

    __slots__ = ()


def element(tag: str, *inside: str, **attributes: object) -> Markup:
    """Return an element; what is inside is escaped unless it is markup, None is left out.

    `class_` stands for `class`, and `_` in a name for `-`.

    >>> element("text", "a < b", x="5%", class_="tick")
    '<text x="5%" class="tick">a &lt; b</text>'
    """
    named = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{html.escape(_written(value))}"'
        for name, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{tag}{named}>{joined(inside)}</{tag}>")


def joined(parts: Iterable[str]) -> Markup:
    """Return several parts in one, each escaped unless it is markup."""
    return Markup("".join(p if isinstance(p, Markup) else html.escape(p, False) for p in parts))


def _written(value: object) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
