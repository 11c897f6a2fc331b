"""A sixth game is a folder: no file outside it names a game, and none has to change for it."""

from __future__ import annotations

import fnmatch
import hashlib
import re
import subprocess
import sys
from pathlib import Path

import brelan

ROOT = Path(__file__).resolve().parents[1]

# Files that may name a game, because a new one changes nothing in them.
MAY_NAME = (
    "*.md",  # examples; the tables are generated (tools/tables.py)
    "docs/*.svg",  # a picture of one game
    "tests/*",  # tests of the house play some game
    "tools/learn.py",  # trains for one game
    "tools/mccfr.py",  # solves one game, reduced
    "tools/pictures.py",  # pictures of some games
    "tools/report_pictures.py",
    "src/brelan/web/pages/Parts.svelte",  # shared parts, with the cards of some games
    "src/brelan/web/texts/levels.json",  # what was measured
)


def test_no_file_outside_a_game_names_it(files: list[str]) -> None:
    """Docstrings and comments of the client aside, whose examples need some game."""
    named = re.compile("|".join(game.replace("-", "[-_ ]") for game in brelan.games()), re.I)
    for name in files:
        in_a_game = re.match(r"src/brelan/games/\w+/", name)
        is_picture = name.endswith((".jpg", ".npz", ".png", ".webp", ".woff2"))
        if in_a_game or is_picture or any(fnmatch.fnmatch(name, each) for each in MAY_NAME):
            continue
        text = (ROOT / name).read_text(encoding="utf-8")
        found = named.search(re.sub(r'""".*?"""|/\*.*?\*/', "", text, flags=re.DOTALL))
        assert found is None, f"{name} names {found and found[0]}"


def test_a_sixth_game_changes_no_other_file(in_repository: Path) -> None:
    """What `brelan new` writes, lying among the games, is a game in every respect."""
    before = digests(in_repository)
    assert "playthroughs" in brelan_says("check", "sixth-game", "--rewrite")  # which name its id
    assert "sixth-game  Sixth game. " in brelan_says("games", "--lang=en")
    assert "✗" not in brelan_says("check", "sixth-game")
    assert "Goodbye." in brelan_says("play", "sixth-game", "--lang=en")
    assert "200 matches" in brelan_says("sim", "sixth-game", "--matches=200")
    asked = ("balanced", "honest", "--matches=20", "--workers=1")
    assert "balanced" in brelan_says("arena", "sixth-game", *asked)
    assert digests(in_repository) == before
    assert run("tools/tables.py").splitlines()[0] == "README.md written"
    row = "| Sixth game | 2 | `honest`, `balanced` | [page](src/brelan/games/sixth_game/page.md) |"
    assert row in (in_repository / "README.md").read_text(encoding="utf-8")
    for tool in (["ruff", "check"], ["ruff", "format", "--check"]):
        run("-m", *tool, "--no-cache", "src/brelan/games/sixth_game")
    run("-c", "from importlinter.cli import lint_imports_command as run; run()", "--no-cache")
    tests = ("tests/test_i18n.py", "tests/test_docs.py", "tests/test_every_game.py")
    run("-m", "pytest", "-p", "no:cacheprovider", "src/brelan/games/sixth_game")
    wanted = "sixth or tables or sections or arena_of_the_docs"
    run("-m", "pytest", "-p", "no:cacheprovider", *tests, "-k", wanted)
    changed = {name for name, digest in digests(in_repository).items() if before[name] != digest}
    assert changed == {"README.md"}


def digests(home: Path) -> dict[str, str]:
    """Return what each file outside the sixth game's folder holds."""
    return {
        file.relative_to(home).as_posix(): hashlib.blake2b(file.read_bytes()).hexdigest()
        for file in home.rglob("*")
        if file.is_file() and not {"__pycache__", "sixth_game", ".hypothesis"} & {*file.parts}
    }


def brelan_says(*arguments: str) -> str:
    return run("-m", "brelan", *arguments)


def run(*arguments: str) -> str:
    """Run Python in the copy of the repository; return what it writes."""
    done = subprocess.run(
        [sys.executable, "-B", *arguments],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
