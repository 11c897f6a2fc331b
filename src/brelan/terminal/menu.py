"""Choices: the legal moves as a player reads them, each with a number to type."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from brelan.engine.view import Move
from brelan.terminal.screen import Screen, tie

NUMBER = "bold cyan"
INDENT = 2


@dataclass(frozen=True)
class Choice:
    """A move, the number a player types for it, and its path from the general to the particular.

    The path of a Guard's guess may be: Play the Guard on, Seat 1, Spy. `order` says for each step
    where it goes among the others.
    """

    number: int
    move: Move
    path: tuple[str, ...]
    order: tuple[int, ...] = ()


def numbers(notations: Sequence[str]) -> list[int]:
    """Number moves from 1 on, so that no notation can be mistaken for another move's number.

    A notation that is a number of the list keeps it; who wanted that number gets one left over.

    >>> numbers(["4", "8"])
    [1, 2]
    >>> numbers(["2", "4"])
    [2, 1]
    >>> numbers(["1:0", "1:2", "1:3", "1:4", "3"])
    [1, 2, 5, 4, 3]
    """
    count = len(notations)
    numbered = {
        place: int(notation)
        for place, notation in enumerate(notations)
        if notation.isdecimal() and 1 <= int(notation) <= count
    }
    wordy = [place for place in range(count) if not notations[place].isdecimal()]
    for number, place in enumerate(wordy, 1):
        if number not in numbered.values():
            numbered[place] = number
    left = iter(sorted(set(range(1, count + 1)) - set(numbered.values())))
    return [numbered[place] if place in numbered else next(left) for place in range(count)]


def find(choices: Sequence[Choice], typed: str) -> Choice | None:
    """Return the choice that a player means by a notation or a number."""
    notation = " ".join(typed.split())
    for choice in choices:
        if choice.move.notation == notation:
            return choice
    alike = [each for each in choices if each.move.notation.lower() == notation.lower()]
    if len(alike) == 1:
        return alike[0]
    for choice in choices:
        if str(choice.number) == notation:
            return choice
    return None


def draw(choices: Sequence[Choice], screen: Screen) -> RenderableType:
    """Lay out the choices, those with the same beginning together."""
    groups: dict[str, list[Choice]] = {}
    for choice in sorted(choices, key=lambda choice: choice.number):
        groups.setdefault(choice.path[0], [])
    for choice in choices:
        groups[choice.path[0]].append(choice)
    lines = [_line(members, screen) for members in groups.values()]
    sizes = [len(members) for members in groups.values()]
    long = {size for size, line in zip(sizes, lines, strict=True) if line.cell_len > screen.width}
    parts = [
        _block(members, screen) if len(members) in long else line
        for members, line in zip(groups.values(), lines, strict=True)
    ]
    return Group(*parts)


def _line(members: list[Choice], screen: Screen) -> Text:
    """Put choices on one line: a single one as its label says it, others after their beginning."""
    if len(members) == 1:
        return _option(members[0], tie(members[0].move.label(screen.texts.lang)))
    return Text.assemble(_heading(members, screen), *_options(members))


def _block(members: list[Choice], screen: Screen) -> RenderableType:
    """Put choices below their beginning: in columns, or in a table if two questions cross."""
    if len(members) == 1:
        return _line(members, screen)
    is_crossed = _beginning(members) < len(members[0].path) - 1
    table = _matrix(members, screen) if is_crossed else _columns(_options(members), screen)
    return Group(_heading(members, screen), table)


def _beginning(members: list[Choice]) -> int:
    """Return how many steps of their paths choices have in common."""
    steps = zip(*(choice.path for choice in members), strict=False)
    return sum(1 for _ in itertools.takewhile(lambda step: len(set(step)) == 1, steps))


def _heading(members: list[Choice], screen: Screen) -> Text:
    words = " ".join(members[0].path[: _beginning(members)])
    return Text(" " * INDENT + screen.say("terminal.heading", {"words": words}))


def _options(members: list[Choice]) -> list[Text]:
    first = _beginning(members)
    return [_option(choice, " ".join(choice.path[first:])) for choice in members]


def _option(choice: Choice, label: str) -> Text:
    return Text.assemble((f"{choice.number:>{INDENT + 2}}", NUMBER), (") ", "dim"), label)


def _columns(options: list[Text], screen: Screen) -> Table:
    """Put options in columns of the same width, in as even rows as can be."""
    widest = max(option.cell_len for option in options)
    rows = -(-len(options) // max(1, screen.width // widest))
    columns = -(-len(options) // rows)
    grid = Table.grid()
    for _ in range(columns):
        grid.add_column(width=widest)
    for first in range(0, len(options), columns):
        grid.add_row(*options[first : first + columns])
    return grid


def _matrix(members: list[Choice], screen: Screen) -> Table:
    """Cross two questions in a table of numbers; the longer one goes down if it must."""
    table = _crossed(members, across_last=True)
    unbounded = screen.console.options.update(width=sys.maxsize)
    if Measurement.get(screen.console, unbounded, table).maximum > screen.width:
        table = _crossed(members, across_last=False)
    return table


def _crossed(members: list[Choice], across_last: bool) -> Table:
    """Cross the first question left open with all that follow."""
    first = _beginning(members)
    ends = {choice: (choice.path[first], " ".join(choice.path[first + 1 :])) for choice in members}
    down, across = (0, 1) if across_last else (1, 0)
    rows, titles = (_titles(ends, first, side) for side in (down, across))
    table = Table(box=None, padding=(0, 0, 0, 1), header_style="")
    table.add_column("", no_wrap=True)
    for title in titles:
        table.add_column(title, justify="right", no_wrap=True)
    for row in rows:
        cells = {end[across]: str(c.number) for c, end in ends.items() if end[down] == row}
        table.add_row(row, *(Text(cells.get(title, ""), NUMBER) for title in titles))
    return table


def _titles(ends: dict[Choice, tuple[str, str]], first: int, side: int) -> list[str]:
    """Return the titles of one side of a table, in the order of the steps they stand for."""
    sides = slice(first, first + 1) if side == 0 else slice(first + 1, None)
    ordered = sorted(ends, key=lambda choice: choice.order[sides])
    return list(dict.fromkeys(ends[choice][side] for choice in ordered))
