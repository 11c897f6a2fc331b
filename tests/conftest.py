"""The template game, opened by its path: from then on it is `brelan.game("template-game")`."""

from __future__ import annotations

from pathlib import Path

from brelan.engine.folder import open_folder

TEMPLATE = Path(__file__).with_name("template_game")

open_folder(str(TEMPLATE))
