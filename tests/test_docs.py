"""What the docs tell to do can be done."""

from __future__ import annotations

import runpy
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

import brelan
from brelan.bots import bot
from brelan.cli import app
from brelan.commands.arena import arena

TOOLS = Path(__file__).parents[1] / "tools"


def test_every_arena_of_the_docs_can_be_asked_for() -> None:
    """They take hours; here it is only seen that each is understood."""
    arenas: Callable[[], list[str]] = runpy.run_path(str(TOOLS / "strength.py"))["arenas"]
    lines = arenas()
    assert len(lines) > 25
    assert len(set(lines)) == len(lines)
    for line in lines:
        command, asked, _ = app.parse_args(["arena", *shlex.split(line)], exit_on_error=False)
        assert command is arena
        name, *bots = asked.args
        knobs = {"players": int(asked.arguments["players"])} if "--players" in line else {}
        game = brelan.game(name, **knobs)
        for each in bots:
            bot(each, game)
        for role in ("challenger", "against"):
            if f"--{role}" in line:
                assert asked.arguments[role] in bots
    with pytest.raises(brelan.Refused):
        bot("search:expert+nothing=1", game)
