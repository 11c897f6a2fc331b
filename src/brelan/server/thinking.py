"""Where bots think: on threads of their own, one table after another, so that none waits for long.

The search runs as machine code, which does not hold Python's lock, so the event loop goes on.
Each table has at most one request in line; what its table does not want any more is dropped.
"""

from __future__ import annotations

import asyncio
import functools
import hashlib
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from threading import local
from typing import Any

from brelan import bots
from brelan.bots.registry import fast_bot
from brelan.bots.search.settings import parse_level
from brelan.engine.game import Game
from brelan.engine.view import View
from brelan.errors import Refused

MAX_SECONDS, MAX_STEPS, MAX_SIMULATIONS = 20, 2_000_000, 50_000  # of a decision at a table
KEPT = 3  # bots that each thread keeps, for the next decision of the same kind


class Thinkers:
    """Threads on which bots decide; tables take turns."""

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads, "thinker")
        self._free = threads
        self._waiting: OrderedDict[str, tuple[Request, asyncio.Future[int]]] = OrderedDict()
        self._own = local()

    @property
    def queued(self) -> int:
        """How many decisions wait for a thread."""
        return len(self._waiting)

    async def decide(self, key: str, name: str, view: View, seed: str) -> int:
        """Return the move of a bot in a view of its own turn.

        `key` names who asks. A request that is still in line when the same one asks again, or when
        it is dropped, is cancelled.
        """
        self.drop(key)
        decided: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._waiting[key] = (Request(name, view, seed), decided)
        self._begin()
        return await decided

    def drop(self, key: str) -> None:
        """Take a request out of the line."""
        waiting = self._waiting.pop(key, None)
        if waiting is not None:
            waiting[1].cancel()

    def _begin(self) -> None:
        """Let whoever has waited longest be thought about, while a thread is free."""
        loop = asyncio.get_running_loop()
        while self._free and self._waiting:
            _, (request, decided) = self._waiting.popitem(last=False)
            if decided.cancelled():
                continue
            self._free -= 1
            thought = loop.run_in_executor(self._pool, self._think, request)
            thought.add_done_callback(functools.partial(self._end, decided))

    def _end(self, decided: asyncio.Future[int], thought: asyncio.Future[int]) -> None:
        self._free += 1
        if not decided.done():
            error = thought.exception()
            if error is not None:
                decided.set_exception(error)
            else:
                decided.set_result(thought.result())
        self._begin()

    def _think(self, request: Request) -> int:
        """Decide, on a thread."""
        kept: OrderedDict[tuple[str, str], Any]
        kept = self._own.__dict__.setdefault("bots", OrderedDict())
        key = (request.view.game.variant, request.name)
        bot: Any = kept.pop(key, None) or fast_bot(request.name, request.view.game, seed=0)
        kept[key] = bot
        if len(kept) > KEPT:
            kept.popitem(last=False)
        bot.seed = seed_of(request.seed)
        return int(bot.choose(request.view).id)

    def close(self) -> None:
        """Begin nothing more; what is being thought about ends by itself."""
        for key in list(self._waiting):
            self.drop(key)
        self._pool.shutdown(wait=False, cancel_futures=True)


class Request:
    """What a bot is to decide."""

    def __init__(self, name: str, view: View, seed: str) -> None:
        self.name, self.view, self.seed = name, view, seed


def seed_of(text: str) -> int:
    """Return the seed of a bot at a table: of which nobody can tell the cards."""
    digest = hashlib.blake2b(f"brelan bot {text}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little")


def check_bot(name: str, game: Game) -> str:
    """Return the name of a bot of the house that may sit at a table; Refused if there is none.

    Programs and modules are not run by the server: they come as guests, through the protocol.
    """
    known = bots.all_names(game)
    if name in known:
        return name
    if name.startswith("search:"):
        level = parse_level(name.removeprefix("search:"))
        if level.threads > 1 or not (
            level.seconds <= MAX_SECONDS
            or level.steps <= MAX_STEPS
            or level.simulations <= MAX_SIMULATIONS
        ):
            raise Refused(
                f"{name} thinks too long for a table: it may have one thread, and {MAX_SECONDS} "
                f"seconds, {MAX_STEPS} steps or {MAX_SIMULATIONS} simulations"
            )
        return name
    raise Refused(f"unknown bot {name!r}; there are: {', '.join(known)}, search:…")
