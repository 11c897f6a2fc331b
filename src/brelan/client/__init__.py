"""A client of the server: for tests, for bots at tables of the house, and for anybody's programs.

    import asyncio
    from brelan import client

    def choose(position):                       # a client.Position
        return position.legal[0]                # or a number, or a notation

    asyncio.run(client.play("http://127.0.0.1:8080/#join=KEY", choose, name="First"))

`choose` may also be a bot of the house by its name, or any object with `choose(view)`.
docs/protocol.md describes what goes over the wire.
"""

from brelan.client.connection import Connection
from brelan.client.errors import Disconnected, ServerError
from brelan.client.house import Client
from brelan.client.links import Link
from brelan.client.playing import open_link, play
from brelan.client.position import LegalMove, Position
from brelan.client.words import Dictionary

__all__ = [
    "Client",
    "Connection",
    "Dictionary",
    "Disconnected",
    "LegalMove",
    "Link",
    "Position",
    "ServerError",
    "open_link",
    "play",
]
