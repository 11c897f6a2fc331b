"""Who may do what at a table, and that no secret is told before its time."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from brelan.server import fairness
from brelan.server.identity import COOKIE, Signer
from server_fixture import KEYS, Client, Server, running

STRANGERS = (
    "nobody",
    "another guest",
    "forged",
    "unsigned",
    "of a key that is gone",
    "a spectator",
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("rights")) as made:
        yield made


@pytest.fixture
def owner(server: Server) -> Client:
    client = Client(server)
    assert client.post("/api/me", {"name": "Ana"}).json == {"name": "Ana"}
    return client


def stranger(server: Server, kind: str, owner: Client) -> Client:
    """Return a client that claims to be somebody it is not."""
    assert owner.cookie is not None
    guest, _, signature = owner.cookie.rpartition(".")
    other = Client(server)
    if kind in ("another guest", "a spectator"):
        other.post("/api/me", {"name": "Eve"})
    cookies = {
        "forged": f"{guest}.{'A' * len(signature)}",
        "unsigned": guest,
        "of a key that is gone": Signer(["stolen"]).sign(guest),
    }
    other.cookie = cookies.get(kind, other.cookie)
    return other


def over(client: Client, table: str) -> None:
    """Bring a match to its end."""
    with client.socket(table, seat=0) as seat:
        assert seat.ask("resign")["t"] == "done"


# ---------------------------------------------------------------- seats


@pytest.mark.parametrize("kind", STRANGERS)
def test_a_stranger_cannot_have_a_seat(server: Server, owner: Client, kind: str) -> None:
    table, _ = owner.open("mm", options={"hints": True})
    other = stranger(server, kind, owner)
    with other.socket(table, seat=0) as seat:
        assert seat.receive()["code"] == "not_your_seat"
        assert seat.closed_with() == 4403
    for key in ("", "x", "0", table, "A" * 32):
        with other.socket(table, key=key) as seat:
            assert seat.receive()["code"] == "no_such_link"
            assert seat.closed_with() == 4403
    assert other.get(f"/api/tables/{table}").json["mine"] == []
    for asked in ("0", "1", "all"):
        refused = other.get(f"/api/tables/{table}/history?seat={asked}")
        assert (refused.status, refused.code) == (403, "match_not_over")
    before = server.rows()
    nonce = other.post(f"/api/tables/{table}/nonce", {"seat": 0, "nonce": "mine"})
    assert (nonce.status, nonce.code) == (403, "not_your_seat")
    assert other.post(f"/api/tables/{table}/rematch").code == "not_your_seat"
    assert other.get(f"/api/tables/{table}/export").code == "match_not_over"
    assert other.post(f"/api/tables/{table}/join", {"seat": 0}).code == "invitation_needed"
    assert all(each["table"] != table for each in other.get("/api/me").json["tables"])
    assert server.rows() == before


def test_a_spectator_can_only_watch(server: Server, owner: Client) -> None:
    table, _ = owner.open("mm", options={"hints": True})
    before = server.rows()
    with owner.socket(table) as spectator:  # although a seat is theirs
        assert spectator.receive()["t"] == "table"
        snapshot = spectator.receive()
        assert snapshot["legal"] == snapshot["words"] == []
        for kind, given in (
            ("move", {"ply": 0, "move": 0}),
            ("resign", {}),
            ("react", {"reaction": "oops"}),
            ("hint", {"ply": 0}),
        ):
            assert spectator.ask(kind, **given)["code"] == "no_seat"
        assert spectator.ask("sync", since=0)["t"] == "done"
        assert spectator.ask("ping")["t"] == "done"
    assert server.rows() == before


def test_a_seat_cannot_play_for_another(server: Server, owner: Client) -> None:
    table, _ = owner.open("mm", options={"hints": True})
    with owner.socket(table, seat=0) as first, owner.socket(table, seat=1) as second:
        shown = [first.until("snapshot"), second.until("snapshot")]
        turn = shown[0]["turn"]
        assert [bool(each["legal"]) for each in shown] == [turn == 0, turn == 1]
        legal, waiting = shown[turn]["legal"], (second, first)[turn]
        before = server.rows()
        for move in legal:
            assert waiting.ask("move", ply=0, move=move)["code"] == "not_your_turn"
        assert waiting.ask("hint", ply=0)["code"] == "behind"
        assert server.rows() == before


@pytest.mark.parametrize(("options", "code"), [({"hints": False}, "no_hints"), ({}, "no_hints")])
def test_hints_only_where_the_table_allows(owner: Client, options: Any, code: str) -> None:
    table, _ = owner.open("mm", options=options)
    with owner.socket(table, seat=0) as seat:
        assert seat.ask("hint", ply=0)["code"] == code


def test_spectators_only_where_the_table_allows(server: Server, owner: Client) -> None:
    table, _ = owner.open("mm", options={"spectators": "none"})
    other = stranger(server, "a spectator", owner)
    with other.socket(table) as spectator:
        assert spectator.receive()["code"] == "no_spectators"
        assert spectator.closed_with() == 4403
    assert other.get(f"/api/tables/{table}/history").code == "no_spectators"
    over(owner, table)
    assert other.get(f"/api/tables/{table}/history").status == 200


def test_delayed_spectators_are_behind(server: Server, owner: Client) -> None:
    """Also when the table is loaded anew, and in every answer."""
    delay = 3
    table, _ = owner.open("mm", options={"spectators": "delayed", "delay": delay})
    other = stranger(server, "a spectator", owner)

    def play(count: int) -> None:
        for _ in range(count):
            for number in (0, 1):
                with owner.socket(table, seat=number) as seat:
                    now = seat.until("snapshot")
                    if now["legal"]:
                        assert seat.ask("move", ply=now["ply"], move=now["legal"][0])["t"] == "done"
                        break

    play(delay + 1)
    assert server.house is not None
    for _ in range(2):
        with other.socket(table) as spectator:
            assert spectator.receive()["ply"] == 1
            assert spectator.receive()["ply"] == 1
            assert spectator.ask("sync", since=0)["t"] == "done"
        with other.socket(table, since=0) as spectator:
            assert spectator.until("event")["ply"] == 1
        assert other.get(f"/api/tables/{table}").json["ply"] == 1
        assert other.get(f"/api/tables/{table}/history").code == "no_spectators"
        server.house._tables.pop(table).close()  # as if nobody had looked at it for long
    with other.socket(table) as spectator:
        assert spectator.until("snapshot")["ply"] == 1
        play(1)
        event = spectator.until("event")
        assert event["ply"] == 2
        assert event["turn"] in (0, 1)
        over(owner, table)
        assert [spectator.until("event")["ply"] for _ in range(delay + 1)] == [3, 4, 5, 6]


def test_the_match_of_a_delayed_table_starts_at_once(server: Server, owner: Client) -> None:
    table, links = owner.open("mo", options={"spectators": "delayed"})
    with Client(server).socket(table) as spectator:
        assert spectator.receive()["status"] == "waiting"
        joined = Client(server).post(
            f"/api/tables/{table}/join", {"invitation": links["invitation 1"]}
        )
        assert joined.status == 200
        assert (spectator.until("event")["kind"]) == "start"
    with Client(server).socket(table) as spectator:
        assert spectator.until("snapshot")["ply"] == 0


def test_an_invitation_is_dead_once_it_is_taken(server: Server, owner: Client) -> None:
    table, links = owner.open("mo")
    invitation = links["invitation 1"]
    guests = [stranger(server, "another guest", owner) for _ in range(3)]
    found = guests[0].get(f"/api/invitations/{invitation}").json
    assert found == {"table": table, "seat": 1}
    other_table, _ = owner.open("mo")
    wrong = guests[0].post(f"/api/tables/{other_table}/join", {"invitation": invitation})
    assert (wrong.status, wrong.code) == (404, "no_such_invitation")
    taken = guests[0].post(f"/api/tables/{table}/join", {"invitation": invitation})
    assert taken.status == 200
    before = server.rows()
    for guest in guests:
        assert guest.get(f"/api/invitations/{invitation}").code == "no_such_invitation"
        again = guest.post(f"/api/tables/{table}/join", {"invitation": invitation})
        assert (again.status, again.code) == (404, "no_such_invitation")
    with guests[1].socket(table, key=invitation) as seat:  # an invitation is no link to a seat
        assert seat.receive()["code"] == "no_such_link"
    assert guests[1].post(f"/api/links/{invitation}").code == "no_such_link"
    assert server.rows() == before


def test_a_listed_seat_is_taken_once(server: Server, owner: Client) -> None:
    table, _ = owner.open("mo", options={"listed": True})
    assert table in [each["table"] for each in owner.get("/api/lobby").json]
    first, second = Client(server), Client(server)
    assert first.post(f"/api/tables/{table}/join", {"seat": 0}).code == "seat_taken"
    assert first.post(f"/api/tables/{table}/join", {"seat": 5}).code == "no_such_seat"
    assert first.post(f"/api/tables/{table}/join", {}).code == "invitation_needed"
    assert first.post(f"/api/tables/{table}/join", {"seat": 1}).status == 200
    before = server.rows()
    refused = second.post(f"/api/tables/{table}/join", {"seat": 1, "name": "Late"})
    assert (refused.status, refused.code) == (409, "seat_taken")
    assert refused.cookie is None
    assert server.rows() == before  # whoever is refused is not even met
    assert table not in [each["table"] for each in owner.get("/api/lobby").json]


def test_a_seat_leaves_with_its_link(server: Server, owner: Client) -> None:
    """Who claims a seat has it; the device that had it by its cookie has it no more."""
    table, links = owner.open("mm")
    phone = stranger(server, "another guest", owner)
    with owner.socket(table, seat=0) as old, owner.socket(table, key=links["seat 0"]) as linked:
        assert phone.post(f"/api/links/{links['seat 0']}").json == {"table": table, "seat": 0}
        assert old.until("error")["code"] == "not_your_seat"
        assert old.closed_with() == 4403
        assert linked.ask("ping")["t"] == "done"
    with owner.socket(table, seat=0) as old:
        assert old.receive()["code"] == "not_your_seat"
    with phone.socket(table, seat=0) as new:
        assert new.until("snapshot")["ply"] == 0
    assert phone.get(f"/api/tables/{table}").json["mine"] == [0]
    assert owner.get(f"/api/tables/{table}").json["mine"] == [1]


def test_a_link_leads_to_the_rematch_too(owner: Client) -> None:
    table, links = owner.open("mm")
    assert owner.post(f"/api/tables/{table}/rematch").code == "match_not_over"
    over(owner, table)
    following = owner.post(f"/api/tables/{table}/rematch").json["table"]
    for at, seat in ((table, 0), (following, 1)):
        with owner.socket(at, key=links["seat 0"]) as linked:
            assert linked.receive()["table"] == at
            assert linked.until("snapshot")["turn"] in (None, 0, 1)
        info = owner.get(f"/api/tables/{at}").json
        assert seat in info["mine"]
    claimed = owner.post(f"/api/links/{links['seat 0']}").json
    assert claimed == {"table": following, "seat": 1}


def test_a_bot_that_took_over_is_not_played_for(server: Server, owner: Client) -> None:
    clock = {"kind": "per_move", "seconds": 1}
    table, links = owner.open("mm", options={"clock": clock, "takeover": "random"})
    first, second = (owner.socket(table, key=links[f"seat {seat}"]) for seat in (0, 1))
    with first as one, second as two:
        late = (one, two)[one.until("snapshot")["turn"]]
        while late.until("event")["kind"] != "takeover":
            pass
        for kind, given in (("resign", {}), ("move", {"ply": 1, "move": 0})):
            assert late.ask(kind, **given)["code"] == "bot_plays"


def test_luck_is_added_before_the_deal_only(server: Server, owner: Client) -> None:
    table, links = owner.open("mo")
    assert owner.post(f"/api/tables/{table}/nonce", {"seat": 0, "nonce": "a"}).status == 200
    for seat in (1, 7):
        refused = owner.post(f"/api/tables/{table}/nonce", {"seat": seat, "nonce": "b"})
        assert refused.code == "not_your_seat"
    Client(server).post(f"/api/tables/{table}/join", {"invitation": links["invitation 1"]})
    late = owner.post(f"/api/tables/{table}/nonce", {"seat": 0, "nonce": "c"})
    assert (late.status, late.code) == (409, "already_dealt")
    assert owner.get(f"/api/tables/{table}").json["seats"][0]["nonce"] == "a"


# ---------------------------------------------------------------- origins and cookies


def test_foreign_pages_are_refused(server: Server, owner: Client) -> None:
    table, _ = owner.open("mm")
    own = f"http://127.0.0.1:{server.port}"
    before = server.rows()
    for origin in (
        "https://evil.example",
        "null",
        "",
        f"http://127.0.0.1:{server.port}.evil.example",
        f"http://127.0.0.1:{server.port}@evil.example",
        "http://[",
        "http://127.0.0.1:1",
    ):
        for path in ("/api/me", "/api/tables", f"/api/tables/{table}/rematch", "/api/verify"):
            refused = owner.post(path, {"name": "Eve"}, headers={"Origin": origin})
            assert (refused.status, refused.code) == (403, "foreign_origin"), origin
        with owner.socket(table, origin=origin, seat=0) as seat:
            assert seat.receive()["code"] == "foreign_origin"
            assert seat.closed_with() == 4403
    assert server.rows() == before
    assert owner.post("/api/me", {"name": "Ana"}, headers={"Origin": own}).status == 200
    with owner.socket(table, origin=own, seat=0) as seat:
        assert seat.until("snapshot")["ply"] == 0


def test_cookies_outlive_the_key_that_signed_them(server: Server, owner: Client) -> None:
    assert owner.cookie is not None
    guest = owner.cookie.rpartition(".")[0]
    table, _ = owner.open("mm")
    older = Client(server, Signer(KEYS[1:]).sign(guest))
    assert older.get(f"/api/tables/{table}").json["mine"] == [0, 1]
    answer = older.post("/api/me", {"name": "Ana"})
    assert answer.cookie == owner.cookie == Signer(KEYS).sign(guest)  # by the newest key again
    gone = Client(server, Signer(["gone", *KEYS]).sign(guest))
    assert gone.get(f"/api/tables/{table}").json["mine"] == []
    never_met = Client(server, Signer(KEYS).sign("x" * 16))
    assert never_met.get("/api/me").json == {"name": None, "tables": []}


def test_cookies_are_kept_from_scripts(owner: Client) -> None:
    (cookie,) = owner.post("/api/me", {"name": "Ana"}).headers.get_all("Set-Cookie")
    assert "httponly" in cookie.lower()
    assert "samesite=lax" in cookie.lower()


def test_every_answer_has_the_headers_of_security(owner: Client) -> None:
    for path in ("/healthz", "/api/lobby", "/api/tables/none", "/no/such/page"):
        headers = owner.get(path).headers
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"


# ---------------------------------------------------------------- secrets


def _secrets(database: Path) -> set[str]:
    """Return what nobody may be told: of guests their ids, of tables their secrets, keys."""
    with contextlib.closing(sqlite3.connect(database)) as rows:
        found = {guest for (guest,) in rows.execute("SELECT id FROM guests")}
        found |= {key for (key,) in rows.execute("SELECT key FROM keys")}
        for (secret,) in rows.execute("SELECT secret FROM tables WHERE status != 'over'"):
            found |= {secret.hex(), repr(secret)[2:-1]}
        for hashes in rows.execute("SELECT invitation, key FROM seats"):
            found |= {each for each in hashes if each is not None}
    return found


def test_no_answer_tells_a_secret(server: Server, owner: Client) -> None:
    table, links = owner.open("mmo", options={"listed": True})
    started, more = owner.open("mm", options={"hints": True})
    other = stranger(server, "another guest", owner)
    told = b""
    for client in (owner, other, Client(server)):
        for path in (
            "/api/me", "/api/lobby", "/api/games", "/metrics", "/readyz",
            *(f"/api/tables/{each}" for each in (table, started)),
            *(f"/api/tables/{each}/history{seat}" for each in (table, started)
              for seat in ("", "?seat=0", "?seat=all")),
            f"/api/tables/{started}/export",
        ):  # fmt: skip
            told += client.get(path).content
        for path, body in (
            (f"/api/tables/{started}/nonce", {"seat": 0, "nonce": "x"}),
            (f"/api/tables/{started}/rematch", None),
            (f"/api/tables/{started}/join", {"seat": 0}),
        ):
            told += client.post(path, body).content
        for query in ({}, {"seat": 0}):
            with client.socket(started, **query) as seat, contextlib.suppress(ConnectionClosed):
                for kind, given in (
                    ("hint", {"ply": 0, "level": "novice"}),
                    ("move", {"ply": 0, "move": 9999}),
                    ("ping", {}),
                ):
                    seat.send({"t": kind, "id": 1, **given})
                while (message := seat.receive())["t"] != "done":
                    told += json.dumps(message).encode()
    hidden = _secrets(server.database) | set(links.values()) | set(more.values())
    assert len(hidden) > 10
    for secret in hidden:
        assert secret.encode() not in told
    over(owner, started)
    info = other.get(f"/api/tables/{started}").json
    assert fairness.commitment(bytes.fromhex(info["secret"])) == info["commitment"]


def test_no_line_of_the_log_tells_a_secret(tmp_path: Path) -> None:
    """At the level that tells most, in a process of its own, with failures to tell of."""
    database = tmp_path / "log.db"
    program = (
        "from brelan.server import readiness, serving\n"
        "from brelan.server.settings import Settings\n"
        "readiness.Readiness._prepare_all = lambda self: None\n"
        "serving.serve(Settings.from_environment())\n"
    )
    with Server(tmp_path)._socket as free:
        port = free.getsockname()[1]
    environment = {
        **os.environ,
        "BRELAN_DATABASE": f"sqlite:///{database}",
        "BRELAN_PORT": str(port),
        "BRELAN_LOG_LEVEL": "debug",
    }
    errors = tmp_path / "errors.log"
    with errors.open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-c", program], env=environment, stderr=log, stdout=log
        )
    try:
        server = Server.__new__(Server)
        server.port, server.database = port, database
        client = Client(server)
        for _ in range(200):
            with contextlib.suppress(OSError):
                if client.get("/readyz").status == 200:
                    break
            time.sleep(0.1)
        client.post("/api/me", {"name": "Ana"})
        table, links = client.open("mo")
        joined = Client(server)
        joined.post(f"/api/tables/{table}/join", {"invitation": links["invitation 1"]})
        with client.socket(table, key=links["seat 0"]) as seat:
            seat.until("snapshot")
            seat.send("?")
            assert seat.until("error")["code"] == "bad_message"
        secrets = _secrets(database) | set(links.values()) | {client.cookie or "?"}
        with contextlib.closing(sqlite3.connect(database)) as rows:
            rows.execute("ALTER TABLE guests RENAME TO lost")
            rows.commit()
            for path in ("/api/me", "/api/lobby", f"/api/links/{links['seat 0']}"):
                client.ask("POST" if "links" in path else "GET", path)
            assert client.post("/api/me", {"name": "Bob"}).code == "database_unavailable"
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(20)
    told = errors.read_text()
    for secret in secrets:
        assert secret not in told
    assert not re.search(rf"{COOKIE}=|/api/links/[\w-]+", told)


def test_health_and_metrics_tell_of_nobody(server: Server, owner: Client) -> None:
    table, _ = owner.open("mm")
    told = owner.get("/metrics").content + owner.get("/readyz").content
    assert table.encode() not in told
    assert b"Ana" not in told


def test_a_socket_to_no_table_is_refused_with_a_code(server: Server, owner: Client) -> None:
    with owner.socket("nowhere") as seat:
        assert seat.receive()["code"] == "no_such_table"
        assert seat.closed_with() == 4404
    with pytest.raises(InvalidStatus), owner.socket("../../healthz"):
        pass
