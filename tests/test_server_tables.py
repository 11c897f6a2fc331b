"""Tables: options, taking moves back, draws, rematches, takeovers, the lobby, bots that think."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

import brelan
from brelan.bots.search.bot import SearchBot
from brelan.engine.game import Game
from brelan.errors import BadSave
from brelan.server import history
from brelan.server.app import make_app
from brelan.server.database import open_store
from brelan.server.house import House
from brelan.server.identity import Signer
from brelan.server.messages import Refusal, decode_command
from brelan.server.sessions import Session
from brelan.server.settings import Settings
from brelan.server.tables import Table
from brelan.server.takebacks import reveals, standing
from brelan.server.thinking import MOST_SECONDS, Advice, Dropped, Thinkers, check_bot

Body = dict[str, Any]


class Place:
    """A house in this process, with a clock that the test turns, and people who ask it."""

    def __init__(self, app: Any, path: Path) -> None:
        self.app, self.house, self.path = app, app.state.house, path
        self.time = 1_000_000.0
        self.house.now = lambda: self.time

    def person(self) -> httpx.AsyncClient:
        transport = httpx.ASGITransport(app=self.app)
        return httpx.AsyncClient(transport=transport, base_url="http://house")

    async def open(self, person: httpx.AsyncClient, sit: str, **more: Any) -> Body:
        """Open a table: m is me, o open, r the bot `random`."""
        kinds: dict[str, Body] = {
            "m": {"kind": "me"},
            "o": {"kind": "open"},
            "r": {"kind": "bot", "bot": "random"},
        }
        body = {"game": "cour-du-roi", "seats": [kinds[each] for each in sit], **more}
        answer = await person.post("/api/tables", json=body)
        found: Body = answer.json()
        if answer.status_code != 201:
            raise Refusal(found["code"], answer.status_code, **found["args"])
        return found

    async def full(self, seats: str = "mo", **more: Any) -> tuple[Table, list[httpx.AsyncClient]]:
        """Return a table at which two people sit, who came one after the other."""
        people = [self.person(), self.person()]
        opened = await self.open(people[0], seats, **more)
        for name, key in opened["links"].items():
            if name.startswith("invitation"):
                url = f"/api/tables/{opened['table']}/join"
                assert (await people[1].post(url, json={"invitation": key})).status_code == 200
        return await self.house.table(opened["table"]), people

    async def again(self, table: Table) -> Table:
        """Return the same table as another process would load it."""
        table.close()
        del self.house._tables[table.id]
        loaded: Table = await self.house.table(table.id)
        assert loaded is not table
        return loaded


@asynccontextmanager
async def place(path: Path, **settings: Any) -> AsyncIterator[Place]:
    chosen = Settings(database=f"sqlite:///{path / 'x.db'}", requests_per_second=1e6, **settings)
    store, keys = await open_store(chosen)
    app = make_app(chosen, Signer(keys), store)
    try:
        yield Place(app, path)
    finally:
        await app.state.house.close()


Test = Callable[[Place], Awaitable[None]]


def at(path: Path, test: Test, **settings: Any) -> None:
    async def run() -> None:
        async with asyncio.timeout(60):
            async with place(path, **settings) as there:
                await test(there)

    asyncio.run(run())


def code(error: pytest.ExceptionInfo[Refusal]) -> tuple[str, Any]:
    return error.value.code, error.value.args_.get("why")


class Ear:
    """A socket's place at a table, without the socket."""

    def __init__(self, table: Table, reader: int | None) -> None:
        self.session = Session(table, reader, "", 1e6, has_link=True)
        self.session.welcome(None)

    def heard(self) -> list[Body]:
        waiting, self.session._waiting = self.session._waiting, []
        return [json.loads(message) for message in waiting]


async def play(table: Table, count: int = 1) -> None:
    """Make the first legal move of whoever is in turn, some times."""
    for _ in range(count):
        assert table.match is not None
        assert table.match.turn is not None
        number = table.match.legal_numbers()[0]
        await table.move(table.match.turn, table.ply, number)


# ---------------------------------------------------------------- what may be taken back


@pytest.mark.parametrize("name", brelan.games())
def test_a_move_that_shows_something_is_known(name: str) -> None:
    """A seat's own view before a move and after it is taken back must tell the others nothing."""
    game = brelan.game(name)
    kept = {"cour-du-roi": "keep", "batailles-et-piques": "place", "district-noir": "take"}
    shown = {"district-noir": "play", "cour-du-roi": "lay"}
    found: dict[str, set[bool]] = {}
    for seed in range(2):
        match = game.deal(seed)
        match.release()
        while match.turn is not None and match.ply < 60:
            ply = match.ply
            view = match.record(match.turn)
            numbers = match.legal_numbers()
            number = numbers[ply * 7 % len(numbers)]
            moved = match.advance(number)
            verb = game.folder.cards.notation(view, number).split()[0]
            found.setdefault(verb, set()).add(reveals(game, moved[0]))
    if name in kept:
        assert found[kept[name]] == {False}
    if name in shown and shown[name] in found:
        assert found[shown[name]] == {True}
    if name == "love-letter":
        assert set().union(*found.values()) == {True}


def test_chance_is_never_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    match = brelan.game("cour-du-roi").deal(3)
    moved = match.advance(match.legal_numbers()[0])
    assert not reveals(match.game, moved[0])
    hooks = match.game.folder.hooks("interpreted")
    play = hooks.play

    def with_luck(state: Any, number: int) -> None:
        play(state, number)
        state.luck[0] += 1  # as if some of it had been used

    monkeypatch.setattr(hooks, "play", with_luck)
    assert reveals(match.game, moved[0])


def test_a_move_is_taken_back_when_the_others_agree(tmp_path: Path) -> None:
    async def test(there: Place) -> None:
        table, _ = await there.full()
        assert table.match is not None
        first = table.match.turn
        assert first is not None
        other = 1 - first
        ears = {reader: Ear(table, reader) for reader in (0, 1, None)}
        heard = {reader: ear.heard() for reader, ear in ears.items()}
        before = {
            reader: next(each for each in messages if each["t"] == "snapshot")
            for reader, messages in heard.items()
        }
        with pytest.raises(Refusal) as refused:
            await table.questions.take_back(first, table.ply)
        assert code(refused) == ("no_takeback", "not_your_move")
        await play(table)
        with pytest.raises(Refusal) as refused:
            await table.questions.take_back(other, table.ply)
        assert code(refused) == ("no_takeback", "not_your_move")
        with pytest.raises(Refusal) as refused:
            await table.questions.take_back(first, table.ply - 1)
        assert refused.value.code == "behind"
        await table.questions.take_back(first, table.ply)
        assert table.questions.asked is not None
        assert table.questions.asked.kind == "takeback"
        for seat in (first, other):
            with pytest.raises(Refusal) as refused:
                await table.questions.take_back(seat, table.ply)
            assert refused.value.code in ("already_asked", "no_takeback")
        with pytest.raises(Refusal) as refused:
            await table.questions.answer(first, table.ply, agrees=True)
        assert refused.value.code == "nothing_asked"
        loaded = await there.again(table)  # what is asked is in the log
        assert loaded.questions.asked == table.questions.asked
        for ear in ears.values():
            ear.heard()
            ear.session.table = loaded
            loaded.listeners.add(ear.session)
        await loaded.questions.answer(other, loaded.ply, agrees=True)
        assert loaded.questions.asked is None
        assert [event.kind for event in loaded.log] == ["move", "asked", "takeback"]
        for reader, ear in ears.items():
            told, snapshot = ear.heard()
            assert (told["t"], told["kind"], told["seat"]) == ("event", "takeback", first)
            assert snapshot == {**before[reader], "ply": 3}
        missed = loaded.missed(0, other)
        assert [msgspec.to_builtins(each)["t"] for each in missed] == ["snapshot"]
        await play(loaded, 3)
        missed = loaded.missed(3, other)
        assert [each.ply for each in missed] == [4, 5, 6]
        again = await there.again(loaded)
        assert again.match is not None
        assert loaded.match is not None
        assert again.match.record(None).tobytes() == loaded.match.record(None).tobytes()
        assert again.begins[3:] == loaded.begins[3:]

    at(tmp_path, test)


def test_a_move_is_not_taken_back_when_somebody_refuses_or_moves(tmp_path: Path) -> None:
    async def test(there: Place) -> None:
        table, _ = await there.full()
        await play(table)
        assert table.match is not None
        first = table.log[0].seat
        await table.questions.take_back(first, table.ply)
        await table.questions.answer(1 - first, table.ply, agrees=False)
        with pytest.raises(Refusal) as refused:
            await table.questions.take_back(first, table.ply)
        assert refused.value.code == "already_asked"  # once for each move
        await play(table)
        mover = table.log[-1].seat
        await table.questions.take_back(mover, table.ply)
        await play(table)  # that is an answer too
        assert table.questions.asked is None
        assert [event.kind for event in standing(table.log)] == ["move"] * 3

    at(tmp_path, test)


def test_nobody_is_asked_where_all_others_are_bots(tmp_path: Path) -> None:
    async def test(there: Place) -> None:
        person = there.person()
        opened = await there.open(person, "mm")  # a hot seat: all at one device
        assert sorted(opened["links"]) == ["seat 0", "seat 1"]
        table = await there.house.table(opened["table"])
        assert table.match is not None
        for _ in range(50):
            await play(table)
            await table.questions.take_back(table.log[-1].seat, table.ply)
        await play(table)
        with pytest.raises(Refusal) as refused:
            await table.questions.take_back(table.log[-1].seat, table.ply)
        assert code(refused) == ("no_takeback", "too_many")
        await table.resign(0)
        file = history.exported(table)
        assert history.verified(msgspec.json.encode(file)).verified
        file.events.insert(0, history.LoggedEvent("takeback", 0))
        assert not history.verified(msgspec.json.encode(file)).verified

    at(tmp_path, test)


def test_only_ones_own_latest_move_can_be_taken_back_in_a_log() -> None:
    event = history.LoggedEvent
    log = [event("move", 0), event("asked", 0), event("takeback", 0), event("move", 0)]
    assert standing(log) == [log[3]]
    for bad in (event("takeback", 1),), (event("resign", 1), event("takeback", 0)):
        with pytest.raises(BadSave):
            standing([*log, *bad])


def test_a_move_that_showed_a_card_stays(tmp_path: Path) -> None:
    async def test(there: Place) -> None:
        table, _ = await there.full(game="love-letter")
        await play(table)
        with pytest.raises(Refusal) as refused:
            await table.questions.take_back(table.log[0].seat, table.ply)
        assert code(refused) == ("no_takeback", "revealed")

    at(tmp_path, test)


# ---------------------------------------------------------------- draws


def test_all_nonces_are_in_a_match_that_is_verified(tmp_path: Path) -> None:
    """Also where it ended so early that its moves would fit other cards."""

    async def test(there: Place) -> None:
        host, guest = there.person(), there.person()
        opened = await there.open(host, "mo")
        url = f"/api/tables/{opened['table']}"
        assert (await host.get(url)).json()["seal"] is None
        joins = {"invitation": opened["links"]["invitation 1"], "nonce": "my own luck"}
        await guest.post(url + "/join", json=joins)
        seal = (await host.get(url)).json()["seal"]
        table = await there.house.table(opened["table"])
        await table.resign(0)
        file = (await host.get(url + "/export")).json()
        assert (file["nonces"], file["seal"]) == ({"1": "my own luck"}, seal)
        for change, is_sound in (
            ({}, True),
            ({"nonces": {}}, False),
            ({"nonces": file["nonces"] | {"0": "of nobody"}}, False),
            ({"nonces": file["nonces"] | {"7": "of no seat"}}, False),
            ({"seal": ""}, False),
            ({"brelan_match": 1}, False),
        ):
            answer = (await host.post("/api/verify", json=file | change)).json()
            assert answer["verified"] is is_sound

    at(tmp_path, test)


def test_a_draw_is_offered_where_the_game_knows_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(there: Place) -> None:
        table, _ = await there.full()
        with pytest.raises(Refusal) as refused:
            await table.questions.offer_draw(0, table.ply)
        assert refused.value.code == "no_draws"
        monkeypatch.setattr(table.game.folder.rules, "DRAWS_BY_AGREEMENT", True, raising=False)
        await table.questions.offer_draw(0, table.ply)
        await table.questions.answer(1, table.ply, agrees=False)
        await table.questions.offer_draw(1, table.ply)
        assert [event.kind for event in table.log] == ["offered", "refused", "offered"]
        await table.questions.answer(0, table.ply, agrees=True)
        assert table.match is not None
        assert table.match.result is not None
        assert (table.match.result.winners, table.match.result.reason) == ([], "agreement")
        with pytest.raises(Refusal) as refused:
            await table.questions.offer_draw(1, table.ply)
        assert refused.value.code == "match_over"
        file = msgspec.json.encode(history.exported(await there.again(table)))
        assert history.verified(file).result.reason == "agreement"
        person = there.person()
        opened = await there.open(person, "mr")
        table = await there.house.table(opened["table"])
        with pytest.raises(Refusal) as refused:
            await table.questions.offer_draw(0, table.ply)
        assert refused.value.code in ("bots_play_on", "behind")

    at(tmp_path, test)


def test_the_commands_reach_the_table(tmp_path: Path) -> None:
    async def test(there: Place) -> None:
        table, _ = await there.full()
        await play(table)
        seat = table.log[0].seat
        mover, other = (Ear(table, each).session for each in (seat, 1 - seat))
        for session, text in (
            (mover, {"t": "takeback", "id": 1, "ply": 1}),
            (other, {"t": "refuse", "id": 2, "ply": 2}),
            (other, {"t": "agree", "id": 3, "ply": 3}),
            (other, {"t": "draw", "id": 4, "ply": 3}),
        ):
            decode_command(json.dumps(text))
            await session.receive(json.dumps(text))
        codes = there.house.figures.errors
        assert codes == {"nothing_asked": 1, "no_draws": 1}
        assert [event.kind for event in table.log] == ["move", "asked", "refused"]

    at(tmp_path, test)


# ---------------------------------------------------------------- options, lobby, limits


WRONG: list[tuple[Body, str]] = [
    ({"options": {"takeover": "random"}}, "bad_options"),
    ({"options": {"clock": {"seconds": 5}}}, "bad_options"),
    ({"options": {"clock": {"kind": "per_move", "increment": 5}}}, "bad_options"),
    ({"options": {"clock": {"kind": "per_move"}, "takeover": "nobody"}}, "bad_bot"),
    ({"options": {"clock": {"kind": "total", "seconds": 0}}}, "bad_request"),
    ({"options": {"delay": 0}}, "bad_request"),
    ({"options": {"chat": True}}, "bad_request"),
    ({"seats": [{"kind": "me", "bot": "random"}, {"kind": "me"}]}, "bad_options"),
    ({"seats": [{"kind": "me"}, {"kind": "open", "name": "Eve"}]}, "bad_options"),
    ({"seats": [{"kind": "me"}, {"kind": "bot", "bot": "search:999s"}]}, "bad_bot"),
    ({"seats": [{"kind": "me"}, {"kind": "bot", "bot": "expert+threads=9"}]}, "bad_bot"),
    ({"seats": [{"kind": "me"}, {"kind": "bot", "bot": "search:club+threads=9"}]}, "bad_bot"),
    ({"seats": [{"kind": "me"}, {"kind": "bot", "bot": "os:system"}]}, "bad_bot"),
    ({"seats": [{"kind": "me"}]}, "bad_variant"),
    ({"knobs": {"players": 3}}, "bad_seats"),
    ({"knobs": {"nothing": 1}}, "bad_variant"),
    ({"preset": "nothing"}, "bad_variant"),
    ({"game": "chess"}, "no_such_game"),
]


def test_wrong_options_are_refused_with_codes(tmp_path: Path) -> None:
    async def test(there: Place) -> None:
        person = there.person()
        for wrong, expected in WRONG:
            with pytest.raises(Refusal) as refused:
                await there.open(person, "mm", **wrong)
            assert refused.value.code == expected, wrong
        assert there.house.loaded == 0

    at(tmp_path, test)


def test_the_lobby_lists_open_tables_and_no_way_in(tmp_path: Path) -> None:
    async def test(there: Place) -> None:
        host, other = there.person(), there.person()
        secret = await there.open(host, "mo")
        listed = await there.open(host, "mo", options={"listed": True}, name="Ana")
        (shown,) = (await other.get("/api/lobby")).json()
        assert shown["table"] == listed["table"]
        assert [seat["kind"] for seat in shown["seats"]] == ["guest", "open"]
        assert shown["seats"][0]["name"] == "Ana"
        text = json.dumps(shown)
        assert all(key not in text for key in (*listed["links"].values(), secret["table"]))
        assert "invitation" not in text
        assert "secret" not in text
        url = f"/api/tables/{secret['table']}/join"
        assert (await other.post(url, json={"seat": 1})).json()["code"] == "invitation_needed"
        url = f"/api/tables/{listed['table']}/join"
        assert (await other.post(url, json={"seat": 1})).status_code == 200
        assert (await other.get("/api/lobby")).json() == []
        assert (await other.post(url, json={"seat": 1})).json()["code"] == "seat_taken"

    at(tmp_path, test)


def test_tables_are_limited_by_guest_and_by_address(tmp_path: Path) -> None:
    async def test(there: Place) -> None:
        person = there.person()
        await person.post("/api/me", json={"name": "Ana"})
        for _ in range(2):
            await there.open(person, "mm")
        with pytest.raises(Refusal) as refused:
            await there.open(person, "mm")
        assert refused.value.code == "too_many_tables"
        for _ in range(8):  # each is somebody new
            await there.open(there.person(), "mm")
        with pytest.raises(Refusal) as refused:
            await there.open(there.person(), "mm")
        assert refused.value.code == "too_many_tables"

    at(tmp_path, test, tables_per_hour=2)


def test_abandoned_tables_expire(tmp_path: Path) -> None:
    async def test(there: Place) -> None:
        waiting = await there.open(there.person(), "mo", options={"listed": True})
        playing, _ = await there.full()
        slow, _ = await there.full(options={"clock": {"kind": "per_move", "seconds": 2e6}})
        await play(playing)
        ear = Ear(playing, 0)
        ear.heard()
        there.time += 1.5e6
        await play(slow)
        there.time += 1.5e6
        await there.house.upkeep.expire()
        assert (await there.person().get("/api/lobby")).json() == []
        key = waiting["links"]["invitation 1"]
        url = f"/api/tables/{waiting['table']}/join"
        answer = await there.person().post(url, json={"invitation": key})
        assert (answer.status_code, answer.json()["code"]) == (410, "table_expired")
        told = [message for message in ear.heard() if message["t"] == "table"]
        assert told[-1]["status"] == "expired"
        await play(playing)  # whoever comes back to a match may go on
        assert playing.status == "playing"
        await play(slow)
        there.time += 6e6
        await there.house.upkeep.expire()
        assert slow.status == "expired"  # no clock of it has been watched all this time

    at(tmp_path, test)


# ---------------------------------------------------------------- takeovers and rematches


def test_a_person_comes_back_to_a_seat_that_a_bot_took_over(tmp_path: Path) -> None:
    async def test(there: Place) -> None:
        clock = {"kind": "per_move", "seconds": 60}
        options = {"clock": clock, "takeover": "random"}
        table, people = await there.full(options=options)
        assert table.match is not None
        gone = table.match.turn
        assert gone is not None
        there.time += 61
        await table.attendant.run_out()
        assert table.log[0].kind == "takeover"
        for each in (table, await there.again(table)):
            for act in (
                each.move(gone, each.ply, 0),
                each.resign(gone),
                each.questions.take_back(gone, each.ply),
                each.hint(gone, each.ply, "club"),
                each.reacts(gone, "hello"),
            ):
                with pytest.raises(Refusal) as refused:
                    await act
                assert refused.value.code == "seat_taken_over"
        table = await there.house.table(table.id)
        shown = (await people[gone].get(f"/api/tables/{table.id}")).json()
        assert shown["mine"] == [gone]  # it may watch, with its own cards
        assert shown["seats"][gone]["kind"] == "bot"
        assert Ear(table, gone).heard()[-1]["t"] == "snapshot"
        await table.resign(1 - gone)
        answer = await people[gone].post(f"/api/tables/{table.id}/rematch")
        following = await there.house.table(answer.json()["table"])
        assert [seat["kind"] for seat in following.seats] == ["guest", "guest"]

    at(tmp_path, test)


def test_a_rematch_rotates_seats_and_links_lead_to_both_tables(tmp_path: Path) -> None:
    async def test(there: Place) -> None:
        host, guest, stranger = there.person(), there.person(), there.person()
        opened = await there.open(host, "mo")
        url = f"/api/tables/{opened['table']}"
        invitation = opened["links"]["invitation 1"]
        joined = (await guest.post(url + "/join", json={"invitation": invitation})).json()
        table = await there.house.table(opened["table"])
        answer = await host.post(url + "/rematch")
        assert (answer.status_code, answer.json()["code"]) == (409, "match_not_over")
        await table.resign(0)
        there.time += 1
        await stranger.post("/api/me", json={"name": "Eve"})
        answer = await stranger.post(url + "/rematch")
        assert (answer.status_code, answer.json()["code"]) == (403, "not_your_seat")
        names = [(await each.post(url + "/rematch")).json()["table"] for each in (guest, host)]
        assert names[0] == names[1] != opened["table"]
        following = await there.house.table(names[0])
        assert following.match is not None
        assert [seat["guest"] for seat in following.seats] == [
            table.seats[1]["guest"],
            table.seats[0]["guest"],
        ]
        for key, seat in ((opened["links"]["seat 0"], 0), (joined["key"], 1)):
            assert await there.house.seat_of_key(key, table.id) == (table.id, seat)
            assert await there.house.seat_of_key(key) == (following.id, 1 - seat)
        device = there.person()  # another device of the guest's, by the same link
        claimed = (await device.post(f"/api/links/{joined['key']}")).json()
        assert claimed == {"table": following.id, "seat": 0}
        assert (await device.get(url)).json()["mine"] == [1]

    at(tmp_path, test)


def test_clocks_of_a_rematch_wait_a_little(tmp_path: Path) -> None:
    """Whoever has not seen it yet loses no time."""

    async def test(there: Place) -> None:
        options = {"clock": {"kind": "total", "seconds": 60, "increment": 1}}
        table, people = await there.full(options=options)
        await table.resign(0)
        answer = await people[0].post(f"/api/tables/{table.id}/rematch")
        following = await there.house.table(answer.json()["table"])
        assert following.match is not None
        first = following.match.turn
        assert first is not None
        for each in (following, await there.again(following)):
            clocks = Ear(each, first).heard()[-1]["clocks"]
            assert clocks["running"] == first
            assert (clocks["left"][first], clocks["left"][1 - first]) == (90_000, 60_000)
        following = await there.house.table(following.id)
        there.time += 20
        await play(following)
        assert following.timer is not None
        there.time += 20  # ten of them after it has begun
        shown = following.timer.shown(there.time)
        assert shown is not None
        left = [60_000, 60_000]
        left[first] += 1000
        assert shown.running is not None
        left[shown.running] -= 10_000
        assert shown.left == left
        there.time += 51
        await following.attendant.run_out()
        assert following.log[-1].kind == "timeout"

    at(tmp_path, test)


# ---------------------------------------------------------------- those who are shown it late


def test_a_takeover_is_shown_late_too(tmp_path: Path) -> None:
    """It would tell whose turn it was."""

    async def test(there: Place) -> None:
        options = {
            "spectators": "delayed", "delay": 3, "takeover": "random",
            "clock": {"kind": "per_move", "seconds": 60},
        }  # fmt: skip
        table, people = await there.full("mom", options=options)
        assert table.match is not None
        ear = Ear(table, None)
        ear.heard()
        gone = table.match.turn
        assert gone is not None
        there.time += 61
        await table.attendant.run_out()
        url = f"/api/tables/{table.id}"
        kinds = [each["kind"] for each in (await there.person().get(url)).json()["seats"]]
        assert kinds == ["guest"] * 3
        assert (await people[0].get(url)).json()["seats"][gone]["kind"] == "bot"
        heard: list[Body] = ear.heard()
        assert all(each["seats"][gone]["kind"] == "guest" for each in heard)
        while table.ply < 4:
            if table.match.turn == gone:
                number = table.match.legal_numbers()[0]
                await table.attendant._bot_moves(gone, table.ply, number)
            else:
                await play(table)
            heard += ear.heard()
        assert [each["kind"] for each in heard if each["t"] == "event"] == ["takeover"]
        assert heard[-1]["seats"][gone]["kind"] == "bot"

    at(tmp_path, test)


def test_spectators_stay_behind_after_loading_too(tmp_path: Path) -> None:
    async def test(there: Place) -> None:
        options = {"spectators": "delayed", "delay": 3, "clock": {"kind": "per_move"}}
        table, _ = await there.full(options=options)
        ear = Ear(table, None)
        ear.heard()
        for ply in range(1, 6):
            await play(table)
            assert [each["ply"] for each in ear.heard()] == ([ply - 3] if ply > 3 else [])
        loaded = await there.again(table)
        late = Ear(loaded, None)
        snapshot = late.heard()[-1]
        assert (snapshot["ply"], snapshot["clocks"]) == (2, None)
        assert [each.ply for each in loaded.missed(0, None)] == [1, 2]
        await loaded.resign(0)
        assert [each["ply"] for each in late.heard() if each["t"] == "event"] == [3, 4, 5, 6]

    at(tmp_path, test)


# ---------------------------------------------------------------- bots that think


def a_view(name: str = "love-letter", seed: int = 1) -> Any:
    match = brelan.game(name).deal(seed)
    return match.view(match.turn)


def test_no_bot_at_a_table_thinks_for_long() -> None:
    game = brelan.game("love-letter")
    for name in ("random", "club", "expert", "search:2000", "search:2s", "search:expert"):
        assert check_bot(name, game) == name
    for name in (
        f"search:{MOST_SECONDS + 1}s",
        "search:club+threads=2",
        "search:999999",
        "/bin/sh",
    ):
        with pytest.raises(brelan.Refused):
            check_bot(name, game)


def test_a_quick_bot_does_not_wait_for_slow_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        order: list[str] = []
        think = Thinkers._think

        def slowly(self: Thinkers, request: Any) -> Advice:
            if request.name == "expert":
                import time

                time.sleep(0.05)
            order.append(request.seed)
            return think(self, request) if request.name == "random" else Advice(0)

        monkeypatch.setattr(Thinkers, "_think", slowly)
        thinkers, view = Thinkers(1), a_view()
        thinkers.prepare(view.game, "expert").result()
        slow = [
            asyncio.create_task(thinkers.decide(f"table {n}", "expert", view, f"slow {n}"))
            for n in range(10)
        ]
        await asyncio.sleep(0.02)
        assert (thinkers.queued, thinkers.busy) == (9, 1)
        await thinkers.decide("quick", "random", view, "quick")
        again = asyncio.create_task(thinkers.decide("table 5", "expert", view, "again"))
        await asyncio.sleep(0)
        thinkers.drop("table 7")
        done = await asyncio.gather(*slow, again, return_exceptions=True)
        dropped = [n for n, each in enumerate(done) if isinstance(each, Dropped)]
        assert dropped == [5, 7]  # it asked again, and stands at the end of the line; not wanted
        assert order.index("quick") <= 2
        assert [each for each in order if each != "quick"] == [
            *(f"slow {n}" for n in range(10) if n not in dropped),
            "again",
        ]
        assert (thinkers.queued, thinkers.busy) == (0, 0)
        thinkers.close()
        with pytest.raises(Dropped):
            await thinkers.decide("late", "random", view, "late")

    asyncio.run(test())


def test_the_event_loop_goes_on_while_bots_think_and_few_are_kept() -> None:
    async def test() -> None:
        thinkers = Thinkers(1)
        views = [a_view(seed=seed) for seed in range(8)]
        thinkers.prepare(views[0].game, "search:0.1s").result()
        turns = 0
        done = asyncio.gather(
            *(thinkers.decide(f"{n}", f"search:0.1{n}s", view, "") for n, view in enumerate(views))
        )
        while not done.done():
            await asyncio.sleep(0.001)
            turns += 1
        for view, number in zip(views, await done, strict=True):
            assert number in [move.id for move in view.legal()]
        assert turns > 3 * len(views)  # on the loop itself, each thought would leave it one turn
        assert thinkers.kept <= 4  # of eight kinds
        assert all(isinstance(bot, SearchBot) for bot in thinkers._kept.values())
        assert sum(thinkers.figures.thinking.counts) == len(views)
        thinkers.close()

    asyncio.run(test())


def test_bots_wait_for_their_machine_code_without_a_thread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def test() -> None:
        thinkers, view = Thinkers(1), a_view()
        monkeypatch.setattr(thinkers, "_compile", lambda: None)  # it never gets ready
        waits = asyncio.create_task(thinkers.decide("a", "expert", view, ""))
        await asyncio.sleep(0.01)
        assert (thinkers.queued, thinkers.busy) == (1, 0)
        compiled = brelan.bot("random", view.game)
        compiled.seed = 3  # type: ignore[attr-defined]
        monkeypatch.setattr("brelan.server.thinking.seed_of", lambda _: 3)
        number = await thinkers.decide("b", "random", view, "")
        assert number == compiled.choose(view).id  # the same, interpreted
        wanted = thinkers._to_compile.get()
        assert wanted is not None
        *_, made = wanted
        made.set_result(None)
        assert isinstance(await waits, int)
        thinkers.close()

    asyncio.run(test())


def test_a_hint_that_is_not_wanted_any_more_is_an_answer(tmp_path: Path) -> None:
    async def test(there: Place) -> None:
        opened = await there.open(there.person(), "mm", options={"hints": True})
        table = await there.house.table(opened["table"])
        assert table.match is not None
        turn = table.match.turn
        assert turn is not None
        there.house.thinkers._lines[False].free = 0  # all think
        ear = Ear(table, turn)
        asks = json.dumps({"t": "hint", "id": 1, "ply": 0, "level": "expert"})
        asked = asyncio.create_task(ear.session.receive(asks))
        await asyncio.sleep(0.01)
        await table.resign(1 - turn)
        await asked
        codes: list[str] = []
        while not codes:
            await asyncio.sleep(0.001)
            codes += [each["code"] for each in ear.heard() if each["t"] == "error"]
        assert codes == ["behind"]

    at(tmp_path, test)


def test_a_socket_goes_on_while_a_hint_is_thought_about(tmp_path: Path) -> None:
    """Of those that are asked for meanwhile the latest is answered too."""

    async def test(there: Place) -> None:
        opened = await there.open(there.person(), "mm", options={"hints": True})
        table = await there.house.table(opened["table"])
        assert table.match is not None
        assert table.match.turn is not None
        line = there.house.thinkers._lines[False]
        line.free = 0  # all think
        ear = Ear(table, table.match.turn)
        ear.heard()

        async def says(kind: str, number: int, **more: Any) -> None:
            await ear.session.receive(json.dumps({"t": kind, "id": number, **more}))

        for number in range(3):
            await says("hint", number, ply=0, level="expert")
        await says("ping", 3)
        answers = [(each["t"], each["id"]) for each in ear.heard()]
        assert answers == [("error", 1), ("done", 3)]
        assert list(line.waiting) == [f"hint {table.id} {table.match.turn}"]
        line.free = 1
        answers = []
        while len(answers) < 2:
            there.house.thinkers._begin()
            await asyncio.sleep(0.01)
            answers += [(each["t"], each["id"]) for each in ear.heard()]
        assert answers == [("hint", 0), ("hint", 2)]
        line.free = 0
        await says("hint", 4, ply=0, level="expert")
        assert line.waiting
        ear.session.leave()  # nobody waits for it
        while line.waiting:
            await asyncio.sleep(0.001)

    at(tmp_path, test)


def test_a_search_that_nobody_waits_for_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[type] = []
    think = Thinkers._think

    def watched(self: Thinkers, request: Any) -> Advice:
        try:
            return think(self, request)
        except BaseException as error:
            ended.append(type(error))
            raise

    monkeypatch.setattr(Thinkers, "_think", watched)

    async def test() -> None:
        thinkers, view = Thinkers(1), a_view()
        thinkers.prepare(view.game, "search:10s").result()
        for number in range(3):
            asked = asyncio.create_task(thinkers.decide("table", "search:10s", view, ""))
            while thinkers.busy == 0:
                await asyncio.sleep(0.001)
            if number == 0:
                thinkers.drop("table")
            elif number == 1:
                asked.cancel()
            else:
                thinkers.close()
            await asyncio.gather(asked, return_exceptions=True)
            while thinkers.busy:
                await asyncio.sleep(0.001)
        assert thinkers.kept == 1

    asyncio.run(asyncio.wait_for(test(), 60))
    assert ended == [Dropped] * 3


def test_the_server_goes_on_while_a_match_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_asked, is_told, told = threading.Event(), threading.Event(), history.told

    def slowly(recording: Any) -> Any:
        is_asked.set()
        assert is_told.wait(60)
        return told(recording)

    monkeypatch.setattr(history, "told", slowly)

    async def test(there: Place) -> None:
        table, people = await there.full()
        url = f"/api/tables/{table.id}/history?seat=0"
        asked = asyncio.create_task(people[0].get(url))
        while not is_asked.is_set():
            await asyncio.sleep(0.001)
        await play(table)  # it is told as it stood when it was asked for
        is_told.set()
        assert (await asked).json()["table"]["ply"] == 0
        assert len((await asked).json()["readers"][0]["steps"]) == table.begins[0]

    at(tmp_path, test)


def test_bots_alone_play_while_somebody_looks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(there: Place) -> None:
        monkeypatch.setattr("brelan.server.attendant.RETRY", 0.02)
        opened = await there.open(there.person(), "rr", game="love-letter")
        table = await there.house.table(opened["table"])
        await asyncio.sleep(0.1)
        assert table.ply == 0
        assert not table.has_bot_to_move
        ear = Ear(table, None)
        while not any(each.get("status") == "over" for each in ear.heard()):
            await asyncio.sleep(0.01)
        assert table.is_over

    at(tmp_path, test)


def test_games_know_whether_they_are_drawn(tmp_path: Path) -> None:
    async def test(there: Place) -> None:
        house: House = there.house
        game: Game = house.game("love-letter", 1, {})
        assert not hasattr(game.folder.rules, "DRAWS_BY_AGREEMENT")  # no rulebook knows them
        shown = (await there.person().get("/api/games")).json()
        assert all(each["draws"] is False for each in shown)

    at(tmp_path, test)
