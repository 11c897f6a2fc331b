"""A table that is being played at: its match, its seats, its clocks, and who is listening.

All that is lasting is in the log of events. A table in memory can be dropped at any time and
loaded again, here or in another process.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import msgspec
import sqlalchemy as sa

from brelan.engine.game import Game
from brelan.engine.match import Match, Transition
from brelan.errors import BadSave
from brelan.rules import TABLE
from brelan.server import beginnings, fairness, readers
from brelan.server.attendant import BOT_GRACE, Attendant
from brelan.server.clocks import Timer
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
from brelan.server.questions import Questions
from brelan.server.readers import Reader
from brelan.server.storage import Event, Stored, Unavailable, seats, tables
from brelan.server.takebacks import CHANGING, standing
from brelan.server.thinking import HINT, Advice, Dropped
from brelan.server.wire import words_of

if TYPE_CHECKING:
    from brelan.server.house import House

Row = Mapping[str, Any]  # of the database
NOTING = 5.0  # seconds after which a process notes an end that another one may not have noted


class Listener(Protocol):
    """A socket at a table: of a seat, or of a spectator."""

    reader: Reader
    guest: str

    def send(self, message: Any) -> None:
        """Send a message, soon; it may be encoded already."""

    def check_rights(self) -> None:
        """Leave, if the seat has become another guest's."""


class Table:
    """A table as one process holds it."""

    def __init__(self, house: House, row: Row, places: Sequence[Row]) -> None:
        self.house = house
        self.id: str = row["id"]
        self.game: Game = house.game(row["game"], row["rules"], json.loads(row["knobs"]))
        self.options = msgspec.json.decode(row["options"], type=Options)
        self.secret: bytes = row["secret"]
        self.beginning = beginnings.read(row["beginning"])
        self.host: str = row["host"]
        self.lock = asyncio.Lock()
        self.listeners: set[Listener] = set()
        self.ply = 0  # events in the log
        self.match: Match | None = None  # None: seats are still open
        self.seal: str | None = None  # of the deal
        self.timer: Timer | None = None
        self.touched = time.monotonic()  # when somebody last did anything here
        self.begins: list[int] = []  # at which ply of the match each event begins
        self.log: list[Event] = []
        self.taken_over: set[int] = set()  # seats of people where a bot sits now
        self.questions = Questions(self)
        self.attendant = Attendant(self)
        self._connected: set[int] = set()  # the seats that listeners were told are connected
        self._told: set[int] = set()  # the seats that other processes were told of
        self.read(row, places)

    def read(self, row: Row, places: Sequence[Row]) -> None:
        """Take over what is stored of the table and its seats."""
        self.status: str = "over" if self.is_over else row["status"]
        self.started: float | None = row["started"]
        self.rematch: str | None = row["rematch"]
        self.seats = [dict(each) for each in sorted(places, key=lambda place: place["seat"])]
        self._noted = {"status": row["status"]} | {
            seat["seat"]: "bot" for seat in self.seats if seat["kind"] == "bot"
        }
        for seat in self.seats:  # whether a bot has taken a seat over, the log says
            if seat["key"] is not None and seat["kind"] == "bot":
                seat |= {"kind": "guest", "bot": None}
        for number in self.taken_over:
            self.seats[number] |= {"kind": "bot", "bot": self.options.takeover}
        for listener in list(self.listeners):
            listener.check_rights()

    def check_open(self, seat: int) -> None:
        """Refuse to seat anybody where there is no seat, or where somebody sits."""
        if seat >= len(self.seats):
            raise Refusal("no_such_seat", 404)
        if self.seats[seat]["kind"] != "open":
            raise Refusal("seat_taken", 409, seat=seat)

    # ------------------------------------------------------------ the match

    def begin(self) -> None:
        """Deal the cards: all seats are taken."""
        assert self.started is not None
        nonces = {seat["seat"]: seat["nonce"] for seat in self.seats if seat["nonce"]}
        seed = fairness.deal_seed(self.secret, nonces)
        self.match = beginnings.begun(self.game, seed, self.beginning)
        self.seal = fairness.seal(seed)
        self.match.release()
        self.timer = Timer(self.options.clock, self.game.players, self.started)
        self.timer.run(self._on_clock(), self.started)

    def _on_clock(self) -> int | None:
        """Return the seat whose clock runs: that in turn, if a person sits there."""
        turn = self.match.turn if self.match is not None else None
        return turn if turn is not None and self.seats[turn]["kind"] == "guest" else None

    def replay(self, found: list[Event]) -> None:
        """Take over the events that there were before this process has loaded the table."""
        for event in found:
            self._apply(event)

    def _apply(self, event: Event) -> list[Transition]:
        """Let an event happen, which is stored; return the moves that it brings about."""
        assert self.match is not None
        assert self.timer is not None
        self._check(event, self.match)
        self.begins.append(self.match.ply)
        self.log.append(event)
        self.ply += 1
        moved: list[Transition] = []
        if event.kind == "move":
            assert event.number is not None
            moved = self.match.advance(event.number)
        elif event.kind == "takeover":
            self.taken_over.add(event.seat)
            self.seats[event.seat] |= {"kind": "bot", "bot": self.options.takeover}
        elif event.kind == "takeback":
            self.match = self._match_after(self.ply)
        elif event.kind == "draw":
            self.match.agree_draw()
        elif event.kind in ("resign", "timeout"):
            self.match.resign(event.seat, *(["timeout"] if event.kind == "timeout" else []))
        self.questions.apply(event)
        if event.kind == "takeback":
            self.timer.take_back(self._on_clock(), event.at)
        elif event.kind in CHANGING:
            self.timer.run(self._on_clock(), event.at)
        if self.match.turn is None:
            self.status = "over"
        return moved

    def _match_after(self, count: int) -> Match:
        """Return the match as it stood after so many events."""
        assert self.match is not None
        try:
            left = standing(self.log[:count])
        except BadSave:
            raise Refusal("damaged", 500, table=self.id) from None
        numbers = [event.number for event in left if event.number is not None]
        return beginnings.replayed(self.game, str(self.match.seed), self.beginning, numbers)

    def _check(self, event: Event, match: Match) -> None:
        """Refuse to let happen what cannot be: then the log is not as we have written it."""
        is_possible = event.ply == self.ply and match.turn is not None
        if event.kind == "move":
            is_possible &= event.seat == match.turn and event.number in match.legal_numbers()
        if not is_possible:
            raise Refusal("damaged", 500, table=self.id, ply=event.ply)

    @property
    def has_clock(self) -> bool:
        """Whether a clock runs that must be watched."""
        return (
            self.status == "playing"
            and self.timer is not None
            and self.timer.deadline() is not None
        )

    @property
    def has_bot_to_move(self) -> bool:
        """Whether a bot is to move, for people who may come back."""
        turn = self.match.turn if self.match is not None and self.status == "playing" else None
        return turn is not None and self.seats[turn]["kind"] == "bot" and not self.is_quiet

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.match is not None and self.match.turn is None

    @property
    def is_quiet(self) -> bool:
        """Whether nobody who might come back needs this table to go on: only bots ever sat here."""
        return not self.listeners and all(seat["key"] is None for seat in self.seats)

    # ------------------------------------------------------------ what readers are sent

    def info(self, guest: str | None, reader: Reader = None) -> TableInfo:
        """Return the table as a guest may know it, who reads it at a seat."""
        mine = [seat["seat"] for seat in self.seats if guest and seat["guest"] == guest]
        ply = self.ply if mine else self._shown_ply(None)
        later = {event.seat for event in self.log[ply:] if event.kind == "takeover"}
        return TableInfo(
            table=self.id,
            game=self.game.id,
            rules=self.game.folder.version,
            variant=self.game.variant,
            knobs=self.game.knobs,
            options=self.options,
            status=self.status,  # type: ignore[arg-type]
            seats=[self._seat_info(seat, later) for seat in self.seats],
            commitment=fairness.commitment(self.secret),
            mine=mine,
            ply=ply,
            seat=reader,
            seal=self.seal,
            secret=self.secret.hex() if self.status == "over" else None,
            rematch=self.rematch,
            origin=beginnings.origin(
                self.beginning, is_known=self.is_over or bool(mine) or reader is not None
            ),
        )

    def _seat_info(self, seat: Mapping[str, Any], later: set[int]) -> SeatInfo:
        """Return who sits at a seat; at `later` ones a bot does, which a reader does not know."""
        is_known = seat["seat"] not in later
        return SeatInfo(
            kind=seat["kind"] if is_known else "guest",
            name=seat["name"],
            bot=seat["bot"] if is_known else None,
            connected=seat["seat"] in self._connected,
            nonce=seat["nonce"],
        )

    def seats_here(self) -> set[int]:
        """Return the seats that have a socket in this process."""
        return {each.reader for each in self.listeners if each.reader is not None}

    def note_presence(self, but: Listener | None = None) -> None:
        """Tell everybody whose seats have sockets now, here or elsewhere, if that has changed."""
        here = self.seats_here()
        if here != self._told:
            self._told = here
            self.house.presence.tell(self.id, here)
        connected = here | self.house.presence.elsewhere(self.id)
        if connected != self._connected:
            self._connected = connected
            self.tell_info(but=but)

    def snapshot(self, reader: Reader) -> Snapshot:
        """Return how the match stands for a reader."""
        match, ply = self._shown_to(reader)
        legal, words = readers.choices(match, reader)
        is_now = ply == self.ply
        shown = Snapshot(
            ply=ply,
            view=words_of(match.record(reader)),
            story=readers.story(match, reader),
            turn=match.turn,
            legal=legal,
            words=words,
            clocks=self._clocks(reader),
            result=readers.result(match),
            asked=self.questions.asked if is_now else None,
        )
        match.release()
        return shown

    def _is_behind(self, reader: Reader) -> bool:
        """Whether a reader is shown the match some events late."""
        return reader is None and self.options.spectators == "delayed" and not self.is_over

    def _shown_ply(self, reader: Reader) -> int:
        """Return how many events a reader may know of."""
        return max(0, self.ply - self.options.delay) if self._is_behind(reader) else self.ply

    def _shown_to(self, reader: Reader) -> tuple[Match, int]:
        """Return the match as a reader may see it, and after how many events that is."""
        assert self.match is not None
        ply = self._shown_ply(reader)
        return (self.match if ply == self.ply else self._match_after(ply)), ply

    def _clocks(self, reader: Reader) -> Any:
        """Return what is left on the clocks; who is shown the match late is not told."""
        if self.timer is None or self._is_behind(reader):
            return None
        return self.timer.shown(self.house.now())

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
            clocks=self._clocks(reader),
            result=readers.result(self.match),
            first=self._first(moved, reader) if event is None else None,
        )

    def _first(self, dealt: list[Transition], reader: Reader) -> list[int]:
        """Return what a reader sees before the first move; `dealt` are those that were made."""
        assert self.match is not None
        state = dealt[0].before if dealt else self.match.record(reader).tobytes()
        return words_of(self.game.folder.layout.view(state, reader))

    def missed(self, since: int, reader: Reader) -> list[Happened | Snapshot]:
        """Return the events that a reader has missed, each as that reader saw it happen.

        If a move was taken back among them, what is left is told at once.
        """
        match, last = self._shown_to(reader)
        if any(event.kind == "takeback" for event in self.log[since:last]):
            return [self.snapshot(reader)]
        shown: list[Happened | Snapshot] = []
        for ply in range(since, last):
            end = self.begins[ply + 1] if ply + 1 < len(self.begins) else match.ply
            moved = match.transitions(self.begins[ply], end)
            is_last = ply == last - 1
            legal, words = readers.choices(match, reader) if is_last else ([], [])
            event = self.log[ply]
            shown.append(
                Happened(
                    ply=ply + 1,
                    kind=event.kind,  # type: ignore[arg-type]
                    seat=event.seat,
                    steps=[readers.step(self.game, each, reader) for each in moved],
                    turn=match.turn if is_last else self._turn_at(match, end),
                    legal=legal,
                    words=words,
                    clocks=self._clocks(reader) if is_last else None,
                    result=readers.result(match) if is_last else None,
                )
            )
        match.release()
        return shown

    def _turn_at(self, match: Match, ply: int) -> int | None:
        """Return whose turn it was after so many moves of a match."""
        following = match.transitions(ply, ply + 1)
        if not following:
            return match.turn
        turn = int(self.game.folder.layout.view(following[0].before, None).turn)
        return None if turn == TABLE else turn

    def broadcast(self, event: Event | None, moved: list[Transition]) -> None:
        """Send everybody what has happened, each as they see it."""
        made: dict[Reader, list[bytes]] = {}
        for listener in list(self.listeners):
            reader = listener.reader
            if reader not in made:
                made[reader] = [encode(each) for each in self._news(event, moved, reader)]
            for message in made[reader]:
                listener.send(message)
            if reader is None and self._is_behind(None):
                latest = self.log[: self._shown_ply(None)][-1:]
                if latest and latest[0].kind == "takeover":
                    listener.send(self.info(listener.guest, None))

    def _news(self, event: Event | None, moved: list[Transition], reader: Reader) -> list[Any]:
        """Return what a reader is sent of an event that was just applied."""
        if event is None or reader is not None or self.options.spectators != "delayed":
            news: list[Any] = [self.happened(event, moved, reader)]
            if event is not None and event.kind == "takeback":
                news.append(self.snapshot(reader))
            return news
        known = max(0, self.ply - 1 - self.options.delay)
        return list(self.missed(known, reader)) if self._shown_ply(reader) > known else []

    def broadcast_start(self) -> None:
        """Send everybody the deal: the match has begun."""
        assert self.match is not None
        self.broadcast(None, self.match.transitions())
        self.match.release()

    def tell_info(self, but: Listener | None = None) -> None:
        """Send everybody the table as it is now, but for one who knows."""
        for listener in list(self.listeners):
            if listener is not but:
                listener.send(self.info(listener.guest, listener.reader))

    # ------------------------------------------------------------ what seats do

    async def move(self, seat: int, ply: int, number: int) -> None:
        """Make a move of a seat; when this returns it is durable. Refusal: nothing has changed."""
        async with self.lock:
            match = self.playing(seat)
            if ply != self.ply:
                raise Refusal("behind", 409, ply=self.ply)
            if match.turn != seat:
                raise Refusal("not_your_turn", 409, turn=match.turn)
            if number not in match.legal_numbers():
                raise Refusal("illegal_move", 422, move=number)
            deadline = self.timer.deadline() if self.timer is not None else None
            now = self.house.now()
            if deadline is not None and now > deadline:
                raise Refusal("too_late", 409)
            await self.add(Event(self.id, self.ply, "move", seat, number, now))

    async def resign(self, seat: int) -> None:
        """Let a seat give the match up."""
        async with self.lock:
            self.playing(seat)
            await self.add(self.event("resign", seat))

    def event(self, kind: str, seat: int) -> Event:
        """Return an event that is no move, at this moment."""
        return Event(self.id, self.ply, kind, seat, None, self.house.now())

    def playing(self, seat: int) -> Match:
        """Return the match, if a person at a seat may still do something in it."""
        if self.match is None:
            raise Refusal("not_started", 409)
        if self.is_over:
            raise Refusal("match_over", 409)
        if self.seats[seat]["kind"] != "guest":
            raise Refusal("seat_taken_over", 403)
        return self.match

    # ------------------------------------------------------------ reactions and hints

    def react(self, seat: int, reaction: str) -> None:
        """Show a reaction to everybody who listens to this process."""
        for listener in list(self.listeners):
            listener.send(Reacted(seat, reaction))

    async def reacts(self, seat: int, reaction: str) -> None:
        """Show everybody a reaction, in other processes too."""
        if self.seats[seat]["kind"] != "guest":
            raise Refusal("seat_taken_over", 403)
        self.react(seat, reaction)
        await self.house.bus.tell(self.id, f"react:{seat}:{reaction}")

    async def hint(self, seat: int, ply: int, level: str) -> Advice:
        """Return what the analysis finds best in a seat's place; it sees what the seat sees."""
        match = self.playing(seat)
        if not self.options.hints:
            raise Refusal("no_hints", 403)
        if ply != self.ply or match.turn != seat:
            raise Refusal("behind", 409, ply=self.ply)
        view = match.view(seat)
        match.release()
        try:
            return await self.house.thinkers.advise(
                f"hint {self.id} {seat}", f"{HINT}{level}", view, seed=""
            )
        except Dropped:
            raise Refusal("behind", 409, ply=self.ply) from None  # the seat has asked again

    async def add(self, event: Event) -> None:
        """Store an event; then let it happen, and tell everybody. The table is locked."""
        begun = time.perf_counter()
        try:
            accepted = await self.house.store.append(event)
        except BaseException:  # it may have been stored nevertheless
            self.house.look_again(self.id, "log")
            raise
        self.house.figures.stored.observe(time.perf_counter() - begun)
        if not accepted:
            await self._catch_up(await self.house.store.log(self.id, self.ply))
            raise Refusal("behind", 409, ply=self.ply)
        self.touched = time.monotonic()
        moved = self._apply(event)
        self.house.count_event(event.kind)
        self.broadcast(event, moved)
        if self.status == "expired":
            self.status = "playing"
        if self.is_over or event.kind == "takeover" or self._noted["status"] != self.status:
            await self.note()
            self.tell_info()
        self.attendant.go_on()

    async def note(self) -> None:
        """Note in the lists what follows from the log, where it is not noted yet.

        If that fails it is done later, by this process or another: nothing is lost.
        """
        here, there = tables.c.id == self.id, self._noted
        changes: list[Any] = []
        if self.is_over and there["status"] != "over":
            assert self.match is not None
            ended = {"ended": self.log[-1].at, "result": json.dumps(self.match.result)}
            change = sa.update(tables).where(here, tables.c.status != "over")
            changes.append(change.values(status="over", **ended))
        elif self.match is not None and there["status"] == "expired" and self.status == "playing":
            change = sa.update(tables).where(here, tables.c.status == "expired")
            changes.append(change.values(status="playing", ended=None))
        for seat in {event.seat for event in self.log if event.kind == "takeover"} - set(there):
            where = (seats.c.table_id == self.id) & (seats.c.seat == seat)
            taken = sa.update(seats).where(where).values(kind="bot", bot=self.options.takeover)
            changes.append(taken)
        if not changes:
            return
        try:
            await self.house.store.change(*changes)
        except Unavailable:
            self.house.look_again(self.id)
            return
        self._noted["status"] = self.status
        self._noted.update((seat["seat"], "bot") for seat in self.seats if seat["kind"] == "bot")

    async def _catch_up(self, found: list[Event]) -> None:
        """Let happen what others have written to the log, and tell everybody here."""
        was = self.status
        for event in found:
            if event.ply >= self.ply:
                self.broadcast(event, self._apply(event))
                self.touched = time.monotonic()
                if event.kind == "takeover":
                    self.tell_info()
        if self.status != was:
            self.tell_info()
            loop = asyncio.get_running_loop()
            loop.call_later(NOTING, self.house.look_again, self.id)
        if found:
            self.attendant.go_on(delay=BOT_GRACE)

    async def hear(self, what: str = "table") -> None:
        """Something may have changed here that is stored: in the log only, or anything."""
        async with self.lock:
            if what == "log" and self.match is not None:
                await self._catch_up(await self.house.store.log(self.id, self.ply))
            else:
                await self.house.refresh(self)

    async def take_in(self, stored: Stored) -> None:
        """Take over the table as it is stored now, and tell everybody here what is new."""
        before = (self.status, self.rematch, self.seats)
        self.read(stored.row, stored.seats)
        if self.match is None and self.started is not None:
            self.tell_info()  # who plays, before the cards
            self.begin()
            self.broadcast_start()
            self.attendant.go_on(delay=BOT_GRACE)
        if self.match is not None:
            await self._catch_up(stored.events)
            await self.note()
        if (self.status, self.rematch, self.seats) != before:
            self.tell_info()

    def close(self) -> None:
        """Let go of all that goes on here; the log keeps the match."""
        self.attendant.close()
