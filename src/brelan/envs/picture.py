"""Pictures of a table, as arrays of pixels: what the terminal shows, drawn letter by letter."""

from __future__ import annotations

import functools
import io
from pathlib import Path

import numpy as np
import numpy.typing as npt
from rich.console import Group, RenderableType
from rich.segment import Segment
from rich.style import Style
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from brelan.engine.view import View
from brelan.envs.text import COLUMNS, draw, new_screen, story
from brelan.terminal.screen import Room, Screen, tie, unglue

Picture = npt.NDArray[np.uint8]

ROWS = 30
INK, PAPER = (232, 226, 211), (24, 26, 30)
THEME = TerminalTheme(
    PAPER, INK,
    [(60, 62, 68), (224, 108, 97), (135, 179, 106), (214, 168, 84),
     (102, 153, 214), (186, 126, 201), (92, 178, 176), INK],
    [(110, 112, 118), (242, 139, 130), (165, 209, 136), (244, 204, 120),
     (140, 185, 240), (214, 160, 228), (130, 212, 208), (255, 255, 255)],
)  # fmt: skip


def picture(view: View, lang: str = "en") -> Picture:
    """Return what a seat sees as rows of pixels, each red, green and blue; always of one size."""
    screen = new_screen(view.game, lang, io.StringIO(), colours=True)
    options = screen.console.options.update(width=COLUMNS - 4)
    drawn = _with_news(view, screen)
    lines = screen.console.render_lines(drawn, options, pad=False)[: ROWS - 2]
    glyphs = _glyphs()
    height, width = glyphs[" "].shape
    pixels = np.empty((ROWS, height, COLUMNS, width, 3), np.float32)
    pixels[:] = PAPER
    for row, line in enumerate(lines, 1):
        column = 2
        for text, style, _ in Segment.filter_control(line):
            ink, paper = _colours(style)
            for letter in unglue(text)[: COLUMNS - column]:
                shade = glyphs.get(letter, glyphs["?"])[..., None] / np.float32(255)
                pixels[row, :, column] = shade * ink + (1 - shade) * paper
                column += 1
    return pixels.reshape(ROWS * height, COLUMNS * width, 3).astype(np.uint8)


def _with_news(view: View, screen: Screen) -> RenderableType:
    """Return the table, as roomy as it fits, and below it the latest news that still fit."""
    for screen.room in sorted(Room, reverse=True):
        table: RenderableType = draw(view, screen)
        left = ROWS - 3 - screen.height(table)
        if left >= 0:
            break
    news: list[Text] = []
    for told in reversed(list(story(view, screen.texts.lang, max(0, len(view.history) - ROWS)))):
        line = Text(tie(told), "dim")
        left -= screen.height(line)
        if left < 0:
            break
        news.insert(0, line)
    return Group(table, Text(), *news)


def _colours(style: Style | None) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Return the colours of letters and of what is behind them."""
    style = style or Style.null()
    ink = INK if style.color is None else style.color.get_truecolor(THEME)
    paper = PAPER
    if style.bgcolor is not None:
        paper = style.bgcolor.get_truecolor(THEME, foreground=False)
    if style.reverse:
        ink, paper = paper, ink
    letters, behind = np.array(ink, np.float32), np.array(paper, np.float32)
    if style.dim:
        letters = 0.55 * letters + 0.45 * behind
    if style.bold:
        letters = np.minimum(255, 1.1 * letters)
    return letters, behind


@functools.cache
def _glyphs() -> dict[str, Picture]:
    """Return how dark each pixel of each letter is; `tools/glyphs.py` drew them."""
    with np.load(Path(__file__).with_name("glyphs.npz")) as drawn:
        letters = zip(drawn["codes"].tolist(), drawn["pixels"], strict=True)
        return {chr(code): pixels for code, pixels in letters} | {
            "\u00a0": drawn["pixels"][0], "\u202f": drawn["pixels"][0]
        }  # fmt: skip
