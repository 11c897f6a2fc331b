"""The house: all tables of one server process, and what is done with them as a whole."""

from __future__ import annotations

import asyncio
import functools
import json
import logging
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Coroutine, Mapping
from typing import Any

import msgspec
import numpy as np
import sqlalchemy as sa

from brelan import games
from brelan.compiler.warmup import warm_up
from brelan.engine.folder import open_folder
from brelan.engine.game import Game
from brelan.errors import Refused
from brelan.rules import new_scratch
from brelan.server import fairness
from brelan.server.bus import Alone, Bus, PostgresBus
from brelan.server.identity import hash_of, new_id, new_key
from brelan.server.messages import NewTable, Refusal
from brelan.server.settings import Settings
from brelan.server.storage import Store, Unavailable, events, guests, seats, tables
from brelan.server.tables import Row, Table
from brelan.server.thinking import Thinkers, check_bot

log = logging.getLogger("brelan.house")
SWEEP = 30.0  # seconds between two looks at what nobody has looked at
IDLE = 300.0  # seconds after which a table that nobody listens to is dropped from memory
LISTED = 100  # tables in a list, at most


class House:
    """The tables of this process, the database that they are kept in, the bots that think."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self.settings, self.store = settings, store
        self.thinkers = Thinkers(settings.thinkers)
        self.bus: Bus = Alone() if store.is_sqlite else PostgresBus(settings.database_url)
        self.counted: Counter[str] = Counter()
        self.compiled: dict[str, bool] = {}  # which games run as machine code by now
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._loading: dict[str, asyncio.Future[Table]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()

    def now(self) -> float:
        """Return the time, in seconds since 1970."""
        return time.time()

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        """Do something beside; what goes wrong in it is noted."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def count_event(self, kind: str) -> None:
        """Count an event that was stored."""
        self.counted[f"events_{kind}"] += 1

    # ------------------------------------------------------------ from start to end

    async def start(self) -> None:
        """Begin to listen, to compile, and to look after tables."""
        await self.bus.start(self._hear)
        threading.Thread(target=self._compile, daemon=True, name="compiling").start()
        self.spawn(self._sweep())

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
            log.info("%s is ready after %.1f s", name, time.perf_counter() - begun)

    async def close(self) -> None:
        """Let everything go; the logs keep all matches."""
        for task in list(self._tasks):
            task.cancel()
        for table in self._tables.values():
            table.close()
        self.thinkers.close()
        await self.bus.close()
        await self.store.close()

    async def _sweep(self) -> None:
        """Drop tables that nobody listens to, go on with forgotten ones, close abandoned ones."""
        while True:
            await asyncio.sleep(SWEEP)
            try:
                self._drop_idle()
                await self._expire()
                await self._watch_clocks()
            except Unavailable as error:
                log.warning("the database is not available: %s", error)

    def _drop_idle(self) -> None:
        for table in list(self._tables.values()):
            is_watched = table.listeners or table.lock.locked() or table.has_clock
            if not is_watched and time.monotonic() - table.touched > IDLE:
                table.close()
                del self._tables[table.id]

    async def _expire(self) -> None:
        """Close tables at which nobody has sat down, or nobody has moved, for long."""
        now = self.now()
        is_waiting = (tables.c.status == "waiting") & (
            tables.c.created < now - self.settings.expire_waiting
        )
        latest = sa.select(sa.func.max(events.c.at)).where(events.c.table_id == tables.c.id)
        last = sa.func.coalesce(latest.scalar_subquery(), tables.c.started)
        is_idle = (tables.c.status == "playing") & (last < now - self.settings.expire_idle)
        await self.store.change(
            sa.update(tables).where(is_waiting | is_idle).values(status="expired", ended=now)
        )

    async def _watch_clocks(self) -> None:
        """Load matches with clocks that no process may be looking after."""
        wanted = sa.select(tables.c.id).where(
            tables.c.status == "playing", tables.c.options.like('%"clock":{"kind"%')
        )
        for row in await self.store.fetch(wanted.limit(10_000)):
            if row["id"] not in self._tables:
                (await self.table(row["id"])).go_on()

    def _hear(self, name: str) -> None:
        """Another process has changed a table; an empty name: perhaps any."""
        for each in [name] if name else list(self._tables):
            if each in self._tables:
                self.spawn(self._tables[each].hear())

    # ------------------------------------------------------------ games

    def game(self, name: str, rules: int, knobs: Mapping[str, Any]) -> Game:
        """Return the variant of a table; of rules that are not here any more, a refusal."""
        folder = open_folder(name)
        if folder.version != rules:
            raise Refusal("other_rules", 410, played=rules, here=folder.version)
        mode = "compiled" if self.compiled.get(name) else "interpreted"
        return _variant(name, tuple(sorted(knobs.items())), mode)

    # ------------------------------------------------------------ tables

    async def table(self, name: str) -> Table:
        """Return a table, loaded if need be."""
        if name in self._tables:
            self._tables.move_to_end(name)
            return self._tables[name]
        if name not in self._loading:
            self._loading[name] = asyncio.ensure_future(self._load(name))
        try:
            return await asyncio.shield(self._loading[name])
        finally:
            self._loading.pop(name, None)

    async def _load(self, name: str) -> Table:
        row, places = await self._stored(name)
        table = Table(self, row, places)
        if row["started"] is not None:
            table.begin()
            table.replay(await self.store.log(name))
        self._tables[name] = table
        table.go_on()
        return table

    async def _stored(self, name: str) -> tuple[Row, list[Row]]:
        row = await self.store.fetch_one(sa.select(tables).where(tables.c.id == name))
        if row is None:
            raise Refusal("no_such_table", 404)
        places = await self.store.fetch(sa.select(seats).where(seats.c.table_id == name))
        return dict(row), [dict(place) for place in places]

    async def refresh(self, table: Table) -> None:
        """Read again who sits at a table, and whether its match has begun."""
        row, places = await self._stored(table.id)
        table.read(row, places)
        if table.match is None and table.started is not None:
            table.begin()
            table.broadcast_start()

    async def open(self, guest: str, name: str, wanted: NewTable) -> tuple[str, dict[str, str]]:
        """Open a table; return its id and the secrets of its links, by what they are for."""
        game = self._variant(wanted)
        _check_options(wanted, game)
        table, now, links = new_id(), self.now(), {}
        rows = []
        for number, sitting in enumerate(wanted.seats):
            place: dict[str, Any] = {"table_id": table, "seat": number, "kind": "guest"}
            place |= {"guest": None, "name": "", "bot": None, "invitation": None, "key": None}
            if sitting.kind == "bot":
                bot = _checked_bot(sitting.bot or "club", game)
                place |= {"kind": "bot", "bot": bot, "name": bot}
            elif sitting.kind == "me":
                links[f"seat {number}"] = key = new_key()
                place |= {"guest": guest, "name": sitting.name or name, "key": hash_of(key)}
            else:
                links[f"invitation {number}"] = key = new_key()
                place |= {"kind": "open", "invitation": hash_of(key)}
            rows.append(place | {"nonce": None})
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
            raise Refusal("bad_variant", 422, why=str(error)) from None
        if game.players != len(wanted.seats):
            raise Refusal("bad_seats", 422, players=game.players)
        return game

    async def join(self, guest: str, name: str, table: Table, seat: int) -> str:
        """Let a guest sit down at an open seat; return the secret of the link to it."""
        async with table.lock:
            key = new_key()
            taken = (
                sa.update(seats)
                .where(seats.c.table_id == table.id, seats.c.seat == seat, seats.c.kind == "open")
                .values(kind="guest", guest=guest, name=name, key=hash_of(key), invitation=None)
            )
            (count,) = await self.store.change(taken)
            if count == 0:
                await self.refresh(table)
                raise Refusal("seat_taken", 409, seat=seat)
            await self._begin_if_full(table)
        table.tell_info()
        await self.bus.tell(table.id)
        table.go_on()
        return key

    async def _begin_if_full(self, table: Table) -> None:
        """Let the match begin when the last seat is taken, in one process only."""
        still_open = sa.select(seats.c.seat).where(
            seats.c.table_id == table.id, seats.c.kind == "open"
        )
        begun = (
            sa.update(tables)
            .where(tables.c.id == table.id, tables.c.status == "waiting", ~still_open.exists())
            .values(status="playing", started=self.now())
        )
        await self.store.change(begun)
        await self.refresh(table)

    async def set_nonce(self, table: Table, seat: int, nonce: str) -> None:
        """Let a seat add to the luck, while the cards are not dealt yet."""
        async with table.lock:
            is_waiting = sa.select(tables.c.id).where(
                tables.c.id == table.id, tables.c.status == "waiting"
            )
            change = (
                sa.update(seats)
                .where(seats.c.table_id == table.id, seats.c.seat == seat, is_waiting.exists())
                .values(nonce=nonce)
            )
            (count,) = await self.store.change(change)
            if count == 0:
                raise Refusal("already_dealt", 409)
            await self.refresh(table)
        table.tell_info()
        await self.bus.tell(table.id)

    async def rematch(self, guest: str, name: str, table: Table) -> str:
        """Return the table of another match of the same kind, seats rotated: opened if need be.

        Guests who sat at this table sit at the next one too.
        """
        async with table.lock:
            if table.rematch:
                return table.rematch
            following, now = new_id(), self.now()
            rows = []
            for place in table.seats:
                seat = (place["seat"] + 1) % len(table.seats)
                kept = {key: place[key] for key in ("kind", "guest", "name", "bot", "key")}
                rows.append({"table_id": following, "seat": seat, **kept, "nonce": None})
            opened = {
                "id": following, "game": table.game.id, "rules": table.game.folder.version,
                "knobs": json.dumps(table.game.knobs), "secret": fairness.new_secret(),
                "options": msgspec.json.encode(table.options).decode(), "host": guest,
                "status": "playing", "created": now, "started": now,
            }  # fmt: skip
            claimed = (
                sa.update(tables)
                .where(tables.c.id == table.id, tables.c.rematch.is_(None))
                .values(rematch=following)
            )
            _, _, count = await self.store.change(
                sa.insert(tables).values(opened), sa.insert(seats).values(rows), claimed
            )
            await self.refresh(table)
            if count == 0:  # somebody else was quicker, in another process
                await self.store.change(
                    sa.delete(seats).where(seats.c.table_id == following),
                    sa.delete(tables).where(tables.c.id == following),
                )
        table.tell_info()
        await self.bus.tell(table.id)
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

    async def seat_of_key(self, key: str) -> tuple[str, int] | None:
        """Return the table and the seat that a secret link leads to."""
        row = await self.store.fetch_one(sa.select(seats).where(seats.c.key == hash_of(key)))
        return None if row is None else (row["table_id"], row["seat"])

    async def invitation(self, key: str) -> tuple[str, int] | None:
        """Return the table and the open seat that an invitation is for."""
        is_open = (seats.c.invitation == hash_of(key)) & (seats.c.kind == "open")
        wanted = sa.select(seats).where(is_open)
        row = await self.store.fetch_one(wanted)
        return None if row is None else (row["table_id"], row["seat"])

    async def claim(self, guest: str, table: Table, seat: int) -> None:
        """Give a seat to the guest of another device, who has its link."""
        async with table.lock:
            where = (seats.c.table_id == table.id) & (seats.c.seat == seat)
            await self.store.change(sa.update(seats).where(where).values(guest=guest))
            await self.refresh(table)
        table.tell_info()
        await self.bus.tell(table.id)

    async def tables_of(self, guest: str) -> list[Row]:
        """Return the tables at which a guest sits or sat, the latest first."""
        mine = sa.select(seats.c.table_id).where(seats.c.guest == guest)
        wanted = sa.select(tables).where(tables.c.id.in_(mine))
        rows = await self.store.fetch(wanted.order_by(tables.c.created.desc()).limit(LISTED))
        return [dict(row) for row in rows]

    async def lobby(self) -> list[Row]:
        """Return the open tables that are listed, the latest first."""
        wanted = sa.select(tables).where(
            tables.c.status == "waiting", tables.c.options.like('%"listed":true%')
        )
        rows = await self.store.fetch(wanted.order_by(tables.c.created.desc()).limit(LISTED))
        return [dict(row) for row in rows]

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
    if wanted.options.takeover is not None:
        _checked_bot(wanted.options.takeover, game)


def _checked_bot(name: str, game: Game) -> str:
    try:
        return check_bot(name, game)
    except Refused as error:
        raise Refusal("bad_bot", 422, why=str(error)) from None
