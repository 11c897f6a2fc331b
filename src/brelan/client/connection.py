"""A connection to one seat of a table, or as a spectator: one WebSocket, made again when it breaks.

After a break it goes on from the last event that was seen. A command whose answer was lost is sent
again; a move carries its ply, so it is made once.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import random
import time
from collections.abc import AsyncIterator, Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import quote, urlencode

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from brelan.client.errors import Disconnected, ServerError
from brelan.client.position import LegalMove, Position, Record, TextsOf
from brelan.client.words import Dictionary, message
from brelan.i18n import seat_word
from brelan.server.messages import (
    Agree,
    Asked,
    Choice,
    Command,
    Done,
    Draw,
    Failed,
    Happened,
    Hint,
    Hinted,
    Messages,
    Move,
    Ping,
    React,
    Refuse,
    Resign,
    ResultInfo,
    Snapshot,
    Sync,
    TableInfo,
    TakeBack,
    Text,
    decode_message,
    encode,
)

if TYPE_CHECKING:
    from brelan.client.house import Client

LARGEST = 16_000_000  # bytes of a message from the server
SHORTEST_WAIT, LONGEST_WAIT = 0.05, 3.0  # seconds between two attempts to connect
UNREACHABLE = (OSError, TimeoutError, InvalidHandshake, ConnectionClosed, Disconnected)
RETRIED = ("shutting_down", "database_unavailable", "too_many_sockets", "too_many_messages")


class Connection:
    """One seat at a table (None: a spectator). Use it as an async context.

    `table` and `position` are what is known; they are replaced, never changed.
    """

    def __init__(
        self,
        client: Client,
        table: str,
        seat: int | None,
        *,
        key: str | None,
        record: bool,
        langs: Sequence[str],
        patience: float,
    ) -> None:
        self.client, self.seat = client, seat
        self.position: Position | None = None  # None: the match has not begun
        self.attempts = 0  # to connect, those that succeeded among them
        self._name, self._key = table, key
        self._table: TableInfo | None = None
        self._wants_record, self._langs, self._patience = record, langs, patience
        self._socket: ClientConnection | None = None
        self._runner: asyncio.Task[None] | None = None
        self._error: Exception | None = None
        self._changed = asyncio.Event()
        self._is_known = False
        self._last_id = 0
        self._pending: dict[int, tuple[Command, asyncio.Future[Any]]] = {}
        self._listeners: set[asyncio.Queue[Messages | None]] = set()
        self._made: dict[int, tuple[int | None, int]] = {}  # by ply: who moved, and what
        self._dictionary: Dictionary
        self._texts: TextsOf
        self._record: Record | None = None
        self._record_ply = 0  # the event up to which the record goes

    async def __aenter__(self) -> Connection:
        self._runner = asyncio.create_task(self._run())
        try:
            await self.wait(lambda: self._is_known)
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Leave; the match goes on without us."""
        if self._runner is not None:
            self._runner.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._runner
        self._end(Disconnected("this connection was closed"))

    @property
    def table(self) -> TableInfo:
        """The table, as it was last told."""
        assert self._table is not None
        return self._table

    # ------------------------------------------------------------ waiting

    async def wait(self, until: Callable[[], bool], timeout: float | None = None) -> None:
        """Wait until something holds, which is looked at after each message.

        ServerError or Disconnected say that the connection has ended, TimeoutError that it took too
        long.
        """
        async with asyncio.timeout(timeout):
            while not until():
                if self._error is not None:
                    raise self._error
                await self._changed.wait()

    async def my_turn(self) -> Position | None:
        """Return the position as soon as this seat must decide; None: the match is over."""
        await self.wait(lambda: self._is_my_turn or self.is_over)
        return None if self.is_over else self.position

    @property
    def _is_my_turn(self) -> bool:
        return (
            self.seat is not None
            and self.position is not None
            and self.position.is_mine
            and self.table.seats[self.seat].kind == "guest"
        )

    async def over(self) -> ResultInfo:
        """Return how the match has ended, when it has."""
        await self.wait(lambda: self.is_over)
        assert self.position is not None
        assert self.position.result is not None
        return self.position.result

    async def started(self) -> Position:
        """Return the first position that is known, when the match has begun."""
        await self.wait(lambda: self.position is not None)
        assert self.position is not None
        return self.position

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.position is not None and self.position.is_over

    async def messages(self) -> AsyncIterator[Messages]:
        """Go through all messages from now on, until the connection ends."""
        queue: asyncio.Queue[Messages | None] = asyncio.Queue()
        self._listeners.add(queue)
        try:
            while (got := await queue.get()) is not None:
                yield got
        finally:
            self._listeners.discard(queue)

    # ------------------------------------------------------------ what a seat may do

    async def move(self, meant: LegalMove | int | str | Any) -> None:
        """Make a move, by itself, its number or its notation; when this returns it is durable."""
        position = self.position
        if position is None:
            raise ServerError("not_started")
        number = position.move(meant).id
        await self.ask(Move(self.next_id(), position.ply, number))

    async def resign(self) -> None:
        """Give the match up."""
        await self.ask(Resign(self.next_id()))

    async def take_back(self) -> None:
        """Take back this seat's latest move, or ask the others whether it may be."""
        await self.ask(TakeBack(self.next_id(), self._ply))

    async def offer_draw(self) -> None:
        """Offer the others a draw, in a game that knows draws by agreement."""
        await self.ask(Draw(self.next_id(), self._ply))

    async def answer(self, *, agrees: bool) -> None:
        """Agree to what `position.asked` says, or refuse it."""
        kind = Agree if agrees else Refuse
        await self.ask(kind(self.next_id(), self._ply))

    @property
    def _ply(self) -> int:
        return self.position.ply if self.position is not None else 0

    async def react(self, reaction: str) -> None:
        """Show everybody a reaction."""
        await self.ask(React(self.next_id(), reaction))  # type: ignore[arg-type]

    async def hint(self, level: Literal["novice", "club", "expert"] = "club") -> LegalMove:
        """Return what a bot would do in this seat's place, where the table allows it."""
        position = self.position
        if position is None:
            raise ServerError("not_started")
        answer = await self.ask(Hint(self.next_id(), position.ply, level))
        assert isinstance(answer, Hinted)
        return position.move(answer.move)

    async def sync(self, since: int | None = None) -> None:
        """Ask again for all since an event, or since the last that is known."""
        await self.ask(Sync(self.next_id(), self._ply if since is None else since))

    async def ping(self) -> float:
        """Return how many seconds an answer takes."""
        begun = time.monotonic()
        await self.ask(Ping(self.next_id()))
        return time.monotonic() - begun

    def next_id(self) -> int:
        """Return an id for a command."""
        self._last_id += 1
        return self._last_id

    async def ask(self, command: Command) -> Done | Hinted:
        """Send a command and return its answer; ServerError if it is refused."""
        if self._error is not None:
            raise self._error
        answered: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._pending[command.id] = command, answered
        try:
            await self._send(command)
            answer: Done | Hinted = await answered
        finally:
            self._pending.pop(command.id, None)
        return answer

    async def _send(self, command: Command) -> None:
        if self._socket is not None:
            with contextlib.suppress(ConnectionClosed):  # it is sent again on the next socket
                await self._socket.send(encode(command).decode())

    # ------------------------------------------------------------ the socket

    async def _run(self) -> None:
        """Keep a socket open, as long as the server can be reached."""
        wait, begun = SHORTEST_WAIT, time.monotonic()
        while True:
            self.attempts += 1
            try:
                async with connect(
                    self._address(),
                    additional_headers=self.client.web.headers,
                    max_size=LARGEST,
                    compression=None,
                    proxy=None,
                ) as socket:
                    async for content in socket:
                        await self._receive(content)
                        if self._error is not None:
                            break
                        if self._socket is None and self._is_known:
                            await self._go_on(socket)
                            wait = SHORTEST_WAIT
                        if self._socket is not None:
                            begun = time.monotonic()
            except UNREACHABLE as error:
                is_final = isinstance(error, InvalidStatus) and error.response.status_code < 429
                if is_final or time.monotonic() - begun > self._patience:
                    why = str(error).splitlines()[0] if str(error) else type(error).__name__
                    self._end(Disconnected(f"cannot reach {self.client.server}: {why}"))
            except Exception as error:  # noqa: BLE001 - whoever waits is told
                self._end(error)
            finally:
                self._socket = None
            if self._error is not None:
                return
            await asyncio.sleep(wait * (0.5 + random.random()))  # noqa: S311 - not for secrets
            wait = min(2 * wait, LONGEST_WAIT)

    def _address(self) -> str:
        asked: dict[str, Any] = {}
        if self._key is not None:
            asked["key"] = self._key
        elif self.seat is not None:
            asked["seat"] = self.seat
        if self.position is not None:
            asked["since"] = self.position.ply
        base = f"{self.client.web.socket_base}/api/tables/{quote(self._name)}/socket"
        return f"{base}?{urlencode(asked)}" if asked else base

    async def _go_on(self, socket: ClientConnection) -> None:
        """Use a socket, and send again what was not answered on the last one."""
        self._socket = socket
        for command, _ in list(self._pending.values()):
            await self._send(command)

    def _end(self, error: Exception) -> None:
        if self._error is None:
            self._error = error
        for _, answered in self._pending.values():
            if not answered.done():
                answered.set_exception(self._error)
                answered.exception()  # it is no fault if nobody waits for it any more
        for queue in self._listeners:
            queue.put_nowait(None)
        self._changed.set()

    # ------------------------------------------------------------ what the server says

    async def _receive(self, content: str | bytes) -> None:
        """Take over what a message says."""
        try:
            got = decode_message(content)
        except msgspec.MsgspecError:
            return  # of a newer server, which knows more
        if isinstance(got, TableInfo):
            await self._learn(got)
        elif isinstance(got, Snapshot):
            await self._stand(got)
        elif isinstance(got, Happened):
            await self._follow(got)
        elif isinstance(got, Failed):
            self._fail(got)
        elif isinstance(got, Done | Hinted):
            self._answer(got.id, got)
        self._is_known = self._is_known or self._is_complete
        for queue in self._listeners:
            queue.put_nowait(got)
        self._changed.set()
        self._changed = asyncio.Event()

    @property
    def _is_complete(self) -> bool:
        """Whether all is known with which a connection begins."""
        if self._table is None:
            return False
        return self.position is not None or self._table.status in ("waiting", "expired")

    async def _learn(self, table: TableInfo) -> None:
        """Take over what is known of the table."""
        if self._table is None:
            self._dictionary = await self.client.dictionary(table)
            self._texts = await self.client.texts(table.game, self._langs)
            self.seat = table.seat
        self._table = table
        if self.position is not None:
            self.position = dataclasses.replace(self.position, table=table)

    async def _stand(self, snapshot: Snapshot) -> None:
        """Take over how the match stands."""
        if self.position is not None and snapshot.ply < self.position.ply:
            return  # it was overtaken
        if self._wants_record and not self._is_recorded(snapshot):
            told = await self.client.history(self._name, self.seat)
            self._record = Record.of(told.readers[0])
            self._record_ply = told.table.ply
        self._place(snapshot, snapshot.view, tuple(snapshot.story))

    def _is_recorded(self, snapshot: Snapshot) -> bool:
        """Whether the record goes exactly as far as a snapshot; a move may have been taken back."""
        if self._record is None or self._record_ply != snapshot.ply:
            return False
        steps = self._record.steps
        return (steps[-1].view if steps else self._record.first) == snapshot.view

    async def _follow(self, happened: Happened) -> None:
        """Take over an event."""
        known = self.position
        if happened.kind == "start":
            if happened.first is not None:
                self._record, self._record_ply = Record(happened.first, ()), 0
                self._extend_record(happened)
        elif known is None or happened.ply > known.ply + 1:
            await self._send(Sync(self.next_id(), known.ply if known is not None else 0))
            return
        elif happened.ply <= known.ply:
            return  # it came twice
        elif happened.ply > self._record_ply:
            self._extend_record(happened)
        if happened.kind == "move" and happened.steps:
            self._made[happened.ply - 1] = happened.seat, happened.steps[0].move
            self._made.pop(happened.ply - 20, None)
        told = [text for step in happened.steps for text in step.story]
        if happened.kind in ("resign", "timeout") and happened.seat is not None:
            told.append(_resigned(happened.seat, self.seat))
        view = known.words if known is not None else happened.first
        if happened.steps:
            view = happened.steps[-1].view
        assert view is not None
        self._place(happened, view, (*(known.told if known is not None else ()), *told))

    def _extend_record(self, happened: Happened) -> None:
        if self._record is not None:
            steps = (*self._record.steps, *happened.steps)
            self._record, self._record_ply = Record(self._record.first, steps), happened.ply

    def _place(self, got: Snapshot | Happened, view: list[int], told: tuple[Text, ...]) -> None:
        """Note how the match stands after a message."""
        self.position = Position(
            table=self.table,
            seat=self.seat,
            ply=got.ply,
            words=view,
            turn=got.turn,
            legal=self._moves(got.legal, got.words),
            told=told,
            clocks=got.clocks,
            result=got.result,
            asked=self._asked_after(got),
            dictionary=self._dictionary,
            texts=self._texts,
            record=self._record if self._wants_record and self._record_ply == got.ply else None,
        )

    def _asked_after(self, got: Snapshot | Happened) -> Asked | None:
        """Return what is asked after a message."""
        if isinstance(got, Snapshot):
            return got.asked
        asked = self.position.asked if self.position is not None else None
        if got.kind in ("asked", "offered") and got.seat is not None:
            return Asked("takeback" if got.kind == "asked" else "draw", got.seat, [])
        if got.kind == "agreed" and asked is not None and got.seat is not None:
            return Asked(asked.kind, asked.seat, [*asked.agreed, got.seat])
        return None

    def _moves(self, legal: Sequence[int], worded: Sequence[Choice]) -> list[LegalMove]:
        """Return legal moves with their notation and words."""
        here = {choice.move: choice for choice in worded}
        moves = []
        for number in legal:
            assert self.seat is not None
            wording = here.get(number) or self._dictionary.vocabulary.wordings[self.seat][number]
            assert wording is not None
            row, said = self._dictionary.row(number), message(wording.label)
            moves.append(LegalMove(number, wording.notation, row, said, self._texts))
        return moves

    def _answer(self, number: int, answer: Any) -> None:
        if number in self._pending:
            _, answered = self._pending[number]
            if not answered.done():
                answered.set_result(answer)

    def _fail(self, failed: Failed) -> None:
        """Pass on a refusal: to whoever asked, or to all if we are turned away."""
        error = ServerError(failed.code, failed.args)
        if failed.id is None:
            if failed.code not in RETRIED:
                self._end(error)
            return
        if failed.id not in self._pending:
            return
        command, answered = self._pending[failed.id]
        if isinstance(command, Move) and self._made.get(command.ply) == (self.seat, command.move):
            self._answer(failed.id, Done(failed.id))  # it was made before the socket broke
        elif not answered.done():
            answered.set_exception(error)


def _resigned(seat: int, reader: int | None) -> Text:
    word = seat_word(seat, reader)
    return Text("table.resigned", {"who": {"key": word.key, "kind": word.kind, "args": word.args}})
