"""Progress lines: how far a long computation is, on standard error of a terminal."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from brelan.bots import Bot
    from brelan.engine.game import Game

Report = Callable[[int, int], None]


@contextlib.contextmanager
def progress(title: str) -> Iterator[Report]:
    """Show a line with a bar while something goes on; call what you get with done and total."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
    )
    console = Console(stderr=True)
    with Progress(*columns, TimeRemainingColumn(), console=console, transient=True) as bar:
        task = bar.add_task(title, total=None)
        if not console.is_terminal:
            console.print(f"{title} …", highlight=False)

        def report(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        yield report


def ready(bot: Bot, title: str) -> None:
    """Compile a built-in bot if it is not compiled yet, and show how far that is."""
    from brelan.bots import RuleBot, SearchBot

    if isinstance(bot, SearchBot) or (isinstance(bot, RuleBot) and bot.mode == "compiled"):
        with progress(title) as report:
            bot.prepare(report)


def prepared(game: Game, mode: str = "compiled") -> None:
    """Compile a game's rules if they are not yet, and show how far that is."""
    with progress(f"Preparing {game.id}") as report:
        from brelan.engine.match_driver import Driver

        Driver(game, mode=mode).prepare(report)
