"""What environments show of a view: text or pixels, by their render mode."""

from __future__ import annotations

import sys

from brelan.engine.view import View
from brelan.envs.picture import Picture, picture
from brelan.envs.text import observation
from brelan.errors import Refused

RENDER_MODES = ("human", "ansi", "rgb_array")


def check_render_mode(mode: str | None) -> None:
    """Refuse a render mode that there is not."""
    if mode is not None and mode not in RENDER_MODES:
        allowed = ", ".join(RENDER_MODES)
        raise Refused(f"there is no render_mode {mode!r}; there are: {allowed}")


def rendered(view: View, mode: str | None, lang: str) -> str | Picture | None:
    """Return a view as text (`ansi`) or as pixels (`rgb_array`), or print it (`human`).

    Without a mode it warns, and returns nothing.
    """
    if mode is None:
        import gymnasium

        gymnasium.logger.warn("render is called on an environment without a render_mode")
        return None
    if mode == "rgb_array":
        return picture(view, lang)
    text = observation(view, lang)
    if mode == "ansi":
        return text
    sys.stdout.write(f"{text}\n\n")
    return None
