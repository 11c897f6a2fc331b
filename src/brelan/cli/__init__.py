"""The `brelan` program: its commands, and how it says that something is not allowed."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from cyclopts import App, CycloptsError
from cyclopts.exceptions import UnknownCommandError, UnknownOptionError, UnusedCliTokensError

from brelan.errors import Refused

REFUSED = 2  # exit status when what was asked for is not allowed
INTERRUPTED = 130
SHELVES = "BRELAN_GAMES"  # see brelan.games, which is imported when it is needed
LONGEST_LINE = 1000

COMMANDS = {
    "play": "Play a match in the terminal against bots.",
    "games": "List the games.",
    "serve": "Serve tables for people and bots over the network.",
    "join": "Sit down at a table of a server, by its link.",
    "rules": "Show the rulebook of a game.",
    "sim": "Let bots play many matches, and report with intervals.",
    "arena": "Let bots meet each other, and rank them.",
    "lab": "The designer's lab: change the rules, and see what that does.",
    "replay": "Tell a saved match again, as a seat saw it.",
    "analyse": "Tell luck from mistakes in a saved match.",
    "verify": "Check a match that a server exported.",
    "new": "Write the folder of a new game, complete and playable.",
    "check": "Run the suite that every game must pass.",
    "bench": "Measure how fast the rules run.",
}


def _version() -> str:
    import importlib.metadata

    return importlib.metadata.version("brelan")


app = App(
    name="brelan",
    help="One house for card games with hidden information. "
    "Without a command it opens the house in your browser, from a server on this machine. "
    "`--games FOLDER` before a command adds games of your own: those in that folder, as if "
    "$BRELAN_GAMES named it.",
    version=_version,
)
for _place, (_name, _help) in enumerate(COMMANDS.items()):  # imported when they are asked for
    app.command(f"brelan.cli.{_name}:{_name}", help=_help, sort_key=_place)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the program, and leave with its exit status.

    Refused says that the user asked for something that is not allowed: one line tells it.
    """
    _let_every_letter_through()
    try:
        status = _run(sys.argv[1:] if arguments is None else list(arguments))
    except CycloptsError as error:
        status = _refuse(_explain(error))
    except Refused as error:
        status = _refuse(str(error))
    except KeyboardInterrupt:
        status = INTERRUPTED
    except BrokenPipeError:  # whoever read the output has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 0
    sys.exit(status)


def _run(arguments: list[str]) -> int:
    arguments = _with_games(arguments)
    if not arguments:
        from brelan.cli.page import page

        return page()
    status = app(
        arguments,
        exit_on_error=False,
        print_error=False,
        verbose=False,
        result_action="return_value",
    )
    sys.stdout.flush()
    return status if isinstance(status, int) else 0


def _with_games(arguments: list[str]) -> list[str]:
    """Take `--games FOLDER`, which may be repeated, off the front; the folders become shelves."""
    while arguments and arguments[0].partition("=")[0] == "--games":
        _, equals, folder = arguments[0].partition("=")
        taken = 1 if equals else 2
        folder = folder if equals else "".join(arguments[1:2])
        if not folder or os.pathsep in folder:
            raise Refused("--games needs one folder: brelan --games FOLDER …")
        shelves = [str(Path(folder).absolute()), os.environ.get(SHELVES, "")]
        os.environ[SHELVES] = os.pathsep.join(filter(None, shelves))
        arguments = arguments[taken:]
    return arguments


def _let_every_letter_through() -> None:
    """Replace letters that cannot be shown or sent instead of failing; no input is an empty one."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull)  # noqa: PTH123, SIM115 - for as long as the program runs
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _refuse(message: str) -> int:
    line = " ".join("".join(c if c.isprintable() else " " for c in message).split())
    shown = line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]}…"
    sys.stderr.write(f"brelan: {shown}\n")
    return REFUSED


def _commands(error: UnknownCommandError) -> list[str]:
    """Return the commands of the program, or of the group in which one was not found."""
    group = error.command_chain or ()
    names = app[group[0]] if group else app
    return [name for name in names if not name.startswith("-")]


def _explain(error: CycloptsError) -> str:
    """Return what is wrong with the command line, and what is allowed."""
    if isinstance(error, UnknownCommandError):
        unknown = (error.unused_tokens or [""])[0]
        return f"unknown command {unknown!r}; there are: {', '.join(_commands(error))}"
    if isinstance(error, UnknownOptionError):
        names = [name for argument in error.argument_collection for name in argument.names]
        options = ", ".join(name for name in names if name.startswith("--"))
        return f"unknown option {error.token.keyword or error.token.value}; there are: {options}"
    if isinstance(error, UnusedCliTokensError):
        return f"too many arguments: {' '.join(error.unused_tokens or [])}; see --help"
    return str(error)
