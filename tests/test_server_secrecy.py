"""Nothing shown: worlds that a reader cannot tell apart send that reader the same bytes.

Two servers hold the same table. In one the match stands in a position, in the other in a world
that the reader imagines in its place. The same happens at both, as far as the reader can see, and
all that the reader's programs receive is compared: every byte, and in which order it comes.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import os
import random
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
import sqlalchemy as sa

import brelan
from brelan.engine.game import Game
from brelan.engine.match import Match
from brelan.server import app as apps
from brelan.server import history, metrics, questions, readers, thinking
from brelan.server.app import make_app
from brelan.server.database import open_store
from brelan.server.identity import COOKIE, Signer
from brelan.server.messages import Choice, Clock, Options, Refusal, Text, encode
from brelan.server.settings import Settings
from brelan.server.storage import guests
from brelan.server.storage import seats as stored_seats
from brelan.server.storage import tables as stored_tables
from brelan.server.tables import Table
from brelan.suite.walk import Walk, variants

LONG = 25 if os.environ.get("BRELAN_LONG") else 1
POSITIONS = 4 * LONG  # of each game, for each test
STEPS = 4  # moves from a position on, as long as the worlds look alike
ID = "table"
SECRET = b"\x07" * 32
KEYS = ("key",)
BEGUN = 1_000_000_000.0  # seconds since 1970
MANY = 10**9


# ---------------------------------------------------------------- a server without a network


@pytest.fixture(autouse=True)
def _no_times_in_metrics(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out of the metrics what two runs on one machine do not share: times, and memory."""
    monkeypatch.setattr(metrics, "_process", list)
    counted = metrics.Histogram.lines
    monkeypatch.setattr(metrics.Histogram, "lines", lambda *its: [[*counted(*its)][-1]])


class Ear:
    """A socket at a table: what it is sent, byte by byte."""

    def __init__(self, world: World, cookie: str, query: str) -> None:
        self.heard: list[Any] = []
        self._said: asyncio.Queue[Any] = asyncio.Queue()
        self._said.put_nowait({"type": "websocket.connect"})
        self._asked = 0
        scope = {"type": "websocket", "path": f"/api/tables/{ID}/socket", "client": ("1", 1)}
        whole = world.scope(scope, cookie, query)
        self._task = asyncio.create_task(world.app(whole, self._said.get, self._hear))

    async def _hear(self, message: Any) -> None:
        self.heard.append(message)

    async def send(self, kind: str, **given: Any) -> None:
        """Send a command, and wait for its answer."""
        self._asked += 1
        await self.send_raw(json.dumps({"t": kind, "id": self._asked, **given}), self._asked)

    async def send_raw(self, text: str, answer: int | None = None) -> None:
        """Send anything; the answer to it, or an error, comes before this returns."""
        known = len(self.heard)
        self._said.put_nowait({"type": "websocket.receive", "text": text})
        while not any(self._is_answer(each, answer) for each in self.heard[known:]):
            assert not self._task.done(), "the socket is gone"
            await asyncio.sleep(0)

    @staticmethod
    def _is_answer(message: Any, answer: int | None) -> bool:
        said = json.loads(message.get("text") or "{}")
        return said.get("t") in ("done", "error", "hint") and said.get("id") == answer

    async def close(self) -> None:
        self._said.put_nowait({"type": "websocket.disconnect", "code": 1000})
        await self._task


class World:
    """A server, with one table whose match may be put into any position."""

    def __init__(self, game: Game, options: Options) -> None:
        self.game, self.options, self.time = game, options, BEGUN
        self.signer = Signer(KEYS)

    async def open(self, folder: Path) -> None:
        settings = Settings(
            database=f"sqlite:///{folder}/{id(self)}.db", keys=KEYS, thinkers=1,
            messages_per_second=MANY, requests_per_second=MANY, sockets_per_guest=MANY,
        )  # fmt: skip
        self.store, _ = await open_store(settings)
        self.app = make_app(settings, self.signer, self.store)
        self.house = self.app.state.house
        self.house.now = lambda: self.time
        self.house.game = lambda *_: self.game

        async def append(event: Any) -> bool:
            return True  # the position is not in the log

        self.store.append = append  # type: ignore[method-assign]
        table = {
            "id": ID, "game": self.game.id, "rules": self.game.folder.version, "host": "guest0",
            "knobs": json.dumps(self.game.knobs), "secret": SECRET, "status": "playing",
            "options": msgspec.json.encode(self.options).decode(), "created": BEGUN,
            "started": BEGUN,
        }  # fmt: skip
        numbers = range(self.game.players)
        places = [
            {"table_id": ID, "seat": seat, "kind": "guest", "guest": f"guest{seat}",
             "name": f"Guest {seat}"} for seat in numbers
        ]  # fmt: skip
        people = [
            {"id": f"guest{seat}", "name": f"Guest {seat}", "created": BEGUN}
            for seat in (*numbers, "X")
        ]
        await self.store.change(
            sa.insert(guests).values(people),
            sa.insert(stored_tables).values(table),
            sa.insert(stored_seats).values(places),
        )

    async def put(self, state: Any, secret: bytes) -> None:
        """Begin anew, in a position; later luck follows from the secret."""
        self.time = BEGUN
        self.house._tables.clear()
        self.table: Table = await self.house.table(ID)
        self.table.match = match = Match.from_position(self.game, state.copy())
        match._secret = secret
        match.release()
        assert self.table.timer is not None
        self.table.timer.run(match.turn, BEGUN)
        self.house.counted.clear()
        self.house.figures = self.house.thinkers.figures = metrics.Figures()

    def scope(self, given: dict[str, Any], cookie: str, query: str) -> dict[str, Any]:
        headers = [(b"host", b"house"), (b"cookie", f"{COOKIE}={cookie}".encode())]
        return {
            "headers": headers, "query_string": query.encode(), "scheme": "http",
            "http_version": "1.1", "server": ("house", 80), "root_path": "", **given,
            "raw_path": given["path"].encode(),
        }  # fmt: skip

    def cookie(self, reader: int | None) -> str:
        return self.signer.sign("guestX" if reader is None else f"guest{reader}")

    async def ear(self, reader: int | None, **query: Any) -> Ear:
        asked = {} if reader is None else {"seat": reader}
        text = "&".join(f"{name}={value}" for name, value in (asked | query).items())
        ear = Ear(self, self.cookie(reader), text)
        await ear.send("ping")
        return ear

    async def ask(self, reader: int | None, path: str, query: str = "", body: Any = None) -> Any:
        """Return all messages of the answer to a request."""
        content = b"" if body is None else encode(body)
        asked = [{"type": "http.request", "body": content, "more_body": False}]
        answered: list[Any] = []

        async def receive() -> Any:
            return asked.pop(0) if asked else {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            answered.append(message)

        method = "GET" if body is None else "POST"
        scope = {
            "type": "http",
            "method": method,
            "path": path,
            "client": ("::1", 1),
        }  # it may read /metrics
        await self.app(self.scope(scope, self.cookie(reader), query), receive, send)
        return answered

    async def close(self) -> None:
        self.table.close()
        self.house.thinkers.close()
        await self.store.close()


@contextlib.asynccontextmanager
async def two_worlds(folder: Path, game: Game, options: Options) -> AsyncIterator[list[World]]:
    worlds = [World(game, options), World(game, options)]
    for world in worlds:
        await world.open(folder)
    try:
        yield worlds
    finally:
        for world in worlds:
            await world.close()


# ---------------------------------------------------------------- what happens in both worlds


class LeakError(AssertionError):
    """A reader has received something else in another world."""


class Reading:
    """All that a reader receives in a world, while things happen at the table."""

    def __init__(self, world: World, reader: int | None, luck: int) -> None:
        self.world, self.reader = world, reader
        self.received: list[tuple[str, Any]] = []
        self._choice = random.Random(luck)  # the same in both worlds
        self._ears: dict[int | None, Ear] = {}

    async def begin(self) -> None:
        for reader in (None, *range(self.world.game.players)):
            self._ears[reader] = await self.world.ear(reader)

    async def try_what_is_refused(self) -> None:
        """Let everybody try what they may not; read what the reader is told of it."""
        table, moves = self.world.table, len(self.world.game.folder.cards.MOVES)
        match = table.match
        assert match is not None
        legal = match.legal_numbers() if match.turn == self.reader else []
        for number in self._choice.sample(range(moves), 3):
            if number not in legal:
                await self._ears[self.reader].send("move", ply=table.ply, move=number)
        for who, ear in self._ears.items():
            if who is not None:
                await ear.send("move", ply=table.ply + 1, move=0)
                await ear.send("move", ply=table.ply, move=moves)
            await ear.send_raw("{")
        await self._ears[0].send("react", reaction="oops")

    def may_ask_back(self) -> bool:
        """Whether the latest move may be taken back."""
        table = self.world.table
        assert table.match is not None
        moved = table.match.transitions(table.begins[-1])
        return len(moved) == 1 and not questions.reveals(table.game, moved[0])

    async def ask_back(self) -> None:
        """Let whoever has moved ask to take it back, and another one refuse."""
        table = self.world.table
        seat = table.log[-1].seat
        await self._ears[seat].send("takeback", ply=table.ply)
        if table.questions.asked is not None:
            other = (seat + 1) % self.world.game.players
            await self._ears[other].send("refuse", ply=table.ply)

    async def ask_for_a_hint(self, level: str) -> None:
        assert self.world.table.match is not None
        await self._ears[self.reader].send("hint", ply=self.world.table.ply, level=level)

    async def look_around(self) -> None:
        """Ask for all that can be asked for over HTTP, as the reader."""
        seats = range(self.world.game.players)
        for path, query in (
            (f"/api/tables/{ID}", ""),
            *((f"/api/tables/{ID}/history", f"seat={seat}") for seat in (*seats, "all", 99)),
            (f"/api/tables/{ID}/history", ""),
            (f"/api/tables/{ID}/export", ""),
            ("/api/lobby", ""),
            ("/api/me", ""),
            ("/metrics", ""),
        ):
            answer = await self.world.ask(self.reader, path, query)
            self.received.append((f"{path}?{query}", answer))
        for path, body in (
            (f"/api/tables/{ID}/nonce", {"seat": self.reader or 0, "nonce": "x"}),
            (f"/api/tables/{ID}/join", {"seat": 0}),
            (f"/api/tables/{ID}/rematch", {}),
        ):
            self.received.append((path, await self.world.ask(self.reader, path, body=body)))

    async def come_back(self) -> None:
        """Connect anew, from the beginning and from each event; ask for what was missed."""
        for since in ("", *range(self.world.table.ply + 1)):
            ear = await self.world.ear(self.reader, since=since)
            await ear.send("sync", since=0)
            await ear.close()
            self.received.append((f"since {since}", ear.heard))

    async def move(self, number: int) -> None:
        """Let the seat in turn make a move."""
        assert self.world.table.match is not None
        self.world.time += 1.5
        ply, seat = self.world.table.ply, self.world.table.match.turn
        await self._ears[seat].send("move", ply=ply, move=number)
        assert self.world.table.ply == ply + 1

    async def all(self) -> list[tuple[str, Any]]:
        """Return all that was received so far."""
        await self._ears[self.reader].send("ping")
        return [*self.received, ("socket", list(self._ears[self.reader].heard))]

    async def end(self) -> None:
        for ear in self._ears.values():
            await ear.close()


async def same(readings: list[Reading]) -> None:
    """Compare what was received in the two worlds."""
    for (what, one), (_, two) in zip(*[await each.all() for each in readings], strict=True):
        if one != two:
            pair = zip([*one, None], [*two, None], strict=False)
            first = next((a, b) for a, b in pair if a != b)
            raise LeakError(f"reader {readings[0].reader}, {what}:\n{first[0]}\n{first[1]}")


def _copy(match: Match) -> Match:
    copied = Match.__new__(Match)
    copied.__dict__.update(match.__dict__)
    copied._state, copied._numbers = match._state.copy(), list(match._numbers)
    copied._states, copied._memories = None, {}
    return copied


def _after(match: Match, number: int) -> Match:
    copied = _copy(match)
    copied.play_unchecked(number)
    return copied


def _sight(match: Match, reader: int | None) -> Any:
    """Return all that a reader has seen: records, and the moves as they were shown."""
    view = match.view(reader)
    moves = [(move.id, move.seat) for move in view.history]
    return moves, view.observations, view.record.tobytes(), view.turn


def _alike(
    worlds: list[World], reader: int | None, choice: random.Random
) -> tuple[int, int] | None:
    """Return a move for each world that looks the same to the reader; None: none was found."""
    truth, other = (world.table.match for world in worlds)
    assert truth is not None
    assert other is not None
    legal = truth.legal_numbers()
    for number in choice.sample(legal, min(4, len(legal))):
        wanted = _after(truth, number)
        if wanted.turn is None:
            continue  # all is shown when it is over
        sight = _sight(wanted, reader)
        candidates = [number] if truth.turn == reader else other.legal_numbers()
        for candidate in choice.sample(candidates, min(40, len(candidates))):
            if _sight(_after(other, candidate), reader) == sight:
                return number, candidate
    return None


Seen = Counter[str]


async def compare(
    worlds: list[World], walk: Walk, reader: int | None, choice: random.Random, level: str | None
) -> Seen:
    """Compare the traffic to a reader in a position, and in another world; count what was."""
    seen: Seen = Counter()
    imagining = choice.randrange(walk.game.players) if reader is None else reader
    imagined = walk.imagine(imagining, choice.getrandbits(60))
    seen["hidden"] += imagined.tobytes()[8:] != walk.state.tobytes()[8:]
    secret, luck = choice.randbytes(32), choice.getrandbits(60)
    readings = [Reading(world, reader, luck) for world in worlds]
    for world, state in zip(worlds, (walk.state, imagined), strict=True):
        await world.put(state, secret)

    async def both(what: Callable[[Reading], Coroutine[Any, Any, None]]) -> None:
        for reading in readings:
            await what(reading)
        await same(readings)

    await both(Reading.begin)
    await both(Reading.try_what_is_refused)
    await both(Reading.look_around)
    if level is not None:
        await both(lambda reading: reading.ask_for_a_hint(level))
        seen["hints"] += reader == walk.seat
    for _ in range(STEPS):
        found = _alike(worlds, reader, choice)
        if found is None:
            break
        seen["moves"] += 1
        seen["secret moves"] += found[0] != found[1]
        for reading, number in zip(readings, found, strict=True):
            await reading.move(number)
        await same(readings)
        # Another seat learns of it if it is allowed, and that is for the seat that moved to know.
        may = {reading.may_ask_back() for reading in readings}
        if worlds[0].table.log[-1].seat == reader or may == {True}:
            seen["asked back"] += 1
            await both(Reading.ask_back)
    await both(Reading.try_what_is_refused)
    await both(Reading.look_around)
    await both(Reading.come_back)
    for reading in readings:
        await reading.end()
    return seen


def positions(game: Game, count: int, choice: random.Random) -> list[Walk]:
    """Return positions of matches in which a seat has a choice."""
    found: list[Walk] = []
    while len(found) < count:
        walk = Walk(game, choice.getrandbits(60))
        open_ones = []
        for _ in walk.run(choice):
            if walk.seat is not None and len(walk.legal()) > 1:
                open_ones.append(walk.state.copy())
        for state in choice.sample(open_ones, min(3, len(open_ones))):
            kept = Walk(game, 0)
            kept.state, kept.moves = state, 1
            found.append(kept)
    return found[:count]


def read_everything(
    game: Game, folder: Path, seed: int, count: int, options: Options | None = None,
    level: str | None = None, only: int | None = -1,
) -> Seen:  # fmt: skip
    """Compare worlds for every reader, or only one, in some positions; count what was compared."""
    choice, seen = random.Random(seed), Counter[str]()
    clock = Clock("total", seconds=600.0, increment=2.0)
    game = Game(game.folder, game.knobs, mode="checked")

    async def run() -> None:
        given = options or Options(clock=clock, hints=True, listed=True)
        async with two_worlds(folder, game, given) as worlds:
            everybody = [None, *range(game.players)] if only == -1 else [only]
            for number, walk in enumerate(positions(game, count, choice)):
                mover = walk.seat if number % 2 else None
                reader = everybody[number // 2 % len(everybody)] if mover is None else mover
                seen.update(await compare(worlds, walk, reader, choice, level))

    asyncio.run(run())
    return seen


# ---------------------------------------------------------------- nothing is shown


@pytest.mark.parametrize("name", brelan.games())
def test_nothing_hidden_is_sent(name: str, tmp_path: Path) -> None:
    """To any reader, with the fewest seats, the most, and in other variants."""
    game = brelan.game(name)
    players = game.folder.knobs["players"].values
    seen: Seen = Counter()
    for count in {players[0], players[-1]}:
        some = min(2 * (count + 1), 7) * LONG
        seen += read_everything(brelan.game(name, players=count), tmp_path, 1, some)
    others = list(variants(game, random.Random(2)))
    for number, variant in enumerate(random.Random(3).sample(others, min(2 * LONG, len(others)))):
        seen += read_everything(variant, tmp_path, 10 + number, 2)
    assert seen["hidden"] > 5, "the worlds did not differ"
    assert seen["moves"] > 5, "no two worlds stayed alike"
    assert seen["asked back"] > 0


@pytest.mark.parametrize("name", brelan.games())
def test_hints_follow_from_the_view(name: str, tmp_path: Path) -> None:
    seen = read_everything(brelan.game(name), tmp_path, 5, POSITIONS, level="novice")
    assert seen["hints"] > 0


@pytest.mark.parametrize("name", brelan.games())
def test_delayed_spectators_see_nothing_of_late(name: str, tmp_path: Path) -> None:
    """What they are sent is the same, whatever has happened in the latest events."""
    game = brelan.game(name)
    delayed(Game(game.folder, game.knobs, mode="checked"), tmp_path, 2 * LONG)


def delayed(game: Game, folder: Path, count: int) -> None:
    choice, delay = random.Random(4), 4
    clock = Clock("total", seconds=600.0, increment=2.0)
    options = Options(clock=clock, spectators="delayed", delay=delay)

    async def run() -> None:
        async with two_worlds(folder, game, options) as worlds:
            for _ in range(count):
                await watch(worlds, choice.randrange(1, 12))

    async def watch(worlds: list[World], common: int) -> None:
        readings = [Reading(world, None, 0) for world in worlds]
        for world in worlds:
            world.house._tables.clear()
            world.table, world.time = await world.house.table(ID), BEGUN
        for reading in readings:
            await reading.begin()
        await same(readings)
        for ply in range(common + delay):
            matches = [world.table.match for world in worlds]
            assert matches[0] is not None
            assert matches[1] is not None
            moves = [choice.choice(each.legal_numbers()) for each in matches if each is not None]
            if ply < common:
                moves[1] = moves[0]
            if any(
                _after(each, number).turn is None
                for each, number in zip(matches, moves, strict=True)
                if each is not None
            ):
                break
            for reading, number in zip(readings, moves, strict=True):
                await reading.move(number)
            await same(readings)
        for reading in readings:
            await reading.try_what_is_refused()
            await reading.look_around()
            await reading.come_back()
        await same(readings)
        for reading in readings:
            await reading.end()

    asyncio.run(run())


# ---------------------------------------------------------------- the tests can fail


def _digest(state: bytes | Match) -> int:
    """Return a number that tells worlds apart: a leak of all that is hidden."""
    content = state if isinstance(state, bytes) else state._state.tobytes()
    return int.from_bytes(hashlib.blake2b(content[8:], digest_size=4).digest(), "little")


Patch = pytest.MonkeyPatch


def leak_in_view_words(patch: Patch) -> None:
    """Views of the steps are sent without a mask."""

    before = readers.step

    def step(game: Game, transition: Any, reader: int | None) -> Any:
        words = np.frombuffer(transition.after, np.int16)[4:].tolist()
        return msgspec.structs.replace(before(game, transition, reader), view=words)

    patch.setattr(readers, "step", step)


def leak_in_snapshot(patch: Patch) -> None:
    def snapshot(table: Table, reader: int | None) -> Any:
        made = before(table, reader)
        assert table.match is not None
        return msgspec.structs.replace(made, view=[*made.view, _digest(table.match)])

    before = Table.snapshot
    patch.setattr(Table, "snapshot", snapshot)


def _leak_in_step(patch: Patch, change: Callable[[Any, Any], Any]) -> None:
    before = readers.step

    def step(game: Game, transition: Any, reader: int | None) -> Any:
        return change(before(game, transition, reader), transition)

    patch.setattr(readers, "step", step)


def leak_in_story(patch: Patch) -> None:
    def change(step: Any, transition: Any) -> Any:
        told = Text("story.leak", {"card": _digest(transition.before)})
        return msgspec.structs.replace(step, story=[*step.story, told])

    _leak_in_step(patch, change)


def leak_in_notation(patch: Patch) -> None:
    def change(step: Any, transition: Any) -> Any:
        return msgspec.structs.replace(step, notation=f"{step.notation}{_digest(transition.after)}")

    _leak_in_step(patch, change)


def leak_in_told_story(patch: Patch) -> None:
    before = readers.story

    def story(match: Match, reader: int | None) -> list[Text]:
        return [*before(match, reader), Text(str(_digest(match)))]

    patch.setattr(readers, "story", story)


def leak_in_legal(patch: Patch) -> None:
    """Everybody is sent the legal moves of whoever is in turn."""
    patch.setattr(readers, "choices", lambda match, reader: (match.legal_numbers(), []))


def leak_in_words(patch: Patch) -> None:
    before = readers.choices

    def choices(match: Match, reader: int | None) -> Any:
        legal, _ = before(match, reader)
        return legal, [Choice(number, str(_digest(match)), Text("")) for number in legal]

    patch.setattr(readers, "choices", choices)


def leak_in_hint(patch: Patch) -> None:
    """A bot that thinks of the match itself."""
    found: dict[str, Match] = {}
    before = Table.hint

    async def hint(table: Table, seat: int, ply: int, level: str) -> thinking.Advice:
        assert table.match is not None
        found["match"] = table.match
        return await before(table, seat, ply, level)

    def think(thinkers: Any, request: Any) -> thinking.Advice:
        return thinking.Advice(_digest(found["match"]) % 2**15)

    patch.setattr(Table, "hint", hint)
    patch.setattr(thinking.Thinkers, "_think", think)


def leak_in_errors(patch: Patch) -> None:
    before = Table.move

    async def move(table: Table, seat: int, ply: int, number: int) -> None:
        try:
            await before(table, seat, ply, number)
        except Refusal as refusal:
            assert table.match is not None
            allowed = Match.legal_numbers(table.match)
            raise Refusal(refusal.code, 422, allowed=allowed, n=_digest(table.match)) from None

    patch.setattr(Table, "move", move)


def leak_in_info(patch: Patch) -> None:
    before = Table.info

    def info(table: Table, guest: str | None, reader: int | None = None) -> Any:
        known = before(table, guest, reader)
        shown = str(_digest(table.match)) if table.match is not None else ""
        return msgspec.structs.replace(known, variant=shown)

    patch.setattr(Table, "info", info)


def leak_in_taking_back(patch: Patch) -> None:
    """Whether a move may be taken back follows from what it shows, of which others know more."""
    patch.setattr(questions, "reveals", lambda game, moved: _digest(moved.before) % 2)


def leak_in_clocks(patch: Patch) -> None:
    before = Table._clocks

    def clocks(table: Table, reader: int | None) -> Any:
        assert table.match is not None
        return msgspec.structs.replace(before(table, reader), left=[_digest(table.match)])

    patch.setattr(Table, "_clocks", clocks)


def leak_in_history(patch: Patch) -> None:
    before = history.told

    def told(recording: Any) -> Any:
        state = recording.moved[-1].after if recording.moved else b""
        found = msgspec.to_builtins(before(recording))
        return {**found, "deck": _digest(state)}

    patch.setattr(history, "told", told)


def leak_of_rights_in_history(patch: Patch) -> None:
    """Anybody may read as any seat, before the end."""
    patch.setattr(history, "_owns", lambda table, guest, seat: True)


def leak_in_lists(patch: Patch) -> None:
    before = history.listed

    def listed(row: Any, guest: str | None) -> Any:
        return {**msgspec.to_builtins(before(row, guest)), "leak": next(iter(kept), 0)}

    kept: list[int] = []
    was = Table.info

    def info(table: Table, guest: str | None, reader: int | None = None) -> Any:
        kept[:] = [_digest(table.match)] if table.match is not None else []
        return was(table, guest, reader)

    patch.setattr(Table, "info", info)
    patch.setattr(history, "listed", listed)


def leak_in_missed(patch: Patch) -> None:
    before = Table.missed

    def missed(table: Table, since: int, reader: int | None) -> Any:
        found = before(table, since, reader)
        assert table.match is not None
        return [msgspec.structs.replace(each, legal=[_digest(table.match)]) for each in found]

    patch.setattr(Table, "missed", missed)


def leak_in_order(patch: Patch) -> None:
    """The same messages, but a hidden card says in which order they come."""
    before = apps.Session.send

    def send(session: Any, message: Any) -> None:
        match, info = session.table.match, session.table.info(session.guest, session.reader)
        is_event = isinstance(message, bytes) and b'"t":"event"' in message
        sent = [message, info] if is_event else [message]
        for each in sent[::-1] if match is not None and _digest(match) % 2 else sent:
            before(session, each)

    patch.setattr(apps.Session, "send", send)


def leak_in_whether(patch: Patch) -> None:
    """A move that does nothing that a reader sees is told only where something hidden is so."""
    before = Table.broadcast

    def broadcast(table: Table, event: Any, moved: Any) -> None:
        assert table.match is not None
        if _digest(table.match) % 2:
            before(table, event, moved)

    patch.setattr(Table, "broadcast", broadcast)


def leak_in_metrics(patch: Patch) -> None:
    before = Table.move

    async def move(table: Table, seat: int, ply: int, number: int) -> None:
        assert table.match is not None
        table.house.counted[f"moves_{_digest(table.match)}"] += 1
        await before(table, seat, ply, number)

    patch.setattr(Table, "move", move)


LEAKS = [
    leak_in_view_words, leak_in_snapshot, leak_in_story, leak_in_notation, leak_in_told_story,
    leak_in_legal, leak_in_words, leak_in_hint, leak_in_errors, leak_in_info, leak_in_clocks,
    leak_in_history, leak_of_rights_in_history, leak_in_lists, leak_in_missed, leak_in_order,
    leak_in_whether, leak_in_metrics, leak_in_taking_back,
]  # fmt: skip


@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.__name__)
def test_a_leak_is_found(leak: Callable[[Patch], None], tmp_path: Path, monkeypatch: Patch) -> None:
    leak(monkeypatch)
    level = "novice" if leak is leak_in_hint else None
    with pytest.raises(LeakError):
        read_everything(brelan.game("love-letter", players=3), tmp_path, 1, 40, level=level)


SPECTATORS = [leak_in_view_words, leak_in_snapshot, leak_in_story, leak_in_legal, leak_in_missed]


@pytest.mark.parametrize("leak", SPECTATORS, ids=lambda leak: leak.__name__)
def test_a_leak_to_spectators_is_found(
    leak: Callable[[Patch], None], tmp_path: Path, monkeypatch: Patch
) -> None:
    """Where spectators alone receive too much."""
    with monkeypatch.context() as patch:
        leak(patch)
        leaky = {
            (owner, name): getattr(owner, name)
            for owner, name in (
                (readers, "step"), (readers, "choices"), (readers, "words_of"),
                (history, "words_of"), (Table, "snapshot"), (Table, "missed"),
            )
        }  # fmt: skip
    for (owner, name), function in leaky.items():
        sound = getattr(owner, name)
        if sound is not function:
            monkeypatch.setattr(owner, name, _to_spectators(function, sound))
    with pytest.raises(LeakError):
        read_everything(brelan.game("love-letter", players=3), tmp_path, 1, 40)


def _to_spectators(leaky: Any, sound: Any) -> Any:
    """Return a function that leaks if its last argument, the reader, is a spectator."""

    def chosen(*args: Any) -> Any:
        return (leaky if args[-1] is None else sound)(*args)

    return chosen


def late_show(patch: Patch) -> None:
    """Spectators are shown everything at once."""
    patch.setattr(Table, "_is_behind", lambda table, reader: False)


def late_info(patch: Patch) -> None:
    before = Table.info

    def info(table: Table, guest: str | None, reader: int | None = None) -> Any:
        assert table.match is not None
        known = before(table, guest, reader)
        return msgspec.structs.replace(known, rematch=str(table.match.turn))

    patch.setattr(Table, "info", info)


def late_snapshot(patch: Patch) -> None:
    """A spectator who comes sees the match as it is now."""
    patch.setattr(Table, "_shown_to", lambda table, reader: (table.match, table.ply))


def late_clocks(patch: Patch) -> None:
    before = Table.snapshot

    def snapshot(table: Table, reader: int | None) -> Any:
        return msgspec.structs.replace(before(table, reader), clocks=table._clocks(0))

    patch.setattr(Table, "snapshot", snapshot)


def late_history(patch: Patch) -> None:
    before = history.recorded

    def recorded(table: Table, guest: str | None, seat: str | None) -> Any:
        options = table.options
        table.options = msgspec.structs.replace(options, spectators="public")
        try:
            return before(table, guest, seat)
        finally:
            table.options = options

    patch.setattr(history, "recorded", recorded)


@pytest.mark.parametrize(
    "leak", [late_show, late_info, late_snapshot, late_clocks, late_history],
    ids=lambda leak: leak.__name__,
)  # fmt: skip
def test_a_leak_to_delayed_spectators_is_found(
    leak: Callable[[Patch], None], tmp_path: Path, monkeypatch: Patch
) -> None:
    leak(monkeypatch)
    game = brelan.game("love-letter", players=3)
    with pytest.raises(LeakError):
        delayed(Game(game.folder, game.knobs, mode="checked"), tmp_path, 10)


@pytest.mark.parametrize("name", ["batailles-et-piques", "cour-du-roi"])
def test_a_secret_move_that_is_shown_is_found(
    name: str, tmp_path: Path, monkeypatch: Patch
) -> None:
    """Where moves are made face down, as in these games, their true number is a leak."""
    step = readers.step

    def leaky(game: Game, transition: Any, reader: int | None) -> Any:
        return msgspec.structs.replace(step(game, transition, reader), move=transition.number)

    monkeypatch.setattr(readers, "step", leaky)
    with pytest.raises(LeakError):
        read_everything(brelan.game(name), tmp_path, 1, 40)
