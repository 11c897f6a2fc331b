"""`brelan bench`: how fast the rules run, and how soon a game is ready, in CPU-seconds."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from brelan.cli.variants import variant, whole
from brelan.errors import Refused

if TYPE_CHECKING:
    from rich.table import Table

    from brelan.engine.game import Game
    from brelan.lab.bench import Bench, Rates
    from brelan.lab.bench_compiler import Readiness

COMPILER = "compiler"  # in place of a game


def bench(
    *games: Annotated[str, Parameter(metavar="GAME")],
    repeats: Annotated[str, Parameter(metavar="N")] = "5",
    seed: Annotated[str, Parameter(metavar="N")] = "1",
    json_: Annotated[bool, Parameter(name="--json", negative=())] = False,
) -> int:
    """Measure how fast a game runs; `brelan bench compiler [GAME…]`: how soon games are ready.

    Rates are per second of the processor. Machines are noisy: everything is measured in turn,
    several times; trust the ratios. A game may add a yardstick of its own, such as the same game
    in C, which is built with the system's `cc`.

    `compiler` starts fresh processes and measures the CPU-seconds until the first decision of the
    bot `club`: cold, with no machine code kept from before, and warm.

    Parameters
    ----------
    games
        The game; otherwise the first of the catalogue. After `compiler` any number of games;
        otherwise all.
    repeats
        How many times everything is measured.
    seed
        The luck of the matches played.
    json_
        Print the figures as JSON.
    """
    times, luck = whole("--repeats", repeats, 1), whole("--seed", seed, 0)
    from brelan.games import ids

    if games[:1] == (COMPILER,):
        chosen = [variant(name, None, (), None) for name in games[1:] or ids()]
        return _bench_compiler(chosen, times, luck, as_json=json_)
    if len(games) > 1:
        raise Refused(
            f"one game at a time, not {len(games)}; `{COMPILER}` may stand before several"
        )
    return _bench(variant(games[0] if games else ids()[0], None, (), None), times, luck, json_)


def _bench(game: Game, repeats: int, seed: int, as_json: bool) -> int:
    from brelan.cli.progress import prepared, progress

    prepared(game)
    with progress("Measuring") as report:
        from brelan.lab.bench import measure

        figures = measure(game, repeats, seed, report)
    if as_json:
        _print_json(figures.as_dict())
    else:
        _print(figures)
    return 0


def _bench_compiler(games: Sequence[Game], repeats: int, seed: int, *, as_json: bool) -> int:
    from brelan.cli.progress import prepared, progress

    for game in games:
        prepared(game)
    with progress("Measuring") as report:
        from brelan.lab.bench_compiler import GOALS, measure

        found = measure(games, repeats, seed, report)
    if as_json:
        games_found = [each.as_dict() for each in found]
        _print_json({"repeats": repeats, "goals": GOALS, "games": games_found})
    else:
        _print_compiler(found, repeats, GOALS)
    return 0


def _print_json(figures: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(figures, indent=2) + "\n")


def _table(*columns: str) -> Table:
    from rich.table import Table

    table = Table(box=None, header_style="bold", pad_edge=False)
    for number, column in enumerate(columns):
        table.add_column(column, justify="right" if number else "left")
    return table


def _print(figures: Bench) -> None:
    from rich.console import Console

    table = _table("per CPU-second", "median", "lowest – highest")
    for name, rates in figures.rates.items():
        table.add_row(name, f"{rates.median:,.0f}", f"{rates.low:,.0f} – {rates.high:,.0f}")
    for name, rates in figures.ratios.items():
        table.add_row(name, f"{rates.median:.2f} ×", f"{rates.low:.2f} – {rates.high:.2f}")
    console = Console(highlight=False)
    console.print(f"{figures.game.variant}, {figures.repeats} times in turn")
    console.print(table)
    for note in figures.notes:
        console.print(note)


def _print_compiler(found: list[Readiness], repeats: int, goals: dict[str, float]) -> None:
    from rich.console import Console

    whole = _table("CPU-seconds to a decision", *goals)
    parts = [part for part in found[0].seconds["cold"] if part != "total"]
    divided = _table("of which, medians", *parts)
    rates = _table("per CPU-second", *found[0].rates)
    for each in found:
        totals = {start: each.seconds[start]["total"] for start in goals}
        whole.add_row(each.game.id, *(_against(totals[start], goals[start]) for start in goals))
        rates.add_row(each.game.id, *(f"{rate.median:,.0f}" for rate in each.rates.values()))
        for start in goals:
            medians = [f"{each.seconds[start][part].median:.2f}" for part in parts]
            divided.add_row(f"{each.game.id}, {start}", *medians)
    console = Console(highlight=False)
    console.print(f"{repeats} times in turn; medians, lowest – highest")
    for table in (whole, divided, rates):
        console.print(table)
        console.print()
    asked = ", ".join(f"{most:g} {start}" for start, most in goals.items())
    console.print(f"goal: at most {asked}")


def _against(seconds: Rates, most: float) -> str:
    mark = "" if seconds.median <= most else "  [red]above the goal[/]"
    return f"{seconds.median:.2f} ({seconds.low:.2f} – {seconds.high:.2f}){mark}"
