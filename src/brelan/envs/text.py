"""Text for language models: what a seat sees and may do, in short French or English sentences.

Everything is made from a view, with the texts of the game and its face in the terminal.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from rich.console import Console

from brelan.engine.game import Game
from brelan.engine.view import Move, View
from brelan.errors import Refused
from brelan.terminal.screen import Room, Screen
from brelan.terminal.session import face_of

COLUMNS = 100

Chat = Callable[[str], str]  # it gets a prompt, and returns what the model answers


def observation(view: View, lang: str = "en", *, whole: bool = False) -> str:
    """Return what a seat sees: the news since its last move (`whole`: all), and the table."""
    game, texts = view.game, view.game.folder.texts(lang)
    since = 0 if whole else _last_move(view)
    facts = {"game": texts("game.name"), "seat": view.seat, "players": game.players}
    parts = [texts("prompt.watch" if view.seat is None else "prompt.you", facts)]
    told = list(story(view, lang, since))
    if told:
        parts.append("\n".join([texts("prompt.news" if since else "prompt.story"), *told]))
    parts.append(f"{texts('prompt.table')}\n{table(view, lang)}")
    return "\n\n".join(parts)


def legal_moves(view: View, lang: str = "en") -> str:
    """Return the legal moves, one in each line, numbered from 1 on, with notation and label."""
    lines = [
        f"{number}. {move.notation} — {move.label(lang)}"
        for number, move in enumerate(view.legal(), 1)
    ]
    return "\n".join([view.game.folder.texts(lang)("prompt.moves"), *lines])


def prompt(view: View, lang: str = "en") -> str:
    """Return what to ask a language model in a view of its own turn; `read` takes its answer."""
    answer = view.game.folder.texts(lang)("prompt.answer")
    return "\n\n".join([observation(view, lang), legal_moves(view, lang), answer])


def read(answer: str, view: View, lang: str = "en") -> Move:
    """Return the move that an answer means: its last word that is a number or a notation."""
    legal = view.legal()
    named = {move.notation: move for move in legal}
    named |= {str(number): move for number, move in enumerate(legal, 1)}
    words = (word.strip(".,;:()`\"'") for word in reversed(answer.replace("*", " ").split()))
    for word in (answer.strip(), *words):
        if word in named:
            return named[word]
    facts = {"answer": answer.strip()[:60], "count": len(legal)}
    raise Refused(view.game.folder.texts(lang)("prompt.again", facts))


class ChatBot:
    """A bot that asks a language model: any function that takes a prompt and returns an answer.

    An answer that is no legal move is asked for again, with what was wrong; after `attempts`
    answers `Refused` is raised.
    """

    def __init__(self, chat: Chat, name: str = "chat", lang: str = "en", attempts: int = 3) -> None:
        self.chat, self.name, self.lang, self.attempts = chat, name, lang, attempts

    def choose(self, view: View) -> Move:
        """Return the move that the model chooses."""
        asked = prompt(view, self.lang)
        for attempt in range(1, self.attempts + 1):
            try:
                return read(self.chat(asked), view, self.lang)
            except Refused as error:
                if attempt == self.attempts:
                    raise
                asked = f"{prompt(view, self.lang)}\n\n{error}"
        raise Refused("a chat bot needs one attempt or more")


# ---------------------------------------------------------------- parts of it


def story(view: View, lang: str, since: int = 0) -> Iterator[str]:
    """Yield what a seat was told from a ply on, a line for each move."""
    texts, folder = view.game.folder.texts(lang), view.game.folder
    records = [np.frombuffer(seen, folder.layout.dtype)[0] for seen in view.observations[since:]]
    records.append(view.record)
    for move, before, after in zip(view.history[since:], records, records[1:], strict=False):
        told = folder.story.tell(before, move.id, after, view.seat)
        if told:
            yield " ".join(texts(*message) for message in told)


def table(view: View, lang: str = "en") -> str:
    """Return the table as a seat sees it, drawn as in the terminal, without colours."""
    screen = new_screen(view.game, lang, io.StringIO(), colours=False)
    screen.print(draw(view, screen))
    assert isinstance(screen.console.file, io.StringIO)
    lines = screen.console.file.getvalue().splitlines()
    return "\n".join(line.rstrip() for line in lines)


def new_screen(game: Game, lang: str, file: Any, *, colours: bool) -> Screen:
    """Return a screen to draw tables on, without blank lines."""
    console = Console(
        file=file,
        width=COLUMNS,
        force_terminal=colours,
        color_system="truecolor" if colours else None,
        highlight=False,
        no_color=not colours,
        legacy_windows=False,
    )
    screen = Screen(game.folder.texts(lang), console)
    screen.room = Room.SNUG
    return screen


def draw(view: View, screen: Screen) -> Any:
    """Return the table as rich draws it."""
    names = [screen.say("seat.name", {"number": seat}) for seat in range(view.game.players)]
    return face_of(view.game).draw(view, names, screen)


def _last_move(view: View) -> int:
    plies = [ply for ply, move in enumerate(view.history) if move.seat == view.seat]
    return plies[-1] if plies and view.seat is not None else 0


__all__ = ["ChatBot", "legal_moves", "observation", "prompt", "read", "story", "table"]
