"""A table in the terminal: one person against bots, at any game.

The game's folder may bring a face (`terminal.py`) that draws its table; without one the
places of the view are listed as they are.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, cast

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from brelan.bots import Bot
from brelan.engine.game import Game
from brelan.engine.match import Match
from brelan.engine.saves import claim, keep
from brelan.engine.view import View
from brelan.i18n import LANGUAGES, Message, seat_word
from brelan.terminal import menu
from brelan.terminal.menu import Choice
from brelan.terminal.screen import Room, Screen, tie, unglue

LONGEST_ECHO = 24  # letters of what a player typed that are repeated to them


class Face(Protocol):
    """How a game looks in the terminal."""

    def draw(self, view: View, names: Sequence[str], screen: Screen) -> RenderableType:
        """Draw the table as a seat sees it."""

    def path(self, record: Any, number: int) -> list[Message]:
        """Return a move from the general to the particular; nothing: its label says it all."""


class PlainFace:
    """The face of a game that brings none: its places by name."""

    def draw(self, view: View, names: Sequence[str], screen: Screen) -> RenderableType:
        """List what a seat sees."""
        grid = Table.grid(padding=(0, 2, 0, 0))
        for name, value in view.as_dict().items():
            if name not in ("seat", "knobs"):
                grid.add_row(Text(name, "dim"), Text(str(value)))
        return grid

    def path(self, record: Any, number: int) -> list[Message]:
        """Leave every move to its label."""
        return []


def face_of(game: Game) -> Face:
    """Return the face that a game's folder brings, or the plain one."""
    name = f"{game.folder.rules.__package__}.terminal"
    if importlib.util.find_spec(name) is None:
        return PlainFace()
    return cast(Face, importlib.import_module(name))


def messages_by_ply(match: Match, seat: int | None, since: int = 0) -> list[list[Message]]:
    """Return what a seat was told at each ply."""
    return [match.tell(seat, ply, ply + 1) for ply in range(since, match.ply)]


def story_lines(match: Match, seat: int | None, screen: Screen, since: int = 0) -> list[Text]:
    """Return what a seat was told since a ply, a line for each move."""
    lines = []
    for told in messages_by_ply(match, seat, since):
        lines.append(" ".join(screen.say(key, args) for key, args in told))
    if match.resigned is not None:
        lines.append(screen.say("table.resigned", {"who": seat_word(match.resigned, seat)}))
    return [Text(line) for line in lines if line]


def result_line(match: Match, names: Sequence[str], seat: int | None, screen: Screen) -> Text:
    """Return the scores and who has won, for a match that is over."""
    result = match.result
    assert result is not None
    scores = [
        screen.say("terminal.score", {"who": who, "points": str(points).replace("-", "−")})
        for who, points in zip(names, result.scores, strict=True)
    ]
    key = "many_win" if len(result.winners) > 1 else "one_wins" if result.winners else "nobody_wins"
    if result.winners == [seat]:
        key = "you_win"
    who = ", ".join(names[winner] for winner in result.winners)
    return Text.assemble(
        ", ".join(scores), ". ", (screen.say(f"terminal.{key}", {"who": who}), "bold")
    )


# ---------------------------------------------------------------- a person at the table


def _order(steps: Sequence[Message]) -> tuple[int, ...]:
    """Return where the steps of a path go among others, if the face says so by a fact."""
    is_ordered = any("order" in args for _, args in steps)
    return tuple(args.get("order", 0) for _, args in steps) if is_ordered else ()


class _Leaving(Exception):  # noqa: N818 - not an error
    """The player gets up from the table."""


class TerminalSession:
    """One person at a match against bots, from the first screen to the last."""

    def __init__(
        self, match: Match, seat: int, bots: Mapping[int, Bot], screen: Screen, file: Path | None
    ) -> None:
        self.match = match
        self.seat = seat
        self.bots = bots
        self.screen = screen
        self.file = file
        self.face = face_of(match.game)
        self.names = self._names()
        moved = [ply for ply, move in enumerate(match.view(seat).history) if move.seat == seat]
        self.since = moved[-1] if moved else 0  # the story from here on is news
        self.trouble: list[Text] = []  # with saving the last move
        self.commands = self._commands()

    def run(self) -> int:
        """Play until the match is over or the player leaves; return the exit status."""
        if sys.stdin.isatty():
            with contextlib.suppress(ImportError):
                importlib.import_module("readline")  # lets input() edit a line
        try:
            self._play()
        except EOFError:
            self._farewell()
        except KeyboardInterrupt:
            self._farewell()
            return 130
        except _Leaving:
            self.screen.tell("terminal.goodbye")
        return 0

    def _play(self) -> None:
        self._let_bots_play()
        while self.match.turn is not None:
            self._show()
            self._take_turn()
            self._let_bots_play()
        self._show()
        self._offer_to_keep()

    def _let_bots_play(self) -> None:
        while (turn := self.match.turn) is not None and turn != self.seat:
            self.match.play(self.bots[turn].choose(self.match.view(turn)))
            self._save()

    def _take_turn(self) -> None:
        """Ask until the player makes a move or gives up."""
        choices = self._choices()
        turn = self.match.ply
        while self.match.ply == turn and self.match.turn is not None:
            typed = self._ask("terminal.prompt").strip()
            word, _, rest = typed.partition(" ")
            choice = menu.find(choices, typed)
            if choice is not None:
                self.since = turn
                self.match.play(choice.move)
                self._save()
            elif not typed:
                self._show()
            elif word.lower() in self.commands:
                self.commands[word.lower()](rest.strip())
            else:
                self._refuse(typed, choices)

    def _refuse(self, typed: str, choices: Sequence[Choice]) -> None:
        args = {
            "typed": typed[:LONGEST_ECHO],
            "count": len(choices),
            "example": choices[0].move.notation,
        }
        key = "terminal.not_allowed" if len(choices) > 1 else "terminal.only_one"
        self.screen.tell(key, args, "yellow")

    def _choices(self) -> list[Choice]:
        """Return the legal moves, numbered as they are read: those that begin alike together."""
        record, lang = self.match.view(self.seat).record, self.screen.texts.lang
        groups: dict[str, int] = {}
        found = []
        for move in self.match.legal():
            steps = self.face.path(record, move.id)
            path = [self.screen.say(*step) for step in steps] or [tie(move.label(lang))]
            group = groups.setdefault(path[0], len(groups))
            found.append((group, _order(steps), move, tuple(path)))
        found.sort(key=lambda each: each[:2])
        numbers = menu.numbers([move.notation for _, _, move, _ in found])
        return [
            Choice(number, move, path, order)
            for number, (_, order, move, path) in zip(numbers, found, strict=True)
        ]

    # ------------------------------------------------------------ the screen

    def _show(self) -> None:
        """Show the news, the table and the choices, as far as they fit on the screen."""
        console = self.screen.console
        room = console.height - 1 if console.is_terminal else sys.maxsize
        news = story_lines(self.match, self.seat, self.screen, self.since)
        bottom = self._bottom()
        for self.screen.room in sorted(Room, reverse=True):
            gap = [Text()] if self.screen.room else []
            below = [*gap, self._table(), *gap, bottom, *gap, *self.trouble]
            left = room - sum(map(self.screen.height, below))
            if left >= sum(map(self.screen.height, news)):
                break
        console.clear()
        self.screen.print(*self._newest(news, left), *below)
        self.trouble = []

    def _newest(self, news: list[Text], room: int) -> list[Text]:
        """Leave out the oldest lines if there are too many, but not the last."""
        if sum(map(self.screen.height, news)) <= room:
            return news
        while len(news) > 1 and sum(map(self.screen.height, news)) > room - 1:
            news = news[1:]
        return [Text(self.screen.say("terminal.earlier"), "dim"), *news]

    def _table(self) -> RenderableType:
        return self.face.draw(self.match.view(self.seat), self.names, self.screen)

    def _bottom(self) -> RenderableType:
        if self.match.turn is None:
            return result_line(self.match, self.names, self.seat, self.screen)
        return menu.draw(self._choices(), self.screen)

    def _names(self) -> list[str]:
        names = []
        for seat in range(self.match.game.players):
            if seat == self.seat:
                names.append(self.screen.say("terminal.you"))
            else:
                args = {"bot": self.bots[seat].name, "number": seat}
                names.append(self.screen.say("terminal.bot", args))
        return names

    def _ask(self, key: str) -> str:
        line = input(unglue(self.screen.say(key)))
        if not sys.stdin.isatty():
            self.screen.print(Text(line))
        return line

    # ------------------------------------------------------------ what else may be typed

    def _commands(self) -> dict[str, Callable[[str], None]]:
        """Return what to do at a word, in any language."""
        commands = {
            "help": self._help,
            "rules": self._rules,
            "story": self._story,
            "save": self._save_as,
            "resign": self._resign,
            "quit": self._quit,
        }
        folder = self.match.game.folder
        return {
            word: command
            for name, command in commands.items()
            for lang in LANGUAGES
            for word in folder.texts(lang)(f"command.{name}").split()
        }

    def _help(self, _: str) -> None:
        grid = Table.grid(padding=(0, 2, 0, 2))
        grid.add_row(Text(self.screen.say("terminal.enter"), "bold"), self._said("help_enter"))
        for name in ("rules", "story", "save", "resign", "quit"):
            word = self.screen.say(f"command.{name}").split()[0]
            grid.add_row(Text(word, "bold"), self._said(f"help_{name}"))
        self.screen.print(Group(self._said("help_move"), grid))

    def _said(self, name: str) -> Text:
        return Text(self.screen.say(f"terminal.{name}"))

    def _rules(self, section: str) -> None:
        from brelan.terminal.rulebook import show_rulebook

        with self._complaints():
            show_rulebook(self.match.game.folder, section or None, self.screen)

    def _story(self, _: str) -> None:
        self.screen.page(Group(*story_lines(self.match, self.seat, self.screen)))

    def _save_as(self, name: str) -> None:
        if not name:
            self.screen.tell("terminal.name_a_file")
            return
        with self._complaints():
            file = claim(Path(name))
            keep(self.match, file)
            self.file = file
            self.screen.tell("terminal.saving", {"file": file})

    def _resign(self, _: str) -> None:
        word = self._ask("terminal.really_resign").strip().lower()
        if word not in self.screen.say("command.yes").split():
            return
        self.since = self.match.ply
        self.match.resign(self.seat)
        self._save()

    def _quit(self, _: str) -> None:
        self._offer_to_keep()
        raise _Leaving

    def _save(self) -> None:
        """Save the match if it has a file; trouble is told on the next screen."""
        if self.file is not None:
            try:
                keep(self.match, self.file)
            except ValueError as error:
                self.trouble = [Text(str(error), "yellow")]

    @contextlib.contextmanager
    def _complaints(self) -> Iterator[None]:
        """Say what went wrong and go on: nothing has changed."""
        try:
            yield
        except ValueError as error:
            self.screen.print(Text(str(error), "yellow"))

    def _offer_to_keep(self) -> None:
        if self.file is None and not self.match.why_not_saved:
            self.screen.tell("terminal.keep")
            word, _, rest = self._ask("terminal.ask").strip().partition(" ")
            if self.commands.get(word.lower()) == self._save_as:
                self._save_as(rest.strip())
        self._say_where()

    def _say_where(self) -> None:
        if self.file is not None:
            key = "terminal.saved_whole" if self.match.turn is None else "terminal.saved"
            self.screen.tell(key, {"file": self.file})

    def _farewell(self) -> None:
        """Leave in the middle of a line."""
        self.screen.print(Text())
        self._say_where()
        self.screen.tell("terminal.goodbye")
