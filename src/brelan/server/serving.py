"""Serving: one process, or several that share a database and a port."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import signal
import socket
import sys
from typing import Any

import uvicorn

from brelan.errors import Refused
from brelan.server.app import make_app
from brelan.server.database import open_store
from brelan.server.identity import Signer
from brelan.server.settings import Settings

FORMAT = (
    '{"time":"%(asctime)s","level":"%(levelname)s","logger":"%(name)s","message":"%(message)s"}'
)


def _log(settings: Settings) -> None:
    """Write a line of JSON for each thing that matters. Addresses hold secrets: they are not."""
    logging.basicConfig(level=settings.log_level.upper(), format=FORMAT, stream=sys.stderr)
    logging.getLogger("uvicorn").setLevel(logging.WARNING)


def serve(settings: Settings, workers: int = 1) -> None:
    """Serve until somebody stops it; several workers need PostgreSQL."""
    _log(settings)
    is_sqlite = settings.database_url.startswith("sqlite")
    if workers > 1 and is_sqlite:
        raise Refused("several workers need PostgreSQL; --workers 1 is allowed with SQLite")
    listening = _listen(settings)
    if workers == 1:
        _run_loop(settings, listening)
        return
    context = multiprocessing.get_context("spawn")
    processes = [
        context.Process(target=_work, args=(settings, listening), daemon=False)
        for _ in range(workers)
    ]
    for process in processes:
        process.start()

    def stop(number: int, _: Any) -> None:
        for process in processes:
            if process.pid is not None and process.is_alive():
                process.terminate()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    for process in processes:
        process.join()


def _listen(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # Named TCP, or the event loop does not turn off Nagle's delay of 40 ms for what it accepts.
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


def _work(settings: Settings, listening: socket.socket) -> None:
    """Be one of several processes."""
    _log(settings)
    _run_loop(settings, listening)


def _run_loop(settings: Settings, listening: socket.socket) -> None:
    factory = uvicorn.Config("", log_config=None).get_loop_factory()
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(_run(settings, listening))


async def _run(settings: Settings, listening: socket.socket) -> None:
    store, keys = await open_store(settings)
    config = uvicorn.Config(
        make_app(settings, Signer(keys), store),
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        ws_max_size=settings.max_message,
        http="httptools",
        log_config=None,
        access_log=False,
        server_header=False,
        forwarded_allow_ips=settings.trusted_proxies,
        timeout_graceful_shutdown=10,
    )
    await uvicorn.Server(config).serve(sockets=[listening])
