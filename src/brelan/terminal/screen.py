"""The screen: it prints texts, tables and panels in one language, and keeps no-break spaces.

rich breaks a line at any white space. So texts are *glued* before they are laid out (their
no-break spaces become letters that stand for them), and unglued as they are printed.
"""

from __future__ import annotations

import contextlib
import enum
import os
import re
from collections.abc import Mapping
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.segment import Segment
from rich.text import Text

from brelan.i18n import Texts

WIDEST = 100  # columns; a longer line is hard to read
_GLUE = str.maketrans({"\u00a0": "\ue000", "\u202f": "\ue001"})
_UNGLUE = str.maketrans({"\ue000": "\u00a0", "\ue001": "\u202f"})


def lang_of_environment() -> str:
    """Return the language that the environment asks for: French, or else English."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if wanted := os.environ.get(name):
            return "fr" if wanted.startswith("fr") else "en"
    return "en"


def glue(text: str) -> str:
    """Return a text that is not broken at its no-break spaces."""
    return text.translate(_GLUE)


def tie(sentence: str) -> str:
    """Glue a sentence, also where French puts a space before punctuation and a plain one stands."""
    return glue(re.sub(" (?=[:;!?»])", "\u00a0", sentence))


def unglue(text: str) -> str:
    """Return a text with its no-break spaces back."""
    return text.translate(_UNGLUE)


class Room(enum.IntEnum):
    """How much of the screen's height a face may use."""

    TIGHT = 0  # as little as it can
    SNUG = 1  # frames, but no blank lines
    ROOMY = 2


class Screen:
    """A console to write on, and the texts to write with."""

    def __init__(self, texts: Texts, console: Console | None = None) -> None:
        self.texts = texts
        self.console = console or Console(highlight=False)
        self.room = Room.ROOMY

    @property
    def width(self) -> int:
        """How many columns a line may take."""
        return min(self.console.width, WIDEST)

    def say(self, key: str, args: Mapping[str, Any] | None = None) -> str:
        """Return a text with its facts filled in, ready to be laid out."""
        return tie(self.texts(key, args))

    def print(self, *parts: RenderableType) -> None:
        """Print texts, tables and panels below each other."""
        for part in parts:
            self.console.print(_Unglued(part), width=self.width)

    def page(self, part: RenderableType) -> None:
        """Print something, page by page if it is longer than the screen."""
        is_long = self.console.is_terminal and self.height(part) >= self.console.height
        os.environ.setdefault("LESS", "-R")  # so that less shows colours
        with self.console.pager(styles=True) if is_long else contextlib.nullcontext():
            self.print(part)

    def tell(self, key: str, args: Mapping[str, Any] | None = None, style: str = "") -> None:
        """Print one text."""
        self.print(Text(self.say(key, args), style))

    def height(self, part: RenderableType) -> int:
        """Return how many lines something takes."""
        return len(self.console.render_lines(part, self.console.options.update(width=self.width)))


class _Unglued:
    """What is laid out with glued texts, as it is printed."""

    def __init__(self, part: RenderableType) -> None:
        self.part = part

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for text, style, control in console.render(self.part, options):
            yield Segment(unglue(text), style, control)

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement.get(console, options, self.part)
