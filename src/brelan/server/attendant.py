"""What happens at a table by itself: bots think when it is their turn, and clocks run out."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from brelan.server.messages import Refusal
from brelan.server.storage import Event, Unavailable
from brelan.server.thinking import Dropped

if TYPE_CHECKING:
    from brelan.server.tables import Table

log = logging.getLogger("brelan.attendant")
BOT_GRACE = 3.0  # seconds after which a bot thinks here that another process may have forgotten
AGAIN = 0.02  # seconds after which a bot looks again at a table where something has happened
RETRY = 1.0  # seconds after which a bot or a clock tries the database again


class Attendant:
    """Attends to one table: lets a bot in turn think, or watches the clock of a person."""

    __slots__ = ("_alarm", "_thought", "is_closed", "table")

    def __init__(self, table: Table) -> None:
        self.table = table
        self.is_closed = False  # nothing goes on by itself any more
        self._alarm: asyncio.TimerHandle | None = None
        self._thought: asyncio.Task[None] | None = None

    def go_on(self, delay: float = 0.0) -> None:
        """Let a bot think if it is its turn, and watch the clock.

        With a delay: another process may let it think already. Then it thinks here too if nothing
        has happened by that time.
        """
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if self.is_closed:
            return
        table, house = self.table, self.table.house
        turn = table.match.turn if table.match is not None else None
        if turn is None or table.status == "expired" or table.seats[turn]["kind"] != "bot":
            house.thinkers.drop(table.id)
        if turn is None or table.status == "expired":
            self._drop_hints()
            return
        loop = asyncio.get_running_loop()
        if table.seats[turn]["kind"] == "bot":
            if self._thought is None or self._thought.done():
                if delay and house.bus.has_company:
                    self._alarm = loop.call_later(delay, self.go_on)
                else:
                    self._thought = asyncio.create_task(self._let_bots_play())
            return
        deadline = table.timer.deadline() if table.timer is not None else None
        if deadline is not None:
            wait = max(0.0, deadline - house.now()) + 0.01
            self._alarm = loop.call_later(min(wait, 3600.0), self._ring)

    async def _let_bots_play(self) -> None:
        """Make the moves of bots, as long as it is the turn of one and nobody else makes them."""
        table, thinkers, delay = self.table, self.table.house.thinkers, 0.0
        while not delay and table.match is not None and (turn := table.match.turn) is not None:
            seat = table.seats[turn]
            if seat["kind"] != "bot" or table.status == "expired":
                break
            if table.is_quiet:
                await asyncio.sleep(RETRY)
                continue
            ply, view = table.ply, table.match.view(turn)
            table.match.release()
            seed = f"{table.secret.hex()} {ply}"  # with it a player could tell what a bot holds
            try:
                number = await thinkers.decide(table.id, seat["bot"], view, seed)
                delay = 0.0 if await self._bot_moves(turn, ply, number) else BOT_GRACE
            except Dropped:  # something else has happened, or the server ends
                if thinkers.is_closed:
                    return
                await asyncio.sleep(AGAIN)
            except Unavailable as error:
                log.info("the bot at table %s waits: %s", table.id, error)
                await asyncio.sleep(RETRY)
            except Exception:
                log.exception("the bot at table %s has failed", table.id)
                await asyncio.sleep(10 * RETRY)
        self._thought = None
        self.go_on(delay)

    async def _bot_moves(self, turn: int, ply: int, number: int) -> bool:
        """Make a bot's move; False: something else has happened while it thought."""
        table = self.table
        async with table.lock:
            is_due = table.ply == ply and table.match is not None and table.match.turn == turn
            if not is_due or table.status == "expired":
                return False
            try:
                await table.add(Event(table.id, ply, "move", turn, number, table.house.now()))
            except Refusal as refusal:
                if refusal.code != "behind":
                    raise
                return False
            return True

    def _ring(self) -> None:
        self._alarm = None
        self.table.house.spawn(self.run_out())

    async def run_out(self) -> None:
        """A clock may have run out: the seat has lost, or a bot takes it over."""
        table = self.table
        async with table.lock:
            deadline = table.timer.deadline() if table.timer is not None else None
            turn = table.timer.running if table.timer is not None else None
            if table.is_over or turn is None or deadline is None or table.status == "expired":
                return
            if table.house.now() < deadline:
                self.go_on()
                return
            kind = "takeover" if table.options.takeover else "timeout"
            try:
                await table.add(table.event(kind, turn))
            except (Refusal, Unavailable) as error:
                log.info("the clock at table %s waits: %s", table.id, error)
                self._alarm = asyncio.get_running_loop().call_later(RETRY, self._ring)

    def close(self) -> None:
        """Let go of all that goes on here."""
        self.is_closed = True
        if self._alarm is not None:
            self._alarm.cancel()
        if self._thought is not None:
            self._thought.cancel()
        self.table.house.thinkers.drop(self.table.id)
        self._drop_hints()

    def _drop_hints(self) -> None:
        for seat in range(len(self.table.seats)):
            self.table.house.thinkers.drop(f"hint {self.table.id} {seat}")
