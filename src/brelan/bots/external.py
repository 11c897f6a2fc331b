"""External bots: a factory in a Python module, or a program in any language."""

from __future__ import annotations

import contextlib
import importlib
import json
import queue
import shlex
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from brelan.bots.base import Bot
from brelan.engine.game import Game
from brelan.engine.view import Move, View
from brelan.errors import Refused


def from_module(spec: str, game: Game) -> Bot:
    """Return the bot that `module:factory` makes for a game; `Refused` if there is none.

    Modules are searched in the current folder too.
    """
    name, _, attribute = spec.partition(":")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        factory: Callable[[Game], Bot] = getattr(importlib.import_module(name), attribute)
    except (ImportError, AttributeError) as error:
        raise Refused(f"there is no bot {spec!r}: {error}") from None
    bot = factory(game)
    if not callable(getattr(bot, "choose", None)):
        raise Refused(f"{spec!r} makes no bot: what it returns has no method choose(view)")
    return bot


class ProgramBot:
    """A program that answers each line of JSON (`question`) with a line: its move.

    The answer is the id or the notation of a legal move, alone or as {"move": …}.
    """

    def __init__(self, command: str, game: Game) -> None:
        self.name, self.game = command, game
        try:
            self._program = subprocess.Popen(  # noqa: S603 - a program the user asked for
                shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
        except (OSError, ValueError) as error:
            raise Refused(f"the program {command!r} does not start: {error}") from None
        self._answers: queue.Queue[str] = queue.Queue()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def _listen(self) -> None:
        assert self._program.stdout is not None
        for line in self._program.stdout:
            self._answers.put(line)
        self._answers.put("")  # the program has ended

    def choose(self, view: View) -> Move:
        """Return the program's answer.

        Raise RuntimeError if the program has ended, and ValueError if its answer is no legal move.
        """
        assert self._program.stdin is not None
        legal = view.legal()
        with contextlib.suppress(OSError):  # the program has ended: no answer will follow
            self._program.stdin.write(json.dumps(question(view, legal)) + "\n")
            self._program.stdin.flush()
        line = self._answers.get()
        if not line:
            raise RuntimeError(f"the program ended with status {self._program.wait()}")
        return _parse_answer(line, legal)

    def close(self) -> None:
        """Kill the program."""
        self._program.kill()
        self._listener.join()
        with contextlib.suppress(OSError):  # it has not read all input
            self._program.communicate()


def question(view: View, legal: list[Move]) -> dict[str, Any]:
    """Return what a program is sent: the view, the moves so far and the legal moves."""
    return {
        "game": view.game.id,
        "variant": view.game.variant,
        "seat": view.seat,
        "players": view.game.players,
        "view": view.as_dict(),
        "history": [{"seat": move.seat, "move": move.notation} for move in view.history],
        "legal": [{"id": move.id, "move": move.notation} for move in legal],
    }


def _parse_answer(line: str, legal: list[Move]) -> Move:
    try:
        answer = json.loads(line)
    except ValueError:
        answer = line.strip()
    if isinstance(answer, dict):
        answer = answer.get("move")
    for move in legal:
        if answer in (move.id, move.notation) and not isinstance(answer, bool):
            return move
    raise ValueError(f"answered {line.strip()[:80]!r}, which is no legal move")
