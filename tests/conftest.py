"""The template game, and copies of the repository that have it as one more game."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from brelan.engine.folder import open_folder
from brelan.kit.new import TEMPLATE, write_game
from browser_fixture import browse, browser, chromium, house

__all__ = ["browse", "browser", "chromium", "house"]  # fixtures

ROOT = Path(__file__).resolve().parents[1]
BUNDLE = ROOT / "src" / "brelan" / "static"

open_folder(str(TEMPLATE))  # from then on it is `brelan.game("template-game")`


@pytest.fixture(scope="session")
def files() -> list[str]:
    """Return the files of the repository: those that git does not ignore."""
    if not (ROOT / ".git").exists():
        pytest.skip("this is no git repository, and the tests leave files of their own beside it")
    asked = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [name for name in listed.splitlines() if (ROOT / name).is_file()]


@pytest.fixture
def repository(tmp_path: Path, files: list[str]) -> Path:
    """Return a copy of the repository with a sixth game.

    The sixth game is what `brelan new` writes, the template under another name.
    The browser client is copied as it is built; of the same sources, it is not built again.
    """
    home = tmp_path / "repository"
    for name in files:
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, home / name)
    if BUNDLE.exists():
        shutil.copytree(BUNDLE, home / BUNDLE.relative_to(ROOT))
    write_game("sixth-game", home / "src" / "brelan" / "games")
    return home


@pytest.fixture
def in_repository(repository: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let processes that are started run the copy of the repository; return where it lies."""
    monkeypatch.chdir(repository)
    monkeypatch.setenv("PYTHONPATH", str(repository / "src"))
    monkeypatch.setenv("MYPYPATH", str(repository / "src"))
    for name in os.environ:
        if name.startswith("PYTEST_"):
            monkeypatch.delenv(name)
    return repository
