"""`brelan lab tune`: search over knobs for variants that are better in several ways at once."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from brelan.cli.pages import as_json, page_language, write
from brelan.cli.variants import Players, Preset, Settings, variant, whole
from brelan.errors import Refused

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from brelan.lab.tune import Front
    from brelan.lab.tune.tell import FrontTeller

HOME = Path("brelan-lab")  # where searches are kept, in the current folder
INTERRUPTED = 130


def tune(
    game: str | None = None,
    /,
    *,
    objective: Annotated[str, Parameter(metavar="NAME,…")] = "seats,changes",
    over: Annotated[str, Parameter(metavar="KNOB,…", show_default=False)] = "",
    players: Players = None,
    set_: Settings = (),
    preset: Preset = None,
    level: Annotated[str | None, Parameter(metavar="BOT")] = None,
    final_level: Annotated[str | None, Parameter(metavar="BOT")] = None,
    trials: Annotated[str, Parameter(metavar="N")] = "100",
    matches: Annotated[str, Parameter(metavar="N")] = "1000",
    final_matches: Annotated[str | None, Parameter(metavar="N")] = None,
    front: Annotated[str, Parameter(metavar="N")] = "8",
    seed: Annotated[str, Parameter(metavar="N")] = "1",
    threads: Annotated[str | None, Parameter(metavar="N")] = None,
    results: Annotated[Path | None, Parameter(metavar="FILE")] = None,
    output: Annotated[Path | None, Parameter(metavar="FILE")] = None,
    lang: Annotated[str | None, Parameter(metavar="fr|en")] = None,
    json_: Annotated[bool, Parameter(name="--json", negative=())] = False,
) -> int:
    """Search over knobs for variants that are better, and check them on fresh deals.

    Variants are tried on some deals with a quick bot; those that no other one beats are played
    again on fresh deals, and by a stronger level if you name one. Ctrl-C ends it early, with what
    is known by then; the same command goes on where it was.

    Parameters
    ----------
    game
        The game; `brelan games` lists them.
    objective
        What is wanted: seats (equal chances), minutes=N, decisions=N, turns=N, rounds=N, ties,
        skill, cards (every card useful), changes (few knobs turned).
    over
        The knobs that may be turned: `knob`, `knob=low..high` or `knob=value/value`.
    players
        How many seats there are.
    set_
        Turn a knob of the original; may be given several times.
    preset
        Turn several knobs of the original at once, as a published edition does.
    level
        Who plays the search: a bot of the game, novice, club or expert. Otherwise the strongest
        quick one of the game's own.
    final_level
        Who plays the best variants on fresh deals besides, such as club.
    trials
        How many variants are tried.
    matches
        How many matches of each variant the search plays; a quick bot plays ten times as many of
        each on fresh deals.
    final_matches
        How many matches of each variant the last level plays on fresh deals; otherwise 200 if it
        searches.
    front
        How many variants at most are played on fresh deals.
    seed
        The same number gives the same front, on any number of threads.
    threads
        How many threads play; otherwise one for each core.
    results
        The file in which the search is kept; otherwise one under brelan-lab.
    output
        Write a page to this file.
    lang
        The language of sentences and page; otherwise that of your environment.
    json_
        Print the figures as JSON.
    """
    from brelan.cli.progress import progress

    lang = page_language(lang)
    numbers = {
        "trials": whole("--trials", trials, 2),
        "matches": whole("--matches", matches, 10),
        "front": whole("--front", front, 1),
        "seed": whole("--seed", seed, 0),
    }
    last = None if final_matches is None else whole("--final-matches", final_matches, 10)
    workers = None if threads is None else whole("--threads", threads, 1)
    base = variant(game, players, set_, preset)
    _need_optuna()
    from brelan.lab import tune as lab

    plan = lab.tune_plan(
        lab.space(base, over),
        lab.objectives(objective, base, lab.known_level(base, level)),
        level=level,
        final_level=final_level,
        final_matches=last,
        **numbers,
    )
    file = results or HOME / f"{plan.id}.jsonl"
    given = {"--level": level, "--final-level": final_level, "--final-matches": final_matches}
    command = _command(plan.game_name, set_, preset, objective, over, {
        "--players": str(base.players), **given, "--trials": trials, "--matches": matches,
        "--front": front, "--seed": seed,
    })  # fmt: skip
    with (
        progress("Preparing") as preparing,
        progress("Searching") as searching,
        progress("Checking on fresh deals") as checking,
    ):
        found = lab.tune(
            plan,
            file=file,
            threads=workers,
            command=command,
            preparing=preparing,
            searching=searching,
            checking=checking,
        )
    if output is not None:
        write(output, lab.html(found, lang))
    if json_:
        sys.stdout.write(as_json(lab.data(found)))
    else:
        _print(found, lang)
    return INTERRUPTED if found.is_stopped else 0


def _need_optuna() -> None:
    import importlib.util

    if importlib.util.find_spec("optuna") is None:
        raise Refused("a search needs the extra `lab`: pip install 'brelan[lab]'")


def _command(
    game: str,
    settings: tuple[str, ...],
    preset: str | None,
    objective: str,
    over: str,
    options: dict[str, str | None],
) -> str:
    """Return the command that makes a search again."""
    words = ["brelan", "lab", "tune", game, "--objective", objective, "--over", over]
    words += [word for setting in settings for word in ("--set", setting)]
    given = {"--preset": preset, **options}
    words += [word for name, value in given.items() if value is not None for word in (name, value)]
    return shlex.join(words)


def _print(found: Front, lang: str) -> None:
    from rich.console import Console

    from brelan.lab.tune.tell import FrontTeller

    console = Console(highlight=False)
    teller = FrontTeller(found, lang)
    for sentence in teller.sentences():
        console.print(sentence.text, markup=False)
    console.print()
    console.print(_table(teller))
    _print_commands(console, teller)
    console.print(f"{found.command}", markup=False, soft_wrap=True)


def _table(teller: FrontTeller) -> Table:
    from rich.table import Table

    front = teller.front
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("")
    table.add_column(teller.texts("page.variant"), overflow="fold")
    table.add_column(teller.texts("page.level"))
    for objective in front.objectives:
        table.add_column(teller.name(objective), justify="right")
    for number, point in enumerate(front.points):
        for place, level in enumerate(front.levels):
            cells = []
            for objective in front.objectives:
                seen = point.figures[level][objective.name]
                main, _, reach = teller.printed(objective, seen).partition("|")
                between = f" ({reach})" if reach else ""
                cells.append(f"{main}{between} {teller.mark(seen)}".rstrip())
            first = ("", "") if place else (str(number), teller.what(point))
            table.add_row(*first, level, *cells)
    return table


def _print_commands(console: Console, teller: FrontTeller) -> None:
    for number, point in enumerate(teller.front.points):
        if not point.is_original:
            console.print()
            for word, command in (("compare", point.compare), ("play", point.play)):
                name = teller.texts(f"page.{word}")
                console.print(f"{number}  {name}: {command}", markup=False, soft_wrap=True)
    console.print()
