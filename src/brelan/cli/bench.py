"""`brelan bench`: how fast rules and server run, how soon a game is ready, in CPU-seconds."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from cyclopts import Parameter

from brelan.cli.variants import variant, whole
from brelan.errors import Refused

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from brelan.engine.game import Game
    from brelan.envs.bench import Figures as Environments
    from brelan.lab.bench import Bench, Rates
    from brelan.lab.bench_compiler import Readiness
    from brelan.lab.bench_server import Crowd, Figures
    from brelan.lab.bench_study import Waits

COMPILER, SERVER, STUDY, ENVIRONMENTS = "compiler", "server", "study", "environments"  # no games


def bench(
    *games: Annotated[str, Parameter(metavar="GAME")],
    repeats: Annotated[str, Parameter(metavar="N")] = "5",
    seed: Annotated[str, Parameter(metavar="N")] = "1",
    tables: Annotated[str, Parameter(metavar="N,…")] = "1,10,100",
    moves: Annotated[str, Parameter(metavar="N")] = "4000",
    idle: Annotated[str, Parameter(metavar="N")] = "500",
    sockets: Annotated[str, Parameter(metavar="N")] = "2000",
    level: Annotated[str | None, Parameter(metavar="BOT")] = None,
    database: Annotated[str | None, Parameter(metavar="URL")] = None,
    json_: Annotated[bool, Parameter(name="--json", negative=())] = False,
) -> int:
    """Measure how fast a game runs; `brelan bench compiler [GAME…]`: how soon games are ready;
    `brelan bench server [GAME…]`: how much a server bears; `brelan bench study [GAME]`: how soon
    moves are answered while a study runs; `brelan bench environments [GAME…]`: how fast the
    environments for learning step.

    Rates are per second of the processor. Machines are noisy: everything is measured in turn,
    several times; trust the ratios. A game may add a yardstick of its own, such as the same game
    in C, which is built with the system's `cc`.

    `compiler` starts fresh processes and measures the CPU-seconds until the first decision of the
    bot `club`: cold, with no machine code kept from before, and warm.

    `server` starts a server of its own on this machine, which listens to this machine alone, and
    measures moves per CPU-second of its process, all seats connected, for numbers of tables; how
    soon a move is answered; memory per match; and, for the first game, how soon a move is answered
    while many sockets are connected and bots think.

    `study` lets people play at a hundred tables of such a server, 200 moves a second in all, and
    measures how soon they are answered, in turn without a study of the lab and while one runs.

    `environments` measures steps with random actions, observations included, through each door
    that is installed, beside the bare engine; docs/environments.md.

    Parameters
    ----------
    games
        The game; otherwise the first of the catalogue. After `compiler`, `server` or `environments`
        any number of games; otherwise all.
    repeats
        How many times everything is measured.
    seed
        The luck of the matches played.
    tables
        After `server`: how many tables are played at the same time, once for each number.
    moves
        After `server`: how many moves are made for each of these numbers; after `study`, each time.
    idle
        After `server`: how many idle matches memory is measured with.
    sockets
        After `server`: how many sockets are connected at once; 0: leave that out.
    level
        After `study`: who plays the study; otherwise the strongest of the game's own bots.
    database
        After `server` and `study`: sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME, which is
        filled with matches; otherwise a SQLite file that is removed afterwards.
    json_
        Print the figures as JSON.
    """
    times, luck = whole("--repeats", repeats, 1), whole("--seed", seed, 0)
    from brelan.games import ids

    if games[:1] == (COMPILER,):
        chosen = [variant(name, None, (), None) for name in games[1:] or ids()]
        return _bench_compiler(chosen, times, luck, as_json=json_)
    if games[:1] == (SERVER,):
        chosen = [variant(name, None, (), None) for name in games[1:] or ids()]
        counts = [whole("--tables", count, 1) for count in tables.split(",")]
        wanted = Served(
            counts, whole("--moves", moves, 1), whole("--idle", idle, 1),
            whole("--sockets", sockets, 0), database,
        )  # fmt: skip
        return _bench_server(chosen, wanted, as_json=json_)
    if games[:1] == (STUDY,) and len(games) < 3:
        chosen = [variant(name, None, (), None) for name in games[1:] or ids()[:1]]
        made = whole("--moves", moves, 1)
        return _bench_study(chosen[0], level, made, times, database, as_json=json_)
    if games[:1] == (ENVIRONMENTS,):
        chosen = [variant(name, None, (), None) for name in games[1:] or ids()]
        return _bench_environments(chosen, times, luck, as_json=json_)
    if len(games) > 1:
        raise Refused(
            f"one game at a time, not {len(games)}; `{COMPILER}`, `{SERVER}` or `{ENVIRONMENTS}`"
            " may stand before several"
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


class Served(NamedTuple):
    """What a server is measured with."""

    tables: list[int]
    moves: int
    idle: int
    sockets: int
    database: str | None


def _bench_server(games: Sequence[Game], asked: Served, *, as_json: bool) -> int:
    from brelan.cli.progress import prepared, progress

    for game in games:
        prepared(game)
    with progress("Measuring") as report:
        from brelan.lab.bench_server import GOALS, measure, measure_crowd

        found = measure(games, asked.tables, asked.moves, asked.idle, asked.database, report)
    crowd = None
    if asked.sockets:
        with progress("Measuring many sockets") as report:
            crowd = measure_crowd(games[0], asked.sockets, asked.moves, asked.database, report)
    if as_json:
        measured = [each.as_dict() for each in found]
        many = None if crowd is None else crowd.as_dict()
        _print_json({"goals": GOALS, "games": measured, "crowd": many})
    else:
        _print_server(found, crowd)
    return 0


def _bench_study(
    game: Game, level: str | None, moves: int, repeats: int, database: str | None, *, as_json: bool
) -> int:
    from brelan.cli.progress import prepared, progress

    prepared(game)
    with progress("Measuring") as report:
        from brelan.lab.bench_study import measure

        found = measure(game, level, moves, repeats, database, report)
    if as_json:
        beside = [each.as_dict() for each in found]
        _print_json({"variant": game.variant, "level": level, "beside": beside})
    else:
        _print_study(game, found)
    return 0


def _bench_environments(games: Sequence[Game], repeats: int, seed: int, *, as_json: bool) -> int:
    from brelan.cli.progress import progress
    from brelan.envs.bench import measure

    found = []
    for game in games:
        with progress(f"Measuring {game.id}") as report:
            found.append(measure(game, repeats, seed, report))
    if as_json:
        _print_json({"repeats": repeats, "games": [each.as_dict() for each in found]})
    else:
        _print_environments(found, repeats)
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


def _print_server(found: list[Figures], crowd: Crowd | None) -> None:
    from rich.console import Console

    rates = _table("all seats connected", "tables", "moves per CPU-s", "p50 ms", "p99 ms", "moves")
    memory = _table("KB per idle match", "connected", "unwatched", "MB at rest", "opened per CPU-s")
    for each in found:
        name = f"{each.game.id}, {each.game.players} seats"
        for load in each.loads:
            waits = [f"{1000 * load.wait(percent):.1f}" for percent in (50, 99)]
            rates.add_row(name, f"{load.tables}", f"{load.rate:,.0f}", *waits, f"{load.moves:,}")
        kept = each.memory
        memory.add_row(
            name, f"{kept.connected:.1f}", f"{kept.unwatched:.1f}", f"{kept.at_rest / 1024:.0f}",
            f"{each.opened:,.0f}",
        )  # fmt: skip
    console = Console(highlight=False)
    for table in (rates, memory):
        console.print(table)
        console.print()
    for refused in [each.refused for one in found for each in one.loads if each.refused]:
        console.print(f"refused: {refused}")
    if crowd is not None:
        _print_crowd(console, crowd)


def _print_crowd(console: Console, crowd: Crowd) -> None:
    table = _table(
        "beside", "p50 ms", "p99 ms", "moves", "bots’ moves per s", "decisions analysed per s"
    )
    for each in crowd.phases:
        waits = [f"{1000 * each.load.wait(percent):.1f}" for percent in (50, 99)]
        rates = [f"{rate:.1f}" for rate in (each.bot_moves, each.decisions)]
        table.add_row(each.beside, *waits, f"{each.load.moves:,}", *rates)
    load = crowd.phases[0].load
    console.print(
        f"{crowd.game.id}, {crowd.sockets:,} sockets; people make "
        f"{load.moves / load.seconds:.0f} moves a second; bots sit at {crowd.bot_tables} tables; "
        f"{crowd.kilobytes / 1024:.0f} MB"
    )
    console.print(table)


def _print_study(game: Game, found: list[Waits]) -> None:
    from rich.console import Console

    table = _table(f"{game.variant}, beside", "p50 ms", "p99 ms", "moves", "matches of the study")
    for each in found:
        waits = [f"{1000 * each.wait(percent):.1f}" for percent in (50, 99)]
        table.add_row(each.what, *waits, f"{len(each.waits):,}", f"{each.matches:,}")
    Console(highlight=False).print(table)


def _print_environments(found: list[Environments], repeats: int) -> None:
    from rich.console import Console

    console = Console(highlight=False)
    for each in found:
        table = _table(f"steps per CPU-second, {each.game.variant}", "median", "lowest – highest")
        for name, rates in each.rates.items():
            table.add_row(name, f"{rates.median:,.0f}", f"{rates.low:,.0f} – {rates.high:,.0f}")
        for name, rates in each.ratios.items():
            table.add_row(name, f"{rates.median:.2f} ×", f"{rates.low:.2f} – {rates.high:.2f}")
        console.print(table)
        for note in each.notes:
            console.print(note, markup=False)
        console.print()
    console.print(f"{repeats} times in turn")


def _against(seconds: Rates, most: float) -> str:
    mark = "" if seconds.median <= most else "  [red]above the goal[/]"
    return f"{seconds.median:.2f} ({seconds.low:.2f} – {seconds.high:.2f}){mark}"
