"""A session: one socket of a seat, or of a spectator, at one table. It knows no web framework."""

from __future__ import annotations

import asyncio
import logging
from typing import Any, Protocol

import msgspec

from brelan.errors import Refused
from brelan.server.limits import Bucket
from brelan.server.messages import (
    Agree,
    Commands,
    Done,
    Draw,
    Failed,
    Hint,
    Hinted,
    Move,
    Ping,
    React,
    Refusal,
    Refuse,
    Resign,
    Sync,
    TakeBack,
    decode_command,
    encode,
)
from brelan.server.readers import Reader
from brelan.server.storage import Unavailable
from brelan.server.tables import Table

log = logging.getLogger("brelan.sessions")
MOST_WAITING = 500  # messages that a client may be behind; a slower one is sent away
BURST = 5.0  # seconds' worth of messages that may come at once
# codes by which a socket is closed
TOO_SLOW, TOO_MANY, NOT_YOURS, SHUTTING_DOWN = 4008, 4029, 4403, 1012
GONE = 1006  # it is closed already


class Wire(Protocol):
    """How a session reaches its client."""

    def offer(self, content: bytes) -> bool:
        """Send a message if that needs no waiting; False: it has to be sent by `send`."""

    async def send(self, content: bytes) -> None:
        """Send a message."""

    async def end(self, code: int) -> None:
        """Close the socket, with a code."""


class Session:
    """One listener at a table: it sends what happens, and does what the client asks for.

    What cannot be sent at once waits in a list. A task delivers it, and lives only as long as
    something waits: an idle socket has none.
    """

    __slots__ = ("_bucket", "_delivering", "_has_link", "_hint", "_hinting", "_waiting", "_wire",
                 "closed_with", "guest", "owner", "reader", "table")  # fmt: skip

    def __init__(
        self, table: Table, reader: Reader, guest: str, rate: float, *, has_link: bool = False
    ) -> None:
        self.table, self.reader, self.guest = table, reader, guest
        self._has_link = has_link  # to the seat: it stays theirs whichever guest has claimed it
        self.owner = guest  # for whom this socket counts
        self.closed_with: int | None = None
        self._wire: Wire | None = None
        self._waiting: list[bytes] = []
        self._delivering: asyncio.Task[None] | None = None
        self._hint: Hint | None = None  # what is asked for next, while a bot thinks about another
        self._hinting: asyncio.Task[None] | None = None
        self._bucket = Bucket(rate, BURST * rate)

    # ------------------------------------------------------------ to the client

    def send(self, message: Any) -> None:
        """Send a message, encoded or not, after those that wait; who is too slow is sent away."""
        if len(self._waiting) >= MOST_WAITING:
            self.close(TOO_SLOW)
        elif self.closed_with is None:
            content = message if isinstance(message, bytes) else encode(message)
            if self._waiting or self._wire is None or not self._wire.offer(content):
                self._waiting.append(content)
                self._deliver_soon()

    def close(self, code: int) -> None:
        """End the session, with a code of the WebSocket protocol."""
        if self.closed_with is None:
            self.closed_with = code
            self._deliver_soon()

    def connect(self, wire: Wire) -> None:
        """Deliver what waits, and from now on all that is sent."""
        self._wire = wire
        self._deliver_soon()

    def _deliver_soon(self) -> None:
        if self._delivering is None and self._wire is not None:
            self._delivering = asyncio.create_task(self._deliver(self._wire))

    async def _deliver(self, wire: Wire) -> None:
        """Send what waits, in its order; then close the socket if the session is closed."""
        try:
            while self._waiting:
                await wire.send(self._waiting[0])
                self._waiting.pop(0)
            if self.closed_with is not None:
                await wire.end(self.closed_with)
        except (OSError, RuntimeError):  # the client is gone
            self.closed_with = self.closed_with or GONE
            self._waiting.clear()
        finally:
            self._delivering = None

    async def delivered(self) -> None:
        """Wait until nothing waits."""
        if self._delivering is not None:
            await self._delivering

    def welcome(self, since: int | None) -> None:
        """Begin: the table, and how the match stands or what was missed since an event."""
        table = self.table
        table.listeners.add(self)
        table.note_presence(but=self)
        self.send(table.info(self.guest, self.reader))
        if table.match is not None:
            if since is None or not 0 <= since <= table.ply:
                self.send(table.snapshot(self.reader))
            else:
                self._send_missed(since)

    def _send_missed(self, since: int) -> None:
        missed = self.table.missed(since, self.reader)
        for happened in missed:
            self.send(happened)
        if not missed:
            self.send(self.table.snapshot(self.reader))

    def check_rights(self) -> None:
        """Send away a client whose seat another guest has claimed."""
        if self.reader is None or self._has_link:
            return
        if self.table.seats[self.reader]["guest"] not in (self.guest, None):
            self.send(Failed("not_your_seat"))
            self.close(NOT_YOURS)

    def leave(self) -> None:
        """End: nobody listens here any more."""
        self.table.listeners.discard(self)
        if self._hinting is not None:
            self._hinting.cancel()
        self.table.note_presence()

    # ------------------------------------------------------------ from the client

    async def receive(self, content: bytes | str) -> None:
        """Do what a message asks for, and answer it; what is wrong is refused with a code."""
        if not self._bucket.take():
            self.table.house.count_error("too_many_messages")
            self.send(Failed("too_many_messages"))
            self.close(TOO_MANY)
            return
        try:
            command = decode_command(content)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            self.table.house.count_error("bad_message")
            self.send(Failed("bad_message", {"why": str(error).splitlines()[0][:200]}))
            return
        if isinstance(command, Hint):
            await self._begin_hint(command)
        else:
            await self._answer(command)

    async def _begin_hint(self, command: Hint) -> None:
        """Let a bot think about a hint beside, so that other messages are read meanwhile.

        One is thought about at a time; of those that wait, the latest is.
        """
        if self._hint is not None:
            refusal = Failed("behind", {"ply": self.table.ply}, self._hint.id)
            self.table.house.count_error(refusal.code)
            self.send(refusal)
        self._hint = command
        if self._hinting is None:
            self._hinting = asyncio.create_task(self._give_hints())
            await asyncio.sleep(0)  # it is asked for before the next message is read

    async def _give_hints(self) -> None:
        try:
            while self._hint is not None and self.closed_with is None:
                command, self._hint = self._hint, None
                try:
                    await self._answer(command)
                except Exception:
                    log.exception("a hint has failed")
                    self.send(Failed("internal", {}, command.id))
        finally:
            self._hinting = None

    async def _answer(self, command: Commands) -> None:
        """Do what a command asks for, and say that it is done, or why not."""
        try:
            answer = await self._do(command)
        except Refusal as refusal:
            answer = Failed(refusal.code, refusal.args_, command.id)
        except Refused as error:
            answer = Failed("refused", {"why": str(error)}, command.id)
        except Unavailable:
            answer = Failed("database_unavailable", {}, command.id)
        if isinstance(answer, Failed):
            self.table.house.count_error(answer.code)
        self.send(answer)

    async def _do(self, command: Commands) -> Any:
        """Carry out a command; return the answer."""
        if isinstance(command, Ping):
            return Done(command.id)
        if isinstance(command, Sync):
            if self.table.match is not None:
                self._send_missed(min(command.since, self.table.ply))
            return Done(command.id)
        if self.reader is None:
            raise Refusal("no_seat", 403)
        if self.table.seats[self.reader]["kind"] != "guest":
            raise Refusal("bot_plays", 403)
        if isinstance(command, Move):
            await self.table.move(self.reader, command.ply, command.move)
        elif isinstance(command, Resign):
            await self.table.resign(self.reader)
        elif isinstance(command, TakeBack):
            await self.table.questions.take_back(self.reader, command.ply)
        elif isinstance(command, Draw):
            await self.table.questions.offer_draw(self.reader, command.ply)
        elif isinstance(command, Agree | Refuse):
            agrees = isinstance(command, Agree)
            await self.table.questions.answer(self.reader, command.ply, agrees=agrees)
        elif isinstance(command, React):
            await self.table.reacts(self.reader, command.reaction)
        elif isinstance(command, Hint):
            found = await self.table.hint(self.reader, command.ply, command.level)
            return Hinted(command.id, found.move, found.value, found.other, found.other_value)
        return Done(command.id)
