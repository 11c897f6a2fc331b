"""The wheel: what is in it, and that it runs where nothing else is installed."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
import zipfile
from pathlib import Path

import brelan

ROOT = Path(__file__).resolve().parents[1]


def run(*command: str | Path, cwd: Path) -> str:
    unwanted = ("PYTHONPATH", "VIRTUAL_ENV")
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env={name: value for name, value in os.environ.items() if name not in unwanted},
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def uv() -> str:
    """Return uv: the one that runs these tests, or that of `run.py`."""
    found = os.environ.get("UV")
    return found or str(runpy.run_path(str(ROOT / "run.py"))["uv"]())


def built(repository: Path) -> Path:
    """Build the wheel of a copy of the repository."""
    dist = repository.parent / "dist"
    run(uv(), "build", "--quiet", "--wheel", "--out-dir", dist, cwd=repository)
    (wheel,) = dist.glob("*.whl")
    return wheel


def test_the_wheel_holds_the_product_and_no_tests(repository: Path) -> None:
    """Also a game that was just added; the reference engines belong to the product.

    Of the browser client it holds what was built, not the sources.
    """
    source = repository / "src"
    own = re.compile(r"brelan/(games/\w+/tests|games/\w+/web|web)/|.*/__pycache__/")
    files = (each.relative_to(source).as_posix() for each in source.rglob("*") if each.is_file())
    product = {name for name in files if not own.match(name)}
    assert "brelan/games/sixth_game/reference.py" in product
    held = set(zipfile.ZipFile(built(repository)).namelist())
    assert {name for name in held if ".dist-info/" not in name} == product
    assert {"brelan/static/index.html", "brelan/static/manifest.webmanifest"} <= held
    assert not any(re.search("games/.*/tests/", name) or "node_modules" in name for name in held)


def test_the_wheel_runs_where_nothing_else_is_installed(repository: Path, tmp_path: Path) -> None:
    env = tmp_path / "env"
    programs = env / ("Scripts" if os.name == "nt" else "bin")
    run(uv(), "venv", "--quiet", "--python", sys.executable, env, cwd=tmp_path)
    install = ("pip", "install", "--quiet", "--python", programs / "python")
    run(uv(), *install, built(repository), cwd=tmp_path)
    for game in (brelan.games()[0], "sixth-game"):
        assert run(programs / "brelan", "play", game, "--lang=en", cwd=tmp_path).endswith(
            "Goodbye.\n"
        )
        assert "200 matches" in run(programs / "brelan", "sim", game, "--matches=200", cwd=tmp_path)
    assert "✗" not in run(programs / "brelan", "check", "sixth-game", cwd=tmp_path)
    assert "./own_game" in run(programs / "brelan", "new", "own-game", "--lang=en", cwd=tmp_path)
    assert "✗" not in run(programs / "brelan", "check", "./own_game", cwd=tmp_path)
    assert "site-packages" in run(
        programs / "python", "-c", "import brelan; print(brelan.__file__)", cwd=tmp_path
    )
