"""`brelan check`: what holds of a game, by the suite that every game must pass, on one page."""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from brelan.cli.variants import variant, whole

if TYPE_CHECKING:
    from rich.console import Console

    from brelan.engine.game import Game
    from brelan.suite.report import Figures, Finding

FAILED = 1
INDENT = 2


def check(
    game: str | None = None,
    /,
    *,
    seed: Annotated[str, Parameter(metavar="N")] = "1",
    rewrite: Annotated[bool, Parameter(negative=())] = False,
    json_: Annotated[bool, Parameter(name="--json", negative=())] = False,
) -> int:
    """Say on one page what holds of a game: its rules, secrecy, replay, speed and texts.

    It runs the suite that every game must pass; a folder of your own is a game too. Where a check
    fails, the page says where, and what to do.

    Parameters
    ----------
    game
        The game, by its id or by the path of its folder.
    seed
        Another number plays other matches.
    rewrite
        Write the golden files (perft numbers, playthroughs) anew, for review.
    json_
        Print the results as JSON.
    """
    chosen = variant(game, None, (), None)
    luck = whole("--seed", seed, 0)
    if rewrite:
        return _rewrite(chosen)
    found = _found(chosen, luck)
    if json_:
        results = [dataclasses.asdict(each) for each in found]
        sys.stdout.write(json.dumps(results, indent=2) + "\n")
    else:
        from brelan.suite.report import figures

        has_failed = any(each.wrong and each.topic == "speed" for each in found)
        _print(chosen, found, None if has_failed else figures(chosen, luck))
    return FAILED if any(each.wrong for each in found) else 0


def _found(game: Game, seed: int) -> list[Finding]:
    from brelan.cli.progress import prepared, progress
    from brelan.suite.report import findings, how_many

    found: list[Finding] = []
    with progress(f"Checking {game.id}") as report:
        whole = how_many(game)
        for each in findings(game, seed, prepared):
            found.append(each)
            report(len(found), whole)
    return found


def _rewrite(game: Game) -> int:
    from brelan.suite import goldens

    for file, write in goldens(game):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(write(), encoding="utf-8")
        sys.stdout.write(f"{file.relative_to(game.folder.path)} written\n")
    return 0


def _print(game: Game, found: Sequence[Finding], figures: Figures | None) -> None:
    from rich.console import Console

    from brelan.suite.report import TOPICS

    console = Console(highlight=False)
    console.print(f"{game.variant}  {game.folder.path}", soft_wrap=True)
    for topic in TOPICS:
        own = [each for each in found if each.topic == topic]
        if own:
            _print_topic(console, topic, own, figures if topic == "speed" else None)
    wrong = [each for each in found if each.wrong]
    if wrong:
        count = f"{len(wrong)} of {len(found)} checks fail"
        if len(found) == 1:
            count = "The rules do not compile; nothing else was run"
        console.print(f"\n[bold red]{count}[/]: {', '.join(sorted({e.topic for e in wrong}))}")
    else:
        console.print(f"\n[bold green]All of {len(found)} checks hold.[/]")


def _print_topic(
    console: Console, topic: str, found: Sequence[Finding], figures: Figures | None
) -> None:
    """Print a topic with its checks: one line for each, whatever the number of players."""
    mark = "[bold red]✗[/]" if any(each.wrong for each in found) else "[green]✓[/]"
    console.print(f"\n{mark} [bold]{topic}[/]")
    for title in dict.fromkeys(each.title for each in found):
        alike = [each for each in found if each.title == title]
        wrong = [each for each in alike if each.wrong]
        seconds = sum(each.seconds for each in alike)
        sign = "[bold red]✗[/]" if wrong else "[green]✓[/]"
        took = f"  [dim]{seconds:.0f} s[/]" if seconds >= 1 else ""
        _print_indented(console, f"{sign} {title}{took}", 1)
        if wrong:
            _print_wrong(console, wrong[0], len(alike))
    if figures is not None:
        parts = [f"{figures.matches:,.0f} random matches for a second of the processor"]
        if figures.times_reference is not None:
            parts.append(f"{figures.times_reference:,.0f} times the reference engine")
        parts.append(f"a state takes {figures.state_bytes} bytes")
        _print_indented(console, f"[dim]·[/] {'; '.join(parts)}", 1)


def _print_wrong(console: Console, finding: Finding, numbers: int) -> None:
    """Print what is wrong, with the line of the game where it comes from, and what to do."""
    from rich.markup import escape

    with_players = f" (with {finding.players} players)" if numbers > 1 else ""
    where = f"{finding.where}: " if finding.where else ""
    _print_indented(console, f"[red]{escape(where + finding.wrong + with_players)}[/]", 2)
    if finding.advice:
        _print_indented(console, f"[bold]what to do:[/] {escape(finding.advice)}", 2)


def _print_indented(console: Console, text: str, depth: int) -> None:
    from rich.padding import Padding

    console.print(Padding(text, (0, 0, 0, INDENT * depth)))
