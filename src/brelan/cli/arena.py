"""`brelan arena`: bots meet each other, and are ranked."""

from __future__ import annotations

import csv
import json
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from brelan.cli.variants import Players, Preset, Settings, variant, whole
from brelan.errors import Refused

if TYPE_CHECKING:
    from rich.table import Table

    from brelan.lab.arena.standings import Standings
    from brelan.lab.estimates import Estimate


def arena(
    game: str | None = None,
    /,
    *bots: Annotated[str, Parameter(metavar="BOT")],
    matches: Annotated[str, Parameter(metavar="N")] = "1000",
    seed: Annotated[str, Parameter(metavar="N")] = "1",
    players: Players = None,
    set_: Settings = (),
    preset: Preset = None,
    gauntlet: Annotated[str | None, Parameter(metavar="BOT")] = None,
    opponent: Annotated[str | None, Parameter(metavar="BOT")] = None,
    precision: Annotated[str | None, Parameter(metavar="SHARE")] = None,
    results: Annotated[Path | None, Parameter(metavar="FILE")] = None,
    move_time: Annotated[str, Parameter(metavar="SECONDS")] = "30",
    workers: Annotated[str | None, Parameter(metavar="N")] = None,
    json_: Annotated[bool, Parameter(name="--json", negative=())] = False,
    csv_: Annotated[bool, Parameter(name="--csv", negative=())] = False,
) -> int:
    """Let every bot meet every other one, and rank them, with 95 % intervals.

    With more than two seats, each bot sits alone among bots that are all of another kind. Every
    deal is played from all seats.

    Parameters
    ----------
    game
        The game; `brelan games` lists them.
    bots
        The game's own bots, novice, club, expert, search:5000 (simulations), search:1.5s (seconds),
        a level varied such as search:club+temperature=0.3;
        or your own: module:factory, or a program that speaks JSON lines (a path or a command).
    matches
        How many matches each pairing plays.
    seed
        The same number gives the same deals.
    players
        How many seats there are.
    set_
        Turn a knob of the rules; may be given several times.
    preset
        Turn several knobs at once, as a published edition does.
    gauntlet
        Only this bot meets the others; with more than two seats it is the one who sits alone.
    opponent
        The bots meet only this one, on the same deals, and are compared by their results.
    precision
        End as soon as every win rate is known to within this margin, for example 0.01.
    results
        Keep finished matches in this file; the same command goes on where it was stopped.
    move_time
        How long a bot of your own may take for a decision before it loses the match.
    workers
        How many processes play; otherwise one for each core.
    json_
        Print the figures as JSON.
    csv_
        Print the pairings as CSV.
    """
    chosen = variant(game, players, set_, preset)
    count, luck = whole("--matches", matches, 1), whole("--seed", seed, 0)
    processes = None if workers is None else whole("--workers", workers, 1)
    margin = None if precision is None else _positive("--precision", precision)
    seconds = _positive("--move-time", move_time)
    from brelan.bots import all_names
    from brelan.cli.progress import progress

    if len(bots) < 2:
        raise Refused(f"which bots? name two or more; there are: {', '.join(all_names(chosen))}")
    from brelan.lab.arena import arena as meet
    from brelan.lab.arena.arena import prepare_bots

    with progress(f"Preparing {chosen.id}") as report:
        prepare_bots(chosen, bots, report)
    with progress(f"Playing {chosen.id}") as report:
        standings = meet(
            chosen, bots, count, luck, gauntlet=gauntlet, opponent=opponent, precision=margin,
            results=results, move_time=seconds, workers=processes, progress=report,
        )  # fmt: skip
    if json_:
        sys.stdout.write(json.dumps(standings.as_dict(), indent=2) + "\n")
    elif csv_:
        rows = list(standings.table())
        writer = csv.DictWriter(sys.stdout, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    else:
        _print(standings)
    return 0


def _positive(name: str, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < 1e6:
        raise Refused(f"{name} {text} is not allowed; it may be a number above 0")
    return number


def _print(standings: Standings) -> None:
    from rich.console import Console

    console = Console(highlight=False)
    game = standings.game
    console.print(f"{game.variant}: {len(standings.rows)} matches, seed {standings.seed}\n")
    console.print(_ranking(standings))
    console.print()
    console.print(_cross(standings))
    if game.players > 2:
        console.print(
            f"\none bot (row) among {game.players - 1} of another (column); "
            f"a fair share is {standings.fair:.1%}"
        )
    if standings.gains:
        console.print()
        console.print(_gains(standings))
    for fault in standings.faults[:20]:
        console.print(f"lost by a fault: {fault}", style="yellow")
    if len(standings.faults) > 20:
        console.print(f"… and {len(standings.faults) - 20} more", style="yellow")


def _ranking(standings: Standings) -> Table:
    from rich.table import Table

    table = Table(box=None, header_style="bold", pad_edge=False)
    for title in ("", "bot", "Elo", "±", "time for a decision"):
        table.add_column(title, justify="left" if title == "bot" else "right")
    order = sorted(range(len(standings.bots)), key=lambda bot: -standings.ratings[bot].mu)
    for place, bot in enumerate(order, 1):
        rating = standings.ratings[bot]
        margin, time = f"{1.96 * rating.sigma:.0f}", _time(standings.seconds[bot])
        table.add_row(f"{place}.", standings.bots[bot], f"{rating.mu:+.0f}", margin, time)
    return table


def _time(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} µs"


def _cross(standings: Standings) -> Table:
    """Return the share of wins of each row against each column, with its 95 % interval."""
    from rich.table import Table

    table = Table(box=None, header_style="bold", pad_edge=False, leading=1)
    table.add_column("wins of", overflow="fold")
    for name in standings.bots:
        table.add_column(f"against\n{name}", justify="right", overflow="fold")
    for one, name in enumerate(standings.bots):
        cells = [_cell(standings, one, other) for other in range(len(standings.bots))]
        table.add_row(name, *cells)
    return table


def _cell(standings: Standings, one: int, other: int) -> str:
    from brelan.lab.arena.standings import Pairing
    from brelan.lab.estimates import Estimate

    figure = standings.win_rates.get(Pairing(one, other))
    if figure is not None:
        return _percents(figure)
    figure = standings.win_rates.get(Pairing(other, one))
    if figure is not None and standings.game.players == 2:
        return _percents(Estimate(1 - figure.mean, 1 - figure.high, 1 - figure.low))
    return "·"


def _gains(standings: Standings) -> Table:
    """Return how much better one bot did than another, where both met the same one."""
    from rich.table import Table

    table = Table(box=None, header_style="bold", pad_edge=False, leading=1)
    table.add_column("on the same deals")
    table.add_column("wins more,\nin points", justify="right")
    table.add_column("is further ahead,\nby score", justify="right")
    for before, after, wins, lead in standings.gains:
        one, other, met = (standings.bots[bot] for bot in (after.one, before.one, after.others))
        table.add_row(f"{one} than {other}, against {met}", _signed(wins, 100), _signed(lead, 1))
    return table


def _signed(figure: Estimate, scale: int) -> str:
    """Return a difference and its interval; one deal says nothing of that."""
    mean, low, high = (f"{scale * value:+.1f}" for value in figure)
    return mean if math.isnan(figure.low) else f"{mean}\n{low} – {high}"


def _percents(figure: Estimate) -> str:
    return f"{figure.mean:.1%}\n{100 * figure.low:.1f} – {100 * figure.high:.1f}"
