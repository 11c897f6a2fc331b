"""What environments are called: the game, and the version of its rules."""

from __future__ import annotations

from brelan.engine.folder import GameFolder


def environment_name(folder: GameFolder) -> str:
    """Return the name of a game's environment, such as `love_letter_v1`."""
    return f"{folder.id.replace('-', '_')}_v{folder.version}"
