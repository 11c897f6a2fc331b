"""`brelan bench`: how fast the rules run, beside a plain Python engine, in one run."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from brelan.cli.variants import variant, whole

if TYPE_CHECKING:
    from brelan.lab.bench import Bench


def bench(
    game: str | None = None,
    /,
    *,
    repeats: Annotated[str, Parameter(metavar="N")] = "5",
    seed: Annotated[str, Parameter(metavar="N")] = "1",
    json_: Annotated[bool, Parameter(name="--json", negative=())] = False,
) -> int:
    """Measure how fast the rules run, side by side with the game's reference engine.

    Machines are noisy: everything is measured in turn, several times, and the ratios count.

    Parameters
    ----------
    game
        The game; otherwise the first of the catalogue.
    repeats
        How many times everything is measured.
    seed
        The luck of the matches played.
    json_
        Print the figures as JSON.
    """
    from brelan.games import ids as games

    chosen = variant(game or games()[0], None, (), None)
    times, luck = whole("--repeats", repeats, 1), whole("--seed", seed, 0)
    from brelan.cli.progress import prepared, progress

    prepared(chosen)
    with progress("Measuring") as report:
        from brelan.lab.bench import measure

        figures = measure(chosen, times, luck, report)
    if json_:
        sys.stdout.write(json.dumps(figures.as_dict(), indent=2) + "\n")
    else:
        _print(figures)
    return 0


def _print(figures: Bench) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("per second")
    table.add_column("median", justify="right")
    table.add_column("lowest – highest", justify="right")
    for name, rates in figures.rates.items():
        table.add_row(name, f"{rates.median:,.0f}", f"{rates.low:,.0f} – {rates.high:,.0f}")
    for name, rates in figures.ratios.items():
        table.add_row(name, f"{rates.median:.2f} ×", f"{rates.low:.2f} – {rates.high:.2f}")
    console = Console(highlight=False)
    console.print(f"{figures.game.variant}, {figures.repeats} times in turn")
    console.print(table)
