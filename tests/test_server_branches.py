"""What if, at a table: a match that is over goes on otherwise, from a decision of a seat."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import brelan
from brelan import client
from brelan.analysis.review import decision_plies
from brelan.analysis.what_if import drawn_again
from brelan.cli import main
from brelan.errors import BadSave
from brelan.server import beginnings, fairness, history
from brelan.server.messages import Beginning, Exported, LoggedEvent, encode
from server_fixture import Client, Server, running
from server_play import played, whole
from server_processes import Postgres, postgres_server

FIELDS = {"table", "seat", "ply", "as_dealt"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("branches")) as found:
        yield found


@pytest.fixture(scope="module")
def owner(server: Server) -> Client:
    return Client(server)


@pytest.fixture(scope="module")
def table(owner: Client) -> str:
    """A match that is over."""
    return decided(owner)


def decided(owner: Client) -> str:
    """Play matches until both seats have decided something twice, seat 1 without knowing all."""
    while True:
        table = played(owner)
        _, match = source(owner, table)
        if min(len(decision_plies(match, seat)) for seat in (0, 1)) > 1 and unsure(match):
            return table


def unsure(match: brelan.Match) -> list[int]:
    """Return the decisions of seat 1 before which several cards may be in the other hand."""
    return [
        ply
        for ply in decision_plies(match, 1)
        if len({drawn_again(match, 1, ply, luck).hand[0].tobytes() for luck in range(20)}) > 2
    ]


def source(owner: Client, table: str) -> tuple[Exported, brelan.Match]:
    return history.replayed(owner.get(f"/api/tables/{table}/export").content)


def branch(owner: Client, table: str, **wanted: Any) -> str:
    answer = owner.post(f"/api/tables/{table}/branch", {"bot": "random", **wanted})
    assert answer.status == 201, answer.content
    assert set(answer.json["links"]) == {f"seat {wanted['seat']}"}
    found: str = answer.json["table"]
    return found


def play_on(owner: Client, table: str, seat: int) -> Any:
    """Play the last of the legal moves until the match is over; return what the seat was sent."""
    heard = []
    with owner.socket(table, seat=seat) as socket:
        at = socket.until("snapshot")
        heard.append(at)
        while at["result"] is None:
            if at["legal"]:
                socket.send(
                    {"t": "move", "id": at["ply"], "ply": at["ply"], "move": at["legal"][-1]}
                )
            at = socket.until("event")
            heard.append(at)
    return heard


# ---------------------------------------------------------------- drawn again


def test_the_seat_sees_what_it_saw_and_the_rest_is_drawn(owner: Client, table: str) -> None:
    file, match = source(owner, table)
    ply = unsure(match)[-1]
    told = owner.get(f"/api/tables/{table}/history?seat=1").json["readers"][0]
    drawn, sent = set(), set()
    for _ in range(12):
        opened = branch(owner, table, seat=1, ply=ply)
        with owner.socket(opened, seat=1) as socket:
            at = socket.until("snapshot")
        sent.add(json.dumps(at))
        assert at["view"] == told["steps"][ply - 1]["view"]
        assert (at["turn"], at["ply"], at["story"]) == (1, 0, [])
        info = owner.get(f"/api/tables/{opened}").json
        assert info["origin"] == {"table": table, "seat": 1, "ply": ply, "as_dealt": False}
        assert info["knobs"] == file.knobs
        assert [each["kind"] for each in info["seats"]] == ["bot", "guest"]
        assert info["secret"] is None
        assert info["commitment"] != file.commitment
        there = owner.server.house
        assert there is not None
        drawn.add(str(there._tables[opened].match.record(0).hand))  # type: ignore[union-attr]
    assert len(drawn) > 1, "the hidden card is always the same"
    assert len(sent) == 1, "what the seat is sent tells one hidden card from another"


def test_such_a_match_is_played_told_checked_and_analysed(
    owner: Client, table: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, match = source(owner, table)
    ply = decision_plies(match, 0)[0]
    opened = branch(owner, table, seat=0, ply=ply)
    result = play_on(owner, opened, 0)[-1]["result"]
    assert owner.get(f"/api/tables/{opened}").json["origin"]["table"] == table
    told = owner.get(f"/api/tables/{opened}/history?seat=all").json
    assert [each["seat"] for each in told["readers"]] == [0, 1]
    assert told["result"] == result
    exported = owner.get(f"/api/tables/{opened}/export").content
    for question in ("verify", "replay"):
        checked = owner.post(f"/api/{question}", exported).json
        assert checked["verified"], checked
        assert checked["origin"]["table"] == table
    found = whole(owner, opened, 0)
    first = found["decisions"][0]
    assert (first["ply"], first["luck"]) == (0, 0)
    luck = sum(each["luck"] for each in found["decisions"]) + found["end"]["last_luck"]
    loss = sum(each["loss"] for each in found["decisions"])
    assert found["start"] + luck - loss == found["end"]["chance"] == 1000 * (0 in result["winners"])

    file = tmp_path / "branch.json"
    file.write_bytes(exported)
    run("verify", file)
    said = capsys.readouterr().out
    assert f"seat 0 at ply {ply} of {table}" in said
    assert "not a sealed deal" in said
    run("replay", file, "--lang", "en")
    run("analyse", file, "--level", "novice", "--lang", "en")
    mine = owner.get("/api/me").json["tables"]
    origins = {each["table"]: each["origin"] for each in mine}
    assert origins[table] is None
    assert set(origins[opened]) == FIELDS

    again = branch(owner, opened, seat=0, ply=0)  # a match that goes on from one that goes on
    play_on(owner, again, 0)
    exported = owner.get(f"/api/tables/{again}/export").content
    assert owner.post("/api/verify", exported).json["verified"]


def run(command: str, file: Path, *options: str) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command, str(file), *options])
    assert not ended.value.code


def test_an_altered_file_is_not_verified(owner: Client, table: str) -> None:
    _, match = source(owner, table)
    opened = branch(owner, table, seat=0, ply=decision_plies(match, 0)[0])
    with owner.socket(opened, seat=0) as socket:
        assert socket.ask("resign")["t"] == "done"
    file = owner.get(f"/api/tables/{opened}/export").json
    position = file["beginning"]["position"]
    assert not verified(file, position={**position, "turn": [99]})  # no state that could be
    assert not verified(file, position=None)
    assert not verified(file, ply=file["beginning"]["ply"] + 1)
    assert not verified(file, seat=1)
    assert not verified(file, as_dealt=True)
    assert not verified(file, source={**file["beginning"]["source"], "secret": "00" * 32})
    assert verified(file)


def verified(file: Any, **altered: Any) -> bool:
    changed = {**file, "beginning": {**file["beginning"], **altered}}
    return history.verified(json.dumps(changed)).verified


# ---------------------------------------------------------------- as they lay


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/server.db"
        return
    with postgres_server() as server:
        yield Postgres(server).url


def test_the_cards_as_they_lay_with_another_move(tmp_path: Path, database: str) -> None:
    """The first move is made at once; a server that starts again has all of it."""
    with running(tmp_path, database=database) as server:
        owner = Client(server)
        table = decided(owner)
        file, match = source(owner, table)
        ply = decision_plies(match, 1)[0]
        before = match.before(ply)
        made = match.view(1).history[ply].id
        move = next(each for each in before.legal_numbers() if each != made)
        opened = branch(owner, table, seat=1, ply=ply, move=move, as_dealt=True)
        info = owner.get(f"/api/tables/{opened}").json
        assert info["origin"] == {"table": table, "seat": 1, "ply": ply, "as_dealt": True}
        assert info["commitment"] == file.commitment
    with running(tmp_path, database=database) as server:
        owner = Client(server, owner.cookie)
        heard = play_on(owner, opened, 1)
        told = owner.get(f"/api/tables/{opened}/history?seat=1").json["readers"][0]["steps"]
        then = owner.get(f"/api/tables/{table}/history?seat=1").json["readers"][0]["steps"]
        assert told[:ply] == then[:ply]
        assert told[ply]["move"] == move
        assert heard[0]["story"][: len(then[0]["story"])] == then[0]["story"]
        exported = owner.get(f"/api/tables/{opened}/export").content
        assert owner.post("/api/verify", exported).json["verified"]
        other = {**json.loads(exported), "secret": "00" * 32}
        assert not owner.post("/api/verify", other).json["verified"]
        assert whole(owner, opened, 1)["end"]["chance"] in (0, 1000)


@pytest.mark.parametrize("as_dealt", [False, True])
def test_nothing_before_the_beginning_is_taken_back(
    owner: Client, table: str, as_dealt: bool
) -> None:
    """A match whose log is played again, as after a takeback, begins where it began."""
    _, match = source(owner, table)
    ply = decision_plies(match, 0)[-1]
    opened = branch(owner, table, seat=0, ply=ply, as_dealt=as_dealt)
    with owner.socket(opened, seat=0) as socket:
        assert socket.until("snapshot")["turn"] == 0
        assert socket.ask("takeback", ply=0)["args"] == {"why": "not_your_move"}
    assert owner.server.house is not None
    there = owner.server.house._tables[opened]
    assert there.match is not None
    assert there._match_after(0)._state.tobytes() == there.match._state.tobytes()


# ---------------------------------------------------------------- who may, and what


def test_what_cannot_be_is_refused_and_nothing_is_opened(
    server: Server, owner: Client, table: str
) -> None:
    _, match = source(owner, table)
    ply = decision_plies(match, 0)[0]
    goes_on, _ = owner.open("mm")
    rows = server.rows()
    right = {"seat": 0, "ply": ply}
    for which, wanted, status, code in (
        (goes_on, right, 409, "match_not_over"),
        ("none", right, 404, "no_such_table"),
        (table, {}, 400, "bad_request"),
        (table, right | {"seat": 2}, 404, "no_such_seat"),
        (table, right | {"seat": 1}, 422, "no_decision"),
        (table, right | {"ply": 10_000}, 422, "no_decision"),
        (table, right | {"move": 30_000}, 422, "illegal_move"),
        (table, right | {"bot": "./program"}, 422, "bad_bot"),
    ):
        for who in (owner, Client(server)):  # who is refused is not met, nor renamed
            answer = who.post(f"/api/tables/{which}/branch", wanted | {"name": "Zoe"})
            assert (answer.status, answer.code) == (status, code), wanted
    answer = owner.post(f"/api/tables/{table}/branch", right | {"ply": 10_000})
    assert answer.json["args"]["plies"] == decision_plies(match, 0)
    assert server.rows() == rows


def test_others_are_told_that_it_goes_on_and_not_from_where(
    server: Server, owner: Client, table: str
) -> None:
    """Nobody may read the hidden cards of a match in the history of the one before it."""
    _, match = source(owner, table)
    opened = branch(owner, table, seat=0, ply=decision_plies(match, 0)[0], as_dealt=True)
    stranger = Client(server)
    assert stranger.get(f"/api/tables/{opened}").json["origin"]["table"] is None
    with stranger.socket(opened) as socket:
        info = socket.until("table")
    assert set(info["origin"]) == FIELDS
    assert info["origin"]["table"] is None
    with owner.socket(opened, seat=0) as socket:
        assert socket.until("table")["origin"]["table"] == table
        assert "position" not in json.dumps(info)
        assert socket.ask("resign")["t"] == "done"
    assert stranger.get(f"/api/tables/{opened}").json["origin"]["table"] == table


def test_matches_do_not_go_on_from_each_other_without_end(
    owner: Client, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, match = source(owner, table)
    opened = branch(owner, table, seat=0, ply=decision_plies(match, 0)[0])
    play_on(owner, opened, 0)
    monkeypatch.setattr(beginnings, "MOST_DEEP", 1)
    answer = owner.post(f"/api/tables/{opened}/branch", {"seat": 0, "ply": 0})
    assert (answer.status, answer.code) == (409, "too_many_branches")
    exported = owner.get(f"/api/tables/{opened}/export").content
    assert owner.post("/api/verify", exported).json["verified"]
    monkeypatch.setattr(beginnings, "MOST_DEEP", 0)
    assert not owner.post("/api/verify", exported).json["verified"]


def test_the_client_in_python_plays_on(owner: Client, table: str) -> None:
    """People’s other seats get the bot that is asked for, bots’ seats keep theirs."""
    _, match = source(owner, table)
    ply = decision_plies(match, 1)[0]

    async def run() -> None:
        guest = client.Client(f"http://127.0.0.1:{owner.server.port}", name="Ana")
        opened = await guest.branch(table, 1, ply, bot="careful")
        info = await guest.table(opened.table)
        assert [each.bot for each in info.seats] == ["careful", None]
        assert info.seats[0].name
        assert info.seats[1].name == "Ana"
        async with guest.connect(opened.table, 1) as seat:
            position = await seat.my_turn()
            assert position is not None
            await seat.move(position.legal[0])

    asyncio.run(run())


@pytest.mark.parametrize("name", brelan.games())
def test_every_game_begins_again_as_it_stood(name: str) -> None:
    """A position is kept whole: all that the seat saw, and what was drawn, whatever comes then."""
    game, secret, events = brelan.game(name), b"1" * 32, []
    seed, drawn = fairness.deal_seed(secret, {}), fairness.deal_seed(b"2" * 32, {})
    match = game.deal(seed=seed)
    while match.turn is not None:
        number = match.legal_numbers()[len(events) % len(match.legal_numbers())]
        events.append(LoggedEvent("move", match.turn, number))
        match.play_unchecked(number)
    assert match.result is not None
    file = Exported(
        brelan_match=history.EXPORT_FORMAT, table="before", game=name, rules=game.folder.version,
        knobs=game.knobs, names=["Ana"] * game.players, commitment=fairness.commitment(secret),
        secret=secret.hex(), nonces={}, seal=fairness.seal(seed), events=events,
        result=match.result,
    )  # fmt: skip
    plies = decision_plies(match, 0)
    for ply in (plies[0], plies[len(plies) // 2], plies[-1]):
        position = beginnings.drawn_position(match, 0, ply, drawn)
        found = beginnings.read(beginnings.kept(Beginning(file, 0, ply, False, position)))
        begun = beginnings.begun(game, drawn, found)
        assert begun.record(0).tobytes() == match.before(ply).record(0).tobytes()
        as_dealt = beginnings.begun(game, seed, Beginning(file, 0, ply, True, None))
        assert as_dealt._state.tobytes() == match.transitions()[ply].before
        made = sum(move.seat is not None for move in match.view(None).history[:ply])
        as_dealt.follow(event.number or 0 for event in events[made:])
        assert as_dealt.result == match.result
        damaged = dict(position)
        del damaged[next(iter(damaged))]
        with pytest.raises(BadSave, match="other places"):
            beginnings.begun(game, drawn, Beginning(file, 0, ply, False, damaged))
    assert msgspec.json.decode(encode(file), type=Exported) == file
