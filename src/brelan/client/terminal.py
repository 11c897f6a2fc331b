"""A seat of a server's table in the terminal: the session is that of a match against bots."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import select
import sys
import threading
from collections.abc import Callable, Coroutine, Iterable
from pathlib import Path
from typing import Any, TypeVar

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from brelan.client.connection import Connection
from brelan.client.errors import ServerError
from brelan.client.links import Link
from brelan.client.playing import OVERTAKEN
from brelan.client.position import Position, local_game, state_of, view_of
from brelan.client.talk import COMMANDS, Talk
from brelan.client.words import message
from brelan.engine.match import Result
from brelan.engine.saves import claim
from brelan.engine.view import Move, View
from brelan.errors import Refused
from brelan.i18n import Message
from brelan.terminal import menu
from brelan.terminal.screen import Screen, unglue
from brelan.terminal.session import TerminalSession, result_line, story_lines

LOOK = 0.2  # seconds between two looks at whether somebody has pressed Ctrl-C
QUICK = 0.4  # seconds in which others may move before we say that we wait for them
Answer = TypeVar("Answer")


class Loop:
    """An event loop on a thread of its own, for a program that waits for its user."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        """Return what a coroutine returns; Ctrl-C is heard meanwhile."""
        ended: queue.Queue[None] = queue.Queue()
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        future.add_done_callback(lambda _: ended.put(None))
        try:
            while True:
                with contextlib.suppress(queue.Empty):
                    ended.get(timeout=LOOK)
                    return future.result()
        except KeyboardInterrupt:
            future.cancel()
            raise

    def begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Let a coroutine go on beside."""
        asyncio.run_coroutine_threadsafe(work, self._loop)

    def close(self) -> None:
        """End the thread."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)
        if not self._loop.is_running():
            self._loop.close()


class RemoteMatch:
    """A match at a server's table, as the terminal reads one: it stands still until `look`."""

    why_not_saved = ""  # each can be: the server exports it

    def __init__(self, loop: Loop, seat: Connection) -> None:
        self._loop, self.seat = loop, seat
        self.game = local_game(seat.table)
        self._now = self._settled()

    def look(self) -> bool:
        """Look at how the match stands now; return whether it stands differently."""
        was, self._now = self._now, self._settled()
        return was.ply != self._now.ply or was.result != self._now.result

    def _settled(self) -> Position:
        """Return the position, with its record."""
        return self._loop.run(self._with_record())

    async def _with_record(self) -> Position:
        def is_whole() -> bool:
            return self.seat.position is not None and self.seat.position.record is not None

        await self.seat.wait(is_whole)
        assert self.seat.position is not None
        return self.seat.position

    def wait(self, seconds: float) -> bool:
        """Wait for the next event; return whether there was one, which is looked at."""

        async def event() -> None:
            ply = self._now.ply

            def has_come() -> bool:
                return self.seat.position is not None and self.seat.position.ply != ply

            await self.seat.wait(has_come, seconds)

        with contextlib.suppress(TimeoutError):
            self._loop.run(event())
        return self.look()

    @property
    def turn(self) -> int | None:
        """The seat that must decide, or None when the match is over."""
        return self._now.turn

    @property
    def ply(self) -> int:
        """How many moves have been made, the table's included."""
        assert self._now.record is not None
        return len(self._now.record.steps)

    @property
    def resigned(self) -> None:
        """Nobody, as far as lists of moves tell: `told` says who resigned."""
        return

    @property
    def result(self) -> Result | None:
        """None while the match goes on, then its result."""
        found = self._now.result
        return None if found is None else Result(found.scores, found.winners, found.reason)

    def view(self, seat: int | None) -> View:
        """Return what this seat sees."""
        assert self._now.record is not None
        now = self._now
        return view_of(
            now.table, seat, self._now.record, now.words, is_over=now.is_over, game=self.game
        )

    def legal(self) -> list[Move]:
        """Return what this seat may do."""
        state = state_of(self.game, self._now.words)
        return [Move(self.game, state, move.id) for move in self._now.legal]

    def tell(self, _: int | None, since: int = 0, until: int | None = None) -> list[Message]:
        """Return what this seat was told from one ply to another."""
        assert self._now.record is not None
        steps = self._now.record.steps[since:until]
        return [message(text) for step in steps for text in step.story]

    def play(self, move: Move) -> None:
        """Make a move; when something else has happened first, look at that instead."""
        self._do(self.seat.move(move))

    def resign(self, _: int) -> None:
        """Give the match up."""
        self._do(self.seat.resign())

    def do(self, work: Coroutine[Any, Any, None]) -> None:
        """Ask the server for something, and look at what has come of it."""
        self._loop.run(work)
        self.look()

    def listen(self, work: Coroutine[Any, Any, None]) -> None:
        """Begin something that goes on beside, until the connection is closed."""
        self._loop.begin(work)

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            self._loop.run(work)
        except ServerError as error:
            if error.code not in OVERTAKEN:
                raise
            self.wait(QUICK)
        except Refused:  # it is no legal move any more
            self.wait(QUICK)
        self.look()

    def hint(self) -> str:
        """Return the notation of what a bot would do."""
        return self._loop.run(self.seat.hint()).notation

    def export(self) -> bytes:
        """Return the match as one file, when it is over."""
        return self._loop.run(self.seat.client.export(self.seat.table.table))

    def names(self) -> list[tuple[str, bool]]:
        """Return who sits at each seat, and whether it is a bot."""
        return [(seat.name, seat.kind == "bot") for seat in self.seat.table.seats]

    def last_words(self) -> Message | None:
        """Return the last thing that was told and that is no move: that somebody has resigned."""
        told = self._now.told
        if self.turn is None and told and told[-1].key == "table.resigned":
            return message(told[-1])
        return None


class RemoteSession(TerminalSession):
    """One person at a table of a server, from the first screen to the last."""

    match: RemoteMatch  # type: ignore[assignment]

    def __init__(self, match: RemoteMatch, seat: int, screen: Screen, link: Link | None) -> None:
        self.link, self.talk = link, Talk(match, match.seat, screen)
        self._asking = ""  # what the user is asked for just now
        super().__init__(match, seat, {}, screen, None)  # type: ignore[arg-type]

    def run(self) -> int:
        """Play until the match is over or the user leaves; return the exit status."""
        self.match.listen(self.talk.listen(self._hear))
        return super().run()

    def _hear(self, line: str) -> None:
        """Tell what another seat says, while the user may be asked for something."""
        if self._asking:
            self.screen.print(Text())
        self.screen.print(Text(line, "bold"))
        if self._asking and sys.stdin.isatty():
            sys.stdout.write(self._asking)
            sys.stdout.flush()

    def _ask(self, key: str) -> str:
        """Return a line that is typed; a move is none if another position was shown then."""
        self._asking = unglue(self.screen.say(key))
        try:
            typed = super()._ask(key)
        finally:
            self._asking = ""
        has_changed = self.match.look() and key == "terminal.prompt"
        is_command = typed.strip().partition(" ")[0].lower() in self.commands
        return "" if has_changed and not is_command else typed

    def _names(self) -> list[str]:
        names = []
        for seat, (name, is_bot) in enumerate(self.match.names()):
            if seat == self.seat:
                names.append(self.screen.say("terminal.you"))
            else:
                args = {"bot": name, "number": seat}
                names.append(self.screen.say("terminal.bot", args) if is_bot else name)
        return names

    def _let_bots_play(self) -> None:
        """Wait until it is this seat's turn; what takes long is shown."""
        self.match.look()
        is_shown = False
        while self.match.turn is not None and self.match.turn != self.seat:
            has_changed = self.match.wait(QUICK)
            if self.match.turn is None or self.match.turn == self.seat:
                break
            if has_changed or not is_shown:
                self._show()
                is_shown = True
            if (typed := _typed_meanwhile()) is not None:
                word, _, rest = typed.strip().partition(" ")
                if word.lower() in self.commands:
                    self.commands[word.lower()](rest.strip())
                else:
                    self._show()

    def _show(self) -> None:
        self.match.look()
        super()._show()

    def _table(self) -> RenderableType:
        told = self.match.last_words()
        table = super()._table()
        return table if told is None else Group(table, Text(self.screen.say(*told)))

    def _bottom(self) -> RenderableType:
        turn, asked = self.match.turn, self.talk.question()
        bottom = super()._bottom() if turn is None or turn == self.seat else self._waiting_for(turn)
        return bottom if asked is None else Group(bottom, asked)

    def _waiting_for(self, turn: int) -> RenderableType:
        return Text(self.screen.say("terminal.waiting_for", {"who": self.names[turn]}), "dim")

    def _choices(self) -> list[menu.Choice]:
        return super()._choices() if self.match.turn == self.seat else []

    # ------------------------------------------------------------ what else may be typed

    def _commands(self) -> dict[str, Callable[[str], None]]:
        commands = super()._commands() | self.talk.commands(self.match.game.folder.texts)
        for lang in ("fr", "en"):
            for word in self.match.game.folder.texts(lang)("command.hint").split():
                commands[word] = self._hint
        return commands

    def _help(self, _: str) -> None:
        grid = Table.grid(padding=(0, 2, 0, 2))
        grid.add_row(Text(self.screen.say("terminal.enter"), "bold"), self._said("help_enter"))
        for name in ("rules", "story", "hint", *COMMANDS, "resign", "quit"):
            word = self.screen.say(f"command.{name}").split()[0]
            grid.add_row(Text(word, "bold"), self._said(f"help_{name}"))
        save = self.screen.say("command.save").split()[0]
        grid.add_row(Text(save, "bold"), self._said("help_export"))
        self.screen.print(Group(self._said("help_move"), grid))

    def _hint(self, _: str) -> None:
        with self._complaints():
            self.screen.tell("terminal.hint", {"move": self.match.hint()})

    def _save_as(self, name: str) -> None:
        if self.match.turn is not None:
            self.screen.tell("terminal.not_over")
        elif not name:
            self.screen.tell("terminal.name_a_file")
        else:
            with self._complaints():
                file = claim(Path(name))
                write(file, self.match.export())
                self.screen.tell("terminal.exported", {"file": file})

    def _save(self) -> None:
        """Do nothing: the server has it."""

    def _offer_to_keep(self) -> None:
        if self.match.turn is None:
            super()._offer_to_keep()
        else:
            self._say_where()

    def _say_where(self) -> None:
        if self.link is not None and self.match.turn is not None:
            _print_link(self.screen.say("terminal.come_back", {"link": self.link}), self.screen)


def _typed_meanwhile() -> str | None:
    """Return a line that was typed in a terminal while nothing was asked for."""
    with contextlib.suppress(OSError, ValueError):  # no terminal that can be looked at
        if sys.stdin.isatty() and select.select([sys.stdin], [], [], 0)[0]:
            if line := sys.stdin.readline():
                return line
            raise EOFError
    return None


def write(file: Path, content: bytes) -> None:
    """Write an exported match to a file."""
    try:
        file.write_bytes(content)
    except OSError as error:
        raise Refused(f"cannot save in {file}: {error.strerror}") from None


def _print_link(line: str, screen: Screen) -> None:
    """Print a line with a link, which is not broken however long it is."""
    screen.console.print(Text(unglue(line)), soft_wrap=True)


def sit(
    loop: Loop, seat: Connection, screen: Screen, link: Link | None, invitations: Iterable[str]
) -> int:
    """Play in the terminal at a connection that is open; return the exit status."""
    for line in invitations:
        _print_link(line, screen)
    missing = sum(each.kind == "open" for each in seat.table.seats)
    if missing:
        screen.tell("terminal.waiting_seats", {"count": missing}, "dim")
    loop.run(seat.started())
    match = RemoteMatch(loop, seat)
    if seat.seat is None:
        return watch(match, screen)
    return RemoteSession(match, seat.seat, screen, link).run()


def watch(match: RemoteMatch, screen: Screen) -> int:
    """Tell a match as it goes on, as spectators see it."""
    screen.tell("terminal.watching", style="dim")
    names, told = [name for name, _ in match.names()], 0
    while True:
        screen.print(*story_lines(match, None, screen, told))  # type: ignore[arg-type]
        told = match.ply
        if match.turn is None:
            screen.print(result_line(match, names, None, screen))  # type: ignore[arg-type]
            return 0
        while not match.wait(5.0):
            pass
