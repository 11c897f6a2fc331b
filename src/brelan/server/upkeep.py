"""Upkeep: what a server process does with its tables from time to time, and when it starts."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from typing import TYPE_CHECKING

import sqlalchemy as sa

from brelan.errors import Refused
from brelan.server.attendant import RETRY
from brelan.server.messages import Refusal
from brelan.server.storage import Unavailable, events, tables

if TYPE_CHECKING:
    from brelan.server.house import House

log = logging.getLogger("brelan.upkeep")
SWEEP = 30.0  # seconds between two looks at what nobody has looked at
IDLE = 300.0  # seconds after which a table that nobody listens to is dropped from memory
RESUMED = 1000  # matches that go on by themselves when the server starts again, at most
LAST_WORDS = 600.0  # seconds before the last event of all, in which they were played at
PAGE = 500  # tables that are looked at together
LONGEST_TURN = 30 * 24 * 3600.0  # seconds, see messages.Clock
HAS_CLOCK = tables.c.options.like('%"clock":{"kind"%')


class Upkeep:
    """Lets forgotten matches go on, closes abandoned tables, and drops idle ones from memory."""

    def __init__(self, house: House) -> None:
        self.house = house
        self._timed: dict[str, tuple[int, float]] = {}  # deadlines of matches that are not loaded

    async def resume(self) -> None:
        """Go on with the matches that were being played when the server stopped, or was killed."""
        last = sa.select(events.c.at).where(events.c.table_id == tables.c.id)
        at = last.order_by(events.c.ply.desc()).limit(1).scalar_subquery().label("at")
        wanted = sa.select(tables.c.id, at).where(tables.c.status == "playing")
        ordered = wanted.order_by(sa.desc(at).nulls_last()).limit(RESUMED)
        while True:
            await asyncio.sleep(RETRY)
            if not self.house.readiness.thread.is_alive():  # those that clients ask for come first
                with contextlib.suppress(Unavailable):
                    rows = await self.house.store.fetch(ordered)
                    break
        for row in rows:
            if row["at"] is not None and row["at"] > rows[0]["at"] - LAST_WORDS:
                await self._revive(row["id"])

    async def _revive(self, name: str) -> None:
        """Load a table, for its bots and clocks; one that cannot be loaded is left alone."""
        try:
            await self.house.table(name)
        except Unavailable:
            log.warning("table %s is not loaded: the database is not available", name)
        except (Refusal, Refused) as error:
            log.info("table %s is not loaded: %s", name, error)
        except Exception:
            log.exception("table %s cannot be loaded", name)

    async def sweep(self) -> None:
        """Drop tables that nobody listens to, go on with forgotten ones, close abandoned ones."""
        while True:
            for step in (self.drop_idle, self.expire, self.watch_clocks):
                try:
                    await step()
                except Unavailable as error:
                    log.warning("the database is not available: %s", error)
                except Exception:
                    log.exception("looking after tables has failed; it is tried again")
            await asyncio.sleep(SWEEP)

    async def drop_idle(self) -> None:
        """Drop tables that nobody uses; of a match with clocks, its next deadline is kept."""
        for table in self.house.tables_here():
            is_used = table.listeners or table.lock.locked() or table.has_bot_to_move
            if not is_used and time.monotonic() - table.touched > IDLE:
                deadline = table.timer.deadline() if table.timer is not None else None
                if deadline is not None and deadline < self.house.now() + IDLE:
                    continue
                if deadline is not None and not table.is_over:
                    self._timed[table.id] = (table.ply, deadline)
                self.house.drop(table)

    async def expire(self) -> None:
        """Close tables at which nobody has sat down, or nobody has moved, for long.

        A match with a clock ends by its clock. A match that goes on after all is open again.
        """
        now = self.house.now()
        is_waiting = (tables.c.status == "waiting") & (
            tables.c.created < now - self.house.settings.expire_waiting
        )
        latest = sa.select(events.c.at).where(events.c.table_id == tables.c.id)
        latest = latest.order_by(events.c.ply.desc()).limit(1)
        last = sa.func.coalesce(latest.scalar_subquery(), tables.c.started)
        idle = self.house.settings.expire_idle
        is_idle = (tables.c.status == "playing") & (
            (~HAS_CLOCK & (last < now - idle)) | (last < now - idle - LONGEST_TURN)
        )
        found = await self.house.store.fetch(sa.select(tables.c.id).where(is_waiting | is_idle))
        for name in [row["id"] for row in found]:
            table = self.house.table_here(name)
            async with table.lock if table is not None else contextlib.nullcontext():
                (count,) = await self.house.store.change(
                    sa.update(tables)
                    .where(tables.c.id == name, is_waiting | is_idle)
                    .values(status="expired", ended=now)
                )
                if count and table is not None:
                    await self.house.refresh(table)
            if count:
                self.house.counted["tables_expired"] += 1
                await self.house.bus.tell(name, "table")
            if table is not None:
                table.tell_info()
                table.attendant.go_on()
        is_alive = (tables.c.status == "expired") & tables.c.started.is_not(None)
        await self.house.store.change(
            sa.update(tables)
            .where(is_alive, last >= now - idle)
            .values(status="playing", ended=None)
        )

    async def watch_clocks(self) -> None:
        """Load matches with clocks that may have run out, or that this process does not know."""
        count = sa.select(sa.func.count()).where(events.c.table_id == tables.c.id)
        seen, last = set(), ""
        while True:
            wanted = (
                sa.select(tables.c.id, count.scalar_subquery().label("plies"))
                .where(tables.c.status == "playing", HAS_CLOCK, tables.c.id > last)
                .order_by(tables.c.id)
                .limit(PAGE)
            )
            rows = await self.house.store.fetch(wanted)
            for row in rows:
                name = last = row["id"]
                seen.add(name)
                plies, deadline = self._timed.get(name, (-1, 0.0))
                if self.house.table_here(name) is not None or (
                    plies == row["plies"] and deadline > self.house.now() + SWEEP
                ):
                    continue
                try:
                    await self.house.table(name)
                except Refusal as refusal:  # of other rules, or damaged: it has no clock any more
                    log.warning("the clock at table %s is not watched: %s", name, refusal.code)
                    self._timed[name] = (row["plies"], self.house.now() + 3600)
                else:
                    self._timed.pop(name, None)
            if len(rows) < PAGE:
                break
        for name in set(self._timed) - seen:
            del self._timed[name]

    @property
    def timed(self) -> int:
        """How many matches with clocks are watched, in memory or by their deadline."""
        return len(self._timed) + sum(table.has_clock for table in self.house.tables_here())
