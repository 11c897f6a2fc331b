"""What the docs tell to do can be done."""

from __future__ import annotations

import json
import re
import runpy
import shlex
import sys
from pathlib import Path

import pytest

import brelan
from brelan.bots import bot
from brelan.cli import app
from brelan.cli.arena import arena
from brelan.engine.folder import GameFolder, open_folder

FOLDERS = [open_folder(name) for name in brelan.games()]
TOOLS = Path(__file__).parents[1] / "tools"
sys.path.insert(0, str(TOOLS))
SPEED, STRENGTH = (runpy.run_path(str(TOOLS / f"{tool}.py")) for tool in ("speed", "strength"))


def test_every_arena_of_the_docs_can_be_asked_for() -> None:
    """They take hours; here it is only seen that each is understood."""
    lines = [line for line in STRENGTH["lines"]() if line.tool == STRENGTH["ARENA"]]
    assert len(lines) > 25
    commands = [line.command for line in lines]
    assert len(set(commands)) == len(commands)
    for line in commands:
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


def test_the_page_of_strength_shows_what_was_measured() -> None:
    assert STRENGTH["PAGE"].read_text(encoding="utf-8") == STRENGTH["page"]()
    lines = STRENGTH["lines"]()
    for home in {line.home for line in lines}:
        kept = json.loads((home / STRENGTH["KEPT"]).read_text(encoding="utf-8"))
        assert set(kept) <= {line.command for line in lines if line.home == home}


def test_the_page_of_speed_shows_what_was_measured(tmp_path: Path) -> None:
    page = tmp_path / "speed.md"
    SPEED["main"](["--repeats", "0", "--page", str(page)])
    text = page.read_text(encoding="utf-8")
    assert SPEED["PAGE"].read_text(encoding="utf-8") == text
    assert all(f"`brelan bench {game}`" in text for game in brelan.games())


def test_strength_is_measured_and_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game, page = "love-letter", tmp_path / "strength.md"
    home = tmp_path / "games" / game.replace("-", "_") / "tests"
    home.mkdir(parents=True)
    arenas = [
        f"{game} eager careful --matches 2",
        f"{game} random eager careful --opponent random --matches 2",
    ]
    rest = [f"{game} expert club --matches 1000"]
    defined = [f'[[line]]\nsection = "bots"\ncommand = "{each}"\n' for each in arenas + rest]
    (home / "arenas.toml").write_text("".join(defined))
    where = ["--games", str(tmp_path / "games"), "--page", str(page)]
    STRENGTH["main"]([str(tmp_path / "kept"), "2", "careful", *where])
    assert capsys.readouterr().out.splitlines() == arenas
    assert len(list((tmp_path / "kept").iterdir())) == 2
    shown = page.read_text(encoding="utf-8").splitlines()
    one, both, none = (line for line in shown if f"| `{game}" in line)
    assert one.startswith(f"| `{arenas[0]}` | ")
    assert "`careful` beside `eager`: " in both
    assert none == f"| `{rest[0]}` |  |  |  | not yet |"
    known = json.loads((home / "strength.json").read_text(encoding="utf-8"))
    assert list(known) == arenas
    assert known[arenas[0]]["matches"] == 2
    assert {"version", "commit", "date"} < set(known[arenas[0]])


@pytest.mark.parametrize(
    ("tool", "asked", "said"),
    [
        ("shrewd", ("district-noir", "careful", "3"), ["gain", "patience", "choices; surprise"]),
        ("shrewd", ("love-letter", "careful", "6"), ["princess", "stake", "choices; surprise"]),
        ("thinking", ("district-noir", "2", "300", "600"), ["300 moves: worth", "600 beside 300"]),
        ("thinking", ("district-noir", "1", "300", "600", "--json"), ['"gains": [["600", "300"']),
    ],
    ids=[
        "fit-district-noir",
        "fit-love-letter",
        "thinking-district-noir",
        "thinking-json-district-noir",
    ],  # by which they run
)
def test_the_tools_that_the_docs_name_run(
    tool: str, asked: tuple[str, ...], said: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    runpy.run_path(str(TOOLS / f"{tool}.py"))["main"](*asked)
    shown = capsys.readouterr().out
    assert all(part in shown for part in said)
    assert "nan" not in shown


def test_every_picture_that_is_shown_is_there(files: list[str]) -> None:
    root = TOOLS.parent
    shown = set()
    for name in files:
        if name.endswith(".md"):
            text = (root / name).read_text(encoding="utf-8")
            for link in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", text):
                shown.add(((root / name).parent / link).resolve())
    assert {file for file in shown if not file.is_file()} == set()
    taken = [root / name for name in files if name.startswith("docs/pictures/")]
    assert sum(file.stat().st_size for file in taken) < 6_000_000
    for game in brelan.games():
        mine = {file for file in taken if file.name.startswith(game)}
        assert mine <= shown, f"page.md of {game} does not show all its pictures"


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
