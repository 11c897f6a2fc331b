"""A table that is being played at: its match, its seats, its clocks, and who is listening.

All that is lasting is in the log of events. A table in memory can be dropped at any time and
loaded again, here or in another process.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

import msgspec
import sqlalchemy as sa

from brelan.engine.game import Game
from brelan.engine.match import Match, Transition
from brelan.server import fairness, readers
from brelan.server.clocks import Timer
from brelan.server.identity import hash_of
from brelan.server.messages import (
    Happened,
    Options,
    Reacted,
    Refusal,
    SeatInfo,
    Snapshot,
    TableInfo,
    encode,
)
from brelan.server.readers import Reader
from brelan.server.storage import Event, Unavailable, seats, tables
from brelan.server.wire import words_of

if TYPE_CHECKING:
    from brelan.server.house import House

logger = logging.getLogger("brelan.tables")
BOT_GRACE = (
    3.0  # seconds after which a process lets a bot think that another one may have forgotten
)
Row = Mapping[str, Any]  # of the database
RETRY = 1.0  # seconds after which a bot or a clock tries the database again


class Listener(Protocol):
    """A socket at a table: of a seat, or of a spectator."""

    reader: Reader
    guest: str

    def send(self, message: Any) -> None:
        """Send a message, soon; it may be encoded already."""


class Table:
    """A table as one process holds it."""

    def __init__(self, house: House, row: Row, places: list[Row]) -> None:
        self.house = house
        self.id: str = row["id"]
        self.game: Game = house.game(row["game"], row["rules"], json.loads(row["knobs"]))
        self.options = msgspec.json.decode(row["options"], type=Options)
        self.secret: bytes = row["secret"]
        self.host: str = row["host"]
        self.lock = asyncio.Lock()
        self.listeners: set[Listener] = set()
        self.ply = 0  # events in the log
        self.match: Match | None = None  # None: seats are still open
        self.timer: Timer | None = None
        self.touched = time.monotonic()  # when somebody last did anything here
        self._begins: list[int] = []  # at which ply of the match each event begins
        self.log: list[Event] = []
        self._alarm: asyncio.TimerHandle | None = None
        self._thought: asyncio.Task[None] | None = None
        self._held: list[Happened] = []  # what spectators are not shown yet
        self.read(row, places)

    def read(self, row: Row, places: list[Row]) -> None:
        """Take over what is stored of the table and its seats."""
        self.status: str = row["status"]
        self.started: float | None = row["started"]
        self.rematch: str | None = row["rematch"]
        self.seats = [dict(each) for each in sorted(places, key=lambda place: place["seat"])]

    # ------------------------------------------------------------ the match

    def begin(self) -> None:
        """Deal the cards: all seats are taken."""
        assert self.started is not None
        nonces = {seat["seat"]: seat["nonce"] for seat in self.seats if seat["nonce"]}
        self.match = Match(self.game, fairness.deal_seed(self.secret, nonces), None)
        self.match.release()
        self.timer = Timer(self.options.clock, self.game.players, self.started)
        self.timer.run(self.match.turn, self.started)

    def replay(self, found: list[Event]) -> None:
        """Take over events that another process has written, or that were there before."""
        for event in found:
            if event.ply == self.ply:
                self._apply(event)

    def _apply(self, event: Event) -> list[Transition]:
        """Let an event happen, which is stored; return the moves that it brings about."""
        assert self.match is not None
        assert self.timer is not None
        self._begins.append(self.match.ply)
        self.log.append(event)
        self.ply += 1
        moved: list[Transition] = []
        if event.kind == "move":
            assert event.number is not None
            if event.number not in self.match.legal_numbers():
                raise Refusal("damaged", 500, table=self.id, ply=event.ply)
            moved = self.match.advance(event.number)
        elif event.kind == "takeover":
            self.seats[event.seat] |= {"kind": "bot", "bot": self.options.takeover, "guest": None}
        else:
            self.match.resign(event.seat)
        self.timer.run(self.match.turn, event.at)
        if self.match.turn is None:
            self.status = "over"
        return moved

    @property
    def has_clock(self) -> bool:
        """Whether a clock runs that must be watched."""
        return self.timer is not None and self.timer.deadline() is not None

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.match is not None and self.match.turn is None

    # ------------------------------------------------------------ what readers are sent

    def info(self, guest: str | None) -> TableInfo:
        """Return the table as a guest may know it."""
        return TableInfo(
            table=self.id,
            game=self.game.id,
            rules=self.game.folder.version,
            variant=self.game.variant,
            knobs=self.game.knobs,
            options=self.options,
            status=self.status,  # type: ignore[arg-type]
            seats=[self._seat_info(seat) for seat in self.seats],
            commitment=fairness.commitment(self.secret),
            mine=[seat["seat"] for seat in self.seats if guest and seat["guest"] == guest],
            ply=self.ply,
            secret=self.secret.hex() if self.status == "over" else None,
            rematch=self.rematch,
        )

    def _seat_info(self, seat: Mapping[str, Any]) -> SeatInfo:
        return SeatInfo(
            kind=seat["kind"],
            name=seat["name"],
            bot=seat["bot"],
            connected=self.is_connected(seat["seat"]),
            nonce=seat["nonce"],
        )

    def is_connected(self, reader: Reader) -> bool:
        """Whether a seat has a socket. Nobody is told of spectators."""
        return reader is None or any(each.reader == reader for each in self.listeners)

    def seat_of_key(self, key: str) -> int | None:
        """Return the seat that a secret link leads to, if it is one of this table."""
        hashed = hash_of(key)
        for seat in self.seats:
            if seat["key"] is not None and hmac.compare_digest(seat["key"], hashed):
                return int(seat["seat"])
        return None

    def snapshot(self, reader: Reader) -> Snapshot:
        """Return how the match stands for a reader."""
        match = self._shown_to(reader)
        legal, words = readers.choices(match, reader)
        shown = Snapshot(
            ply=self.ply - (len(self._held) if reader is None else 0),
            view=words_of(match.record(reader)),
            story=readers.story(match, reader),
            turn=match.turn,
            legal=legal,
            words=words,
            clocks=self._clocks(),
            result=readers.result(match),
        )
        match.release()
        return shown

    def _shown_to(self, reader: Reader) -> Match:
        """Return the match; for spectators who are behind, as it was."""
        assert self.match is not None
        if reader is not None or not self._held:
            return self.match
        numbers = [event.number for event in self.log[: -len(self._held)] if event.kind == "move"]
        return Match.replayed(self.game, self.match.seed, [n for n in numbers if n is not None])

    def _clocks(self) -> Any:
        return self.timer.shown(self.house.now()) if self.timer is not None else None

    def happened(self, event: Event | None, moved: list[Transition], reader: Reader) -> Happened:
        """Return what a reader is sent of an event that was just applied; None: the deal."""
        assert self.match is not None
        legal, words = readers.choices(self.match, reader)
        return Happened(
            ply=self.ply,
            kind=event.kind if event is not None else "start",  # type: ignore[arg-type]
            seat=event.seat if event is not None else None,
            steps=[readers.step(self.game, each, reader) for each in moved],
            turn=self.match.turn,
            legal=legal,
            words=words,
            clocks=self._clocks(),
            result=readers.result(self.match),
        )

    def missed(self, since: int, reader: Reader) -> list[Happened]:
        """Return the events that a reader has missed, each as that reader saw it happen."""
        match = self._shown_to(reader)
        last = self.ply - (len(self._held) if reader is None else 0)
        shown = []
        for ply in range(since, last):
            end = self._begins[ply + 1] if ply + 1 < len(self._begins) else match.ply
            moved = match.transitions(self._begins[ply], end)
            is_last = ply == last - 1
            legal, words = readers.choices(match, reader) if is_last else ([], [])
            event = self.log[ply]
            shown.append(
                Happened(
                    ply=ply + 1,
                    kind=event.kind,  # type: ignore[arg-type]
                    seat=event.seat,
                    steps=[readers.step(self.game, each, reader) for each in moved],
                    turn=match.turn if is_last else None,
                    legal=legal,
                    words=words,
                    clocks=self._clocks() if is_last else None,
                    result=readers.result(match) if is_last else None,
                )
            )
        match.release()
        return shown

    def broadcast(self, event: Event | None, moved: list[Transition]) -> None:
        """Send everybody what has happened, each as they see it."""
        made: dict[Reader, bytes] = {}
        for listener in list(self.listeners):
            reader = listener.reader
            if reader is None and self.options.spectators == "delayed":
                continue
            if reader not in made:
                made[reader] = encode(self.happened(event, moved, reader))
            listener.send(made[reader])
        if self.options.spectators == "delayed":
            self._show_later(event, moved)

    def _show_later(self, event: Event | None, moved: list[Transition]) -> None:
        """Keep an event for spectators, and send them those that are old enough."""
        self._held.append(self.happened(event, moved, None))
        while self._held and (len(self._held) > self.options.delay or self.is_over):
            shown = encode(self._held.pop(0))
            for listener in list(self.listeners):
                if listener.reader is None:
                    listener.send(shown)

    def broadcast_start(self) -> None:
        """Send everybody the deal: the match has begun."""
        assert self.match is not None
        self.broadcast(None, self.match.transitions())
        self.match.release()

    def tell_info(self, but: Listener | None = None) -> None:
        """Send everybody the table as it is now, but for one who knows."""
        for listener in list(self.listeners):
            if listener is not but:
                listener.send(self.info(listener.guest))

    # ------------------------------------------------------------ what seats do

    async def move(self, seat: int, ply: int, number: int) -> None:
        """Make a move of a seat; when this returns it is durable. Refusal: nothing has changed."""
        async with self.lock:
            match = self._playing()
            if ply != self.ply:
                raise Refusal("behind", 409, ply=self.ply)
            if match.turn != seat:
                raise Refusal("not_your_turn", 409, turn=match.turn)
            if number not in match.legal_numbers():
                raise Refusal("illegal_move", 422, move=number)
            deadline = self.timer.deadline() if self.timer is not None else None
            now = self.house.now()
            if deadline is not None and now > deadline and self.seats[seat]["kind"] == "guest":
                raise Refusal("too_late", 409)
            await self._add(Event(self.id, self.ply, "move", seat, number, now))

    async def resign(self, seat: int) -> None:
        """Let a seat give the match up."""
        async with self.lock:
            self._playing()
            await self._add(Event(self.id, self.ply, "resign", seat, None, self.house.now()))

    def _playing(self) -> Match:
        if self.match is None:
            raise Refusal("not_started", 409)
        if self.is_over:
            raise Refusal("match_over", 409)
        return self.match

    def react(self, seat: int, reaction: str) -> None:
        """Show everybody a reaction."""
        shown = encode(Reacted(seat, reaction))
        for listener in list(self.listeners):
            listener.send(shown)

    async def hint(self, seat: int, ply: int, level: str) -> int:
        """Return what a bot would do in a seat's place; it sees what the seat sees."""
        match = self._playing()
        if not self.options.hints:
            raise Refusal("no_hints", 403)
        if ply != self.ply or match.turn != seat:
            raise Refusal("behind", 409, ply=self.ply)
        view = match.view(seat)
        match.release()
        seed = f"hint {self.id} {ply}"
        return await self.house.thinkers.decide(f"hint {self.id} {seat}", level, view, seed)

    async def _add(self, event: Event) -> None:
        """Store an event; then let it happen, and tell everybody. The table is locked."""
        accepted = await self.house.store.append(event)
        if not accepted:
            await self._catch_up()
            raise Refusal("behind", 409, ply=self.ply)
        self.touched = time.monotonic()
        moved = self._apply(event)
        self.house.count_event(event.kind)
        self.broadcast(event, moved)
        await self.house.bus.tell(self.id)
        if event.kind == "takeover":
            await self._store_takeover(event.seat)
        if self.is_over:
            await self._store_end()
        self.go_on()

    async def _store_takeover(self, seat: int) -> None:
        where = (seats.c.table_id == self.id) & (seats.c.seat == seat)
        await self.house.store.change(
            sa.update(seats).where(where).values(kind="bot", bot=self.options.takeover)
        )
        self.tell_info()

    async def _store_end(self) -> None:
        """Note that the match is over; it follows from the log, so it may be noted again."""
        assert self.match is not None
        ended = json.dumps(self.match.result)
        where = (tables.c.id == self.id) & (tables.c.status != "over")
        change = sa.update(tables).where(where)
        try:
            await self.house.store.change(
                change.values(status="over", ended=self.house.now(), result=ended)
            )
        except Unavailable:
            logger.warning("table %s is over, which could not be noted yet", self.id)
        self.tell_info()

    async def _catch_up(self) -> None:
        """Read what others have written to the log, and tell everybody here."""
        for event in await self.house.store.log(self.id, self.ply):
            if event.ply == self.ply:
                self.broadcast(event, self._apply(event))

    async def hear(self) -> None:
        """Another process has changed something here."""
        async with self.lock:
            was = self.status
            await self.house.refresh(self)
            if self.match is not None:
                await self._catch_up()
            if self.status != was:
                self.tell_info()
        self.go_on(delay=BOT_GRACE)

    # ------------------------------------------------------------ what happens by itself

    def go_on(self, delay: float = 0.0) -> None:
        """Let a bot think if it is its turn, and watch the clock."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if self.match is None or self.match.turn is None:
            self.house.thinkers.drop(self.id)
            return
        turn = self.match.turn
        if self.seats[turn]["kind"] == "bot":
            if self._thought is None or self._thought.done():
                self._thought = asyncio.create_task(self._let_bots_play(delay))
            return
        deadline = self.timer.deadline() if self.timer is not None else None
        if deadline is not None:
            loop = asyncio.get_running_loop()
            wait = max(0.0, deadline - self.house.now()) + 0.01
            self._alarm = loop.call_later(min(wait, 3600.0), self._ring)

    async def _let_bots_play(self, delay: float) -> None:
        """Make the moves of bots, as long as it is the turn of one."""
        await asyncio.sleep(delay)
        while self.match is not None and (turn := self.match.turn) is not None:
            seat = self.seats[turn]
            if seat["kind"] != "bot":
                break
            ply, view = self.ply, self.match.view(turn)
            self.match.release()
            seed = f"{self.id} {ply}"
            try:
                number = await self.house.thinkers.decide(self.id, seat["bot"], view, seed)
                await self._bot_moves(turn, ply, number)
            except asyncio.CancelledError:
                return
            except (Refusal, Unavailable) as error:
                logger.info("the bot at table %s waits: %s", self.id, error)
                await asyncio.sleep(RETRY)
            except Exception:
                logger.exception("the bot at table %s has failed", self.id)
                await asyncio.sleep(10 * RETRY)
        self._thought = None
        self.go_on()

    async def _bot_moves(self, turn: int, ply: int, number: int) -> None:
        """Make a bot's move, unless something else has happened while it thought."""
        async with self.lock:
            if self.ply == ply and self.match is not None and self.match.turn == turn:
                event = Event(self.id, ply, "move", turn, number, self.house.now())
                await self._add(event)

    def _ring(self) -> None:
        self._alarm = None
        self.house.spawn(self._run_out())

    async def _run_out(self) -> None:
        """A clock may have run out: the seat has lost, or a bot takes it over."""
        async with self.lock:
            deadline = self.timer.deadline() if self.timer is not None else None
            if self.is_over or self.match is None or deadline is None:
                return
            turn = self.match.turn
            if turn is None or self.house.now() < deadline or self.seats[turn]["kind"] != "guest":
                self.go_on()
                return
            kind = "takeover" if self.options.takeover else "timeout"
            try:
                await self._add(Event(self.id, self.ply, kind, turn, None, self.house.now()))
            except (Refusal, Unavailable) as error:
                logger.info("the clock at table %s waits: %s", self.id, error)
                asyncio.get_running_loop().call_later(RETRY, self._ring)

    def close(self) -> None:
        """Let go of all that goes on here; the log keeps the match."""
        if self._alarm is not None:
            self._alarm.cancel()
        if self._thought is not None:
            self._thought.cancel()
        self.house.thinkers.drop(self.id)
