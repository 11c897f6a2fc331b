"""Numbers as a reader of French or English writes them, with as many digits as are known."""

from __future__ import annotations

import math
from collections.abc import Callable

from brelan.lab.study.figures import Figure

NARROW = "\u202f"  # a narrow space that does not break
MINUS = "\u2212"
UNKNOWN = "–"


class Numbers:
    """Writes numbers of one language."""

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self.percent = "\u00a0%" if lang == "fr" else f"{NARROW}%"

    def plain(self, value: float, digits: int = 0, *, signed: bool = False) -> str:
        """Write a number with some digits behind the point.

        >>> Numbers("fr").plain(1234.56, 1)
        '1\\u202f234,6'
        >>> Numbers("en").plain(-0.5, 1)
        '−0.5'
        """
        if math.isnan(value):
            return UNKNOWN
        text = f"{value:{'+' if signed else ''},.{digits}f}"
        if not text.strip("+-0.,"):
            text = text.lstrip("+-")  # nothing is neither above nor below
        text = text.replace("-", MINUS)
        if self.lang == "fr":
            return text.replace(",", NARROW).replace(".", ",")
        return text

    def share(self, value: float, digits: int | None = None) -> str:
        """Write a share in per cent.

        >>> Numbers("fr").share(0.531)
        '53,1\\xa0%'
        """
        if math.isnan(value):
            return UNKNOWN
        return self.plain(100 * value, 1 if digits is None else digits) + self.percent

    def points(self, value: float, digits: int = 1) -> str:
        """Write a difference of shares in points of percentage, with its sign."""
        return self.plain(100 * value, digits, signed=True)

    def figure(self, figure: Figure) -> str:
        """Write a mean with its interval, divided by a bar: the main thing, what is smaller."""
        digits = digits_for(figure.margin, figure.mean)
        return self._with_range(figure, lambda value: self.plain(value, digits))

    def share_figure(self, figure: Figure) -> str:
        """Write a share with its interval, divided by a bar."""
        digits = digits_for(100 * figure.margin, 100 * figure.mean)
        main = self.share(figure.mean, digits)
        return self._ranged(main, figure, lambda value: self.plain(100 * value, digits))

    def points_figure(self, figure: Figure) -> str:
        """Write a difference of shares with its interval, divided by a bar."""
        digits = digits_for(100 * figure.margin, 100 * figure.mean)
        return self._with_range(figure, lambda value: self.points(value, digits))

    def margin(self, figure: Figure) -> str:
        """Write how far the interval of a share reaches, as it follows a ±."""
        margin = 100 * figure.margin
        return self.plain(margin, digits_for(margin, margin))

    def range(self, low: float, high: float, written: Callable[[float], str]) -> str:
        """Write an interval; where a bound is negative the dash would be a puzzle."""
        first, last = written(low), written(high)
        if {"+", MINUS} & {first[0], last[0]}:
            return f"{first} {'à' if self.lang == 'fr' else 'to'} {last}"
        return f"{first}–{last}"

    def _with_range(self, figure: Figure, written: Callable[[float], str]) -> str:
        return self._ranged(written(figure.mean), figure, written)

    def _ranged(self, main: str, figure: Figure, written: Callable[[float], str]) -> str:
        if math.isnan(figure.low) or math.isnan(figure.mean):
            return main
        return f"{main}|{self.range(figure.low, figure.high, written)}"


def digits_for(margin: float, value: float) -> int:
    """Return how many digits behind the point are known, at most two, of large numbers fewer.

    The margin keeps one digit that counts; a 1 or a 2 is followed by another one.

    >>> digits_for(0.3, 53.1), digits_for(4.2, 61.0), digits_for(1.7, 61.0), digits_for(0.04, 3.1)
    (1, 0, 1, 2)
    """
    size = margin if math.isfinite(margin) and margin > 0 else abs(value) / 20
    if size <= 0 or math.isnan(size):
        return 1
    most = 2 if abs(value) < 10 else 1
    return min(most, max(0, math.ceil(-math.log10(size / 2.95))))
