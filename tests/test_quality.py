"""Style, types and the direction of imports: what pre-commit checks, as tests."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from test_web_build import npm

ROOT = Path(__file__).resolve().parents[1]

TOOLS = {
    "ruff-check": ("ruff", ["-m", "ruff", "check", "."]),
    "ruff-format": ("ruff", ["-m", "ruff", "format", "--check", "."]),
    "imports": (
        "importlinter",
        ["-c", "from importlinter.cli import lint_imports_command as run; run()"],
    ),
}


@pytest.mark.parametrize("tool", TOOLS)
def test_tool(tool: str) -> None:
    module, command = TOOLS[tool]
    run(module, *command)


def test_types(in_repository: Path) -> None:
    """In a copy that has the template as one more game, so that it is checked too."""
    run("mypy", "-m", "mypy", "--cache-dir", str(ROOT / ".mypy_cache"), cwd=in_repository)


def test_client() -> None:
    """The types of the browser client, and its accessibility as far as its source tells it."""
    npm("check")


def run(module: str, *command: str, cwd: Path = ROOT) -> None:
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"{module} is not installed: uv run --all-groups pytest runs this too")
    done = subprocess.run([sys.executable, *command], cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
