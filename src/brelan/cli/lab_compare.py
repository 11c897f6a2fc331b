"""`brelan lab compare`: two variants on the same deals, or two bots; what changed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from brelan.cli.lab_report import INTERRUPTED, share
from brelan.cli.pages import as_json, page_language, write
from brelan.cli.variants import Players, whole

if TYPE_CHECKING:
    from rich.table import Table

    from brelan.lab.compare import Comparison
    from brelan.lab.compare.tell import ChangeTeller

SideSettings = Annotated[
    tuple[str, ...], Parameter(metavar="KNOB=VALUE", negative=(), show_default=False)
]


def compare(
    game: str | None = None,
    /,
    *,
    a: SideSettings = (),
    b: SideSettings = (),
    players: Players = None,
    level: Annotated[str | None, Parameter(metavar="BOT")] = None,
    precision: Annotated[str | None, Parameter(metavar="SHARE")] = None,
    matches: Annotated[str | None, Parameter(metavar="N")] = None,
    seed: Annotated[str, Parameter(metavar="N")] = "1",
    threads: Annotated[str | None, Parameter(metavar="N")] = None,
    output: Annotated[Path | None, Parameter(metavar="FILE")] = None,
    lang: Annotated[str | None, Parameter(metavar="fr|en")] = None,
    json_: Annotated[bool, Parameter(name="--json", negative=())] = False,
) -> int:
    """Play two variants on the same deals, and say what changed and how sure that is.

    `--a order=cycle --b order=ladder` compares two variants; a side without settings is the game as
    printed. `--a level=careful --b level=club` compares two bots, who also meet each other.
    Ctrl-C ends it early, with what is known by then.

    Parameters
    ----------
    game
        The game; `brelan games` lists them.
    a
        A knob of the first side, or `level=BOT`, who plays it; may be given several times.
    b
        The same for the second side.
    players
        How many seats there are, on both sides.
    level
        Who plays both sides: a bot of the game, novice, club or expert. Otherwise the strongest of
        the game's own.
    precision
        End when the difference of each share of wins is known to within this margin; otherwise
        0.01, and 0.05 for bots that search.
    matches
        How many matches each side plays at most.
    seed
        The same number gives the same deals, and the same figures on any number of threads.
    threads
        How many threads play; otherwise one for each core.
    output
        Write a page to this file.
    lang
        The language of sentences and page; otherwise that of your environment.
    json_
        Print the figures as JSON.
    """
    from brelan.cli.progress import progress

    lang = page_language(lang)
    margin = None if precision is None else share("--precision", precision)
    luck = whole("--seed", seed, 0)
    most = None if matches is None else whole("--matches", matches, 1)
    workers = None if threads is None else whole("--threads", threads, 1)
    from brelan.lab.compare import command_of, data, html, side
    from brelan.lab.compare import compare as play

    first = side(game, a, players=players, level=level, option="--a")
    second = side(game, b, players=players, level=level, option="--b")
    command = command_of((first, second), luck, precision, matches)
    with progress("Preparing") as preparing, progress("Playing") as playing:
        found = play(
            first,
            second,
            luck,
            precision=margin,
            matches=most,
            threads=workers,
            command=command,
            preparing=preparing,
            progress=playing,
        )
    if output is not None:
        write(output, html(found, lang))
    if json_:
        sys.stdout.write(as_json(data(found)))
    else:
        _print(found, lang)
    return INTERRUPTED if found.is_stopped else 0


def _print(found: Comparison, lang: str) -> None:
    from rich.console import Console

    from brelan.lab.compare.tell import ChangeTeller

    console = Console(highlight=False)
    teller = ChangeTeller(found, lang)
    for sentence in teller.sentences():
        console.print(sentence.text, markup=False)
    console.print()
    for number in (0, 1):
        console.print(teller.side(number), markup=False)
    console.print(_table(found, teller))
    console.print(f"{found.command}", markup=False, soft_wrap=True)


def _table(found: Comparison, teller: ChangeTeller) -> Table:
    from rich.table import Table

    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("")
    for title in ("a", "b", teller.texts("page.difference"), "", teller.texts("page.is_sure")):
        table.add_column(title, justify="right")
    for change in found.changes:
        main, _, reach = teller.difference(change).partition("|")
        sure = teller.texts("page.yes") if change.is_significant else "–"
        sides = (teller.printed(change, each) for each in (change.a, change.b))
        table.add_row(teller.name(change), *sides, main, reach, sure)
    return table
