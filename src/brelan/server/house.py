"""The house: all tables of one server process, and what is done with them as a whole."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import logging
import re
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from brelan import games
from brelan.bots.search.settings import LEVELS
from brelan.compiler.warmup import warm_up
from brelan.engine.folder import open_folder
from brelan.engine.game import Game
from brelan.errors import Refused
from brelan.rules import new_scratch
from brelan.server import fairness
from brelan.server.analyses import Analysts
from brelan.server.bus import Alone, Bus, PostgresBus
from brelan.server.identity import hash_of, new_id, new_key
from brelan.server.messages import Clock, NewTable, Refusal
from brelan.server.metrics import Figures
from brelan.server.settings import Settings
from brelan.server.storage import (
    Store,
    Stored,
    Unavailable,
    events,
    guests,
    read_table,
    seats,
    tables,
)
from brelan.server.tables import BOT_GRACE, RETRY, Row, Table
from brelan.server.thinking import Thinkers, check_bot

log = logging.getLogger("brelan.house")
SWEEP = 30.0  # seconds between two looks at what nobody has looked at
DEFAULT_BOT = "club"
RULES_SHARE = 0.25  # of the work of preparing a game; the rest is its bots
BOT_NAMES = (
    "Anselme", "Basile", "Chloé", "Mathilde", "Octave", "Céleste", "Marcel", "Ninon", "Edgar",
)  # fmt: skip
REMATCH_GRACE = 30.0  # seconds after which the clocks of a rematch begin to run
IDLE = 300.0  # seconds after which a table that nobody listens to is dropped from memory
LOOKS = 8  # tables that are read again at the same time, at most
RESUMED = 1000  # matches that go on by themselves when the server starts again, at most
LAST_WORDS = 600.0  # seconds before the last event of all, in which they were played at
ID = re.compile(r"[A-Za-z0-9_-]{1,32}")  # of tables; PostgreSQL refuses some other characters
LISTED = 100  # tables in a list, at most
RUNNING = 12  # matches in a list of which it is told whose turn it is
PAGE = 500  # tables that are looked at together
LONGEST_TURN = 30 * 24 * 3600.0  # seconds, see messages.Clock
HAS_CLOCK = tables.c.options.like('%"clock":{"kind"%')


class House:
    """The tables of this process, the database that they are kept in, the bots that think."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self.settings, self.store = settings, store
        self.figures = Figures()
        self.thinkers = Thinkers(settings.thinkers, self.figures)
        self.analysts = Analysts(store, self.thinkers)
        self.bus: Bus = Alone() if store.is_sqlite else PostgresBus(store)
        self.counted: Counter[str] = Counter()
        self.compiled: dict[str, bool] = {}  # which games run as machine code by now
        self.prepared: dict[str, float] = {}  # how much of each game and its bots does, 0 to 1
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._present: dict[str, dict[str, set[int]]] = {}  # seats with sockets in other processes
        self._loading: dict[str, asyncio.Task[Table]] = {}
        self._stale: dict[str, str] = {}  # tables to look at again in the database, and what
        self._looking: set[str] = set()  # those that a task looks at
        self._looks = asyncio.Semaphore(LOOKS)
        self._tasks: set[asyncio.Task[Any]] = set()
        self._timed: dict[str, tuple[int, float]] = {}  # deadlines of matches that are not loaded
        self._compiling = threading.Thread(target=self._compile, daemon=True, name="compiling")
        self._is_closing = False

    def now(self) -> float:
        """Return the time, in seconds since 1970."""
        return time.time()

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        """Do something beside; what goes wrong in it is noted."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._note_end)

    def _note_end(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a task has failed", exc_info=error)

    def count_event(self, kind: str) -> None:
        """Count an event that was stored."""
        self.figures.events[kind] += 1

    def count_error(self, code: str) -> None:
        """Count an error that a client was sent."""
        self.figures.errors[code] += 1

    # ------------------------------------------------------------ from start to end

    async def start(self) -> None:
        """Begin to listen, to compile, and to look after tables."""
        await self.bus.start(self._hear)
        self._compiling.start()
        self.spawn(self._sweep())
        self.spawn(self._resume())

    def _compile(self) -> None:
        """Make machine code of the rules that matches need, game by game."""
        for name in games():
            begun = time.perf_counter()
            try:
                prepare(name)
            except Refused as error:  # no folder to keep it in: matches run interpreted
                log.warning("%s runs interpreted: %s", name, error)
                continue
            self.compiled[name] = True
            self.prepared[name] = RULES_SHARE
            log.info("%s is ready after %.1f s", name, time.perf_counter() - begun)
        for name in games():  # bots that somebody waits for are made before the next of these
            folder = open_folder(name)
            game = Game(folder, folder.knobs.settle({}))
            wanted = [bot for bot in ("careful", *LEVELS) if bot in (*LEVELS, *folder.bots.BOTS)]
            for done, bot in enumerate(wanted, start=1):
                if self._is_closing:
                    return
                self.thinkers.prepare(game, bot).result()
                self.prepared[name] = RULES_SHARE + (1 - RULES_SHARE) * done / len(wanted)

    async def close(self) -> None:
        """Let everything go; the logs keep all matches."""
        self._is_closing = True
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        for table in self._tables.values():
            table.close()
        self.thinkers.close()
        self.analysts.close()
        await self.bus.close()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.store.close()

    async def _resume(self) -> None:
        """Go on with the matches that were being played when the server stopped, or was killed."""
        last = sa.select(events.c.at).where(events.c.table_id == tables.c.id)
        at = last.order_by(events.c.ply.desc()).limit(1).scalar_subquery().label("at")
        wanted = sa.select(tables.c.id, at).where(tables.c.status == "playing")
        ordered = wanted.order_by(sa.desc(at).nulls_last()).limit(RESUMED)
        while True:
            await asyncio.sleep(RETRY)
            if not self._compiling.is_alive():  # those that clients ask for come first
                with contextlib.suppress(Unavailable):
                    rows = await self.store.fetch(ordered)
                    break
        for row in rows:
            if row["at"] is not None and row["at"] > rows[0]["at"] - LAST_WORDS:
                await self._revive(row["id"])

    async def _revive(self, name: str) -> None:
        """Load a table, for its bots and clocks; one that cannot be loaded is left alone."""
        try:
            await self.table(name)
        except Unavailable:
            log.warning("table %s is not loaded: the database is not available", name)
        except (Refusal, Refused) as error:
            log.info("table %s is not loaded: %s", name, error)
        except Exception:
            log.exception("table %s cannot be loaded", name)

    async def _sweep(self) -> None:
        """Drop tables that nobody listens to, go on with forgotten ones, close abandoned ones."""
        while True:
            for step in (self._drop_idle, self._expire, self._watch_clocks):
                try:
                    await step()
                except Unavailable as error:
                    log.warning("the database is not available: %s", error)
                except Exception:
                    log.exception("looking after tables has failed; it is tried again")
            await asyncio.sleep(SWEEP)

    async def _drop_idle(self) -> None:
        """Drop tables that nobody uses; of a match with clocks, its next deadline is kept."""
        for table in list(self._tables.values()):
            is_used = table.listeners or table.lock.locked() or table.has_bot_to_move
            if not is_used and time.monotonic() - table.touched > IDLE:
                deadline = table.timer.deadline() if table.timer is not None else None
                if deadline is not None and deadline < self.now() + IDLE:
                    continue
                if deadline is not None and not table.is_over:
                    self._timed[table.id] = (table.ply, deadline)
                table.close()
                del self._tables[table.id]

    async def _expire(self) -> None:
        """Close tables at which nobody has sat down, or nobody has moved, for long.

        A match with a clock ends by its clock. A match that goes on after all is open again.
        """
        now = self.now()
        is_waiting = (tables.c.status == "waiting") & (
            tables.c.created < now - self.settings.expire_waiting
        )
        latest = sa.select(events.c.at).where(events.c.table_id == tables.c.id)
        latest = latest.order_by(events.c.ply.desc()).limit(1)
        last = sa.func.coalesce(latest.scalar_subquery(), tables.c.started)
        idle = self.settings.expire_idle
        is_idle = (tables.c.status == "playing") & (
            (~HAS_CLOCK & (last < now - idle)) | (last < now - idle - LONGEST_TURN)
        )
        found = await self.store.fetch(sa.select(tables.c.id).where(is_waiting | is_idle))
        for name in [row["id"] for row in found]:
            table = self._tables.get(name)
            async with table.lock if table is not None else contextlib.nullcontext():
                (count,) = await self.store.change(
                    sa.update(tables)
                    .where(tables.c.id == name, is_waiting | is_idle)
                    .values(status="expired", ended=now)
                )
                if count and table is not None:
                    await self.refresh(table)
            if count:
                self.counted["tables_expired"] += 1
                await self.bus.tell(name, "table")
            if table is not None:
                table.tell_info()
                table.go_on()
        is_alive = (tables.c.status == "expired") & tables.c.started.is_not(None)
        await self.store.change(
            sa.update(tables)
            .where(is_alive, last >= now - idle)
            .values(status="playing", ended=None)
        )

    async def _watch_clocks(self) -> None:
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
            rows = await self.store.fetch(wanted)
            for row in rows:
                name = last = row["id"]
                seen.add(name)
                plies, deadline = self._timed.get(name, (-1, 0.0))
                if name in self._tables or (
                    plies == row["plies"] and deadline > self.now() + SWEEP
                ):
                    continue
                try:
                    await self.table(name)
                except Refusal as refusal:  # of other rules, or damaged: it has no clock any more
                    log.warning("the clock at table %s is not watched: %s", name, refusal.code)
                    self._timed[name] = (row["plies"], self.now() + 3600)
                else:
                    self._timed.pop(name, None)
            if len(rows) < PAGE:
                break
        for name in set(self._timed) - seen:
            del self._timed[name]

    @property
    def timed(self) -> int:
        """How many matches with clocks are watched, in memory or by their deadline."""
        return len(self._timed) + sum(table.has_clock for table in self._tables.values())

    # ------------------------------------------------------------ what others have done

    def _hear(self, name: str, what: str) -> None:
        """Another process has done something at a table; an empty name: perhaps at any."""
        kind, _, said = what.partition(":")
        if kind == "react":
            if name in self._tables:
                seat, _, reaction = said.partition(":")
                self._tables[name].react(int(seat), reaction)
            return
        if kind in ("seats", "hello", "gone"):
            self._hear_of_presence(name, kind, said)
            return
        for each in [name] if name else [*self._tables, *self._loading]:
            self.look_again(each, kind)

    def _hear_of_presence(self, name: str, kind: str, said: str) -> None:
        """Another process says which seats have sockets there, has just come, or is gone."""
        process, _, listed = said.partition(":")
        if kind == "hello":
            self.spawn(self._tell_presence())
            return
        changed = [name] if kind == "seats" else list(self._present)
        for each in changed:
            known = self._present.setdefault(each, {})
            if kind == "seats" and listed:
                known[process] = {int(seat) for seat in listed.split(".")}
            elif process:
                known.pop(process, None)
            else:
                known.clear()
            if not known:
                del self._present[each]
            if each in self._tables:
                self._tables[each].note_presence()

    async def _tell_presence(self) -> None:
        """Tell other processes at which seats somebody listens here."""
        for table in list(self._tables.values()):
            if here := table.seats_here():
                await self._tell_seats(table.id, here)

    def tell_seats(self, table: str, seats: Iterable[int]) -> None:
        """Tell other processes, soon, which seats of a table have sockets here."""
        if not self.bus.is_alone and not self._is_closing:
            self.spawn(self._tell_seats(table, seats))

    async def _tell_seats(self, table: str, seats: Iterable[int]) -> None:
        await self.bus.tell(table, f"seats:{self.bus.me}:{'.'.join(map(str, sorted(seats)))}")

    def seats_elsewhere(self, table: str) -> set[int]:
        """Return the seats of a table that have sockets in other processes."""
        return set().union(*self._present.get(table, {}).values())

    def look_again(self, name: str, what: str = "table") -> None:
        """Read again, soon, what is stored of a table that is in memory: its log, or all of it."""
        if self._is_closing or (name not in self._tables and name not in self._loading):
            return
        if self._stale.get(name) != "table":
            self._stale[name] = what
        if name not in self._looking:
            self._looking.add(name)
            self.spawn(self._look(name))

    async def _look(self, name: str) -> None:
        """Read a table again until nothing is new."""
        try:
            while name in self._stale:
                async with self._looks:
                    await self._look_once(name)
                if name in self._stale:
                    await asyncio.sleep(0)
        finally:
            self._looking.discard(name)

    async def _look_once(self, name: str) -> None:
        what = self._stale.pop(name)
        try:
            if name in self._loading:
                await asyncio.wait([self._loading[name]])
            if name in self._tables:
                await self._tables[name].hear(what)
        except Unavailable:
            self._stale[name] = "table"
            await asyncio.sleep(RETRY)
        except Refusal as refusal:
            log.error("table %s cannot be read again: %s", name, refusal)

    # ------------------------------------------------------------ games

    def game(self, name: str, rules: int, knobs: Mapping[str, Any]) -> Game:
        """Return the variant of a table; of rules that are not here any more, a refusal."""
        folder = open_folder(name)
        if rules not in folder.replays:
            raise Refusal("other_rules", 410, played=rules, here=folder.version)
        mode = "compiled" if self.compiled.get(name) else "interpreted"
        return _variant(name, tuple(sorted(knobs.items())), mode)

    # ------------------------------------------------------------ tables

    async def table(self, name: str) -> Table:
        """Return a table, loaded if need be."""
        if not ID.fullmatch(name):
            raise Refusal("no_such_table", 404)
        if name in self._tables:
            self._tables.move_to_end(name)
            table = self._tables[name]
            table.touched = time.monotonic()  # it is not dropped while somebody is about to use it
            return table
        loading = self._loading.get(name)
        if loading is None:
            loading = self._loading[name] = asyncio.create_task(self._load(name))
            loading.add_done_callback(functools.partial(self._loaded, name))
        return await asyncio.shield(loading)

    def _loaded(self, name: str, loading: asyncio.Task[Table]) -> None:
        del self._loading[name]
        if not loading.cancelled():
            loading.exception()  # told to whoever waits

    async def _load(self, name: str) -> Table:
        stored = await self._stored(name)
        table = Table(self, stored.row, stored.seats)
        if table.started is not None:
            table.begin()
            table.replay(stored.events)
            await table.note()
        self._tables[name] = table
        table.note_presence()
        table.go_on(BOT_GRACE if table.ply else 0.0)
        return table

    async def _stored(self, name: str, since: int = 0) -> Stored:
        stored = await self.store.table(name, since)
        if stored is None:
            raise Refusal("no_such_table", 404)
        return stored

    async def current(self, name: str) -> Table:
        """Return a table, loaded if need be, with all that other processes have done at it."""
        if self.bus.is_alone or name not in self._tables:
            return await self.table(name)
        table = await self.table(name)
        async with table.lock:
            await self.refresh(table)
        return table

    async def refresh(self, table: Table) -> None:
        """Read again all that is stored of a table, which is locked."""
        await table.take_in(await self._stored(table.id, table.ply))

    async def _change(
        self, table: Table, work: Callable[[AsyncConnection], Awaitable[None]], *statuses: str
    ) -> None:
        """Change a table, which is locked, if it has one of some statuses; and take in what is new.

        No other process changes it at the same time. Whatever `work` raises undoes all of it.
        """
        here = sa.update(tables).where(tables.c.id == table.id, tables.c.status.in_(statuses))

        async def carry_out(connection: AsyncConnection) -> Stored | None:
            held = await connection.execute(here.values(status=tables.c.status))
            if held.rowcount:
                await work(connection)
            return (await read_table(connection, table.id, table.ply)) if held.rowcount else None

        try:
            stored = await self.store.transact(carry_out, [table.id])
        except Unavailable:
            self.look_again(table.id)  # it may have been stored nevertheless
            raise
        if stored is None:
            await self.refresh(table)
            if table.status == "expired":
                raise Refusal("table_expired", 410)
            raise Refusal("already_dealt", 409)
        await table.take_in(stored)

    async def open(self, guest: str, name: str, wanted: NewTable) -> tuple[str, dict[str, str]]:
        """Open a table; return its id and the secrets of its links, by what they are for."""
        game = self.check(wanted)
        table, now, links = new_id(), self.now(), {}
        rows = []
        taken = {name, *(sitting.name for sitting in wanted.seats)}
        free = (each for each in BOT_NAMES if each not in taken)  # more than seats, and then some
        for number, sitting in enumerate(wanted.seats):
            place: dict[str, Any] = {"table_id": table, "seat": number, "kind": "guest"}
            place |= {"guest": None, "name": "", "bot": None, "invitation": None, "key": None}
            if sitting.kind == "bot":
                bot = sitting.bot or DEFAULT_BOT
                place |= {"kind": "bot", "bot": bot, "name": sitting.name or next(free, bot)}
            elif sitting.kind == "me":
                links[f"seat {number}"] = key = new_key()
                place |= {"guest": guest, "name": sitting.name or name, "key": hash_of(key)}
            else:
                links[f"invitation {number}"] = key = new_key()
                place |= {"kind": "open", "invitation": hash_of(key)}
            rows.append(place | {"nonce": None})
        for seated in {*(row["bot"] for row in rows), wanted.options.takeover} - {None}:
            self.thinkers.prepare(game, seated)
        is_full = all(row["kind"] != "open" for row in rows)
        opened = {
            "id": table, "game": game.id, "rules": game.folder.version,
            "knobs": json.dumps(game.knobs), "secret": fairness.new_secret(), "host": guest,
            "options": msgspec.json.encode(wanted.options).decode(),
            "status": "playing" if is_full else "waiting", "created": now,
            "started": now if is_full else None,
        }  # fmt: skip
        await self.store.change(sa.insert(tables).values(opened), sa.insert(seats).values(rows))
        self.counted["tables_opened"] += 1
        return table, links

    def check(self, wanted: NewTable) -> Game:
        """Return the variant of a table that may be opened; Refusal if it may not."""
        game = self._variant(wanted)
        for sitting in wanted.seats:
            if sitting.kind == "bot":
                checked_bot(sitting.bot or DEFAULT_BOT, game)
        _check_options(wanted, game)
        return game

    def _variant(self, wanted: NewTable) -> Game:
        if wanted.game not in games():
            raise Refusal("no_such_game", 404, games=list(games()))
        folder = open_folder(wanted.game)
        try:
            knobs = folder.knobs.settle(
                {"players": len(wanted.seats), **wanted.knobs}, wanted.preset
            )
            game = Game(folder, knobs)
        except Refused as error:
            raise Refusal("bad_variant", 422, why=str(error)[:200]) from None
        if game.players != len(wanted.seats):
            raise Refusal("bad_seats", 422, players=game.players)
        return game

    async def join(
        self, guest: str, name: str, table: Table, seat: int, nonce: str | None = None
    ) -> str:
        """Let a guest sit down at an open seat; return the secret of the link to it.

        A nonce is added to the luck before the cards are dealt. When the last seat is taken the
        match begins.
        """
        key = new_key()
        sitting = {"kind": "guest", "guest": guest, "name": name, "key": hash_of(key)}
        taken = (
            sa.update(seats)
            .where(seats.c.table_id == table.id, seats.c.seat == seat, seats.c.kind == "open")
            .values(**sitting, invitation=None, nonce=nonce)
        )
        is_open = (seats.c.table_id == table.id) & (seats.c.kind == "open")
        begun = (
            sa.update(tables)
            .where(tables.c.id == table.id, ~sa.select(seats.c.seat).where(is_open).exists())
            .values(status="playing", started=self.now())
        )

        async def sit_down(connection: AsyncConnection) -> None:
            if not (await connection.execute(taken)).rowcount:
                raise Refusal("seat_taken", 409, seat=seat)
            await connection.execute(begun)

        async with table.lock:
            try:
                await self._change(table, sit_down, "waiting")
            except Refusal as refusal:
                if refusal.code == "already_dealt":
                    raise Refusal("seat_taken", 409, seat=seat) from None
                raise
        table.go_on()
        return key

    async def set_nonce(self, table: Table, seat: int, nonce: str) -> None:
        """Let a seat add to the luck, while the cards are not dealt yet."""
        where = (seats.c.table_id == table.id) & (seats.c.seat == seat)

        async def add(connection: AsyncConnection) -> None:
            await connection.execute(sa.update(seats).where(where).values(nonce=nonce))

        async with table.lock:
            await self._change(table, add, "waiting")

    async def rematch(self, guest: str, table: Table) -> str:
        """Return the table of another match of the same kind, seats rotated: opened if need be.

        People who sat at this table sit at the next one too, and their links lead there; also those
        whose seat a bot took over.
        """
        following, now = new_id(), self.now()
        rows = []
        for place in table.seats:
            seat = (place["seat"] + 1) % len(table.seats)
            kept = {key: place[key] for key in ("kind", "guest", "name", "bot", "key")}
            if place["key"] is not None:
                kept |= {"kind": "guest", "bot": None}
            rows.append({"table_id": following, "seat": seat, **kept, "nonce": None})
        opened = {
            "id": following, "game": table.game.id, "rules": table.game.folder.version,
            "knobs": json.dumps(table.game.knobs), "secret": fairness.new_secret(),
            "options": msgspec.json.encode(table.options).decode(), "host": guest,
            "status": "playing", "created": now, "started": now + REMATCH_GRACE,
        }  # fmt: skip
        claimed = (
            sa.update(tables)
            .where(tables.c.id == table.id, tables.c.rematch.is_(None))
            .values(rematch=following)
        )

        async def claim(connection: AsyncConnection) -> None:
            if (await connection.execute(claimed)).rowcount:
                await connection.execute(sa.insert(tables).values(opened))
                await connection.execute(sa.insert(seats).values(rows))

        async with table.lock:
            if not table.rematch:
                await self._change(table, claim, "playing", "over")
                self.counted["tables_opened"] += table.rematch == following
        return str(table.rematch)

    # ------------------------------------------------------------ guests

    async def guest_name(self, guest: str) -> str | None:
        """Return the name of a guest; None: we have never met."""
        row = await self.store.fetch_one(sa.select(guests).where(guests.c.id == guest))
        return None if row is None else str(row["name"])

    async def meet(self, name: str) -> str:
        """Return the id of a new guest."""
        guest = new_id()
        row = {"id": guest, "name": name, "created": self.now()}
        await self.store.change(sa.insert(guests).values(row))
        return guest

    async def rename(self, guest: str, name: str) -> None:
        """Give a guest another name."""
        await self.store.change(sa.update(guests).where(guests.c.id == guest).values(name=name))

    async def seat_of_key(self, key: str, table: str | None = None) -> tuple[str, int] | None:
        """Return the table and the seat that a secret link leads to.

        It leads to a seat at each rematch too: the latest one, unless the table is given.
        """
        wanted = sa.select(seats).join(tables, tables.c.id == seats.c.table_id)
        wanted = wanted.where(seats.c.key == hash_of(key)).order_by(tables.c.created.desc())
        if table is not None:
            wanted = wanted.where(seats.c.table_id == table)
        row = await self.store.fetch_one(wanted.limit(1))
        return None if row is None else (row["table_id"], row["seat"])

    async def invitation(self, key: str) -> tuple[str, int] | None:
        """Return the table and the open seat that an invitation is for."""
        is_open = (seats.c.invitation == hash_of(key)) & (seats.c.kind == "open")
        wanted = sa.select(seats).where(is_open)
        row = await self.store.fetch_one(wanted)
        return None if row is None else (row["table_id"], row["seat"])

    async def claim(self, guest: str, key: str) -> tuple[str, int] | None:
        """Give the seats that a secret link leads to, all rematches', to the guest who has it.

        Return the latest table and the seat there.
        """
        found = await self.seat_of_key(key)
        if found is None:
            return None
        mine = sa.select(seats.c.table_id).where(seats.c.key == hash_of(key))
        names = [row["table_id"] for row in await self.store.fetch(mine)]
        await self.store.change(
            sa.update(seats).where(seats.c.key == hash_of(key)).values(guest=guest)
        )
        for name in names:
            if name in self._tables:
                await self._tables[name].hear("table")
            await self.bus.tell(name, "table")
        return found

    async def tables_of(self, guest: str) -> list[Row]:
        """Return the tables at which a guest sits or sat, the latest first."""
        mine = sa.select(seats.c.table_id).where(seats.c.guest == guest)
        wanted = sa.select(tables).where(tables.c.id.in_(mine))
        return await self._listed(wanted)

    async def turns_of(self, rows: Sequence[Row]) -> dict[str, int]:
        """Return which seat is in turn at each of the latest tables that are being played at.

        Those that cannot be loaded are left out.
        """
        turns = {}
        playing = [row["id"] for row in rows if row["status"] == "playing"]
        for name in playing[:RUNNING]:
            try:
                match = (await self.table(name)).match
            except (Refusal, Refused, Unavailable):
                continue
            if match is not None and match.turn is not None:
                turns[name] = match.turn
        return turns

    async def lobby(self) -> list[Row]:
        """Return the open tables that are listed, the latest first, each with its seats."""
        wanted = sa.select(tables).where(
            tables.c.status == "waiting", tables.c.options.like('%"listed":true%')
        )
        return await self._listed(wanted)

    async def _listed(self, wanted: sa.Select[Any]) -> list[Row]:
        """Return tables, the latest first, each with its seats."""
        rows = await self.store.fetch(wanted.order_by(tables.c.created.desc()).limit(LISTED))
        at = seats.c.table_id.in_([row["id"] for row in rows])
        places: dict[str, list[Row]] = {row["id"]: [] for row in rows}
        for place in await self.store.fetch(sa.select(seats).where(at).order_by(seats.c.seat)):
            places[place["table_id"]].append(dict(place))
        return [{**row, "seats": places[row["id"]]} for row in rows]

    @property
    def loaded(self) -> int:
        """How many tables are in memory."""
        return len(self._tables)

    @property
    def sockets(self) -> int:
        """How many sockets listen at tables."""
        return sum(len(table.listeners) for table in self._tables.values())


@functools.lru_cache(1000)
def _variant(name: str, knobs: tuple[tuple[str, Any], ...], mode: str) -> Game:
    """Return a variant, the same object for all its tables."""
    folder = open_folder(name)
    return Game(folder, folder.knobs.settle(dict(knobs)), mode)


def prepare(name: str) -> None:
    """Compile what matches of a game need, or load it."""
    folder = open_folder(name)
    hooks, state = folder.hooks("compiled"), folder.layout.blank()
    rows = np.zeros((2, folder.layout.seats), np.int64)
    warm_up(
        [
            (hooks.start, (state, np.zeros(1, np.int16), False)),
            (hooks.legal_moves, (state, new_scratch())),
            (hooks.play, (state, 0)),
            (hooks.score, (state, rows[0], rows[1])),
        ]
    )


def _check_options(wanted: NewTable, game: Game) -> None:
    """Refuse options that contradict each other, rather than ignore one of them."""
    options, clock = wanted.options, wanted.options.clock
    if options.takeover is not None:
        checked_bot(options.takeover, game)
    if clock.kind == "none" and (clock != Clock() or options.takeover is not None):
        raise Refusal("bad_options", 422, why="takeover, seconds and increment need a clock")
    if clock.kind == "per_move" and clock.increment:
        raise Refusal("bad_options", 422, why="an increment needs a clock of the kind total")
    for seat, sitting in enumerate(wanted.seats):
        if sitting.bot is not None and sitting.kind != "bot":
            raise Refusal("bad_options", 422, why="only a bot has a level", seat=seat)
        if sitting.name is not None and sitting.kind != "me":
            raise Refusal("bad_options", 422, why="only a seat of mine can be named", seat=seat)


def checked_bot(name: str, game: Game) -> str:
    """Return the name of a bot that may sit at a table; Refusal if there is none."""
    try:
        return check_bot(name, game)
    except Refused as error:
        raise Refusal("bad_bot", 422, why=str(error)) from None
