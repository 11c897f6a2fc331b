"""The WebSockets of uvicorn, which also answer a handshake that cannot be read."""

from __future__ import annotations

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from brelan.server.messages import Failed, encode


class Sockets(WebSocketsSansIOProtocol):
    """Refuses a handshake that is too long or broken; uvicorn leaves it open without an answer."""

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
