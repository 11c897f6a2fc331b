"""`brelan lab report`: a study of a variant, and the page that tells it."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from brelan.cli.pages import as_json, page_language, write
from brelan.cli.variants import Players, Preset, Settings, variant, whole
from brelan.errors import Refused

if TYPE_CHECKING:
    from brelan.engine.game import Game
    from brelan.lab.study.executors import Executor
    from brelan.lab.study.figures import StudyFigures
    from brelan.lab.study.plan import Plan

HOME = Path("brelan-lab")  # where studies are kept, in the current folder
INTERRUPTED = 130
Levels = Annotated[str | None, Parameter(name="--level", metavar="BOT,…")]
Precision = Annotated[str | None, Parameter(metavar="SHARE")]
Matches = Annotated[str | None, Parameter(metavar="N")]
Workers = Annotated[str | None, Parameter(metavar="N")]
Address = Annotated[str | None, Parameter(name="--cluster", metavar="ADDRESS")]
Results = Annotated[Path | None, Parameter(metavar="FOLDER")]
Seed = Annotated[str, Parameter(metavar="N")]


def report(
    game: str | None = None,
    /,
    *,
    players: Players = None,
    set_: Settings = (),
    preset: Preset = None,
    level: Levels = None,
    precision: Precision = None,
    matches: Matches = None,
    seed: Seed = "1",
    workers: Workers = None,
    cluster: Address = None,
    results: Results = None,
    from_: Annotated[Path | None, Parameter(name="--from", metavar="FILE")] = None,
    output: Annotated[Path | None, Parameter(metavar="FILE")] = None,
    lang: Annotated[str | None, Parameter(metavar="fr|en")] = None,
    json_: Annotated[bool, Parameter(name="--json", negative=())] = False,
) -> int:
    """Let bots play a variant, and write a page that says how balanced it is and how sure that is.

    It says beforehand how long that takes. Ctrl-C ends it early, with a page of what is known by
    then; the same command goes on where it was. The page and all results are in a folder.

    Parameters
    ----------
    game
        The game; `brelan games` lists them.
    players
        How many seats there are.
    set_
        Turn a knob of the rules; may be given several times.
    preset
        Turn several knobs at once, as a published edition does.
    level
        Who plays: one or more of the game's own bots, novice, club and expert. Otherwise the
        strongest quick one of its own.
    precision
        End when every seat's share of wins is known to within this margin; otherwise 0.01, and 0.05
        for bots that search.
    matches
        How many matches each level plays at most.
    seed
        The same number gives the same deals, and the same figures on any number of processes.
    workers
        How many processes play; otherwise one for each core.
    cluster
        Play on the workers of a Dask scheduler, for example tcp://127.0.0.1:8786.
    results
        The folder that keeps the study; otherwise one in `brelan-lab`.
    from_
        Play nothing: read the folder of a study, or the JSON of a report.
    output
        Write the page to this file; otherwise into the folder of the study.
    lang
        The language of the page; otherwise that of your environment.
    json_
        Print the figures as JSON.
    """
    lang = page_language(lang)
    if from_ is not None:
        if game is not None:
            raise Refused("--from reads a study that was played; leave out the game")
        found, home = _read(from_), from_ if from_.is_dir() else from_.parent
        return _write(found, output or home / f"report.{lang}.html", home, lang, is_json=json_)
    chosen = variant(game, players, set_, preset)
    asked = planned(chosen, level, seed, precision, matches)
    home = results or HOME / asked.id
    with contextlib.closing(executor(workers, cluster)) as place:
        study, status = played(asked, home, place, command=_command(asked))
    _write(study, output or home / f"report.{lang}.html", home, lang, is_json=json_)
    return status


def planned(
    game: Game, level: str | None, seed: str, precision: str | None, matches: str | None
) -> Plan:
    """Return the plan that a command line asks for."""
    _need_polars()
    from brelan.lab.study.plan import plan

    levels = [] if level is None else [name.strip() for name in level.split(",")]
    margin = None if precision is None else share("--precision", precision)
    most = None if matches is None else whole("--matches", matches, game.players)
    return plan(game, levels, whole("--seed", seed, 0), margin, most)


def executor(workers: str | None, cluster: str | None) -> Executor:
    """Return where a command line asks to play: on this machine, or on a cluster."""
    if cluster is not None:
        from brelan.lab.study.cluster import Cluster

        if workers is not None:
            raise Refused("--cluster has its own workers; leave out --workers")
        return Cluster(cluster)
    from brelan.lab.study.executors import Processes

    return Processes(os.cpu_count() or 1 if workers is None else whole("--workers", workers, 1))


def played(plan: Plan, home: Path, place: Executor, command: str) -> tuple[StudyFigures, int]:
    """Play a study, and return its figures and the exit status; Ctrl-C ends it early."""
    from brelan.cli.progress import progress
    from brelan.lab.study.folder import StudyFolder
    from brelan.lab.study.forecast import forecast
    from brelan.lab.study.run import figures, run

    folder = StudyFolder(home, plan)
    with progress("Preparing") as preparing:
        expected = forecast(folder, place.workers, preparing)
    for level, count in expected.matches.items():
        precision = plan.budget(level).precision
        sys.stderr.write(f"{level}: about {_rounded(count):,} matches, for ± {precision:.1%}\n")
    left = f"about {_duration(expected.seconds)}" if expected.seconds else "nothing left to play"
    sys.stderr.write(f"{left}, {place.workers} processes; kept in {home}. Ctrl-C ends it early.\n")
    try:
        with progress("Playing") as playing:
            return run(plan, home, executor=place, progress=playing, command=command), 0
    except KeyboardInterrupt:
        found = figures(folder, command)
        if not found.levels:
            raise
        return found, INTERRUPTED


def share(name: str, text: str) -> float:
    """Return the share that an option was given, or say what it may be."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < 1:
        raise Refused(f"{name} {text} is not allowed; it may be a number between 0 and 1")
    return number


def _read(path: Path) -> StudyFigures:
    """Return the figures of a folder, or of a report's JSON."""
    _need_polars()
    from brelan.lab.study.figures import from_dict
    from brelan.lab.study.folder import StudyFolder
    from brelan.lab.study.run import figures

    if path.is_dir():
        folder = StudyFolder.open(path)
        found = figures(folder, _command(folder.plan))
        if not found.levels:
            raise Refused(f"{path} has no matches yet")
        return found
    try:
        return from_dict(json.loads(path.read_text(encoding="utf-8")))
    except OSError:
        raise Refused(f"{path} cannot be read; name the folder of a study, or its JSON") from None
    except (ValueError, TypeError, KeyError, AttributeError):
        raise Refused(f"{path} is no report: name the folder of a study, or its JSON") from None


def _write(study: StudyFigures, page: Path, home: Path, lang: str, *, is_json: bool) -> int:
    """Write the page and the JSON; print the JSON, or the first sentences and where the page is."""
    from brelan.lab import report

    text = as_json(report.data(study))
    write(page, report.html(study, lang))
    write(home / "report.json", text)
    if is_json:
        sys.stdout.write(text)
        return 0
    is_one = len(study.levels) == 1
    lines = [
        each.text + ("" if is_one or not each.level else f" ({each.level})")
        for each in report.sentences(study, lang)
    ]
    sys.stdout.write("\n".join([*lines, "", str(page)]) + "\n")
    return 0


def _command(plan: Plan) -> str:
    """Return the command that plays a study again."""
    from brelan.lab.study.plan import plan as planned_for

    game = plan.open()
    settings = [
        f"--set {name}={value}"
        for name, value in game.knobs.items()
        if name != "players" and value != game.folder.knobs[name].default_for(game.players)
    ]
    budgets = {budget.precision for budget in plan.budgets}
    precision = [f"--precision {budgets.pop():g}"] if len(budgets) == 1 else []
    usual = planned_for(game, plan.levels).budgets
    fewest = min(budget.matches for budget in plan.budgets)
    is_limited = any(a.matches != b.matches for a, b in zip(plan.budgets, usual, strict=True))
    matches = [f"--matches {fewest}"] if is_limited else []
    return " ".join(
        [
            "brelan lab report", shlex.quote(plan.game), f"--players {game.players}", *settings,
            f"--level {','.join(plan.levels)}", *precision, *matches, f"--seed {plan.seed}",
        ]
    )  # fmt: skip


def _need_polars() -> None:
    import importlib.util

    if importlib.util.find_spec("polars") is None:
        raise Refused("the lab keeps results with polars; install it: pip install 'brelan[lab]'")


def _rounded(count: int) -> int:
    """Return a number with two digits that are not 0."""
    digits = max(0, len(str(count)) - 2)
    return round(count, -digits)


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{max(5, 5 * round(seconds / 5))} s"
    if seconds < 5400:
        return f"{round(seconds / 60)} min"
    return f"{seconds / 3600:.1f} h"
