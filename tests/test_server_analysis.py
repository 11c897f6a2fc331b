"""The analysis of a match that is over: made by the server beside its tables, and kept."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from brelan.server import analyses, analyst
from server_fixture import Answer, Client, Server, running
from server_play import played, whole


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("analysis"), analyses_per_hour=4) as found:
        yield found


def test_the_parts_add_up_to_the_result(server: Server) -> None:
    client = Client(server)
    table = played(client)
    winners = client.get(f"/api/tables/{table}/history").json["result"]["winners"]
    for seat in (0, 1):
        found = whole(client, table, seat)
        end = found["end"]
        luck = sum(each["luck"] for each in found["decisions"]) + end["last_luck"]
        loss = sum(each["loss"] for each in found["decisions"])
        assert found["start"] + luck - loss == end["chance"] == 1000 * (seat in winners)
        assert len(found["decisions"]) == found["count"]
        steps = client.get(f"/api/tables/{table}/history?seat={seat}").json["readers"][0]["steps"]
        for each in found["decisions"]:
            assert steps[each["ply"]]["seat"] == seat
            assert steps[each["ply"]]["move"] == each["made"]
            assert {each["made"], each["best"]} <= {move["move"] for move in each["moves"]}
            for belief in each["belief"]:
                for card in belief["holds"]:
                    assert str(card["card"]) in found["names"][belief["place"]]


def test_a_running_match_gives_nothing(server: Server) -> None:
    client = Client(server)
    table = played(client, until_over=False)
    for query in ("", "?seat=0", "?seat=1"):
        for each in (client, Client(server)):
            answer = each.get(f"/api/tables/{table}/analysis{query}")
            assert (answer.status, answer.code) == (409, "match_not_over")
            assert set(answer.json) <= {"t", "code", "args", "id"}
    with client.socket(table, seat=0) as socket:
        assert socket.ask("resign")["t"] == "done"
    assert whole(client, table, 1)["end"]["chance"] == 1000


def test_it_is_kept_and_not_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with running(tmp_path) as server:
        client = Client(server)
        table = played(client)
        found = whole(client, table, 0)
    with running(tmp_path) as server:
        monkeypatch.setattr(analyses.Analysts, "_step", None)  # nothing can be made any more
        assert whole(Client(server), table, 0) == found
        database = sqlite3.connect(server.database)
        assert database.execute("SELECT table_id, seat FROM analyses").fetchall() == [(table, 0)]
        database.close()


def test_the_tables_go_first(server: Server) -> None:
    """What analyses is a process of its own, which the system prefers less than the server."""
    client = Client(server)
    whole(client, played(client), 0)
    assert server.house is not None
    number = server.house.analysts.beside.number
    assert number is not None
    assert number != os.getpid()
    if hasattr(os, "getpriority"):
        own, others = (os.getpriority(os.PRIO_PROCESS, each) for each in (0, number))
        assert others == min(own + analyst.NICE, 19)


def test_the_process_comes_and_goes(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends when there is nothing to do. When it is killed, what it did is done again, once."""
    client = Client(server)
    monkeypatch.setattr(analyses, "IDLE", 0.1)
    whole(client, played(client), 0)
    assert server.house is not None
    beside = server.house.analysts.beside
    while beside.number is not None:
        time.sleep(0.05)
    monkeypatch.undo()
    table = played(client)
    first = client.get(f"/api/tables/{table}/analysis?seat=1").json["decisions"]
    beside.kill()
    found = whole(client, table, 1)
    assert (found["state"], found["decisions"][: len(first)]) == ("done", first)
    assert len(found["decisions"]) == found["count"]
    monkeypatch.setattr(analyses, "MOST_ENDS", -1)
    beside.kill()
    answer = client.get(f"/api/tables/{played(client)}/analysis?seat=1")
    assert (answer.status, answer.code) == (500, "internal")


def test_it_runs_nothing_that_lies_where_the_server_was_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "random.py").write_text("raise SystemExit('a file of this name')", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with running(tmp_path) as server:
        client = Client(server)
        assert whole(client, played(client), 0)["state"] == "done"


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="a process cannot be stopped")
def test_a_process_that_hangs_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with running(tmp_path) as server:
        client = Client(server)
        table = played(client)
        whole(client, table, 0)
        assert server.house is not None
        beside = server.house.analysts.beside
        number = beside.number
        assert number is not None
        os.kill(number, signal.SIGSTOP)
        monkeypatch.setattr(analyses, "MOST_ENDS", 10**9)
        with monkeypatch.context() as impatient:
            impatient.setattr(analyses, "LATE", 0.1)
            client.get(f"/api/tables/{table}/analysis?seat=1")
        assert beside.number != number
        assert whole(client, table, 1)["state"] == "done"


def test_what_is_asked_wrongly_is_refused(server: Server) -> None:
    client = Client(server)
    table, _ = client.open("mm")
    for query, status, code in (
        ("?seat=2", 404, "no_such_seat"),
        ("?seat=x", 404, "no_such_seat"),
        ("?from=-1", 400, "bad_request"),
        ("", 409, "match_not_over"),
    ):
        answer = client.get(f"/api/tables/{table}/analysis{query}")
        assert (answer.status, answer.code) == (status, code)
    assert client.get("/api/tables/none/analysis").code == "no_such_table"


def test_nobody_begins_too_many(tmp_path: Path) -> None:
    with running(tmp_path, analyses_per_hour=1) as server:
        client = Client(server)
        table = played(client)
        whole(client, table, 0)
        whole(client, table, 0)  # it is kept
        answer = client.get(f"/api/tables/{table}/analysis?seat=1")
        assert (answer.status, answer.code) == (429, "too_many_analyses")


def test_it_rests_when_nobody_asks(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client(server)
    table = played(client)
    monkeypatch.setattr(analyses, "WANTED", -1.0)
    monkeypatch.setattr(analyses, "ANSWERED", 0.3)
    for _ in range(3):
        assert client.get(f"/api/tables/{table}/analysis").json["decisions"] == []
    monkeypatch.undo()
    assert whole(client, table, 0)["state"] == "done"


def test_who_waits_hears_that_the_server_stops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analyses.Analysts, "_step", lambda *_: asyncio.sleep(0.02))  # never done
    with running(tmp_path) as other:
        client = Client(other)
        table, heard = played(client), list[Answer]()
        path = f"/api/tables/{table}/analysis"
        asking = threading.Thread(target=lambda: heard.append(client.get(path)))
        asking.start()
        assert other.house is not None
        assert other.uvicorn is not None
        while (task := other.house.analysts._task) is None:
            time.sleep(0.01)
        app: Any = other.uvicorn.config.app
        task.get_loop().call_soon_threadsafe(app.state.close_sessions)
        asking.join()
        for answer in (heard[0], client.get(path)):
            assert (answer.status, answer.code) == (503, "shutting_down")
