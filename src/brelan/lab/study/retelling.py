"""A match played again and told in full, to see which §, and which texts, come into play."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from types import CodeType
from typing import Any

from brelan.engine.game import Game
from brelan.engine.match import Match
from brelan.lab.study.figures import Names

SECTION, TEXT = "section", "text"
CITED = re.compile(r"§\d+(?:\.\d+)?")
TOLD = ("story.", "move.")  # the texts that a match tells


class Retelling:
    """Plays and tells matches of a game as plain Python, and watches which rules are used."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._sections = _sections(game)

    def used(self, luck: int, numbers: list[int]) -> Iterator[tuple[str, str]]:
        """Yield each § and each text that the match of some luck and moves uses."""
        codes: set[CodeType] = set()

        def watch(frame: Any, event: str, argument: Any) -> None:
            if event == "call":
                codes.add(frame.f_code)

        before = sys.getprofile()
        sys.setprofile(watch)
        try:
            match = Match.simulated(self.game, luck)
            for number in numbers:
                match.play_unchecked(number)
        finally:
            sys.setprofile(before)
        sections = {s for code in codes for s in self._sections.get(code, ())}
        yield from ((SECTION, section) for section in sorted(sections))
        yield from ((TEXT, key) for key in sorted(_texts_told(match)))


def all_sections(game: Game) -> dict[str, Names]:
    """Return every § that a rule of the game cites, with its heading in each language."""
    cited = {section for found in _sections(game).values() for section in found}
    books = {lang: game.folder.rulebook(lang) for lang in ("fr", "en")}
    return {
        section: {lang: _heading(book, section) for lang, book in books.items()}
        for section in sorted(cited, key=lambda s: [int(n) for n in s[1:].split(".")])
    }


def all_texts(game: Game) -> list[str]:
    """Return the keys of the texts by which a match is told, and moves are named."""
    return sorted(key for key in game.folder.texts("en").entries if key.startswith(TOLD))


def _sections(game: Game) -> dict[CodeType, list[str]]:
    """Return what each rule of a game cites."""
    package = game.folder.rules.__package__
    found: dict[CodeType, list[str]] = {}
    for name, module in list(sys.modules.items()):
        if name.startswith(f"{package}."):
            for value in vars(module).values():
                if hasattr(value, "__rule__") and value.__module__ == name:
                    cited = CITED.findall(value.__doc__ or "")
                    if name.rpartition(".")[2] not in ("bots", "belief", "imagine", "metrics"):
                        found[value.__code__] = cited
    return found


def _heading(book: str, section: str) -> str:
    """Return the heading of a § in a rulebook, without its number; of a case, the chapter's."""
    for number in (section, section.partition(".")[0]):
        found = re.search(rf"^#+ {re.escape(number)}[ .:–—-]+(.+)$", book, re.MULTILINE)
        if found:
            return found[1].strip()
    return ""


def _texts_told(match: Match) -> set[str]:
    """Return the keys of all texts that somebody reads in a match."""
    keys = set()
    for seat in (None, *range(match.game.players)):
        keys |= {move.message[0] for move in match.view(seat).history}
        keys |= {key for key, _ in match.tell(seat)}
    return keys
