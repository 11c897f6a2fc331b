"""Bad input: whatever comes, the answer is a code, nothing changes, and the server goes on."""

from __future__ import annotations

import json
import os
import random
import socket
import string
import struct
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed

import brelan
from brelan.engine import vocabulary
from brelan.server.messages import Commands, Join, NewTable, SetName, SetNonce
from brelan.server.thinking import check_bot
from brelan.suite.walk import variants
from server_fixture import Client, Server, running

LONG = 20 if os.environ.get("BRELAN_LONG") else 1
fuzz = settings(
    deadline=None,
    max_examples=60 * LONG,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
ACCEPTED = "accepted"  # what was asked for may be done


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("input")) as made:
        yield made


@pytest.fixture(scope="module")
def owner(server: Server) -> Client:
    client = Client(server)
    client.post("/api/me", {"name": "Ana"})
    return client


@pytest.fixture(scope="module")
def table(owner: Client) -> str:
    """A table at which nothing may be changed by bad input."""
    return owner.open("mm", options={"hints": True})[0]


@pytest.fixture(autouse=True)
def _goes_on(server: Server, table: str) -> Iterator[None]:
    """The server answers after each test, and the match stands where it stood."""
    yield
    assert Client(server).get("/healthz").json == {"status": "ok", "server": "brelan"}
    assert Client(server).get(f"/api/tables/{table}").json["ply"] == 0


# ---------------------------------------------------------------- what may be sent

texts = st.one_of(
    st.text(max_size=40),
    st.sampled_from(["", "\0", "a\0b", "a\n", "\x1b[31m", "\u202eevil", "x" * 100_000, "é" * 30,
                     "<b>Ana</b>", "../../etc/passwd", "%00", "0", "-1", "love-letter", "club",
                     "search:1s", "search:999999999", "'; DROP TABLE guests; --"]),
)  # fmt: skip
numbers = st.one_of(
    st.integers(-10, 10),
    st.sampled_from([2**15, 2**31, 2**53, 2**63, 2**64, -(2**63), 10**30, 10**400, 1e308, 0.5]),
)
anything = st.recursive(
    st.one_of(st.none(), st.booleans(), numbers, texts),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=8,
)
garbage = st.one_of(
    st.binary(max_size=200),
    st.sampled_from([
        b"", b"null", b"[]", b"{", b'"', b"{}" * 100, b"[" * 100_000, b'{"a":' * 50_000, b"\0",
        b"\xff\xfe", b'{"name":"\\ud800"}', b'{"name":"\xed\xa0\x80"}', b"1" * 5000, b"1e999999",
        b'{"t":"ping","id":' + b"9" * 5000 + b"}", b"-0", b"NaN", b'{"name":"a","name":"b"}',
        b" " * 900_000 + b"{}", b"x" * 1_100_000,
    ]),
)  # fmt: skip


def nearly(made: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Return messages of the schema, of which one field may be anything, or be missing."""

    @st.composite
    def spoilt(draw: Any) -> Any:
        message = dict(draw(made))
        if message and draw(st.booleans()):
            name = draw(st.sampled_from(sorted(message)))
            if draw(st.booleans()):
                message[name] = draw(anything)
            else:
                del message[name]
        elif draw(st.booleans()):
            message[draw(texts)] = draw(anything)
        return message

    return spoilt()


sittings = st.fixed_dictionaries(
    {"kind": st.sampled_from(["me", "open", "bot"])}, optional={"bot": texts, "name": texts}
)
clocks = st.fixed_dictionaries(
    {},
    optional={
        "kind": st.sampled_from(["none", "per_move", "total", "?"]),
        "seconds": numbers,
        "increment": numbers,
    },
)
options = st.fixed_dictionaries(
    {},
    optional={
        "clock": clocks,
        "spectators": st.sampled_from(["none", "public", "delayed", "all"]),
        "delay": numbers,
        "hints": anything,
        "takeover": texts,
        "listed": st.booleans(),
    },
)
knob_names = st.one_of(texts, st.sampled_from(["players", "spy_bonus", "favors_to_win"]))
new_tables = st.fixed_dictionaries(
    {
        "game": st.one_of(st.sampled_from(brelan.games()), texts),
        "seats": st.lists(sittings, max_size=10),
    },
    optional={
        "knobs": st.dictionaries(knob_names, st.one_of(numbers, texts), max_size=3),
        "preset": texts,
        "options": options,
        "name": texts,
    },
)
BODIES: dict[str, tuple[type, st.SearchStrategy[Any]]] = {
    "/api/me": (SetName, st.fixed_dictionaries({"name": texts})),
    "/api/tables": (NewTable, new_tables),
    "/api/tables/{table}/join": (
        Join,
        st.fixed_dictionaries({}, optional={"invitation": texts, "seat": numbers, "name": texts}),
    ),
    "/api/tables/{table}/nonce": (
        SetNonce,
        st.fixed_dictionaries({"seat": numbers, "nonce": texts}),
    ),
    "/api/tables/{table}/rematch": (dict, st.just({})),
    "/api/links/{table}": (dict, st.just({})),
    "/api/verify": (
        dict,
        st.fixed_dictionaries({
            "brelan_match": st.sampled_from([1, 2, 3]), "table": texts, "rules": numbers,
            "game": st.one_of(st.sampled_from(brelan.games()), texts),
            "knobs": st.dictionaries(knob_names, st.one_of(numbers, texts), max_size=2),
            "names": st.lists(texts, max_size=3), "commitment": texts, "secret": texts,
            "nonces": st.dictionaries(texts, texts, max_size=2),
            "events": st.lists(st.fixed_dictionaries(
                {"kind": st.sampled_from(["move", "resign", "timeout", "takeover", "?"]),
                 "seat": numbers, "number": numbers}), max_size=3),
            "result": anything,
        }),
    ),
}  # fmt: skip


def check(answer: Any, *, may_pass: bool) -> None:
    """An answer is a refusal with a code, or what was asked for if that may be."""
    assert answer.status < 500, answer.content
    if answer.status >= 400:
        assert answer.code, answer.content
        assert len(answer.content) < 2000, "it says back whatever it was told"
    else:
        assert may_pass, answer.content


# ---------------------------------------------------------------- requests


@fuzz
@given(st.sampled_from(sorted(BODIES)), garbage)
def test_garbage_in_a_body(server: Server, table: str, path: str, content: bytes) -> None:
    before = server.rows()
    answer = Client(server).post(path.format(table=table), content)
    assert answer.status < 500, answer.content
    if path == "/api/verify" and answer.status == 200:
        assert answer.json["verified"] is False
    elif content != b'{"name":"a","name":"b"}':
        check(answer, may_pass=False)
        assert server.rows() == before


@pytest.mark.parametrize("path", sorted(BODIES))
def test_bodies_of_nearly_the_schema(server: Server, owner: Client, table: str, path: str) -> None:
    made = BODIES[path][1]

    @settings(fuzz, max_examples=25 * LONG if path != "/api/tables" else 80 * LONG)
    @given(nearly(made), st.booleans())
    def run(message: Any, is_known: bool) -> None:
        client = Client(server, owner.cookie if is_known else None)
        before = server.rows()
        answer = client.post(path.format(table=table), message)
        check(answer, may_pass=True)
        if answer.status >= 400:
            assert server.rows() == before
        for row in (row for rows in server.rows().values() for row in rows):
            assert not any(isinstance(each, str) and "\0" in each for each in row)

    run()


PATHS = (
    "/api/games/{}/vocabulary", "/api/texts/{}", "/api/rules/{}/en", "/api/rules/love-letter/{}",
    "/api/tables/{}", "/api/tables/{}/history", "/api/tables/{}/export", "/api/invitations/{}",
    "/{}", "/api/{}",
)  # fmt: skip
QUERIES = (
    "/api/tables/{table}/history?seat={}", "/api/games/love-letter/vocabulary?players={}",
    "/api/games/love-letter/vocabulary?{}=1", "/api/tables/{table}/history?{}",
)  # fmt: skip
parts = st.one_of(
    texts.map(lambda text: quote(text[:20_000], safe="")),
    st.sampled_from(["%00", "a%00b", "%ff%fe", "%", "%zz", "..%2f..%2fetc", "9" * 5000, "٣", "²"])
    .map(lambda text: quote(text, safe="%")),
    st.text(string.printable, max_size=20).map(lambda text: quote(text, safe="/?&=%;")),
)  # fmt: skip


@fuzz
@given(st.sampled_from(PATHS + QUERIES), parts, st.sampled_from(["GET", "POST", "HEAD", "PUT"]))
def test_odd_paths_and_queries(
    server: Server, table: str, path: str, part: str, method: str
) -> None:
    before = server.rows()
    answer = Client(server).ask(method, path.replace("{}", part).format(table=table))
    assert answer.status < 500, answer.content
    if method != "HEAD" and answer.status >= 400:
        assert answer.code, answer.content
    assert server.rows() == before


@pytest.mark.parametrize(
    "seat", ["9" * 4500, "٣", "²", "-1", "2", "1.0", " 1", "all ", "%00", "a" * 4000]
)
def test_there_is_no_such_seat(server: Server, owner: Client, table: str, seat: str) -> None:
    path = f"/api/tables/{table}/history?seat={quote(seat, safe='%')}"
    assert (owner.get(path).status, owner.get(path).code) == (404, "no_such_seat")
    with owner.socket(table, seat=seat.replace("%00", "\0")) as made:
        assert made.receive()["code"] == "no_such_seat"


def test_a_handshake_that_is_too_long_is_refused(server: Server, table: str) -> None:
    received = server.raw(
        f"GET /api/tables/{table}/socket?key={'a' * 9000} HTTP/1.1\r\nHost: x\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
    )
    assert received.startswith(b"HTTP/1.1 400")
    assert b'"code":"bad_request"' in received


@pytest.mark.parametrize("since", ["9" * 5000, "٣", "²", "-1", "1.0", "", "\0", "4294967296"])
def test_odd_plies_to_go_on_from(owner: Client, table: str, since: str) -> None:
    with owner.socket(table, seat=0, since=since) as made:
        assert made.until("snapshot")["ply"] == 0


BAD_NAMES = ("", "x" * 31, "a\0", "\0", "a\nb", "a\n", "\x1b[2J", "a\x7f", "a\x85", "\u202eana",
             "a\u2028", "\ufeff", 1, None, ["a"], {"a": 1}, True)  # fmt: skip


@pytest.mark.parametrize("name", BAD_NAMES)
def test_bad_names_are_refused(server: Server, owner: Client, table: str, name: Any) -> None:
    before = server.rows()
    assert owner.post("/api/me", {"name": name}).code == "bad_request"
    if name is not None:
        wanted = {"game": "love-letter", "seats": [{"kind": "me"}, {"kind": "me", "name": name}]}
        assert owner.post("/api/tables", wanted).code == "bad_request"
        assert owner.post(f"/api/tables/{table}/join", {"name": name}).code == "bad_request"
    if not (isinstance(name, str) and len(name) == 31):
        nonce = {"seat": 0, "nonce": name}
        assert owner.post(f"/api/tables/{table}/nonce", nonce).code == "bad_request"
    assert server.rows() == before


@pytest.mark.parametrize("name", ["Zoë", "<b>Ana</b>", "李", "a b", "O'Neil; --", "🂡", "x" * 30])
def test_other_names_are_kept_as_they_are(server: Server, name: str) -> None:
    client = Client(server)
    assert client.post("/api/me", {"name": name}).json == {"name": name}
    assert client.get("/api/me").json["name"] == name


ME: dict[str, Any] = {"kind": "me"}
BAD_TABLES: list[tuple[dict[str, Any], str]] = [
    ({"game": "chess"}, "no_such_game"),
    ({"game": "/tmp"}, "bad_request"),  # noqa: S108
    ({"game": "love-letter\n"}, "bad_request"),
    ({"game": "x" * 41}, "bad_request"),
    ({"seats": []}, "bad_request"),
    ({"seats": [ME] * 9}, "bad_request"),
    ({"seats": [ME] * 8}, "bad_variant"),
    ({"seats": [ME]}, "bad_variant"),
    ({"knobs": {"players": 3}}, "bad_seats"),
    ({"knobs": {"players": "many"}}, "bad_variant"),
    ({"knobs": {"nonsense": 1}}, "bad_variant"),
    ({"knobs": {"spy_bonus": 10**30}}, "bad_variant"),
    ({"knobs": {"spy_bonus": "\0"}}, "bad_variant"),
    ({"knobs": {"x" * 100_000: 1}}, "bad_variant"),
    ({"preset": "nonsense"}, "bad_variant"),
    ({"seats": [ME, {"kind": "bot", "bot": "nobody"}]}, "bad_bot"),
    ({"seats": [ME, {"kind": "bot", "bot": "/bin/sh"}]}, "bad_bot"),
    ({"seats": [ME, {"kind": "bot", "bot": "os:system"}]}, "bad_bot"),
    ({"seats": [ME, {"kind": "bot", "bot": "search:999999999"}]}, "bad_bot"),
    ({"seats": [ME, {"kind": "bot", "bot": "search:900s"}]}, "bad_bot"),
    ({"seats": [ME, {"kind": "bot", "bot": "search:1s+threads=64"}]}, "bad_bot"),
    ({"seats": [ME, {"kind": "bot", "bot": "search:\0"}]}, "bad_bot"),
    ({"options": {"takeover": "nobody"}}, "bad_bot"),
    ({"options": {"takeover": "search:900s"}}, "bad_bot"),
    ({"options": {"clock": {"seconds": 0}}}, "bad_request"),
    ({"options": {"clock": {"seconds": 1e300}}}, "bad_request"),
    ({"options": {"delay": 0}}, "bad_request"),
    ({"options": {"more": 1}}, "bad_request"),
    ({"more": 1}, "bad_request"),
]


@pytest.mark.parametrize(("part", "code"), BAD_TABLES)
def test_bad_tables_are_refused(server: Server, part: dict[str, Any], code: str) -> None:
    before = server.rows()
    wanted = {"game": "love-letter", "seats": [ME, ME], "name": "Somebody", **part}
    answer = Client(server).post("/api/tables", wanted)
    check(answer, may_pass=False)
    assert answer.code == code
    assert answer.cookie is None
    assert server.rows() == before


def test_bots_that_may_sit_at_a_table() -> None:
    game = brelan.game("love-letter", players=2)
    for name in ("club", "random", "search:2s", "search:5000", "search:expert+temperature=0.3"):
        assert check_bot(name, game) == name


@pytest.mark.parametrize("change", [
    {"nonces": {"-1": "x"}}, {"nonces": {"70000": "x"}}, {"nonces": {"0": "x" * 70_000}},
    {"nonces": {"x": "x"}}, {"game": "."}, {"game": "/"}, {"game": "\0"}, {"secret": "zz"},
    {"events": [{"kind": "resign", "seat": 99}]}, {"events": [{"kind": "move", "seat": 0}]},
    {"events": [{"kind": "takeover", "seat": 0}] * 5}, {"knobs": {"players": 10**30}},
    {"rules": 0}, {"brelan_match": 1}, {"result": [[], [], ""]}, {"seal": "0" * 64},
])  # fmt: skip
def test_a_false_match_is_not_verified(owner: Client, change: dict[str, Any]) -> None:
    table, _ = owner.open("mm")
    with owner.socket(table, seat=0) as seat:
        assert seat.ask("resign")["t"] == "done"
    file = owner.get(f"/api/tables/{table}/export").json
    assert owner.post("/api/verify", file).json["verified"] is True
    answer = owner.post("/api/verify", file | change)
    assert answer.status == 200, answer.content
    assert answer.json["verified"] is False
    assert len(answer.content) < 2000


def test_a_path_in_a_false_match_runs_nothing(owner: Client, tmp_path: Any) -> None:
    """A folder of the server's machine that is named as the game is not opened, nor looked for."""
    table, _ = owner.open("mm")
    with owner.socket(table, seat=0) as seat:
        seat.ask("resign")
    file = owner.get(f"/api/tables/{table}/export").json
    trap = tmp_path / "trap"
    trap.mkdir()
    parts = ("__init__", "rules", "state", "imagine", "cards", "story", "bots", "metrics")
    for part in parts:
        (trap / f"{part}.py").write_text(f"open({str(tmp_path / 'sprung')!r}, 'w')\n")
    assert owner.post("/api/verify", file | {"game": str(trap)}).json["verified"] is False
    assert not (tmp_path / "sprung").exists()


def test_many_vocabularies_keep_neither_the_loop_nor_memory(owner: Client) -> None:
    """Each variant has its own, which anybody may ask for."""
    game = brelan.game("love-letter")
    before = len(vocabulary._known)
    for variant in variants(game, random.Random(1)):
        query = urlencode(variant.knobs)
        found = owner.get(f"/api/games/love-letter/vocabulary?{query}").json
        assert found["variant"] == variant.variant
    assert len(vocabulary._known) > before
    for number in range(2 * vocabulary.MOST_KNOWN):
        game.__dict__["variant"] = f"variant {number}"
        vocabulary.wordings(game)
    assert len(vocabulary._known) == vocabulary.MOST_KNOWN


def test_too_much_is_refused(server: Server, owner: Client, table: str) -> None:
    before = server.rows()
    for path in ("/api/me", "/api/tables", "/api/verify", f"/api/tables/{table}/join"):
        answer = owner.post(path, b" " * 1_000_001)
        assert (answer.status, answer.code) == (413, "too_large")
    assert server.rows() == before


# ---------------------------------------------------------------- bytes that are no requests

BROKEN = [
    b"\0" * 1000,
    b"GET / HTTP/9.9\r\n\r\n",
    b"GET  \r\n\r\n",
    b"POST /api/me HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{",
    b"POST /api/me HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n{}",
    b"POST /api/me HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n{}",
    b"POST /api/me HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n",
    b"POST /api/me HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{}",
    b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n\x16\x03\x01\x02\x00 garbage",
    b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET /\xff HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /api/me HTTP/1.1\r\nHost: x\r\nCookie: brelan_guest=\xff\xfe.\xff; =; ;;\r\n\r\n",
    b"GET /api/me HTTP/1.1\r\nHost: x\r\nCookie: " + b"a" * 60_000 + b"\r\n\r\n",
    b"POST /api/me HTTP/1.1\r\nHost: x\r\nOrigin: http://[\r\nContent-Length: 2\r\n\r\n{}",
    b"GET /" + b"a" * 60_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /api/tables/x/socket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n"
    b"Connection: Upgrade\r\n\r\n",
    b"GET /api/tables/x/socket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 99\r\nSec-WebSocket-Key: x\r\n\r\n",
    b"GET /api/me HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
]


@pytest.mark.parametrize("half_close", [False, True])
@pytest.mark.parametrize("number", range(len(BROKEN)))
def test_broken_connections(server: Server, number: int, half_close: bool) -> None:
    before = server.rows()
    received = server.raw(BROKEN[number], half_close=half_close)
    assert b"HTTP/1.1 5" not in received, received
    assert server.rows() == before


@settings(fuzz, max_examples=12 * LONG)
@given(st.lists(st.one_of(st.binary(max_size=100), st.sampled_from(
    [b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", b"\r\n", b"POST /api/me HTTP/1.1\r\n"])),
    max_size=5))  # fmt: skip
def test_pipelined_garbage(server: Server, content: list[bytes]) -> None:
    assert b"HTTP/1.1 5" not in server.raw(b"".join(content), half_close=True)


# ---------------------------------------------------------------- sockets

commands = st.one_of(
    st.fixed_dictionaries({"t": st.just("move"), "id": numbers, "ply": numbers, "move": numbers}),
    st.fixed_dictionaries({"t": st.just("react"), "id": numbers, "reaction": texts}),
    st.fixed_dictionaries({"t": st.just("hint"), "id": numbers, "ply": numbers, "level": texts}),
    st.fixed_dictionaries({"t": st.just("sync"), "id": numbers, "since": numbers}),
    st.fixed_dictionaries({"t": st.just("ping"), "id": numbers}),
    st.fixed_dictionaries({"t": texts, "id": numbers}),
)


def test_the_fuzz_knows_every_command() -> None:
    known = {"move", "react", "hint", "sync", "ping", "resign"}  # the last is always legal
    assert {each.__struct_config__.tag for each in Commands.__args__} >= known  # type: ignore[attr-defined]


def _answers(client: Client, table: str, query: dict[str, Any], sent: list[Any]) -> list[Any]:
    """Return what comes back on a socket for messages, each of which must be answered."""
    got = []
    with client.socket(table, **query) as made:
        for message in sent:
            made.send(message)
        made.send({"t": "ping", "id": 2**53 - 1})
        while (message := made.receive()).get("id") != 2**53 - 1:
            got.append(message)
    return got


@fuzz
@given(st.lists(st.one_of(nearly(commands), anything), max_size=6), st.booleans())
def test_messages_of_nearly_the_schema(
    server: Server, owner: Client, table: str, sent: list[Any], is_seat: bool
) -> None:
    before = server.rows()
    small = [
        text for text in map(json.dumps, sent) if len(text) < 4000 and '"reaction"' not in text
    ]
    got = _answers(owner, table, {"seat": 0} if is_seat else {}, small)
    answers = [each for each in got if each["t"] in ("done", "error")]
    assert len(answers) == len(small)
    assert all(each["code"] for each in answers if each["t"] == "error")
    assert all(len(json.dumps(each)) < 2000 for each in answers)
    assert server.rows() == before


@fuzz
@given(st.lists(garbage.filter(lambda content: len(content) <= 4096), max_size=4), st.booleans())
def test_binary_garbage_on_a_socket(
    server: Server, owner: Client, table: str, sent: list[bytes], is_seat: bool
) -> None:
    before = server.rows()
    got = _answers(owner, table, {"seat": 0} if is_seat else {}, sent)
    assert [each["code"] for each in got if each["t"] == "error"] == ["bad_message"] * len(sent)
    assert server.rows() == before


def test_a_message_that_is_too_long_ends_the_socket(owner: Client, table: str) -> None:
    with owner.socket(table, seat=0) as made:
        made.send(" " * 4097)
        assert made.closed_with() == 1009
    with owner.socket(table, seat=0) as made:
        made.send(" " * 4096)
        assert made.until("error")["code"] == "bad_message"


def test_too_many_messages_end_the_socket(tmp_path: Any) -> None:
    with running(tmp_path, messages_per_second=2.0) as server:
        client = Client(server)
        table, _ = client.open()
        with client.socket(table, seat=0) as made:
            for number in range(11):
                made.send({"t": "ping", "id": number})
            assert made.until("error")["code"] == "too_many_messages"
            assert made.closed_with() == 4029


def test_too_many_tables_are_refused(tmp_path: Any) -> None:
    """To one guest, and to an address that is a new guest each time."""
    with running(tmp_path, tables_per_hour=3) as server:
        wanted = {"game": "love-letter", "seats": [ME, ME]}
        client = Client(server)
        client.post("/api/me", {"name": "Ana"})
        codes = [client.post("/api/tables", wanted).code for _ in range(4)]
        assert codes == [None, None, None, "too_many_tables"]
        for _ in range(20):
            client = Client(server)
            client.post("/api/me", {"name": "Eve"})
            client.post("/api/tables", wanted)
        assert len(server.rows()["tables"]) == 15


def test_too_many_requests_are_refused(tmp_path: Any) -> None:
    with running(tmp_path, requests_per_second=0.8, sockets_per_guest=2) as server:
        client = Client(server)
        table, _ = client.open()
        with client.socket(table) as first, client.socket(table) as second:
            with client.socket(table) as third:
                assert third.receive()["code"] == "too_many_sockets"
            assert first.ask("ping")["t"] == second.ask("ping")["t"] == "done"
        answers = [client.get("/api/lobby") for _ in range(8)]
        assert (answers[-1].status, answers[-1].code) == (429, "too_many_requests")
        with client.socket(table) as refused:
            assert refused.receive()["code"] == "too_many_requests"
            assert refused.closed_with() == 4429


def _frame(opcode: int, content: bytes, *, is_masked: bool = True, fin: bool = True) -> bytes:
    head = bytes([(0x80 if fin else 0) | opcode])
    if len(content) < 126:
        head += bytes([(0x80 if is_masked else 0) | len(content)])
    else:
        head += bytes([(0x80 if is_masked else 0) | 126]) + struct.pack(">H", len(content))
    return head + (b"\0\0\0\0" if is_masked else b"") + content


FRAMES = {
    "invalid UTF-8": _frame(1, b"\xff\xfe"),
    "half a character": _frame(1, b'{"t":"ping","id":1}\xe2\x82'),
    "unmasked": _frame(1, b"{}", is_masked=False),
    "of an unknown kind": _frame(7, b"{}"),
    "a continuation of nothing": _frame(0, b"{}"),
    "a long ping": _frame(9, b"x" * 200),
    "a huge length": bytes([0x81, 0xFF]) + b"\xff" * 8 + b"\0\0\0\0",
    "half a frame": _frame(1, b'{"t":"ping","id":1}')[:10],
    "without an end": _frame(1, b"{", fin=False) * 20,
    "pieces that are too long": _frame(1, b" " * 4000, fin=False) + _frame(0, b" " * 4000),
    "a strange close": _frame(8, b"\0"),
    "text after the close": _frame(8, struct.pack(">H", 1000)) + _frame(1, b"{}"),
    "no frame": b"GET / HTTP/1.1\r\n\r\n",
    "resigned, half-closed": _frame(1, b'{"t":"resign","id":"x"}'),
}


@pytest.mark.parametrize("name", FRAMES)
@pytest.mark.parametrize("is_half_closed", [False, True])
def test_broken_frames(
    server: Server, owner: Client, table: str, name: str, is_half_closed: bool
) -> None:
    before = server.rows()
    request = (
        f"GET /api/tables/{table}/socket?seat=0 HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        f"Cookie: brelan_guest={owner.cookie}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as made:
        made.sendall(request.encode())
        assert made.recv(65536).startswith(b"HTTP/1.1 101")
        made.sendall(FRAMES[name])
        if is_half_closed:
            made.shutdown(socket.SHUT_WR)
        made.settimeout(0.1)
        try:
            while made.recv(65536):
                pass
        except OSError:
            pass
    assert server.rows() == before
    with owner.socket(table, seat=0) as other:
        assert other.ask("ping")["t"] == "done"


def test_clients_that_are_gone_leave_nothing(server: Server, owner: Client, table: str) -> None:
    for _ in range(20):
        with socket.create_connection(("127.0.0.1", server.port)) as made:
            made.sendall(
                f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n"
                "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
            )
            made.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    with owner.socket(table, seat=0) as made:
        for _ in range(100):
            made.ask("ping")
            assert server.house is not None
            if server.house.sockets == 1:
                break
        assert server.house.sockets == 1


def test_a_seat_that_asks_twice_is_answered_twice(owner: Client) -> None:
    """On two devices: the first question is given up, its socket is not."""
    table, _ = owner.open("mm", options={"hints": True})
    with owner.socket(table, seat=0) as first, owner.socket(table, seat=1) as second:
        turn = first.until("snapshot")["turn"]
        del second
        with owner.socket(table, seat=turn) as one, owner.socket(table, seat=turn) as two:
            for made in (one, two, one, two):
                made.send({"t": "hint", "id": 1, "ply": 0, "level": "expert"})
            answers = []
            for made in (one, two, one, two):
                while (message := made.receive()).get("id") != 1:
                    pass
                answers.append(message)
            assert {each["t"] for each in answers} <= {"hint", "error"}
            assert "hint" in {each["t"] for each in answers}
            for each in answers:
                assert each["t"] == "hint" or each["code"] == "behind"
            try:
                assert one.ask("ping")["t"] == two.ask("ping")["t"] == "done"
            except ConnectionClosed as error:
                raise AssertionError("a socket was closed") from error
