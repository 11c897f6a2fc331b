"""Operation: settings and their page, metrics, logs, headers, cookies, a graceful end."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.requests import HTTPConnection
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

import brelan
from brelan.server import logs, settings
from brelan.server.app import make_app
from brelan.server.database import open_store
from brelan.server.house import House
from brelan.server.identity import Signer
from brelan.server.metrics import Histogram
from brelan.server.security import is_own_origin, is_within
from brelan.server.settings import PREFIX, Settings

PAGE = Path(__file__).parents[1] / "docs" / "operate.md"
SAMPLE = re.compile(r'([a-z_]+)(?:\{([a-z]+)="([^"\\]*)"\})? (\S+)')


# ---------------------------------------------------------------- settings


def test_the_page_lists_all_settings() -> None:
    """To mend it: write what `settings.table()` returns between the two marks."""
    text = PAGE.read_text(encoding="utf-8")
    listed = text.partition("<!-- settings -->\n")[2].partition("<!-- /settings -->")[0]
    assert listed == settings.table()
    named = set(re.findall(r"BRELAN_[A-Z_]+", text)) - {"BRELAN_CACHE", "BRELAN_GAMES"}
    assert named == {PREFIX + each.name.upper() for each in fields(Settings)}


def test_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("PORT", "99"), ("KEYS", "new, old,"), ("SECURE_COOKIES", "yes")):
        monkeypatch.setenv(PREFIX + name, value)
    found = Settings.from_environment(host="::1", port=None)
    assert (found.host, found.port, found.keys) == ("::1", 99, ("new", "old"))
    assert found.secure_cookies
    assert Settings.from_environment(port=7).port == 7


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "eighty"),
        ("PORT", "70000"),
        ("THINKERS", "0"),
        ("SECURE_COOKIES", "maybe"),
        ("REQUESTS_PER_SECOND", "-1.0"),
        ("REQUESTS_PER_SECOND", "nan"),
        ("LOG_LEVEL", "loud"),
    ],
)
def test_wrong_settings_are_refused(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(PREFIX + name, value)
    with pytest.raises(brelan.Refused, match=f"{PREFIX}{name}={value} is not allowed"):
        Settings.from_environment()


# ---------------------------------------------------------------- metrics


def parsed(text: str) -> dict[str, dict[tuple[str, str], float]]:
    """Return the samples of the text format by metric, or fail where it is not valid."""
    found: dict[str, dict[tuple[str, str], float]] = {}
    types: dict[str, str] = {}
    helped: set[str] = set()
    assert text.endswith("\n")
    for line in text.splitlines():
        if line.startswith("# HELP "):
            name, what = line.removeprefix("# HELP ").split(" ", 1)
            assert what
            assert name not in helped
            helped.add(name)
        elif line.startswith("# TYPE "):
            name, kind = line.removeprefix("# TYPE ").split(" ")
            assert name in helped
            assert name not in types
            types[name] = kind
        else:
            match = SAMPLE.fullmatch(line)
            assert match, line
            name, label, value, number = match.groups()
            family = name
            if name not in types:
                family = re.sub("_(bucket|sum|count)$", "", name)
                assert types[family] == "histogram"
            assert family == list(types)[-1]  # samples follow their type
            assert types[family] != "counter" or name.endswith("_total")
            key = (label or "", value or "")
            assert key not in found.setdefault(name, {})
            found[name][key] = float(number)
    for family in (name for name, kind in types.items() if kind == "histogram"):
        counts = list(found[f"{family}_bucket"].values())
        assert counts == sorted(counts)
        assert counts[-1] == found[f"{family}_count"]["", ""]
    return found


def test_a_histogram_counts_into_buckets() -> None:
    histogram = Histogram((1.0, 2.0))
    for value in (0.5, 1.0, 1.5, 99.0):
        histogram.observe(value)
    assert list(histogram.lines("x")) == [
        'x_bucket{le="1"} 2',
        'x_bucket{le="2"} 3',
        'x_bucket{le="+Inf"} 4',
        "x_sum 102.000000",
        "x_count 4",
    ]


def at(path: Path, test: Any, **given: Any) -> None:
    async def run() -> None:
        chosen = Settings(database=f"sqlite:///{path / 'x.db'}", **given)
        store, keys = await open_store(chosen)
        app = make_app(chosen, Signer(chosen.keys or keys), store)
        house: House = app.state.house
        try:
            async with asyncio.timeout(30):
                await test(app, house)
        finally:
            await house.close()

    asyncio.run(run())


def client(app: Any, address: str = "127.0.0.1", base: str = "http://house") -> httpx.AsyncClient:
    transport = httpx.ASGITransport(app=app, client=(address, 9))
    return httpx.AsyncClient(transport=transport, base_url=base)


def test_metrics_are_valid_and_listed(tmp_path: Path) -> None:
    async def test(app: Any, house: House) -> None:
        asks = client(app)
        seats = [{"kind": "me"}, {"kind": "me"}]
        body = {"game": "love-letter", "seats": seats}
        table = await house.table((await asks.post("/api/tables", json=body)).json()["table"])
        await table.resign(0)
        await asks.get("/api/tables/nothing")
        found = parsed((await asks.get("/metrics")).text)
        assert found["brelan_events_total"] == {("kind", "resign"): 1}
        assert found["brelan_errors_total"] == {("code", "no_such_table"): 1}
        assert found["brelan_stored_seconds_count"]["", ""] == 1
        assert found["brelan_tables_loaded"]["", ""] == 1
        page = PAGE.read_text(encoding="utf-8")
        names = {re.sub("_(bucket|sum|count)$", "", name) for name in found}
        assert all(f"`{name}" in page for name in names), names
        assert (await client(app, "192.0.2.1").get("/metrics")).status_code == 403

    at(tmp_path, test)


def test_networks() -> None:
    inside = ("127.0.0.0/8", "::1", "10.0.0.0/8")
    assert all(is_within(each, inside) for each in ("127.0.0.1", "::1", "10.9.8.7"))
    assert not any(is_within(each, inside) for each in ("192.0.2.1", "::2", "?", ""))


# ---------------------------------------------------------------- logs


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logs.JsonFormatter())
    logger = logging.getLogger("brelan.test")
    logger.addHandler(handler)
    logger.propagate = False
    yield stream
    logger.removeHandler(handler)


def test_a_log_is_json_without_secrets(written: io.StringIO) -> None:
    logger = logging.getLogger("brelan.test")
    logger.warning('it said "no"\nand left \\ é')
    try:
        raise ValueError("GET /api/tables/x/socket?key=SECRET&since=3 HTTP/1.1")
    except ValueError:
        logger.exception("POST /api/links/SECRET brelan_guest=SECRET; a")
    logger.error("postgresql://brelan:SECRET@localhost/brelan /api/invitations/SECRET")
    lines = written.getvalue().splitlines()
    assert len(lines) == 3
    first, second, third = map(json.loads, lines)
    assert first["message"] == 'it said "no"\nand left \\ é'
    assert (first["level"], first["logger"]) == ("warning", "brelan.test")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", first["time"])
    assert "ValueError" in second["error"]
    assert "SECRET" not in json.dumps([second, third])
    assert third["message"] == "postgresql://brelan:…@localhost/brelan /api/invitations/…"


# ---------------------------------------------------------------- headers, origins, cookies


def test_texts_of_one_game(tmp_path: Path) -> None:
    async def test(app: Any, house: House) -> None:
        asks = client(app)
        every = (await asks.get("/api/texts/fr")).json()
        one = (await asks.get("/api/texts/fr", params={"game": "love-letter"})).json()
        assert one == {"love-letter": every["love-letter"]}
        refused = await asks.get("/api/texts/fr", params={"game": "chess"})
        assert (refused.status_code, refused.json()["code"]) == (404, "no_such_game")

    at(tmp_path, test)


def test_answers_carry_headers(tmp_path: Path) -> None:
    async def test(app: Any, house: House) -> None:
        asks = client(app, base="https://house")
        answer = await asks.post("/api/me", json={"name": "Ana"})
        assert answer.headers["content-security-policy"].startswith("default-src 'none'; frame")
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["strict-transport-security"].startswith("max-age=")
        cookie = answer.headers["set-cookie"]
        assert cookie.startswith("__Host-brelan_guest=")
        for part in ("HttpOnly", "Secure", "SameSite=lax", "Path=/"):
            assert part in cookie
        assert "domain" not in cookie.lower()
        kept = (await asks.get("/api/games")).headers
        assert kept["cache-control"] == "no-cache"
        assert kept["content-encoding"] == "gzip"
        again = await asks.get("/api/games", headers={"if-none-match": kept["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert (await asks.get("/nothing")).headers["x-content-type-options"] == "nosniff"
        page = (await asks.get("/")).headers
        assert page["content-type"].startswith("text/html")
        policy = page["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self';")
        assert page["x-content-type-options"] == "nosniff"

    at(tmp_path, test, secure_cookies=True)


@pytest.mark.parametrize(
    ("origin", "is_secure", "expected"),
    [
        (None, True, True),
        ("https://house", True, True),
        ("http://house", False, True),
        ("http://house", True, False),
        ("https://house:444", True, False),
        ("https://house.evil", True, False),
        ("null", False, False),
        ("", False, False),
        ("http://", False, False),
        ("https://[", False, False),
        ("ftp://house", False, False),
        ("https://cards.example", True, True),
    ],
)
def test_only_pages_of_ours_may_ask(origin: str | None, is_secure: bool, expected: bool) -> None:
    headers = [(b"host", b"house")]
    if origin is not None:
        headers.append((b"origin", origin.encode()))
    asks = HTTPConnection({"type": "http", "headers": headers})
    chosen = Settings(secure_cookies=is_secure, origins=("https://cards.example",))
    assert is_own_origin(asks, chosen) == expected


def test_keys_of_cookies_are_rotated(tmp_path: Path) -> None:
    async def test(app: Any, house: House) -> None:
        guest = await house.meet("Ana")
        asks = client(app)
        asks.cookies.set("brelan_guest", Signer(["old"]).sign(guest))
        answer = await asks.get("/api/me")
        assert answer.json()["name"] == "Ana"
        assert answer.cookies["brelan_guest"] == Signer(["new"]).sign(guest)
        gone = client(app)
        gone.cookies.set("brelan_guest", Signer(["older"]).sign(guest))
        assert (await gone.get("/api/me")).json()["name"] is None

    at(tmp_path, test, keys=("new", "old"))


# ---------------------------------------------------------------- one real server


def test_a_server_ends_gracefully_and_logs_no_secrets(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    given = {
        "BRELAN_DATABASE": f"sqlite:///{tmp_path / 'x.db'}",
        "BRELAN_LOG_LEVEL": "debug",
        "BRELAN_SOCKETS_PER_GUEST": "2",
    }
    command = [sys.executable, "-m", "brelan", "serve", "--port", str(port)]
    noted = tmp_path / "log"
    with noted.open("wb") as stream:
        server = subprocess.Popen(command, env={**os.environ, **given}, stderr=stream)
    try:
        url = f"127.0.0.1:{port}"
        asks = httpx.Client(base_url=f"http://{url}", timeout=20)
        _wait(asks)
        body = {"game": "love-letter", "seats": [{"kind": "me"}, {"kind": "open"}]}
        opened = asks.post("/api/tables", json=body).json()
        key = opened["links"]["seat 0"]
        path = f"ws://{url}/api/tables/{opened['table']}/socket?key={key}"
        with connect(path) as first, connect(path) as second:
            for each in (first, second):
                assert json.loads(each.recv(timeout=10))["t"] == "table"
            with connect(path) as third:
                assert json.loads(third.recv(timeout=10))["code"] == "too_many_sockets"
            asks.get(f"/api/invitations/{opened['links']['invitation 1']}")
            assert asks.get("/readyz").json()["ready"]
            begun = time.monotonic()
            server.send_signal(signal.SIGTERM)
            with pytest.raises(ConnectionClosed) as closed:
                _read_on(first)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1012
            assert server.wait(20) in (0, -signal.SIGTERM)
            assert time.monotonic() - begun < 15
    finally:
        server.kill()
        server.wait()
    text = noted.read_text(encoding="utf-8")
    lines = [json.loads(line) for line in text.splitlines()]
    assert all({"time", "level", "logger", "message"} <= set(line) for line in lines)
    cookie = next(iter(asks.cookies.values()))
    assert all(secret not in text for secret in (key, cookie, opened["links"]["invitation 1"]))
    assert "INSERT" not in text  # nor what is stored
    asks.close()


def _read_on(connection: Any) -> None:
    while True:
        connection.recv(timeout=10)


def _wait(asks: httpx.Client) -> None:
    for _ in range(300):
        try:
            asks.get("/healthz")
        except httpx.TransportError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError("the server does not answer")
