"""Bring docs/protocol.schema.json and the example session of docs/protocol.md up to date.

uv run --all-groups tools/protocol.py

The session is a list of lines. `ana POST /path {…}` and `ana GET /path` are requests of a guest,
`ana ~ /path` opens a socket and `ana ~` closes it, `ana > {…}` is a message of hers; all other
lines are answers, which are worked out again by a real server. Its ids, links and secrets are drawn
from a counter, so that every run is the same. What is long is shortened.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import uvicorn
from websockets.asyncio.client import ClientConnection, connect

from brelan.client import ServerError
from brelan.client.web import Web
from brelan.server.app import make_app
from brelan.server.database import open_store
from brelan.server.identity import Signer
from brelan.server.schema import schema
from brelan.server.settings import Settings

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGE, SCHEMA = DOCS / "protocol.md", DOCS / "protocol.schema.json"
BEGIN, END = "```session\n", "```\n"
MOST = 12  # entries of a list that are shown
FEW = 3  # knobs that are shown
LAST = 2**53 - 1  # the id of the ping after which all that was said has come
MASKED = ("created", "ended")  # times


def schema_text() -> str:
    """Return the file of the schema."""
    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"


def session_of(page: str) -> list[str]:
    """Return the lines of the session of a page."""
    begin = page.index(BEGIN) + len(BEGIN)
    return page[begin : page.index(END, begin)].splitlines()


def with_session(page: str, lines: list[str]) -> str:
    """Return a page with another session."""
    begin = page.index(BEGIN) + len(BEGIN)
    return page[:begin] + "\n".join(lines) + "\n" + page[page.index(END, begin) :]


def is_asked(line: str) -> bool:
    """Whether a line is of a client, not an answer."""
    parts = line.split(maxsplit=2)
    return len(parts) > 1 and parts[1] in ("GET", "POST", "~", ">")


def replayed(lines: list[str]) -> list[str]:
    """Return a session with the answers that a real server gives to what is asked in it."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_replayed(lines, Path(folder)))


async def _replayed(lines: list[str], folder: Path) -> list[str]:
    settings = Settings(database=f"sqlite:///{folder / 'brelan.db'}", keys=("key",), port=0)
    with _counted():
        store, keys = await open_store(settings)
        app = make_app(settings, Signer(keys), store)
        app.state.house.readiness.thread = threading.Thread(target=lambda: None)
        config = uvicorn.Config(
            app, host="127.0.0.1", port=0, ws="websockets-sansio", log_config=None
        )
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        talk = Talk(f"http://127.0.0.1:{port}")
        for line in lines:
            if is_asked(line) or line.startswith("#") or not line:
                await talk.take(line)
        await talk.close()
        server.should_exit = True
        await serving
    return talk.lines


class Talk:
    """What guests and a server say to each other."""

    def __init__(self, server: str) -> None:
        self.lines: list[str] = []
        self._server = server
        self._guests: dict[str, Web] = {}
        self._sockets: dict[str, ClientConnection] = {}

    async def take(self, line: str) -> None:
        """Do what a line says, and note it with all answers."""
        self.lines.append(line)
        if not is_asked(line):
            return
        who, what, *rest = line.split(maxsplit=2)
        guest = self._guests.setdefault(who, Web(self._server))
        if what == "~":
            await self._open_or_close(who, guest, rest)
        elif what == ">":
            await self._sockets[who].send(rest[0])
            await self._hear(who, json.loads(rest[0])["id"])
        else:
            path, _, body = rest[0].partition(" ")
            try:
                answer = await guest.ask(what, path, body.encode() if body else None)
                self._note(who, "=", json.loads(answer))
            except ServerError as error:
                self._note(who, "=", {"code": error.code, "args": error.args_})
        for other in self._sockets:
            await self._flush(other)

    async def _open_or_close(self, who: str, guest: Web, where: list[str]) -> None:
        if where:
            address = guest.socket_base + where[0]
            self._sockets[who] = await connect(
                address, additional_headers=guest.headers, proxy=None
            )
        else:
            await self._sockets.pop(who).close()
            await asyncio.sleep(0.1)  # until the server has noticed

    async def _flush(self, who: str) -> None:
        """Note all that has come for somebody."""
        await self._sockets[who].send(json.dumps({"t": "ping", "id": LAST}))
        await self._hear(who, LAST)

    async def _hear(self, who: str, until: int) -> None:
        while True:
            got = json.loads(await asyncio.wait_for(self._sockets[who].recv(), 20))
            if got.get("id") != LAST:
                self._note(who, "<", got)
            if got.get("id") == until:
                return

    def _note(self, who: str, sign: str, content: Any) -> None:
        text = json.dumps(shortened(content), ensure_ascii=False, separators=(",", ":"))
        self.lines.append(f"{who} {sign} {text}")

    async def close(self) -> None:
        """Leave."""
        for socket in self._sockets.values():
            await socket.close()


def shortened(value: Any) -> Any:
    """Return what is shown of an answer: long lists by their beginning and their length."""
    if isinstance(value, dict):
        shown = {name: 0 if name in MASKED else shortened(each) for name, each in value.items()}
        knobs = shown.get("knobs")
        if isinstance(knobs, dict) and len(knobs) > FEW:
            few = dict(list(knobs.items())[:FEW])
            shown["knobs"] = {**few, "…": f"{len(knobs)} in all"}
        return shown
    if isinstance(value, list):
        shown = [shortened(each) for each in value[:MOST]]
        return [*shown, f"… {len(value)} in all"] if len(value) > MOST else shown
    return value


@contextmanager
def _counted() -> Iterator[None]:
    """Draw ids, links and secrets from a counter."""
    count = 0

    def drawn() -> str:
        nonlocal count
        count += 1
        return hashlib.blake2b(str(count).encode(), digest_size=32).hexdigest()

    with (
        mock.patch("brelan.server.house.new_id", side_effect=lambda: f"id-{drawn()[:6]}"),
        mock.patch("brelan.server.house.new_key", side_effect=lambda: f"key-{drawn()[:6]}"),
        mock.patch("brelan.server.fairness.new_secret", side_effect=lambda: bytes.fromhex(drawn())),
    ):
        yield


def main() -> None:
    """Write both files anew."""
    SCHEMA.write_text(schema_text(), encoding="utf-8")
    page = PAGE.read_text(encoding="utf-8")
    lines = replayed(session_of(page))
    PAGE.write_text(with_session(page, lines), encoding="utf-8")


if __name__ == "__main__":
    main()
