"""The house: all tables of one server process, and what is done with them as a whole."""

from __future__ import annotations

import asyncio
import functools
import json
import logging
import re
import time
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from brelan import games
from brelan.engine.folder import open_folder
from brelan.engine.game import Game
from brelan.errors import Refused
from brelan.server import fairness
from brelan.server.analyses import Analysts
from brelan.server.attendant import BOT_GRACE, RETRY
from brelan.server.bus import Alone, Bus, PostgresBus
from brelan.server.identity import hash_of, new_id, new_key
from brelan.server.messages import Clock, NewTable, Refusal
from brelan.server.metrics import Figures
from brelan.server.presence import Presence
from brelan.server.readiness import Readiness
from brelan.server.settings import Settings
from brelan.server.storage import (
    Store,
    Stored,
    Unavailable,
    guests,
    read_table,
    seats,
    tables,
)
from brelan.server.tables import Row, Table
from brelan.server.thinking import Thinkers, check_bot
from brelan.server.upkeep import Upkeep

log = logging.getLogger("brelan.house")
DEFAULT_BOT = "club"
BOT_NAMES = (
    "Anselme", "Basile", "Chloé", "Mathilde", "Octave", "Céleste", "Marcel", "Ninon", "Edgar",
)  # fmt: skip
REMATCH_GRACE = 30.0  # seconds after which the clocks of a rematch begin to run
LOOKS = 8  # tables that are read again at the same time, at most
ID = re.compile(r"[A-Za-z0-9_-]{1,32}")  # of tables; PostgreSQL refuses some other characters
LISTED = 100  # tables in a list, at most
RUNNING = 12  # matches in a list of which it is told whose turn it is


class House:
    """The tables of this process, the database that they are kept in, the bots that think."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self.settings, self.store = settings, store
        self.figures = Figures()
        self.thinkers = Thinkers(settings.thinkers, self.figures)
        self.analysts = Analysts(store, self.thinkers)
        self.bus: Bus = Alone() if store.is_sqlite else PostgresBus(store)
        self.readiness = Readiness(self.thinkers)
        self.presence = Presence(self)
        self.upkeep = Upkeep(self)
        self.counted: Counter[str] = Counter()
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Table]] = {}
        self._stale: dict[str, str] = {}  # tables to look at again in the database, and what
        self._looking: set[str] = set()  # those that a task looks at
        self._looks = asyncio.Semaphore(LOOKS)
        self._tasks: set[asyncio.Task[Any]] = set()
        self.is_closing = False

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
        self.readiness.thread.start()
        self.spawn(self.upkeep.sweep())
        self.spawn(self.upkeep.resume())

    async def close(self) -> None:
        """Let everything go; the logs keep all matches."""
        self.is_closing = True
        self.readiness.close()
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
            self.presence.hear(name, kind, said)
            return
        for each in [name] if name else [*self._tables, *self._loading]:
            self.look_again(each, kind)

    def look_again(self, name: str, what: str = "table") -> None:
        """Read again, soon, what is stored of a table that is in memory: its log, or all of it."""
        if self.is_closing or (name not in self._tables and name not in self._loading):
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
        mode = "compiled" if self.readiness.compiled.get(name) else "interpreted"
        return _variant(name, tuple(sorted(knobs.items())), mode)

    # ------------------------------------------------------------ tables

    def tables_here(self) -> list[Table]:
        """Return the tables in memory."""
        return list(self._tables.values())

    def table_here(self, name: str) -> Table | None:
        """Return a table if it is in memory."""
        return self._tables.get(name)

    def drop(self, table: Table) -> None:
        """Drop a table from memory; it can be loaded again."""
        table.close()
        del self._tables[table.id]

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
        table.attendant.go_on(BOT_GRACE if table.ply else 0.0)
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
            "started": now if is_full else None, "variant": game.variant,
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
        table.attendant.go_on()
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
            "variant": table.game.variant,
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
