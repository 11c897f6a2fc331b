"""What the docs tell to do can be done."""

from __future__ import annotations

import re
import runpy
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

import brelan
from brelan.bots import bot
from brelan.cli import app
from brelan.cli.arena import arena
from brelan.engine.folder import GameFolder, open_folder

FOLDERS = [open_folder(name) for name in brelan.games()]
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
        for role in ("gauntlet", "opponent"):
            if f"--{role}" in line:
                assert asked.arguments[role] in bots
    with pytest.raises(brelan.Refused):
        bot("search:expert+nothing=1", game)


@pytest.mark.parametrize(
    ("tool", "asked", "said"),
    [
        ("shrewd", ("district-noir", "careful", "3"), ["gain", "patience", "choices; surprise"]),
        ("shrewd", ("love-letter", "careful", "6"), ["princess", "stake", "choices; surprise"]),
        ("thinking", ("district-noir", "2", "300", "600"), ["300 moves: worth", "600 beside 300"]),
    ],
    ids=["fit-district-noir", "fit-love-letter", "thinking-district-noir"],  # by which they run
)
def test_the_tools_that_the_docs_name_run(
    tool: str, asked: tuple[str, ...], said: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    runpy.run_path(str(TOOLS / f"{tool}.py"))["main"](*asked)
    shown = capsys.readouterr().out
    assert all(part in shown for part in said)
    assert "nan" not in shown


def test_the_generated_tables_are_true() -> None:
    """Else write them anew: uv run tools/tables.py."""
    tables = runpy.run_path(str(TOOLS / "tables.py"))
    for file, text, rewritten in tables["pages"]():
        assert text == rewritten, f"{file}: uv run tools/tables.py writes its tables anew"
        assert " | ? |" not in text, f"{file}: say what a new row means"


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.id)
def test_every_place_of_the_state_is_on_the_page(folder: GameFolder) -> None:
    """With those who see it: the rows are written by hand."""
    page = (folder.path / "page.md").read_text(encoding="utf-8")
    section = page.partition("## The state, and who sees it")[2].partition("\n## ")[0]
    rows = [row.strip("| ").split(" | ") for row in section.splitlines() if row.startswith("| `")]
    seen_by = {name: row[-1] for row in rows for name in re.findall(r"`(\w+)`", row[0])}
    sights = {"everyone": "everyone", "owner": "its owner", "nobody": "nobody"}
    for name, place in folder.layout.places.items():
        if name not in folder.knobs:
            assert name in seen_by, f"{folder.id}: the page does not say what {name} holds"
            assert sights[place.sight] in seen_by[name].split("; "), name
    assert seen_by.keys() <= {*folder.layout.places, "luck"}
