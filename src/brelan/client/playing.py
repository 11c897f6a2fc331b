"""Playing by a link: a table is joined, gone back to, or watched, and a bot decides."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from typing import Any, cast

from brelan.bots.registry import fast_bot
from brelan.client.connection import Connection
from brelan.client.errors import ServerError
from brelan.client.house import Client
from brelan.client.links import Link
from brelan.client.position import Position, local_game
from brelan.errors import Refused
from brelan.server.messages import ResultInfo

OVERTAKEN = ("behind", "too_late", "match_over", "not_your_turn")  # the match went on without it


async def open_link(
    client: Client, link: Link, *, record: bool = False, nonce: str | None = None
) -> Connection:
    """Return a connection to where a link leads: the seat of an invitation or of one's own.

    At a table it is the first of one's own seats, or else that of a spectator.
    """
    if link.kind == "join":
        seated = await client.join(link.key, nonce=nonce)
        return client.connect(seated.table, seated.seat, record=record)
    if link.kind == "seat":
        seated = await client.claim(link.key)
        return client.connect(seated.table, seated.seat, record=record)
    if link.kind == "table":
        mine = (await client.table(link.key)).mine
        return client.connect(link.key, mine[0] if mine else None, record=record)
    raise Refused(f"{link} is a server; a link to a table ends in #join=, #seat= or #table=")


async def play(
    url: str,
    choose: Callable[[Position], Any] | str | Any,
    *,
    name: str | None = None,
    cookie: str | None = None,
    nonce: str | None = None,
) -> ResultInfo:
    """Sit down where a link leads, play the match to its end, and return the result.

    `choose` gets a Position and returns a legal move, by itself, its number or its notation; it
    may be a coroutine. A bot of the house is given by its name, or is an object with
    `choose(view)`: then the rules must be installed here in the server's version.
    """
    link = Link.parse(url)
    is_function = not isinstance(choose, str) and not hasattr(choose, "choose")
    client = Client(link.server, name=name, cookie=cookie)
    async with await open_link(client, link, record=not is_function, nonce=nonce) as seat:
        return await play_seat(seat, choose)


async def play_seat(seat: Connection, choose: Callable[[Position], Any] | str | Any) -> ResultInfo:
    """Play the match at a seat to its end; `choose` is what `play` takes."""
    if seat.seat is None:
        raise Refused("a spectator cannot play")
    decide = _decider(choose)
    while (position := await seat.my_turn()) is not None:
        move = await decide(position)
        try:
            await seat.move(move)
        except ServerError as error:
            if error.code not in OVERTAKEN:
                raise
    return await seat.over()


def _decider(choose: Any) -> Callable[[Position], Any]:
    """Return a coroutine that decides; what is not one thinks on a thread."""
    if inspect.iscoroutinefunction(choose):
        return cast(Callable[[Position], Any], choose)
    bots: dict[str, Any] = {}

    def decide(position: Position) -> Any:
        if isinstance(choose, str):
            if not bots:
                bots[choose] = fast_bot(choose, local_game(position.table), seed=0)
            return bots[choose].choose(position.view())
        return choose.choose(position.view()) if hasattr(choose, "choose") else choose(position)

    async def on_a_thread(position: Position) -> Any:
        return await asyncio.to_thread(decide, position)

    return on_a_thread
