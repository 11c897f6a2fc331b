"""docs/protocol.md is true: its session, its tables of messages and codes, and the schema."""

from __future__ import annotations

import asyncio
import json
import re
import runpy
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.asyncio.client import connect

from brelan.server import messages, schema
from brelan.server.messages import Commands, Messages
from server_fixture import Client, Server, running

ROOT = Path(__file__).parents[1]
TOOL = runpy.run_path(str(ROOT / "tools" / "protocol.py"))
PAGE = TOOL["PAGE"].read_text(encoding="utf-8")
STALE = "run: uv run --all-groups tools/protocol.py"


def test_the_session_is_what_a_server_answers() -> None:
    lines = TOOL["session_of"](PAGE)
    assert TOOL["replayed"](lines) == lines, STALE
    kinds = {json.loads(line.split(maxsplit=2)[2])["t"] for line in lines if " < " in line}
    assert {"table", "snapshot", "event", "done", "error", "reaction"} <= kinds


def test_the_schema_is_current() -> None:
    assert TOOL["SCHEMA"].read_text(encoding="utf-8") == TOOL["schema_text"](), STALE


def test_the_schema_holds_every_type() -> None:
    """A type that is added to `messages` is in it too, and all references lead somewhere."""
    found = schema.schema()
    known = set(found["$defs"])
    abstract = {"Base", "Said", "Command"}
    types = {
        name
        for name, kind in vars(messages).items()
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and name not in abstract
    }
    assert types <= known
    references = set(re.findall(r'"#/\$defs/(\w+)"', json.dumps(found)))
    assert references <= known


@pytest.mark.parametrize("union", [Commands, Messages], ids=["commands", "messages"])
def test_every_message_is_explained(union: Any) -> None:
    for kind in union.__args__:
        tag = kind.__struct_config__.tag
        rows = [line for line in PAGE.splitlines() if re.match(rf"\|.*`{tag}`", line)]
        assert rows, tag
        for field in kind.__struct_fields__:
            assert f"`{field}`" in PAGE, (tag, field)


def test_every_code_is_explained() -> None:
    table = PAGE[PAGE.index("## Codes of errors") : PAGE.index("## A bot in Python")]
    explained = set(re.findall(r"`(\w+)`", table))
    for file in (ROOT / "src" / "brelan" / "server").rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        codes = set(re.findall(r'(?:Refusal|Failed)\(\s*"(\w+)"', text))
        codes |= set(re.findall(r'40\d: "(\w+)"', text))
        assert codes <= explained, f"{file.name}: {codes - explained}"


def test_every_request_is_explained(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        app = server.uvicorn.config.app  # type: ignore[union-attr]
        for route in app.routes:  # type: ignore[union-attr]
            if getattr(route, "methods", None) is None:
                assert f"`GET {route.path}`" in PAGE
                continue
            (method,) = route.methods - {"HEAD"}
            row = f"`{method} {route.path}"
            assert row in PAGE or f"`{route.path}`" in PAGE, row


def test_answers_are_of_the_types_that_the_page_names(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        guest = Client(server)
        table, links = guest.open("mb")
        asked = [
            ("/api/games", list[messages.GameInfo]),
            ("/api/me", messages.Me),
            ("/api/lobby", list[messages.Listed]),
            (f"/api/tables/{table}", messages.TableInfo),
            (f"/api/tables/{table}/history?seat=0", messages.Told),
            ("/api/games/love-letter/vocabulary", messages.Vocabulary),
        ]
        for path, kind in asked:
            content = guest.get(path).content
            assert set(_fields(json.loads(content))) == set(
                _fields(json.loads(msgspec.json.encode(msgspec.json.decode(content, type=kind))))
            )
        assert "seat 0" in links


def _fields(value: Any) -> list[str]:
    """Return the names of all fields, wherever they are."""
    if isinstance(value, dict):
        return [name for key, each in value.items() for name in (key, *_fields(each))]
    return [name for each in value for name in _fields(each)] if isinstance(value, list) else []


def test_a_bot_in_any_language(tmp_path: Path) -> None:
    """The four steps of the page, with nothing but HTTP, a socket and JSON."""

    async def play(server: Server, table: str, key: str) -> Any:
        address = f"ws://127.0.0.1:{server.port}/api/tables/{table}/socket?key={key}"
        async with connect(address, proxy=None) as socket:
            async for line in socket:
                got = json.loads(line)
                if got.get("result"):
                    return got["result"]
                if got.get("legal"):
                    move = {"t": "move", "id": 1, "ply": got["ply"], "move": got["legal"][0]}
                    await socket.send(json.dumps(move))
        raise AssertionError("the socket was closed before the match was over")

    with running(tmp_path) as server:
        host, bot = Client(server), Client(server)
        table, links = host.open("ob")
        wanted = {"invitation": links["invitation 0"], "name": "Any"}
        key = bot.post(f"/api/tables/{table}/join", wanted).json["key"]
        result = asyncio.run(asyncio.wait_for(play(server, table, key), 60))
        assert sorted(result) == ["reason", "scores", "winners"]
