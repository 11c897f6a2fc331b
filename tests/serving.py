"""A real server for tests: in this process, on a thread of its own, with a file of SQLite."""

from __future__ import annotations

import asyncio
import socket
import threading
from pathlib import Path
from typing import Any

import uvicorn

from brelan.server.app import make_app
from brelan.server.database import open_store
from brelan.server.house import House
from brelan.server.identity import Signer
from brelan.server.settings import Settings

PATIENCE = 30.0  # seconds that anything may take


class Server:
    """A server that can be stopped and started again on the same port and database.

    Its rules run interpreted, so that nothing is compiled beside the tests.
    """

    def __init__(self, folder: Path, **settings: Any) -> None:
        self.settings = Settings(
            database=f"sqlite:///{folder / 'brelan.db'}",
            keys=("a key of the tests",),
            requests_per_second=1000.0,
            messages_per_second=1000.0,
            tables_per_hour=10_000,
            **settings,
        )
        self.port = 0
        self.house: House
        self.start()

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Begin to serve, on the port of before if there was one."""
        self._listening = socket.socket()
        self._listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._listening.bind(("127.0.0.1", self.port))
        self._listening.listen(100)
        self.port = self._listening.getsockname()[1]
        self._is_up = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)
        self._thread.start()
        assert self._is_up.wait(PATIENCE)

    async def _run(self) -> None:
        self.loop = asyncio.get_running_loop()
        store, keys = await open_store(self.settings)
        app = make_app(self.settings, Signer(keys), store)
        self.house = app.state.house
        self.house._compile = lambda: None  # type: ignore[method-assign]
        config = uvicorn.Config(
            app,
            ws="websockets-sansio",
            ws_per_message_deflate=False,
            ws_max_size=self.settings.max_message,
            http="httptools",
            log_config=None,
            timeout_graceful_shutdown=2,
        )
        self._server = uvicorn.Server(config)
        serving = asyncio.create_task(self._server.serve(sockets=[self._listening]))
        while not self._server.started and not serving.done():
            await asyncio.sleep(0.01)
        self._is_up.set()
        await serving

    def stop(self) -> None:
        """Stop serving; what was acknowledged is in the database."""
        self._server.should_exit = True
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()
        self._listening.close()

    def cut(self) -> None:
        """Break all sockets."""

        def close() -> None:
            for table in self.house._tables.values():
                for listener in list(table.listeners):
                    listener.close(1012)  # type: ignore[attr-defined]

        self.loop.call_soon_threadsafe(close)
