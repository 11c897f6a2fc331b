"""A real server on the loopback, with a temporary database, for the tests of the server."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import socket
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import uvicorn
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from brelan.server.app import make_app
from brelan.server.database import open_store
from brelan.server.house import House
from brelan.server.identity import COOKIE, Signer
from brelan.server.settings import Settings
from brelan.server.sockets import Sockets

KEYS = ("newest key", "older key")
WAIT = 60.0  # seconds for an answer


class Answer:
    """What a server has answered to a request."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status, self.headers, self.content = response.status, response.headers, response.read()

    @property
    def json(self) -> Any:
        return json.loads(self.content)

    @property
    def code(self) -> str | None:
        """The code of a refusal."""
        found = self.json
        return found.get("code") if isinstance(found, dict) else None

    @property
    def cookie(self) -> str | None:
        """What the server wants to know its guest by."""
        for each in self.headers.get_all("Set-Cookie") or []:
            if each.startswith(f"{COOKIE}="):
                return each.split(";")[0].removeprefix(f"{COOKIE}=")
        return None


class Server:
    """A server in a thread of this process; matches run interpreted."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        self.database = folder / "server.db"
        given: dict[str, Any] = {
            "database": f"sqlite:///{self.database}",
            "keys": KEYS,
            "thinkers": 1,
            "requests_per_second": 1e6,
            "messages_per_second": 1e6,
            "tables_per_hour": 10**9,
        }
        self.settings = Settings(**(given | settings))
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self.uvicorn: uvicorn.Server | None = None
        self.house: House | None = None
        self._started = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)

    async def _run(self) -> None:
        store, keys = await open_store(self.settings)
        app = make_app(self.settings, Signer(keys), store)
        self.house = app.state.house
        self.house.readiness.thread = threading.Thread(target=lambda: None)  # it takes long
        config = uvicorn.Config(
            app,
            ws=Sockets,
            ws_per_message_deflate=False,
            ws_max_size=self.settings.max_message,
            http="httptools",
            log_config=None,
            access_log=False,
            timeout_graceful_shutdown=2,
        )
        self.uvicorn = uvicorn.Server(config)
        self._started.set()
        await self.uvicorn.serve(sockets=[self._socket])

    def start(self) -> None:
        self._thread.start()
        assert self._started.wait(WAIT)

    def stop(self) -> None:
        assert self.uvicorn is not None
        self.uvicorn.should_exit = True
        self._thread.join(WAIT)

    def rows(self) -> dict[str, list[Any]]:
        """Return all that the database holds."""
        with contextlib.closing(sqlite3.connect(self.database)) as database:
            return {
                name: database.execute(f"SELECT * FROM {name} ORDER BY 1, 2").fetchall()  # noqa: S608
                for name in ("guests", "tables", "seats", "events", "keys")
            }

    def raw(self, content: bytes, *, half_close: bool = False) -> bytes:
        """Send bytes as they are; return what comes back until the server closes, or a while."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=WAIT) as connection:
            with contextlib.suppress(OSError):
                connection.sendall(content)
                if half_close:
                    connection.shutdown(socket.SHUT_WR)
            connection.settimeout(0.3)
            received = b""
            with contextlib.suppress(OSError):
                while part := connection.recv(65536):
                    received += part
            return received


class Client:
    """A guest's program: it keeps the cookie that it is given."""

    def __init__(self, server: Server, cookie: str | None = None) -> None:
        self.server, self.cookie = server, cookie

    def ask(
        self, method: str, path: str, body: Any = None, *, headers: dict[str, str] | None = None
    ) -> Answer:
        """Send a request; a body that is no bytes is sent as JSON."""
        given = {
            **({"Cookie": f"{COOKIE}={self.cookie}"} if self.cookie else {}),
            **(headers or {}),
        }
        content = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=WAIT)
        with contextlib.closing(connection):
            connection.request(method, path, content, given)
            answer = Answer(connection.getresponse())
        self.cookie = answer.cookie or self.cookie
        return answer

    def get(self, path: str, **given: Any) -> Answer:
        return self.ask("GET", path, **given)

    def post(self, path: str, body: Any = None, **given: Any) -> Answer:
        return self.ask("POST", path, body, **given)

    def open(self, seats: str = "mm", **given: Any) -> tuple[str, dict[str, str]]:
        """Open a table: m is me, o an open seat, b a bot; return its id and its links."""
        kinds = {"m": {"kind": "me"}, "o": {"kind": "open"}, "b": {"kind": "bot", "bot": "random"}}
        wanted = {"game": "love-letter", "seats": [kinds[each] for each in seats], **given}
        answer = self.post("/api/tables", wanted)
        assert answer.status == 201, answer.content
        return answer.json["table"], answer.json["links"]

    @contextlib.contextmanager
    def socket(
        self, table: str, *, origin: str | None = None, **query: Any
    ) -> Iterator[SocketClient]:
        """Connect to a table: as a seat, or to watch."""
        address = f"ws://127.0.0.1:{self.server.port}/api/tables/{table}/socket?{urlencode(query)}"
        headers = {"Cookie": f"{COOKIE}={self.cookie}"} if self.cookie else {}
        if origin is not None:
            headers["Origin"] = origin
        with connect(address, additional_headers=headers, compression=None, proxy=None) as made:
            yield SocketClient(made)


class SocketClient:
    """A socket at a table."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection, self._last = connection, 0

    def send(self, message: Any) -> None:
        """Send a message, as JSON unless it is text or bytes."""
        is_raw = isinstance(message, bytes | str)
        self.connection.send(message if is_raw else json.dumps(message))

    def receive(self) -> Any:
        """Return the next message."""
        return json.loads(self.connection.recv(WAIT))

    def until(self, kind: str) -> Any:
        """Return the next message of a kind."""
        while (message := self.receive())["t"] != kind:
            pass
        return message

    def ask(self, kind: str, **given: Any) -> Any:
        """Send a command; return its answer."""
        self._last += 1
        self.send({"t": kind, "id": self._last, **given})
        while (message := self.receive()).get("id") != self._last:
            pass
        return message

    def closed_with(self) -> int:
        """Return the code with which the server closes, soon."""
        try:
            while True:
                self.connection.recv(WAIT)
        except ConnectionClosed as error:
            return error.rcvd.code if error.rcvd is not None else 1006


@contextlib.contextmanager
def running(folder: Path, **settings: Any) -> Iterator[Server]:
    """Run a server as long as it is needed."""
    server = Server(folder, **settings)
    server.start()
    try:
        yield server
    finally:
        server.stop()
