"""The client against a real server: whole matches, seats, links, history, what is exported."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import os
import random
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import brelan
from brelan import cli, client
from brelan.client.playing import play_seat
from brelan.client.position import view_of
from brelan.client.words import message
from brelan.engine.match import Match
from brelan.i18n import LANGUAGES
from brelan.server.history import replayed
from brelan.server.messages import (
    Asked,
    Clock,
    Exported,
    Hinted,
    Move,
    Options,
    Sitting,
    Snapshot,
    Step,
)
from server_fixture import Server, running

GAME = "love-letter"
PLAYED = [  # a game, who sits there, and how many hundredths of its moves are looked at closely
    ("love-letter", ["me", "me"]),
    ("love-letter", ["open", "random", "me", "open"]),
    ("district-noir", ["me", "open"]),
    ("art-of-war", ["me", "random"]),
    ("cour-du-roi", ["open", "me", "random"]),
    ("batailles-et-piques", ["me", "random", "open"]),
    ("batailles-et-piques", ["me", "random", "random", "random"]),
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("server")) as found:
        yield found


def url(server: Server) -> str:
    return f"http://127.0.0.1:{server.port}"


def guest(server: Server, name: str = "Ana") -> client.Client:
    return client.Client(url(server), name=name)


async def refused(work: Any) -> str:
    """Return the code with which something is refused."""
    with pytest.raises(client.ServerError) as caught:
        await work
    return caught.value.code


def chooser(seed: int, kept: list[client.Position] | None = None) -> Callable[..., Any]:
    """Return a bot that plays at random, and keeps what it was asked."""
    luck = random.Random(seed)

    async def choose(position: client.Position) -> client.LegalMove:
        if kept is not None:
            kept.append(position)
        return luck.choice(position.legal)

    return choose


# ---------------------------------------------------------------- whole matches


@pytest.mark.parametrize(("game", "seats"), PLAYED, ids=lambda value: str(value))
def test_a_whole_match(server: Server, game: str, seats: list[str]) -> None:
    """What every seat and a spectator got is what the same match shows when it is played here."""
    seen: dict[int, list[client.Position]] = {}

    async def play() -> tuple[dict[int | None, client.Position], bytes, Any, Any]:
        host, rest = guest(server), guest(server, "Ben")
        opened = await host.open(game, seats)
        table = opened.table
        mine = {seat: host for seat, kind in enumerate(seats) if kind == "me"}
        for name, key in opened.links.items():
            if name.startswith("invitation"):
                seated = await rest.join(key)
                mine[seated.seat] = rest
        async with contextlib.AsyncExitStack() as stack:
            at: dict[int | None, client.Connection] = {}
            for seat, who in mine.items():
                at[seat] = await stack.enter_async_context(who.connect(table, seat, record=True))
                seen[seat] = []
            at[None] = await stack.enter_async_context(
                guest(server, "Cy").connect(table, record=True)
            )
            playing = [play_seat(at[seat], chooser(seat, seen[seat])) for seat in mine]
            results = await asyncio.wait_for(asyncio.gather(*playing, at[None].over()), 120)
            assert all(result == results[0] for result in results)
            last = {seat: each.position for seat, each in at.items()}
        whole = await host.history(table, "all")
        public = await guest(server, "Cy").history(table)
        return last, await host.export(table), whole, public  # type: ignore[return-value]

    last, exported, whole, public = asyncio.run(play())
    file, match = replayed(exported)
    assert match.result is not None
    assert last[None].result == whole.result
    assert (whole.result.scores, whole.result.winners) == match.result[:2]
    for seat, position in last.items():
        assert position.as_dict() == match.view(seat).as_dict()
        assert position.view() == match.view(seat)
        for lang in LANGUAGES:
            assert position.story(lang) == match.story(seat, lang)
    _check_turns(file, match, seen)
    for telling in [*whole.readers, *public.readers]:
        _check_telling(telling, match, whole.table)


def _check_turns(file: Exported, match: Match, seen: dict[int, list[client.Position]]) -> None:
    """Compare each position in which a seat decided, and its legal moves."""
    again = Match(match.game, match.seed, None)
    left = {seat: iter(positions) for seat, positions in seen.items()}
    for ply, event in enumerate(file.events):
        if event.seat in left:
            position = next(left[event.seat])
            assert (position.ply, position.turn) == (ply, again.turn)
            view, legal = again.view(event.seat), again.legal()
            assert position.as_dict() == view.as_dict()
            assert [move.id for move in position.legal] == [move.id for move in legal]
            if ply % 5 == 0:
                assert position.view() == view
                for sent, move in zip(position.legal, legal, strict=True):
                    assert sent.notation == move.notation
                    assert [sent.label(lang) for lang in LANGUAGES] == [
                        move.label(lang) for lang in LANGUAGES
                    ]
        assert event.number is not None
        again.play_unchecked(event.number)


def _check_telling(telling: Any, match: Match, table: Any) -> None:
    """Compare a history move by move: what was seen before and after, and what was told."""
    view = match.view(telling.seat)
    assert [step.move for step in telling.steps] == [move.id for move in view.history]
    assert [step.notation for step in telling.steps] == [move.notation for move in view.history]
    told = [message(text) for step in telling.steps for text in step.story]
    texts = match.game.folder.texts("fr")
    assert [texts(*each) for each in told] == match.story(telling.seat, "fr")
    record = client.position.Record.of(telling)
    assert view_of(table, telling.seat, record, telling.steps[-1].view, is_over=True) == view


# ---------------------------------------------------------------- seats and links


def test_several_seats_of_one_guest(server: Server) -> None:
    async def play() -> None:
        host = guest(server)
        names = [Sitting(kind="me", name=name) for name in ("Ana", "Ben", "Cy")]
        opened = await host.open(GAME, names)
        assert sorted(opened.links) == ["seat 0", "seat 1", "seat 2"]
        async with contextlib.AsyncExitStack() as stack:
            at = [
                await stack.enter_async_context(host.connect(opened.table, seat))
                for seat in range(3)
            ]
            assert [seat.name for seat in at[0].table.seats] == ["Ana", "Ben", "Cy"]
            assert at[0].table.mine == [0, 1, 2]
            await at[0].wait(lambda: all(seat.connected for seat in at[0].table.seats), 5)
            for each in at:
                shown = each.position.as_dict()["hand"]
                assert [row is None for row in shown] == [seat != each.seat for seat in range(3)]
            luck = random.Random(1)
            for _ in range(10):
                turn = at[0].position.turn
                if turn is None:
                    break
                position = await at[turn].my_turn()
                await at[turn].move(luck.choice(position.legal))
                for each in at:
                    await each.wait(lambda each=each, ply=position.ply: each.position.ply > ply, 5)

    asyncio.run(play())


def test_an_invitation(server: Server) -> None:
    async def play() -> None:
        host, other, third = guest(server), guest(server, "Ben"), guest(server, "Cy")
        opened = await host.open(GAME, ["me", "open"])
        key = opened.links["invitation 1"]
        assert (await third.invitation(key)).seat == 1
        async with host.connect(opened.table, 0) as seat:
            assert seat.position is None
            assert seat.table.status == "waiting"
            assert await refused(seat.move(0)) == "not_started"
            await host.nonce(opened.table, 0, "from Ana")
            seated = await other.join(key, nonce="from Ben")
            assert (seated.table, seated.seat) == (opened.table, 1)
            position = await asyncio.wait_for(seat.started(), 5)
            assert position.ply == 0
            assert [each.name for each in seat.table.seats] == ["Ana", "Ben"]
            assert [each.nonce for each in seat.table.seats] == ["from Ana", "from Ben"]
            assert await refused(third.join(key)) == "no_such_invitation"
            assert await refused(third.join(table=opened.table, seat=1)) == "invitation_needed"
            assert await refused(host.nonce(opened.table, 0, "late")) == "already_dealt"
            await seat.resign()
            assert (await seat.over()).reason == "resignation"
        exported = await host.export(opened.table)
        file, _ = replayed(exported)
        assert file.nonces == {"0": "from Ana", "1": "from Ben"}
        assert file.commitment == seat.table.commitment
        found = await third.verify(exported)
        assert found.verified
        assert found.nonces == file.nonces
        for change in ({"secret": "0" * 64}, {"result": [[0, 0], [0], "x"]}):
            changed = msgspec.json.encode({**json.loads(exported), **change})
            found = await third.verify(changed)
            assert not found.verified
            assert found.why

    asyncio.run(play())


def test_the_lobby(server: Server) -> None:
    async def play() -> None:
        host, other = guest(server), guest(server, "Ben")
        options = Options(listed=True, spectators="none")
        opened = await host.open(GAME, ["me", "open", "random"], options=options)
        (listed,) = [each for each in await other.lobby() if each.table == opened.table]
        assert [seat.kind for seat in listed.seats] == ["guest", "open", "bot"]
        assert (listed.mine, listed.status) == ([], "waiting")
        seated = await other.join(table=opened.table, seat=1)
        assert seated.key is not None
        assert opened.table not in [each.table for each in await other.lobby()]
        assert await refused(guest(server).join(table=opened.table, seat=1)) == "seat_taken"
        assert [each.mine for each in (await other.me()).tables] == [[1]]
        async with other.connect(opened.table, 1) as seat:
            assert seat.position is not None
        assert await refused(guest(server).connect(opened.table).__aenter__()) == "no_spectators"

    asyncio.run(play())


def test_a_personal_link_on_another_device(server: Server) -> None:
    async def play() -> None:
        host, device = guest(server), guest(server, "Ana’s telephone")
        opened = await host.open(GAME, ["me", "random"])
        key = opened.links["seat 0"]
        async with guest(server).connect(opened.table, key=key) as by_key:
            assert by_key.seat == 0
            assert (await by_key.my_turn()) is not None
        code = await refused(device.connect(opened.table, 0).__aenter__())
        assert code == "not_your_seat"
        link = client.Link.parse(f"{url(server)}/#seat={key}")
        async with await client.open_link(device, link, record=True) as seat:
            assert seat.table.mine == [0]
            position = await seat.my_turn()
            assert position is not None
            await seat.move(position.legal[0])
        assert (await refused(guest(server).claim("x" * 32))) == "no_such_link"
        assert (await device.rename("Ana again")) == "Ana again"
        assert (await device.me()).name == "Ana again"

    asyncio.run(play())


def test_a_rematch(server: Server) -> None:
    async def play() -> None:
        host, other = guest(server), guest(server, "Ben")
        opened = await host.open(GAME, ["me", "open", "random"])
        await other.join(opened.links["invitation 1"])
        assert await refused(host.rematch(opened.table)) == "match_not_over"
        async with (
            host.connect(opened.table, 0) as seat,
            other.connect(opened.table, 1) as second,
        ):
            await seat.resign()
            await second.over()
            following = await other.rematch(opened.table)
            assert await host.rematch(opened.table) == following
            await seat.wait(lambda: seat.table.rematch == following, 5)
        assert await refused(guest(server).rematch(opened.table)) == "not_your_seat"
        async with host.connect(following, 1) as seat:
            kinds = [(each.kind, each.name) for each in seat.table.seats]
            assert kinds == [("bot", "Anselme"), ("guest", "Ana"), ("guest", "Ben")]
            assert seat.position is not None
        link = client.Link(url(server), "seat", opened.links["seat 0"])
        async with await client.open_link(host, link) as seat:
            assert (seat.table.table, seat.seat) == (following, 1)

    asyncio.run(play())


# ---------------------------------------------------------------- at a table


def test_reactions_hints_and_refusals(server: Server) -> None:
    async def play() -> None:
        host = guest(server)
        opened = await host.open(GAME, ["me", "me"], options=Options(hints=True))
        async with (
            host.connect(opened.table, 0) as one,
            host.connect(opened.table, 1) as two,
            guest(server).connect(opened.table) as third,
        ):
            heard = third.messages()
            hearing = asyncio.create_task(_next_reaction(heard))
            await asyncio.sleep(0)
            await one.react("hello")
            reaction = await asyncio.wait_for(hearing, 5)
            assert (reaction.seat, reaction.reaction) == (0, "hello")
            turn, other = (one, two) if one.position.is_mine else (two, one)
            hint = await asyncio.wait_for(turn.hint("novice"), 60)
            assert hint in turn.position.legal
            asked = [
                (other.hint(), "behind"),
                (third.resign(), "no_seat"),
                (third.react("hello"), "no_seat"),
                (turn.ask(Move(turn.next_id(), 0, 32000)), "illegal_move"),
                (turn.ask(Move(turn.next_id(), 5, turn.position.legal[0].id)), "behind"),
                (other.ask(Move(other.next_id(), 0, turn.position.legal[0].id)), "not_your_turn"),
            ]
            for work, code in asked:
                assert await refused(work) == code
            with pytest.raises(brelan.Refused):
                await turn.move("no move")
            assert await turn.ping() < 5
            await turn.move(hint.notation)
            await other.wait(lambda: other.position.ply == 1, 5)
            await other.sync()
            await other.sync(0)
            assert other.position.ply == 1
        plain = await host.open(GAME, ["me", "random"])
        async with host.connect(plain.table, 0) as seat:
            if await seat.my_turn():
                assert await refused(seat.hint()) == "no_hints"
        assert await refused(host.connect("nowhere", 0).__aenter__()) == "no_such_table"
        assert await refused(host.open("chess", ["me", "me"])) == "no_such_game"
        assert await refused(host.open(GAME, ["me", "nobody"])) == "bad_bot"
        assert await refused(host.open(GAME, ["me"])) == "bad_variant"
        assert await refused(host.export(plain.table)) == "match_not_over"
        assert await refused(host.history(plain.table, 1)) == "match_not_over"
        assert (await host.history(plain.table, 0)).readers[0].seat == 0

    asyncio.run(play())


async def _next_reaction(heard: Any) -> Any:
    async for got in heard:
        if hasattr(got, "reaction"):
            return got
    raise AssertionError("the connection has ended")


def test_a_move_is_taken_back(server: Server) -> None:
    """Where nothing was shown: Ana asks, Ben agrees, and both have the position of before."""

    async def play() -> None:
        host, other = guest(server), guest(server, "Ben")
        opened = await host.open("art-of-war", ["me", "open"])
        await other.join(opened.links["invitation 1"])
        async with (
            host.connect(opened.table, 0, record=True) as one,
            other.connect(opened.table, 1, record=True) as two,
        ):
            assert await refused(one.take_back()) == "no_takeback"
            assert await refused(one.offer_draw()) == "no_draws"
            assert await refused(one.answer(agrees=True)) == "nothing_asked"
            luck = random.Random(3)
            for _ in range(60):
                turn, rest = (one, two) if one.position.is_mine else (two, one)
                before = turn.position
                await turn.move(luck.choice(before.legal))
                await rest.wait(lambda ply=turn.position.ply: rest.position.ply == ply, 5)  # noqa: B023
                if turn.is_over:
                    raise AssertionError("no move of this match could be taken back")
                try:
                    await turn.take_back()
                except client.ServerError as error:
                    assert error.code == "no_takeback"
                    continue
                break
            else:
                raise AssertionError("none of these moves could be taken back")
            await rest.wait(lambda: rest.position.asked is not None, 5)
            assert rest.position.asked.kind == "takeback"
            await rest.answer(agrees=True)
            for each in (one, two):
                ply = before.ply + 3
                await each.wait(lambda each=each, ply=ply: each.position.ply == ply, 5)
                await each.ping()  # the snapshot has come too
                assert each.position.asked is None
            assert turn.position.words == before.words
            assert turn.position.view() == before.view()
            assert turn.position.legal == before.legal
            assert turn.position.story() == before.story()
            await turn.resign()
        assert (await host.verify(await host.export(opened.table))).verified

    asyncio.run(play())


def test_a_clock_is_told(server: Server) -> None:
    async def play() -> None:
        host = guest(server)
        options = Options(clock=Clock("total", 300, 5))
        opened = await host.open(GAME, ["me", "me"], options=options)
        async with host.connect(opened.table, 0) as seat:
            clocks = seat.position.clocks
            assert clocks is not None
            assert clocks.running == seat.position.turn
            assert all(290_000 < left <= 300_000 for left in clocks.left)

    asyncio.run(play())


def test_a_broken_connection_is_made_again(server: Server) -> None:
    """Every socket breaks after every few moves; each move is made once, and nothing is missed."""

    async def play() -> None:
        host = guest(server)
        opened = await host.open(GAME, ["me", "random"])
        luck, seen = random.Random(4), []
        async with host.connect(opened.table, 0, record=True) as seat:
            while (position := await seat.my_turn()) is not None:
                move = luck.choice(position.legal)
                seen.append((position.ply, move.id))
                breaking = luck.random() < 0.5
                if breaking:
                    _cut(server)
                await asyncio.wait_for(seat.move(move), 20)
            last = seat.position
            assert seat.attempts > 3
        file, match = replayed(await host.export(opened.table))
        made = [(ply, each.number) for ply, each in enumerate(file.events) if each.seat == 0]
        assert made == seen
        assert last.view() == match.view(0)
        assert last.story("fr") == match.story(0, "fr")

    asyncio.run(play())


def _cut(server: Server) -> None:
    """Break all sockets, without a farewell."""
    assert server.house is not None
    loop = server.uvicorn.servers[0].get_loop()  # type: ignore[union-attr]

    def cut() -> None:
        for each in list(server.uvicorn.server_state.connections):  # type: ignore[union-attr]
            if hasattr(each, "handshake_initiated"):
                each.transport.abort()

    loop.call_soon_threadsafe(cut)


def test_a_server_that_starts_again(tmp_path: Path) -> None:
    first = Server(tmp_path)
    first.start()

    async def play() -> Server:
        host = guest(first)
        opened = await host.open(GAME, ["me", "me"])
        async with host.connect(opened.table, 0) as one, host.connect(opened.table, 1) as two:
            turn = one if one.position.is_mine else two
            await asyncio.to_thread(first.stop)
            moving = asyncio.create_task(turn.move(turn.position.legal[0]))
            await asyncio.sleep(0.2)
            second = Server(tmp_path)
            second._socket.close()
            second._socket = socket.create_server(("127.0.0.1", first.port))
            second.port = first.port
            second.start()
            await asyncio.wait_for(moving, 20)
            await asyncio.wait_for(asyncio.gather(*(each.wait(
                lambda each=each: each.position.ply >= 1) for each in (one, two))), 20)  # fmt: skip
        async with host.connect(opened.table, 0, patience=0.5) as one:
            await asyncio.to_thread(second.stop)
            with pytest.raises(client.Disconnected, match="cannot reach"):
                await asyncio.wait_for(one.resign(), 20)
        return second

    asyncio.run(play())


def test_delayed_spectators_are_behind(server: Server) -> None:
    async def play() -> None:
        host = guest(server)
        options = Options(spectators="delayed", delay=3)
        opened = await host.open(GAME, ["me", "me"], options=options)
        async with (
            host.connect(opened.table, 0) as one,
            host.connect(opened.table, 1) as two,
            guest(server).connect(opened.table) as third,
        ):
            luck = random.Random(2)
            for count in range(1, 6):
                turn = one if one.position.is_mine else two
                await turn.move(luck.choice(turn.position.legal))
                for each in (one, two):
                    await each.wait(lambda each=each, n=count: each.position.ply == n, 5)
                if one.is_over:
                    return
            await asyncio.sleep(0.1)
            assert third.position is None or third.position.ply <= 2
            await one.resign()
            await asyncio.wait_for(third.over(), 5)
            assert third.position.ply == 6
            assert third.position.words == _public(await host.history(opened.table))

    asyncio.run(play())


def _public(told: Any) -> list[int]:
    return told.readers[0].steps[-1].view  # type: ignore[no-any-return]


# ---------------------------------------------------------------- bots


class Careful:
    """A bot of somebody's own, as it would sit in the arena: it notes what it has seen."""

    def __init__(self, game: brelan.Game) -> None:
        self.bot, self.views = brelan.bot("careful", game), 0
        self.name = "mine"

    def choose(self, view: brelan.View) -> brelan.Move:
        assert view.turn == view.seat
        self.views += 1
        return self.bot.choose(view)


def test_bots_sit_at_remote_tables(server: Server) -> None:
    mine = Careful(brelan.game(GAME, players=3))

    async def play() -> Any:
        host = guest(server)
        opened = await host.open(GAME, ["me", "open", "open"])
        links = [
            str(client.Link(url(server), "join", opened.links[f"invitation {n}"])) for n in (1, 2)
        ]
        own = str(client.Link(url(server), "seat", opened.links["seat 0"]))
        playing = [
            client.play(own, lambda position: position.legal[0].notation, name="First"),
            client.play(links[0], mine, name="Mine"),
            client.play(links[1], "careful", name="House", nonce="n"),
        ]
        return await asyncio.wait_for(asyncio.gather(*playing), 120)

    results = asyncio.run(play())
    assert results[0] == results[1] == results[2]
    assert mine.views > 3


# ---------------------------------------------------------------- the program


def run_cli(*arguments: str, typed: str = "") -> tuple[int, str]:
    """Run a command in this process; return its exit status and what it wrote."""
    written, given = io.StringIO(), io.StringIO(typed)
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(written):
        patch.setattr(sys, "stdin", given)
        with pytest.raises(SystemExit) as ended:
            cli.main(arguments)
    return int(ended.value.code or 0), written.getvalue()


def test_a_newcomer_plays_in_the_terminal(server: Server, tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    typed = "?\nhint\n" + "1\n" * 3 + f"story\nresign\nyes\nsave {file}\n"
    asked = ("play", GAME, "--server", url(server), "--bot", "random", "--lang", "en")
    status, written = run_cli(*asked, typed=typed)
    assert status == 0
    assert "A bot would play: " in written
    assert "You resign." in written
    assert "Anselme (seat 1) wins the match." in written
    status, checked = run_cli("verify", str(file))
    assert status == 0
    assert "verified: love-letter/" in checked
    status, found = run_cli("verify", str(file), "--json")
    assert json.loads(found)["names"] == ["Guest", "Anselme"]
    for seat in ("0", "1", "all", "spectator"):
        status, told = run_cli("replay", str(file), "--seat", seat, "--lang", "fr")
        assert status == 0
        assert "remport" in told
        assert "abandonne" in told
    altered = tmp_path / "altered.json"
    altered.write_text(file.read_text().replace('"secret":"', '"secret":"ff'))
    status, told = run_cli("verify", str(altered))
    assert status == 1
    assert "not verified: the secret" in told
    assert run_cli("replay", str(altered))[0] == cli.REFUSED
    assert run_cli("verify", str(tmp_path / "nothing"))[0] == cli.REFUSED


def test_two_people_and_a_link_in_the_terminal(server: Server) -> None:
    async def host() -> tuple[client.Client, str, str]:
        one = guest(server)
        opened = await one.open("district-noir", ["me", "open"])
        return one, opened.table, opened.links["invitation 1"]

    one, table, key = asyncio.run(host())

    async def play() -> None:
        async with one.connect(table, 0) as seat:
            await play_seat(seat, chooser(3))

    playing = threading.Thread(target=lambda: asyncio.run(play()))
    playing.start()
    link = str(client.Link(url(server), "join", key))
    status, written = run_cli("join", link, "--name", "Ben", "--lang", "fr", typed="1\n" * 40)
    playing.join(60)
    assert status == 0
    assert "Vous remportez" in written or "Ana remporte" in written or "partagée" in written
    status, _ = run_cli("join", link)
    assert status == cli.REFUSED


def test_people_talk_in_the_terminal(server: Server) -> None:
    """Reactions, moves taken back, draws: asked for and answered, also while others are in turn."""
    program = [sys.executable, "-c", "from brelan.cli import main; main()"]
    keyboard, terminal = os.openpty()
    shown: list[bytes] = []

    def read() -> None:
        with contextlib.suppress(OSError):  # it has ended
            while content := os.read(keyboard, 65536):
                shown.append(content)

    def type_(text: str) -> None:
        os.write(keyboard, f"{text}\n".encode())

    async def shows(words: str, since: int = 0) -> None:
        async with asyncio.timeout(20):
            while words not in b"".join(shown)[since:].decode(errors="replace"):
                await asyncio.sleep(0.02)

    async def asks_back(one: client.Connection) -> None:
        """Let both ask to take a move back, who are told, and agree."""
        asked = set()
        while len(asked) < 2:
            assert one.position is not None
            ply, turn = one.position.ply, one.position.turn
            if turn == 0:
                await one.move(one.position.legal[0])
            else:
                before = len(b"".join(shown))
                type_("")
                await shows("Your move", before)
                type_("1")
            await one.wait(lambda ply=ply: one.position.ply > ply, 20)  # type: ignore[misc]
            if turn in asked:
                continue
            asked.add(turn)
            if turn == 0:
                await one.take_back()
                await shows("Ana asks to take a move back. Type agree or refuse.")
                type_("agree")
            else:
                type_("back")
                await one.wait(lambda: one.position.asked is not None, 20)
                assert one.position.asked == Asked("takeback", 1, [])
                await one.answer(agrees=True)
            await one.wait(lambda ply=ply: one.position.ply == ply + 3, 20)  # type: ignore[misc]
            assert one.position.turn == turn

    async def play() -> None:
        host = guest(server)
        opened = await host.open("cour-du-roi", ["me", "open"])
        link = str(client.Link(url(server), "join", opened.links["invitation 1"]))
        command = [*program, "join", link, "--name", "Ben", "--lang", "en"]
        joined = subprocess.Popen(command, stdin=terminal, stdout=terminal, stderr=terminal)
        try:
            async with host.connect(opened.table, 0) as one:
                await one.started()
                await one.wait(lambda: one.table.seats[1].connected, 20)
                await shows("Waiting for Ana" if one.position.turn == 0 else "Your move")
                await one.react("hello")
                await shows("Ana: Hello")
                hearing = asyncio.create_task(_next_reaction(one.messages()))
                type_("say")
                await shows("2) Well played")
                type_("say 2")
                reaction = await asyncio.wait_for(hearing, 20)
                assert (reaction.seat, reaction.reaction) == (1, "well_played")
                await asks_back(one)
                type_("draw")
                await shows("This game knows no draws by agreement.")
                await one.resign()
                await shows("The match is over.")
            type_("")
            await shows("You win the match!")
            type_("")
            assert joined.wait(20) == 0
        finally:
            joined.kill()
            joined.wait()

    threading.Thread(target=read, daemon=True).start()
    try:
        asyncio.run(play())
    except TimeoutError:
        raise AssertionError(b"".join(shown).decode(errors="replace")[-3000:]) from None
    finally:
        os.close(terminal)


def test_a_bot_takes_a_seat_from_the_terminal(server: Server) -> None:
    async def host() -> str:
        opened = await guest(server).open(GAME, ["me", "random"])
        return str(client.Link(url(server), "seat", opened.links["seat 0"]))

    link = asyncio.run(host())
    status, written = run_cli("join", link, "--bot", "careful", "--lang", "en")
    assert status == 0
    assert "wins the match" in written or "win the match" in written
    assert run_cli("join", url(server))[0] == cli.REFUSED
    assert run_cli("join", "http://127.0.0.1:9/#table=x")[0] == cli.REFUSED
    assert run_cli("play", GAME, "--server", url(server), "--seed", "3")[0] == cli.REFUSED


# ---------------------------------------------------------------- parts


@pytest.mark.parametrize(
    "text", ["", "http://", "ftp://x/", "http://a:b@c/", "http://x/#join=", "http://x/#room=1"]
)
def test_an_address_that_leads_nowhere(text: str) -> None:
    with pytest.raises(brelan.Refused):
        client.Link.parse(text)


@pytest.mark.parametrize("kind", client.links.KINDS)
def test_a_link_is_what_it_says(kind: str) -> None:
    link = client.Link("https://brelan.example/cards", kind, "k-_9")
    assert client.Link.parse(str(link)) == link


def test_an_exported_match_is_shown_without_being_stored(server: Server) -> None:
    async def play() -> None:
        host = guest(server)
        opened = await host.open(GAME, ["me", "random"])
        async with host.connect(opened.table, 0) as seat:
            await play_seat(seat, chooser(7))
        exported = await host.export(opened.table)
        stranger = guest(server)
        shown = await stranger.replay(exported)
        assert shown.verified
        assert shown.readers is not None
        assert shown.readers == (await host.history(opened.table, "all")).readers
        assert (await stranger.me()).tables == []
        assert not (await stranger.replay(b"{}")).verified

    asyncio.run(play())


def test_a_newer_server_may_say_more() -> None:
    """Unknown fields are passed over; a command with one is refused."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"t":"ping","id":1,"more":2}', type=client.connection.Ping)
    assert msgspec.json.decode(b'{"t":"hint","id":1,"move":2,"more":3}', type=Hinted).move == 2
    assert {"view", "story"} <= set(Snapshot.__struct_fields__) & set(Step.__struct_fields__)
