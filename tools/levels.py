"""Write how strong the levels are, for the page of the bots: src/brelan/web/texts/levels.json.

uv run tools/levels.py

Nothing is played: the figures are those of docs/strength.md, which tools/strength.py measures. Of
each game it takes the lines with the fewest seats in which a level meets the one below it.
"""

from __future__ import annotations

import json
import shlex
from typing import Any

from measured import ROOT
from strength import Line, lines

PAGE = ROOT / "src" / "brelan" / "web" / "texts" / "levels.json"
PAIRS = (("club", "novice"), ("expert", "club"))


def figures() -> list[dict[str, Any]]:
    """Return one figure for each game and pair of levels that was measured."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for line in lines():
        for level, below in PAIRS:
            figure = _figure(line, level, below)
            if figure is None:
                continue
            kept = found.setdefault((figure["game"], level), figure)
            if figure["players"] < kept["players"]:
                found[figure["game"], level] = figure
    return list(found.values())


def _figure(line: Line, level: str, below: str) -> dict[str, Any] | None:
    game, *words = shlex.split(line.command)
    if line.section != "levels" or line.outcome is None or words[:2] != [level, below]:
        return None
    wins, low, high = line.outcome["wins"][level]
    return {
        "game": game,
        "level": level,
        "below": below,
        "players": round(1 / line.outcome["fair"]),
        "matches": line.outcome["matches"],
        "wins": wins,
        "low": low,
        "high": high,
    }


def written() -> str:
    """Return the file as it ought to be."""
    rows = ",\n".join(f"  {json.dumps(figure)}" for figure in figures())
    return f"[\n{rows}\n]\n"


if __name__ == "__main__":
    PAGE.write_text(written(), encoding="utf-8")
