"""What the tools that measure share: by which version, what is known, and how a page is filled."""

from __future__ import annotations

import datetime
import importlib.metadata
import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
GAMES = ROOT / "src" / "brelan" / "games"


def home(game: str, games: Path = GAMES) -> Path:
    """Return the folder in which figures of a game are kept."""
    return games / game.replace("-", "_") / "tests"


def known(file: Path) -> dict[str, Any]:
    """Return what a file of figures holds; without the file, nothing."""
    return dict(json.loads(file.read_text(encoding="utf-8"))) if file.is_file() else {}


def keep(file: Path, figures: dict[str, Any]) -> None:
    """Write figures to a file, beside those that it holds under other names."""
    text = json.dumps({**known(file), **figures}, indent=1, ensure_ascii=False)
    file.write_text(text + "\n", encoding="utf-8")


def measured_by() -> dict[str, str]:
    """Return by which version, at which commit, and when."""
    asked = ["git", "-C", str(ROOT), "describe", "--always", "--dirty", "--exclude=*"]
    run = subprocess.run(asked, capture_output=True, text=True, check=False)  # noqa: S603
    return {
        "version": importlib.metadata.version("brelan"),
        "commit": run.stdout.strip(),
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
    }


def version(figures: dict[str, str]) -> str:
    """Return what figures were measured by, as a cell of a table."""
    return f"{figures['version']}, {figures['commit']}, {figures['date']}"


def filled(template: Path, table: Callable[[str], str]) -> str:
    """Return a page: its template, with a table in the place of each name in braces."""
    text = template.read_text(encoding="utf-8")
    return re.sub(r"^\{(\w+)\}$", lambda found: table(found[1]), text, flags=re.MULTILINE)
