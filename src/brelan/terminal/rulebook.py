"""The rulebook of a game on the screen: all of it, or one section."""

from __future__ import annotations

import re

from rich.markdown import Markdown

from brelan.engine.folder import GameFolder
from brelan.errors import Refused
from brelan.terminal.screen import Screen, glue

_HEADING = re.compile(r"^(#+) §(\S+) .*$", re.MULTILINE)


def sections(rulebook: str) -> dict[str, str]:
    """Return the text of each section by its number, subsections included.

    >>> sections("# A game\\n## §1 Cards\\nTen.\\n### §1.1 Values\\nOne.\\n## §2 Turns\\n")["1.1"]
    '### §1.1 Values\\nOne.\\n'
    """
    headings = list(_HEADING.finditer(rulebook))
    texts = {}
    for place, heading in enumerate(headings):
        after = (later for later in headings[place + 1 :] if len(later[1]) <= len(heading[1]))
        end = next((later.start() for later in after), len(rulebook))
        texts[heading[2]] = rulebook[heading.start() : end]
    return texts


def show_rulebook(folder: GameFolder, section: str | None, screen: Screen) -> None:
    """Show a rulebook or one section of it."""
    text = folder.rulebook(screen.texts.lang)
    if section is not None:
        known = sections(text)
        if section.lstrip("§") not in known:
            names = ", ".join(f"§{name}" for name in known)
            raise Refused(f"unknown section {section!r}; there are: {names}")
        text = known[section.lstrip("§")]
    screen.page(Markdown(glue(text)))
