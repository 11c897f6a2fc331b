"""What people at a table of a server ask and tell each other, in the terminal.

Take-backs, draws, and the reactions that stand for a chat.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from rich.text import Text

from brelan.client.connection import Connection
from brelan.client.errors import ServerError
from brelan.i18n import LANGUAGES, Texts
from brelan.server.messages import REACTIONS, Asked, Happened, Reacted
from brelan.terminal.screen import Screen

REFUSED = (
    "no_takeback",
    "no_draws",
    "bots_play_on",
    "nothing_asked",
    "already_asked",
    "match_over",
)
ENDING = ("resign", "timeout", "draw")  # events that end a match, whoever is in turn
COMMANDS = ("back", "draw", "agree", "refuse", "say")


class Seated(Protocol):
    """What talks with the server from the thread of the terminal, and waits for the answer."""

    def do(self, work: Any) -> None:
        """Ask for something; ServerError if it is refused."""


class Talk:
    """The commands with which a seat talks to the others, and what it is told by them."""

    def __init__(self, match: Seated, seat: Connection, screen: Screen) -> None:
        self._match, self._seat, self._screen = match, seat, screen

    def commands(self, texts_of: Callable[[str], Texts]) -> dict[str, Callable[[str], None]]:
        """Return what to do at a word, in any language."""
        known = {
            "back": lambda _: self._try(self._seat.take_back()),
            "draw": lambda _: self._try(self._seat.offer_draw()),
            "agree": lambda _: self._try(self._seat.answer(agrees=True)),
            "refuse": lambda _: self._try(self._seat.answer(agrees=False)),
            "say": self._say,
        }
        return {
            word: command
            for name, command in known.items()
            for lang in LANGUAGES
            for word in texts_of(lang)(f"command.{name}").split()
        }

    def _try(self, work: Any) -> None:
        """Ask the server for something; a refusal is told."""
        try:
            self._match.do(work)
        except ServerError as error:
            if error.code not in REFUSED:
                raise
            self._screen.tell(f"terminal.{error.code}", style="yellow")

    def _say(self, typed: str) -> None:
        """Show a reaction, given by its number or its words; without one, list them."""
        said = [self._screen.say(f"reaction.{each}") for each in REACTIONS]
        wanted = typed.casefold()
        for number, (reaction, words) in enumerate(zip(REACTIONS, said, strict=True), 1):
            if wanted in (str(number), words.casefold()):
                self._try(self._seat.react(reaction))
                return
        listed = [f"{number}) {words}" for number, words in enumerate(said, 1)]
        self._screen.tell("terminal.reactions", {"list": "  ".join(listed)})

    # ------------------------------------------------------------ what others say

    def question(self) -> Text | None:
        """Return what is asked now: by another seat, or by this one."""
        asked = self._seat.position.asked if self._seat.position is not None else None
        return None if asked is None else Text(self._words(asked), "bold")

    def _words(self, asked: Asked) -> str:
        if asked.seat in self._seat.table.mine:
            return self._screen.say("terminal.asked_by_you")
        who = self._seat.table.seats[asked.seat].name
        words = self._screen.say(f"terminal.asks_{asked.kind}", {"who": who})
        if self._seat.seat in asked.agreed:
            return words
        yes, no = (self._screen.say(f"command.{name}").split()[0] for name in ("agree", "refuse"))
        return f"{words} {self._screen.say('terminal.answer', {'yes': yes, 'no': no})}"

    async def listen(self, tell: Callable[[str], None]) -> None:
        """Tell what comes while the user thinks: reactions, questions, and that the match ends."""
        known = self._seat.position.asked if self._seat.position is not None else None
        async for got in self._seat.messages():
            asked = self._seat.position.asked if self._seat.position is not None else None
            if isinstance(got, Reacted):
                if got.seat != self._seat.seat and got.reaction in REACTIONS:
                    words = self._screen.say(f"reaction.{got.reaction}")
                    who = self._seat.table.seats[got.seat].name
                    tell(self._screen.say("terminal.reaction", {"who": who, "words": words}))
            elif asked is not None and asked != known and asked.seat not in self._seat.table.mine:
                tell(self._words(asked))
            elif isinstance(got, Happened) and got.kind in ENDING:
                tell(self._screen.say("terminal.match_over"))
            known = asked
