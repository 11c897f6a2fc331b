"""What people played under a variant, and what they answered: all together, never one alone."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import brelan
from brelan.engine.match import Match
from brelan.kit.new import TEMPLATE
from brelan.lab.study.plan import default_level
from brelan.lab.study.table import StudyTable
from brelan.server.lab.people import LEAST
from brelan.server.lab.played import followed
from server_fixture import Client, Server, running
from test_server_lab import begin, has_figures, wait_for

ANSWER = {"liked": 4, "length": "long"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BRELAN_GAMES", str(TEMPLATE))
        with running(tmp_path_factory.mktemp("people")) as made:
            yield made


def opened(client: Client, seats: str = "mm") -> str:
    return client.open(seats, game="template-game")[0]


def finish(client: Client, table: str, *, resigns: bool = False) -> None:
    """Play a match to its end, always by the first move, from all seats of a guest."""
    mine = client.get(f"/api/tables/{table}").json["mine"]
    result: Any = None
    while result is None:
        for seat in mine:
            with client.socket(table, seat=seat) as socket:
                now = socket.until("snapshot")
                result = result or now["result"]
                if result is None and resigns:
                    socket.ask("resign")
                elif now["legal"]:
                    socket.ask("move", ply=now["ply"], move=now["legal"][0])


def people(client: Client, study: str) -> Any:
    return client.get(f"/api/lab/studies/{study}/people").json


def test_people_are_beside_bots_and_told_together(server: Server) -> None:
    ana = Client(server)
    study = begin(ana)
    wait_for(ana, study, has_figures)
    before = people(ana, study)
    assert (before["finished"], before["matches"], before["seats"], before["liked"]) == (
        0, 0, [], [0] * 5,
    )  # fmt: skip
    for number in range(LEAST):
        table = opened(ana)
        finish(ana, table)
        assert ana.post(f"/api/tables/{table}/survey", ANSWER).status == 200
        found = people(ana, study)
        assert found["finished"] == number + 1
        if number + 1 < LEAST:  # no match and no answer is told alone
            assert (found["matches"], found["answers"], found["minutes"]) == (0, 0, None)
    assert (found["matches"], found["alone"], found["left"]) == (LEAST, LEAST, 0)
    assert sum(seat["mean"] for seat in found["seats"]) == pytest.approx(1)
    for share in (*found["seats"], *found["order"], found["ties"], found["forced"]):
        assert 0 <= share["low"] <= share["mean"] <= share["high"] <= 1
    assert found["decisions"]["mean"] >= 2
    assert found["decisions"]["low"] is None  # of five matches
    assert (found["answers"], found["liked"]) == (LEAST, [0, 0, 0, LEAST, 0])
    assert found["length"] == [0, 0, LEAST]

    finish(ana, opened(ana), resigns=True)  # says nothing of the rules
    with_bot = opened(ana, "mb")
    finish(ana, with_bot)
    again = people(ana, study)
    assert (again["finished"], again["matches"]) == (LEAST + 1, LEAST)
    assert again["seats"] == found["seats"]
    for _ in range(LEAST - 1):
        finish(ana, opened(ana))
    more = people(ana, study)  # one was with a bot: of those without, four more would be told
    assert (more["matches"], more["alone"]) == (2 * LEAST, LEAST)
    assert (more["seats"], more["order"], more["ties"]) == (
        found["seats"], found["order"], found["ties"],
    )  # fmt: skip

    damaged = opened(ana)
    finish(ana, damaged)
    with contextlib.closing(sqlite3.connect(server.database)) as database, database:
        database.execute("UPDATE events SET kind = 'takeback' WHERE table_id = ?", (damaged,))
    assert people(ana, study) == more  # it is not counted, and keeps nobody from the others
    ana.post(f"/api/lab/studies/{study}/stop", {})


def test_a_person_answers_once_for_a_match(server: Server) -> None:
    ana, ben = Client(server), Client(server)
    table = opened(ana)
    path = f"/api/tables/{table}/survey"
    early = ana.post(path, ANSWER)
    assert (early.status, early.code) == (409, "match_not_over")
    assert ana.get(path).json == {"is_open": False}
    finish(ana, table)
    assert ana.get(path).json == {"is_open": True}
    assert ben.get(path).json == {"is_open": False}
    foreign = ben.post(path, ANSWER)
    assert (foreign.status, foreign.code) == (403, "not_your_seat")
    for wrong in ({"liked": 6, "length": "long"}, {"liked": 1, "length": "?"}, {"liked": 1}, {}):
        refused = ana.post(path, wrong)
        assert (refused.status, refused.code) == (400, "bad_request")
    free = ana.post(path, ANSWER | {"why": "fun"})  # there is no free text
    assert (free.status, free.code) == (400, "bad_request")
    assert ana.get(path).json == {"is_open": True}
    assert ana.post(path, ANSWER).json == {"is_open": False}
    twice = ana.post(path, ANSWER)  # though both seats are hers
    assert (twice.status, twice.code) == (409, "already_answered")
    assert ana.get(path).json == {"is_open": False}
    gone = ana.post("/api/tables/gone/survey", ANSWER)
    assert (gone.status, gone.code) == (404, "no_such_table")


def test_nobody_is_asked_of_a_match_that_goes_on_from_another(server: Server) -> None:
    ana = Client(server)
    table = opened(ana)
    finish(ana, table)
    tried = (
        ana.post(f"/api/tables/{table}/branch", {"seat": 0, "ply": ply, "as_dealt": True})
        for ply in range(6)
    )
    branch = next(answer.json["table"] for answer in tried if answer.status == 201)
    finish(ana, branch, resigns=True)
    assert ana.get(f"/api/tables/{branch}/survey").json == {"is_open": False}
    answer = ana.post(f"/api/tables/{branch}/survey", ANSWER)
    assert (answer.status, answer.code) == (409, "not_asked")


def test_answers_are_limited_by_address(tmp_path: Path) -> None:
    with running(tmp_path, tables_per_hour=1) as server:
        ana = Client(server)
        table, _ = ana.open("mm")
        codes = [ana.post(f"/api/tables/{table}/survey", ANSWER).code for _ in range(6)]
        assert codes == ["match_not_over"] * 5 + ["too_many_answers"]


@pytest.mark.parametrize("name", [*brelan.games(), str(TEMPLATE)])
def test_a_match_is_measured_as_a_study_measures_it(name: str) -> None:
    game = brelan.game(name)
    table = StudyTable(game, [default_level(game)])
    rows = table.deals(range(1), 3, sides=1)
    _, scripts = table.play(rows)
    for row, script in zip(rows, scripts, strict=True):
        match = Match.simulated(game, int(row["luck"]))
        watch = followed(match, script[: row["decisions"]].tolist())
        assert watch is not None
        assert match.result is not None
        names = ("decisions", "turns", "legal", "forced", "rounds", "starter")
        assert [getattr(watch, n) for n in names] == [int(row[n]) for n in names]


def test_a_log_that_cannot_be_is_not_counted() -> None:
    match = brelan.game("love-letter").deal(seed=1)
    assert followed(match, [-1]) is None
    assert followed(match, [None]) is None


def test_the_two_questions_are_in_the_schema() -> None:
    schema = json.loads(Path("docs/protocol.schema.json").read_text(encoding="utf-8"))
    assert set(schema["$defs"]["SurveyAnswer"]["properties"]) == {"liked", "length"}
