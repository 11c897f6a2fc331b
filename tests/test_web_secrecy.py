"""Nothing shown, in the browser: in worlds that a seat cannot tell apart its page is the same.

Chromium opens the page of a seat in two worlds that look alike to it (see `test_server_secrecy`).
All requests and sockets of the page go to the server of its world. What the page draws, stores, and
what hangs on its elements and on `window` must be equal, byte by byte, and what came over the
network too.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import shutil
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

import brelan
from brelan.engine.game import Game
from brelan.server import readers
from brelan.server.messages import Options
from brelan.suite.walk import Walk
from browser_fixture import CHROMIUM, chromium  # noqa: F401 - a fixture
from test_server_secrecy import ID, LeakError, World, _alike, positions, two_worlds

HOME = "http://house"
POSITIONS = 25 if os.environ.get("BRELAN_LONG") else 2
DRAWN = ".felt [data-at]"
HOLDS = """async () => {
  // What hangs on the page besides what every browser has: own properties of elements and window.
  const plain = (value, depth, seen) => {
    if (value === null || typeof value !== "object") {
      return ["function", "symbol"].includes(typeof value) ? typeof value : String(value);
    }
    if (value instanceof Node || value === window || seen.has(value) || depth > 6) return "…";
    seen.add(value);
    const entries = value instanceof Map ? [...value] : value instanceof Set ? [...value].entries()
      : Object.entries(value);
    return Object.fromEntries([...entries].map(([k, v]) => [String(k), plain(v, depth + 1, seen)]));
  };
  const clean = document.createElement("iframe");
  document.body.append(clean);
  const usual = new Set(Object.getOwnPropertyNames(clean.contentWindow));
  clean.remove();
  const own = Object.getOwnPropertyNames(window).filter((name) => !usual.has(name) && isNaN(name));
  const held = {};
  for (const name of own) held[name] = plain(window[name], 0, new Set());
  const elements = [...document.querySelectorAll("*")].map((element) =>
    plain(Object.fromEntries(Reflect.ownKeys(element).map((key) => [String(key), element[key]])), 0,
      new Set()));
  return JSON.stringify({
    page: document.documentElement.outerHTML, title: document.title, url: location.href,
    local: {...localStorage}, session: {...sessionStorage}, cookies: document.cookie,
    history: plain(history.state, 0, new Set()), held, elements,
    databases: await indexedDB?.databases(), caches: await window.caches?.keys(),
    workers: (await navigator.serviceWorker?.getRegistrations())?.length,
  });
}"""


class Visitor:
    """The page of a seat in a world, whose network is the world's server alone."""

    def __init__(self, world: World, reader: int | None) -> None:
        self.world, self.reader = world, reader
        self.heard: list[Any] = []
        self.tasks: list[asyncio.Task[Any]] = []
        self.page: Any = None

    async def open(self, context: Any) -> None:
        self.page = await context.new_page()
        await self.page.route("**/*", self._answer)
        await self.page.route_web_socket("**/*", self._connect)
        await self.page.clock.install(time="2026-01-01")  # it goes on where `holds` lets it
        seat = "watch=1" if self.reader is None else f"seat={self.reader}"
        await self.page.goto(f"{HOME}/#table={ID}&{seat}")
        await self.page.locator(DRAWN).first.wait_for()

    async def _answer(self, route: Any) -> None:
        asked = route.request
        url = urlsplit(asked.url)
        assert asked.url.startswith(HOME), f"foreign request: {asked.url}"
        content = asked.post_data_buffer
        body = None if content is None else json.loads(content)
        messages = await self.world.ask(self.reader, url.path, url.query, body)
        begun, *parts = messages
        headers = {name.decode(): text.decode() for name, text in begun["headers"]}
        whole = b"".join(part.get("body", b"") for part in parts)
        if url.path.startswith("/api/"):
            self.heard.append((url.path, url.query, begun["status"], whole))
        await route.fulfill(status=begun["status"], headers=headers, body=whole)

    def _connect(self, socket: Any) -> None:
        url = urlsplit(socket.url)
        said: asyncio.Queue[Any] = asyncio.Queue()
        said.put_nowait({"type": "websocket.connect"})

        async def hear(message: Any) -> None:
            if message["type"] == "websocket.send":
                self.heard.append(message["text"] if message.get("text") else message["bytes"])
                text = message.get("text")
                socket.send(text if text is not None else message["bytes"].decode())

        def say(text: Any) -> None:
            said.put_nowait({"type": "websocket.receive", "text": text})

        socket.on_message(say)
        scope = {"type": "websocket", "path": url.path, "client": ("1", 1)}
        whole = self.world.scope(scope, self.world.cookie(self.reader), url.query)
        self.tasks.append(asyncio.create_task(self.world.app(whole, said.get, hear)))

    async def holds(self) -> str:
        """Return all that the page shows and keeps, once it is quiet."""
        before = ""
        for _ in range(100):
            await asyncio.sleep(0.04)
            await self.page.clock.run_for(1000)
            now: str = await self.page.evaluate(HOLDS)
            if now == before:
                return now
            before = now
        raise AssertionError("the page does not come to rest")

    async def close(self) -> None:
        if self.page is not None:
            await self.page.close()
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


@contextlib.asynccontextmanager
async def a_browser() -> AsyncIterator[Any]:
    from playwright.async_api import async_playwright

    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    async with async_playwright() as playwright:
        launched = await playwright.chromium.launch(
            executable_path=next(filter(None, map(shutil.which, CHROMIUM))),
            args=["--no-sandbox"] if is_root else [],
        )
        try:
            yield launched
        finally:
            await launched.close()


async def same(visitors: list[Visitor], what: str) -> None:
    one, two = [await visitor.holds() for visitor in visitors]
    if one != two:
        at = next(n for n, (a, b) in enumerate(zip(one, two, strict=False)) if a != b)
        shown = f"{one[max(0, at - 200) : at + 200]}\n{two[max(0, at - 200) : at + 200]}"
        raise LeakError(f"reader {visitors[0].reader}, {what}:\n{shown}")
    heard = [sorted(map(str, visitor.heard)) for visitor in visitors]  # requests overtake others
    for one, two in zip(*heard, strict=True):
        if one != two:
            raise LeakError(f"reader {visitors[0].reader}, {what}, network:\n{one}\n{two}")


async def compare(
    browser: Any, worlds: list[World], walk: Walk, reader: int | None, choice: random.Random
) -> Counter[str]:
    seen: Counter[str] = Counter()
    imagined = walk.imagine(0 if reader is None else reader, choice.getrandbits(60))
    seen["hidden"] += imagined.tobytes()[8:] != walk.state.tobytes()[8:]
    secret = choice.randbytes(32)
    for world, state in zip(worlds, (walk.state, imagined), strict=True):
        await world.put(state, secret)
    visitors = [Visitor(world, reader) for world in worlds]
    contexts = [await browser.new_context(reduced_motion="reduce") for _ in worlds]
    try:
        for visitor, context in zip(visitors, contexts, strict=True):
            await visitor.open(context)
        await same(visitors, "at first")
        for _ in range(3):
            found = _alike(worlds, reader, choice)
            if found is None:
                break
            seen["moves"] += 1
            for world, number in zip(worlds, found, strict=True):
                assert world.table.match is not None
                turn = world.table.match.turn
                assert turn is not None
                await world.table.move(turn, world.table.ply, number)
            await same(visitors, f"after {seen['moves']} moves")
    finally:
        for visitor in visitors:
            await visitor.close()
        for context in contexts:
            await context.close()
    return seen


def read_pages(game: Game, folder: Path, seed: int, count: int) -> Counter[str]:
    """Compare the pages of seats, in some positions; count what was compared."""
    choice, seen = random.Random(seed), Counter[str]()
    game = Game(game.folder, game.knobs, mode="checked")

    async def run() -> None:
        async with a_browser() as browser, two_worlds(folder, game, Options()) as worlds:
            for number, walk in enumerate(positions(game, count, choice)):
                everybody = [*range(game.players), None]
                reader = walk.seat if number % 2 else everybody[number // 2 % len(everybody)]
                seen.update(await compare(browser, worlds, walk, reader, choice))

    asyncio.run(run())
    return seen


@pytest.mark.usefixtures("chromium")
@pytest.mark.parametrize("name", brelan.games())
def test_nothing_hidden_is_in_a_page(name: str, tmp_path: Path) -> None:
    seen = read_pages(brelan.game(name), tmp_path, 3, 2 * POSITIONS)
    assert seen["hidden"] > 0, "the worlds did not differ"
    assert seen["moves"] > 0, "no two worlds stayed alike"


@pytest.mark.usefixtures("chromium")
@pytest.mark.parametrize("where", ["the network", "the memory of the page", "storage"])
def test_a_leak_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    """A card of another's that reaches the page is noticed, wherever it lies."""
    if where == "the network":
        before = readers.story

        def story(match: Any, reader: int | None) -> Any:
            told = before(match, reader)
            return [*told, readers.text((hidden_in(match), {}))]

        monkeypatch.setattr(readers, "story", story)
    else:
        kept = "window.planted = " if where.startswith("the memory") else "localStorage.planted = "
        asked = Visitor.open

        async def leaky(self: Visitor, context: Any) -> None:
            await asked(self, context)
            await self.page.evaluate(f"{kept}{hidden_in(self.world.table.match)}")

        monkeypatch.setattr(Visitor, "open", leaky)
    with pytest.raises(LeakError):
        read_pages(brelan.game("love-letter"), tmp_path, 3, 4)


def hidden_in(match: Any) -> str:
    """Return what depends on cards that nobody may see."""
    return str(sum(match._state.tobytes()[8:]))
