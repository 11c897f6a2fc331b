"""What docs/environments.md tells a reader to type does what it says there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import brelan
from brelan.kit.new import write_game

PAGE = Path(__file__).parents[1] / "docs" / "environments.md"
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
FEWER = {
    "range(3000)": "range(20)",
    "range(1000)": "range(20)",
    "draw, won = 512": "draw, won = 64",
}
LIBRARIES = ("pettingzoo", "gymnasium", "open_spiel")


def _library(block: str) -> str | None:
    """Return the library that an example is for."""
    imports = " ".join(re.findall(r"^(?:import|from) .*", block, re.MULTILINE))
    found = [name for name in LIBRARIES if name in imports]
    return found[0] if found else None


@pytest.mark.parametrize("block", BLOCKS, ids=range(1, len(BLOCKS) + 1))
def test_an_example_runs(block: str, tmp_path: Path) -> None:
    """It runs alone, as a file, and with a few matches in place of thousands."""
    library = _library(block)
    if library is not None:
        pytest.importorskip(library)
    for whole, fewer in FEWER.items():
        block = block.replace(whole, fewer)
    write_game("my-game", tmp_path)
    file = tmp_path / "example.py"
    file.write_text(block, encoding="utf-8")
    ended = subprocess.run(
        [sys.executable, "-W", "error", file],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.strip()


def test_every_game_with_a_page_of_its_environment_is_linked() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)#]+?\.md)", text):
        if not link.startswith("http"):
            assert (PAGE.parent / link).exists(), link
    for game in brelan.games():
        page = f"games/{game.replace('-', '_')}/environment.md"
        assert page in text or not (PAGE.parents[1] / "src" / "brelan" / page).exists(), game
