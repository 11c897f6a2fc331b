"""Style, types and the direction of imports: what pre-commit checks, as tests."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

TOOLS = {
    "ruff-check": ("ruff", ["ruff", "check", "."]),
    "ruff-format": ("ruff", ["ruff", "format", "--check", "."]),
    "mypy": ("mypy", ["mypy"]),
    "imports": ("importlinter", ["importlinter.cli", "lint-imports"]),
}


@pytest.mark.parametrize("tool", TOOLS)
def test_tool(tool: str) -> None:
    module, command = TOOLS[tool]
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"{module} is not installed: uv run --all-groups pytest runs this too")
    if tool == "imports":
        command = ["-c", "from importlinter.cli import lint_imports_command as run; run()"]
        done = subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, text=True)
    else:
        done = subprocess.run(
            [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True
        )
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_file_outside_a_game_names_it() -> None:
    """Adding a game touches its own folder alone."""
    import brelan

    for game in brelan.games():
        folder = game.replace("-", "_")
        for file in (ROOT / "src" / "brelan").rglob("*.py"):
            if f"games/{folder}/" in file.as_posix():
                continue
            code = list(file.read_text(encoding="utf-8").splitlines())
            named = [n for n in code if folder in n or (f'"{game}"' in n and ">>>" not in n)]
            assert not named, f"{file.name}: {named[0]}"
