"""Serving: one process, or several that share a database and a port."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import multiprocessing.connection
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from multiprocessing.context import SpawnProcess
from typing import Any

import uvicorn

from brelan.engine.folder import open_folder
from brelan.errors import Refused
from brelan.games import shelved
from brelan.server import logs
from brelan.server.app import make_app
from brelan.server.database import open_store
from brelan.server.identity import Signer
from brelan.server.settings import Settings
from brelan.server.sockets import Sockets

LEAVING = 5  # seconds that clients have to close their sockets
STOPPING = 15.0  # seconds after which a worker that does not stop is killed
AGAIN = 1.0  # seconds after which a worker that has died is started again
BESIDE = ("thinker", "bots", "compiling")  # how threads are named
SIGNALS = (signal.SIGTERM, signal.SIGINT)
log = logging.getLogger("brelan.serving")


def serve(
    settings: Settings,
    workers: int = 1,
    *,
    listening: socket.socket | None = None,
    begun: Callable[[], None] | None = None,
) -> None:
    """Serve until somebody stops it; several workers need PostgreSQL.

    It listens as `settings` say, unless it is given a socket that listens. One process calls
    `begun` when it answers.
    """
    logs.set_up(settings)
    for game in shelved():
        open_folder(game)  # Refused, if it cannot be
    is_sqlite = settings.database_url.startswith("sqlite")
    if workers > 1 and is_sqlite:
        raise Refused("several workers need PostgreSQL; --workers 1 is allowed with SQLite")
    listening = listening or listen(settings)
    if workers == 1:
        _run(settings, listening, begun)
    else:
        _Workers(settings, listening, workers).run()


def listen(settings: Settings) -> socket.socket:
    """Return a socket that listens where a server is to; refuse if somebody else does."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # Named TCP, or asyncio leaves Nagle's delay of 40 ms on for the sockets that are accepted.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((settings.host, settings.port))
    except OSError as error:
        why = error.strerror or str(error)
        raise Refused(f"cannot listen on {settings.host} port {settings.port}: {why}") from None
    listening.listen(2048)
    listening.set_inheritable(True)
    return listening


# ---------------------------------------------------------------- several processes


class _Workers:
    """Processes that serve the same port; one that dies is started again."""

    def __init__(self, settings: Settings, listening: socket.socket, number: int) -> None:
        self._settings, self._listening = settings, listening
        self._context = multiprocessing.get_context("spawn")
        self._number = number
        self._is_stopping = False

    def run(self) -> None:
        """Serve until a signal comes."""
        asyncio.run(_try_database(self._settings))  # what is wrong with it is said once
        for each in SIGNALS:
            signal.signal(each, self._stop)
        workers = [self._start() for _ in range(self._number)]
        while not self._is_stopping:
            multiprocessing.connection.wait([each.sentinel for each in workers], AGAIN)
            for place, worker in enumerate(workers):
                if not self._is_stopping and not worker.is_alive():
                    log.error("a worker has ended with status %s; another begins", worker.exitcode)
                    time.sleep(AGAIN)
                    workers[place] = self._start()
        for worker in workers:
            worker.terminate()
        latest = time.monotonic() + STOPPING
        for worker in workers:
            worker.join(max(0.0, latest - time.monotonic()))
            worker.kill()
            worker.join()

    def _start(self) -> SpawnProcess:
        worker = self._context.Process(target=_work, args=(self._settings, self._listening))
        worker.start()
        return worker

    def _stop(self, number: int, _: Any) -> None:
        self._is_stopping = True


async def _try_database(settings: Settings) -> None:
    store, _ = await open_store(settings)
    await store.close()


def _work(settings: Settings, listening: socket.socket) -> None:
    """Be one of several processes; when the first one is gone, leave too."""
    logs.set_up(settings)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def leave_with(sentinel: int) -> None:
        multiprocessing.connection.wait([sentinel])
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=leave_with, args=(parent.sentinel,), daemon=True).start()
    try:
        _run(settings, listening)
    except Refused as error:
        log.error("%s", error)
        sys.exit(1)


# ---------------------------------------------------------------- one process


class _Server(uvicorn.Server):
    """A server that lets its clients know first when it stops."""

    def __init__(
        self,
        config: uvicorn.Config,
        close_sessions: Callable[[], None],
        begun: Callable[[], None] | None,
    ) -> None:
        super().__init__(config)
        self._close_sessions, self._begun = close_sessions, begun

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer, and say so."""
        await super().startup(sockets)
        if self.started and self._begun is not None:
            self._begun()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Send what waits to each client and close its socket; then stop."""
        self._close_sessions()
        await asyncio.sleep(0.1)
        await super().shutdown(sockets)


def _run(
    settings: Settings, listening: socket.socket, begun: Callable[[], None] | None = None
) -> None:
    """Be a process that serves, until a signal comes."""
    with asyncio.Runner(loop_factory=_new_loop()) as runner:
        runner.run(_serve(settings, listening, begun))
    if any(each.name.startswith(BESIDE) for each in threading.enumerate()):
        # A bot still thinks, or machine code is made, which nobody waits for, and which must not
        # go on while Python ends; all is stored and all sockets are closed.
        logging.shutdown()
        sys.stdout.flush()
        os._exit(0)


def _new_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


async def _serve(
    settings: Settings, listening: socket.socket, begun: Callable[[], None] | None
) -> None:
    store, keys = await open_store(settings)
    app = make_app(settings, Signer(keys), store)
    config = uvicorn.Config(
        app,
        ws=Sockets,
        ws_per_message_deflate=False,
        ws_max_size=settings.max_message,
        http="httptools",
        log_config=None,
        access_log=False,
        server_header=False,
        forwarded_allow_ips=settings.trusted_proxies,
        timeout_graceful_shutdown=LEAVING,
    )
    server = _Server(config, app.state.close_sessions, begun)
    for each in SIGNALS:  # uvicorn raises a signal again when it has stopped: it does nothing then
        signal.signal(each, server.handle_exit)
    await server.serve(sockets=[listening])
