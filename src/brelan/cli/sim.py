"""`brelan sim`: matches between bots, with win rates, scores and metrics."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from brelan.cli.variants import Players, Preset, Settings, variant, whole
from brelan.errors import Refused

if TYPE_CHECKING:
    from rich.table import Table

    from brelan.lab.estimates import Estimate
    from brelan.lab.simulate import Summary


def sim(
    game: str | None = None,
    /,
    *bots: Annotated[str, Parameter(metavar="BOT")],
    matches: Annotated[str, Parameter(metavar="N")] = "10000",
    seed: Annotated[str, Parameter(metavar="N")] = "1",
    players: Players = None,
    set_: Settings = (),
    preset: Preset = None,
    threads: Annotated[str | None, Parameter(metavar="N")] = None,
    json_: Annotated[bool, Parameter(name="--json", negative=())] = False,
) -> int:
    """Let bots play many matches, and report with 95 % intervals.

    Every deal is played once with each rotation of the seats.

    Parameters
    ----------
    game
        The game; `brelan games` lists them.
    bots
        Who plays, one name for each seat; otherwise the game's strongest bot against random ones.
    matches
        How many matches are played.
    seed
        The same number gives the same matches, on any number of threads.
    players
        How many seats there are; otherwise as many as bots are named.
    set_
        Turn a knob of the rules; may be given several times.
    preset
        Turn several knobs at once, as a published edition does.
    threads
        How many threads play; otherwise one for each core.
    json_
        Print the figures as JSON.
    """
    names = list(bots)
    if names and players is None and not any(s.startswith("players=") for s in set_):
        players = str(len(names))
    chosen = variant(game, players, set_, preset)
    count, luck = whole("--matches", matches, 1), whole("--seed", seed, 0)
    workers = None if threads is None else whole("--threads", threads, 1)
    from brelan.cli.progress import prepared, progress

    if not names:
        names = [chosen.folder.bots.BOTS[-1], *["random"] * (chosen.players - 1)]
    from brelan.lab.simulate import MAX_MATCHES, check_players, simulate

    check_players(chosen, names)
    if count > MAX_MATCHES:
        raise Refused(f"--matches {count} is not allowed; it may be 1 to {MAX_MATCHES}")
    prepared(chosen)
    with progress(f"Playing {count} matches") as report:
        summary = simulate(chosen, names, count, luck, threads=workers, progress=report)
    if json_:
        sys.stdout.write(json.dumps(summary.as_dict(), indent=2) + "\n")
    else:
        _print(summary)
    return 0


def _print(summary: Summary) -> None:
    from rich.console import Console

    console = Console(highlight=False)
    console.print(f"{summary.game.variant}: {summary.matches} matches, seed {summary.seed}")
    console.print(_bots(summary))
    console.print(_metrics(summary))


def _bots(summary: Summary) -> Table:
    from rich.table import Table

    table = Table(box=None, header_style="bold", pad_edge=False)
    for title in ("bot", "wins", "95 % interval", "mean score"):
        table.add_column(title, justify="left" if title == "bot" else "right")
    for bot, wins, score in zip(summary.bots, summary.wins, summary.scores, strict=True):
        table.add_row(bot, f"{wins.mean:.2%}", _percents(wins), f"{score.mean:.3f}")
    for seat, wins in enumerate(summary.seats):
        table.add_row(f"seat {seat}, whoever sits there", f"{wins.mean:.2%}", _percents(wins), "")
    return table


def _metrics(summary: Summary) -> Table:
    from rich.table import Table

    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("in a match")
    table.add_column("mean", justify="right")
    table.add_column("±", justify="right")
    for name, figure in summary.metrics.items():
        table.add_row(name.replace("_", " "), f"{figure.mean:.3f}", f"{figure.margin:.3f}")
    return table


def _percents(figure: Estimate) -> str:
    return f"{figure.low:.2%} – {figure.high:.2%}"
