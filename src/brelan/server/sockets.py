"""The WebSockets of uvicorn, which also answer a handshake that cannot be read.

Thousands of them are open and idle, so they let go of what is needed no more: half of the memory.
What is sent at one moment, such as a move and the answer to it, is written together: each write is
a call of the system.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState

from brelan.server.messages import Failed, encode

OFFER = "brelan.offer"  # the extension of a scope by which `Sockets.offer` is found


class Inbox:
    """Messages that have come, for one reader: an `asyncio.Queue` without its 3 KB of queues."""

    __slots__ = ("_come", "_messages")

    def __init__(self) -> None:
        self._messages: list[Any] = []
        self._come: asyncio.Future[None] | None = None  # what the reader waits for

    def put_nowait(self, message: Any) -> None:
        """Add a message."""
        self._messages.append(message)
        if self._come is not None and not self._come.done():
            self._come.set_result(None)

    async def get(self) -> Any:
        """Return the next message, when there is one."""
        while not self._messages:
            self._come = asyncio.get_running_loop().create_future()
            await self._come
        return self._messages.pop(0)

    def empty(self) -> bool:
        """Whether no message waits."""
        return not self._messages


class Sockets(WebSocketsSansIOProtocol):
    """Refuses a handshake that is too long or broken; uvicorn leaves it open without an answer."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.queue: Any = Inbox()
        self._is_flushing = False

    async def run_asgi(self) -> None:
        """Serve the client."""
        extensions: dict[str, Any] = self.scope["extensions"]
        extensions[OFFER] = self.offer
        await super().run_asgi()

    def offer(self, content: bytes) -> bool:
        """Send a text soon; False: it must wait, for the client is behind, or is gone."""
        if self.disconnected or self.close_sent or not self.writable.is_set():
            return False
        try:
            self.conn.send_text(content)
        except InvalidState:
            return False
        if not self._is_flushing:
            self._is_flushing = True
            self.loop.call_soon(self._flush)
        return True

    def _flush(self) -> None:
        """Write what was sent. Whatever else is written meanwhile takes it along, in order."""
        self._is_flushing = False
        output = self.conn.data_to_send()
        if output and not self.transport.is_closing():
            self.transport.write(b"".join(output))

    def start_keepalive(self) -> None:
        """Begin to ask whether the client is there: the handshake has been answered."""
        super().start_keepalive()
        self.request: Any = None
        self.response: Any = None

    def data_received(self, data: bytes) -> None:
        """Take in what has come."""
        super().data_received(data)
        if not self.handshake_initiated and self.conn.handshake_exc is not None:
            content = encode(Failed("bad_request"))
            self.transport.write(
                b"HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\n"
                b"Connection: close\r\nContent-Length: %d\r\n\r\n%b" % (len(content), content)
            )
            self.transport.close()
