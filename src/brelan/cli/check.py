"""`brelan check`: the suite that every game must pass, on one game."""

from __future__ import annotations

import functools
import json
import sys
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from brelan.cli.variants import variant, whole

if TYPE_CHECKING:
    from brelan.engine.game import Game

FAILED = 1


def check(
    game: str | None = None,
    /,
    *,
    seed: Annotated[str, Parameter(metavar="N")] = "1",
    rewrite: Annotated[bool, Parameter(negative=())] = False,
    json_: Annotated[bool, Parameter(name="--json", negative=())] = False,
) -> int:
    """Run the suite that every game must pass; a folder of your own is a game too.

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
    from brelan.cli.progress import prepared

    if rewrite:
        return _rewrite(chosen)
    for mode in ("compiled", "checked"):
        prepared(chosen, mode)
    results = []
    for title, run in _checks(chosen, luck):
        begun = time.perf_counter()
        try:
            run()
        except Exception as error:  # noqa: BLE001 - whatever goes wrong, the other checks go on
            wrong = f"{type(error).__name__}: {error}"
        else:
            wrong = ""
        results.append({"check": title, "wrong": wrong, "seconds": time.perf_counter() - begun})
        if not json_:
            _print(results[-1])
    if json_:
        sys.stdout.write(json.dumps(results, indent=2) + "\n")
    return FAILED if any(result["wrong"] for result in results) else 0


def _checks(game: Game, seed: int) -> Iterator[tuple[str, Callable[[], None]]]:
    from brelan.suite import all_checks, golden, goldens

    for check, table in all_checks(game):
        title = f"{table.players} players: {(check.__doc__ or '').strip()}"
        yield title, functools.partial(check, table, seed)
    for file, write in goldens(game):
        title = f"{file.name} is as it was."
        yield title, functools.partial(golden.compare, file, write)


def _rewrite(game: Game) -> int:
    from brelan.suite import goldens

    for file, write in goldens(game):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(write(), encoding="utf-8")
        sys.stdout.write(f"{file.relative_to(game.folder.path)} written\n")
    return 0


def _print(result: dict[str, object]) -> None:
    from rich.console import Console
    from rich.text import Text

    mark = ("✗ ", "bold red") if result["wrong"] else ("✓ ", "green")
    line = Text.assemble(mark, str(result["check"]), (f"  {result['seconds']:.1f} s", "dim"))
    if result["wrong"]:
        line.append(f"\n  {result['wrong']}", "red")
    Console(highlight=False).print(line)
