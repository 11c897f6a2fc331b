"""The WebSockets of uvicorn, which also answer a handshake that cannot be read.

Thousands of them are open and idle, so they let go of what is needed no more: half of the memory.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from brelan.server.messages import Failed, encode


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
