"""Where bots think: on threads of their own, one table after another, so that none waits for long.

The search runs as machine code, which does not hold Python's lock, so the event loop goes on.
Each table has at most one request in line; what its table does not want any more is dropped. Quick
bots have a line and a thread of their own: they never wait for a search. A bot whose machine code
is still being made waits aside, without a thread.
"""

from __future__ import annotations

import asyncio
import functools
import hashlib
import logging
import queue
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from brelan import bots
from brelan.analysis.hints import HintBot
from brelan.bots.registry import fast_bot
from brelan.bots.search.settings import Level, parse_level
from brelan.bots.search.stats import MoveStats
from brelan.engine.game import Game
from brelan.engine.view import View
from brelan.errors import Refused, Stopped
from brelan.server.metrics import Figures

log = logging.getLogger("brelan.thinking")
QUICK_STEPS = 10_000  # of a search that goes with the quick ones: some tens of milliseconds
MOST_STEPS = 2_000_000  # of a search at a table: some seconds
MOST_SIMULATIONS = 50_000
MOST_SECONDS = 10.0


HINT = "hint:"  # before a level: it is asked what the analysis finds best

ToCompile = tuple[Game, str, Future[None]]


class Dropped(Exception):  # noqa: N818 - it is an answer
    """Nobody wants to know the decision any more."""


@dataclass(frozen=True)
class Advice:
    """What a bot decides, and what the search expects of that: mostly the share of the win."""

    move: int
    value: float | None = None
    other: int | None = None  # the best of the other moves
    other_value: float | None = None


class Request:
    """What a bot is to decide."""

    def __init__(self, name: str, view: View, seed: str) -> None:
        self.name, self.view, self.seed = name, view, seed
        self.since = time.monotonic()  # when it began to wait, then to be thought about
        level = _level(name)
        self.is_search = level is not None
        self.is_quick = level is None or level.steps <= QUICK_STEPS
        self.code = _code(view.game, name)  # the machine code that it needs
        self.may_be_interpreted = level is None and not bots.is_compiled_only(view.game, name)
        self.is_waiting_for_code = False
        self.decided: asyncio.Future[Advice] = asyncio.get_running_loop().create_future()


class Line:
    """Requests in their order, one for each table; and how many threads may serve them."""

    def __init__(self, threads: int) -> None:
        self.free = threads
        self.waiting: OrderedDict[str, Request] = OrderedDict()


class Thinkers:
    """Threads on which bots decide; tables take turns."""

    def __init__(self, threads: int, figures: Figures | None = None) -> None:
        self.figures = figures or Figures()
        self._lines = {True: Line(1), False: Line(threads)}  # for the quick ones, for the others
        self._pool = ThreadPoolExecutor(threads + 1, "thinker")
        self._to_compile: queue.SimpleQueue[ToCompile | None] = queue.SimpleQueue()
        self._compiler: threading.Thread | None = None
        self._code: dict[tuple[str, ...], Future[None]] = {}  # machine code, made or being made
        self._keep = 2 * (threads + 1)
        self._kept: OrderedDict[tuple[str, str, int], Any] = OrderedDict()  # bots at rest
        self._thinking: dict[str, Request] = {}  # what is being thought about
        self._lock = threading.Lock()
        self.is_closed = False

    @property
    def queued(self) -> int:
        """How many decisions wait for a thread."""
        return sum(len(line.waiting) for line in self._lines.values())

    @property
    def busy(self) -> int:
        """How many decisions are being thought about."""
        return self._pool._max_workers - sum(line.free for line in self._lines.values())

    @property
    def kept(self) -> int:
        """How many bots of the search are at rest, to be used again."""
        return len(self._kept)

    async def decide(self, key: str, name: str, view: View, seed: str) -> int:
        """Return the move of a bot in a view of its own turn; Dropped if it is not wanted."""
        return (await self.advise(key, name, view, seed)).move

    async def advise(self, key: str, name: str, view: View, seed: str) -> Advice:
        """Return what a bot decides in a view, and what it expects; Dropped if it is not wanted.

        `key` names who asks. When the same one asks again, or when it is dropped, a request that is
        in line ends at once, and a search that is being made soon.
        """
        self.drop(key)
        if self.is_closed:
            raise Dropped
        request = Request(name, view, seed)
        line = self._lines[request.is_quick]
        line.waiting[key] = request
        self._begin()
        try:
            return await request.decided
        finally:
            if line.waiting.get(key) is request:
                del line.waiting[key]
            request.decided.cancel()  # nobody waits for it any more, unless it is done

    def drop(self, key: str) -> None:
        """Take a request out of the line, or end the search that it has begun."""
        found = [line.waiting.pop(key, None) for line in self._lines.values()]
        for request in (*found, self._thinking.pop(key, None)):
            if request is not None and not request.decided.done():
                request.decided.set_exception(Dropped())

    def prepare(self, game: Game, name: str) -> Future[None]:
        """Make the machine code of a bot beside, unless it is there; return what waits for it."""
        code = _code(game, name)
        if code not in self._code:
            self._code[code] = Future()
            self._to_compile.put((game, name, self._code[code]))
            if self._compiler is None:
                self._compiler = threading.Thread(target=self._compile, daemon=True, name="bots")
                self._compiler.start()
        return self._code[code]

    def _compile(self) -> None:
        """Make machine code, one bot after another, on a thread that nobody waits for at the end.

        If that fails it is tried again when the bot decides, and what is wrong is told then.
        """
        while (wanted := self._to_compile.get()) is not None and not self.is_closed:
            game, name, made = wanted
            begun = time.perf_counter()
            try:
                bot: Any = _made(game, name)
                bot.prepare()
            except Exception as error:  # noqa: BLE001 - this thread goes on
                log.warning("the bot %s for %s is not prepared: %s", name, game.id, error)
            else:
                seconds = time.perf_counter() - begun
                log.debug("the bot %s for %s is ready after %.1f s", name, game.id, seconds)
            made.set_result(None)

    def _begin(self) -> None:
        """Let whoever has waited longest be thought about, while a thread is free."""
        if self.is_closed:
            return
        loop = asyncio.get_running_loop()
        for line in self._lines.values():
            for key, request in list(line.waiting.items()):
                if line.free == 0:
                    break
                if not self._is_ready(request, loop):
                    continue
                del line.waiting[key]
                line.free -= 1
                self.figures.waiting.observe(time.monotonic() - request.since)
                self._thinking[key] = request
                thought = loop.run_in_executor(self._pool, self._think, request)
                request.since = time.monotonic()
                thought.add_done_callback(functools.partial(self._end, line, key, request))

    def _is_ready(self, request: Request, loop: asyncio.AbstractEventLoop) -> bool:
        """Whether a bot can think now. If it needs machine code first, that is made."""
        made = self.prepare(request.view.game, request.name)
        if made.done() or request.may_be_interpreted:
            return True
        if not request.is_waiting_for_code:
            request.is_waiting_for_code = True
            made.add_done_callback(lambda _: self._call(loop))
        return False

    def _call(self, loop: asyncio.AbstractEventLoop) -> None:
        """Go on, from another thread."""
        if not loop.is_closed():
            loop.call_soon_threadsafe(self._begin)

    def _end(self, line: Line, key: str, request: Request, thought: asyncio.Future[Advice]) -> None:
        line.free += 1
        if self._thinking.get(key) is request:
            del self._thinking[key]
        self.figures.thinking.observe(time.monotonic() - request.since)
        decided = request.decided
        error = Dropped() if thought.cancelled() else thought.exception()
        if not decided.done():
            if error is not None:
                decided.set_exception(error)
            else:
                decided.set_result(thought.result())
        self._begin()

    def _think(self, request: Request) -> Advice:
        """Decide, on a thread."""
        bot = self._bot(request)
        bot.seed = seed_of(request.seed)
        if not request.is_search:
            return Advice(int(bot.choose(request.view).id))
        bot.search_while(lambda: not (request.decided.done() or self.is_closed))
        try:
            return _advice(int(bot.choose(request.view).id), bot.stats)
        except Stopped:
            raise Dropped from None
        finally:
            self._rest(request, bot)

    def _bot(self, request: Request) -> Any:
        """Return a bot that is at rest, or a new one."""
        game = request.view.game
        with self._lock:
            for key in reversed(self._kept):
                if key[:2] == (game.variant, request.name):
                    return self._kept.pop(key)
        if request.is_search or self._code[request.code].done():
            return _made(game, request.name)
        return bots.bot(request.name, game)  # interpreted: it plays the same

    def _rest(self, request: Request, bot: Any) -> None:
        """Keep a bot for the next decision of its kind; its tree takes some 20 MB."""
        with self._lock:
            self._kept[request.view.game.variant, request.name, id(bot)] = bot
            while len(self._kept) > self._keep:
                self._kept.popitem(last=False)

    def close(self) -> None:
        """Begin nothing more; what is being thought about ends soon."""
        self.is_closed = True
        for line in self._lines.values():
            for key in list(line.waiting):
                self.drop(key)
        self._to_compile.put(None)
        self._pool.shutdown(wait=False, cancel_futures=True)


def _advice(number: int, stats: Mapping[int, MoveStats]) -> Advice:
    values = {move: each.value for move, each in stats.items() if each.visits}
    if number not in values:  # the only legal move, or one that the game proves to be best
        return Advice(number)
    value = values.pop(number)
    other = max(values, key=values.__getitem__, default=None)
    return Advice(number, value, other, None if other is None else values[other])


def _made(game: Game, name: str) -> Any:
    """Return a new bot by name, or what gives hints at a level."""
    if name.startswith(HINT):
        return HintBot(game, name.removeprefix(HINT))
    return fast_bot(name, game, seed=0)


def _level(name: str) -> Level | None:
    """Return the level of a bot that searches; None: it is a rule bot."""
    text = name.removeprefix(HINT).removeprefix("search:")
    try:
        return parse_level(text)
    except Refused:
        return None


def _code(game: Game, name: str) -> tuple[str, ...]:
    """Return what stands for the machine code of a bot: levels of the search share some."""
    level = _level(name)
    if level is None:
        return game.id, name if name in ("random", bots.LEARNED) else "rule"
    kind = "hint" if name.startswith(HINT) else "search"
    return game.id, kind, f"belief={level.belief}", f"proofs={level.temperature == 0}"


def seed_of(text: str) -> int:
    """Return the seed of a bot at a table: of which nobody can tell the cards."""
    digest = hashlib.blake2b(f"brelan bot {text}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little")


def check_bot(name: str, game: Game) -> str:
    """Return the name of a bot of the house that may sit at a table; Refused if there is none.

    Programs and modules are not run by the server: they come as guests, through the protocol. A
    level that would think for long, or with several trees, is refused too.
    """
    known = bots.all_names(game)
    if name not in known and not name.startswith("search:"):
        raise Refused(f"unknown bot {name!r}; there are: {', '.join(known)}, search:…")
    if name.startswith("search:"):
        level = parse_level(name.removeprefix("search:"))
        is_short = (
            level.steps <= MOST_STEPS
            or level.simulations <= MOST_SIMULATIONS
            or level.seconds <= MOST_SECONDS
        )
        if not is_short or level.threads > 1:
            raise Refused(
                f"the bot {name!r} thinks too much for a table; allowed are {MOST_SECONDS:g}s, "
                f"{MOST_SIMULATIONS} simulations or steps={MOST_STEPS}, and threads=1"
            )
    return name
