"""Take the pictures of `docs/pictures`: pages and tables, desk and phone, light and dark.

uv run --all-groups --all-extras tools/pictures.py          # all of them
uv run --all-groups --all-extras tools/pictures.py home     # those whose name begins so

The server is a real one; its secrets are not drawn but fixed, so that the same cards are dealt each
time. It needs Chromium and the built client.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import shutil
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import uvicorn
from playwright.sync_api import Browser, Error, Page, sync_playwright

from brelan.server import fairness
from brelan.server.app import make_app
from brelan.server.database import open_store
from brelan.server.identity import Signer
from brelan.server.settings import Settings
from brelan.server.sockets import Sockets

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "pictures"
QUALITY = 82
DEVICES: dict[str, dict[str, Any]] = {
    "desk": {"viewport": {"width": 1280, "height": 800}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}
THEMES = ("light", "dark")
CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "chrome")

Scene = Callable[[Page, str], None]  # brings a page there; the address of the house


def table(game: str, bots: list[str], choices: int, **knobs: Any) -> Scene:
    """Return a table after some choices of the reader."""

    def scene(page: Page, home: str) -> None:
        seats = [{"kind": "me"}, *({"kind": "bot", "bot": bot} for bot in bots)]
        wanted = {"game": game, "seats": seats, "knobs": knobs, "options": {"hints": True}}
        answer = page.request.post(f"{home}/api/tables", data=wanted, headers={"origin": home})
        page.goto(f"{home}/#table={answer.json()['table']}")
        play(page, choices)

    return scene


def play(page: Page, choices: int) -> None:
    """Choose lit things, the same ones each time."""
    chance = random.Random(3)  # noqa: S311
    lit = page.locator("[data-lit]:visible")
    for _ in range(choices):
        lit.first.wait_for(timeout=30_000)
        with contextlib.suppress(Error):
            lit.nth(chance.randrange(lit.count())).click(timeout=2000)
        confirm = page.locator("[data-confirm]:visible, .prompt .btn.strong:visible")
        if confirm.count() and chance.random() < 0.7:
            confirm.first.click()
        page.wait_for_timeout(250)
    with contextlib.suppress(Error):
        lit.first.wait_for(timeout=10_000)


def at(path: str) -> Scene:
    """Return a page by what stands behind `#`."""

    def scene(page: Page, home: str) -> None:
        page.goto(f"{home}/{path}")
        page.wait_for_load_state("networkidle")

    return scene


PICTURES: dict[str, Scene] = {
    "home": at(""),
    "new-table": at("#new=love-letter"),
    "rules": at("#rules=love-letter"),
    "lesson": at("#learn=love-letter"),
    "bots": at("#bots"),
    "verify": at("#verify"),
    "settings": at("#settings"),
    "history": at("#history"),
    "credits": at("#credits"),
    "love-letter": table("love-letter", ["club"], 5),
    "love-letter-six": table("love-letter", ["random"] * 5, 3, players=6),
    "district-noir": table("district-noir", ["club"], 8),
    "cour-du-roi": table("cour-du-roi", ["careful"], 40),
    "cour-du-roi-draft": table("cour-du-roi", ["random"] * 3, 3, players=4),
    "batailles-et-piques": table("batailles-et-piques", ["careful"] * 5, 14, players=6),
    "art-of-war": table("art-of-war", ["club"], 14),
}


@contextlib.contextmanager
def house() -> Iterator[str]:
    """Hold a server whose deals are always the same; return its address."""
    count = iter(range(10**6))
    fairness.new_secret = lambda: random.Random(next(count)).randbytes(32)  # noqa: S311
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as port:
        settings = Settings(database=f"sqlite:///{folder}/house.db", keys=("a key", "another key"))
        started: list[uvicorn.Server] = []

        async def run() -> None:
            store, keys = await open_store(settings)
            app = make_app(settings, Signer(keys), store)
            config = uvicorn.Config(app, log_level="error", ws=Sockets)
            server = uvicorn.Server(config)
            started.append(server)
            await server.serve(sockets=[port])

        thread = threading.Thread(target=lambda: asyncio.run(run()), daemon=True)
        thread.start()
        while not started or not started[0].started:
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port.getsockname()[1]}"
        started[0].should_exit = True
        thread.join(10)


def take(browser: Browser, home: str, name: str, scene: Scene) -> None:
    """Take the pictures of one page."""
    for device, given in DEVICES.items():
        for theme in THEMES:
            context = browser.new_context(
                **given, color_scheme=theme, locale="en-GB", reduced_motion="reduce"
            )
            page = context.new_page()
            page.goto(home)
            scene(page, home)
            page.mouse.move(0, 0)
            page.wait_for_timeout(1500)
            file = FOLDER / f"{name}-{device}-{theme}.jpg"
            page.screenshot(path=file, type="jpeg", quality=QUALITY)
            context.close()
            print(file.relative_to(FOLDER.parent.parent))  # noqa: T201


def which(names: tuple[str, ...]) -> str:
    """Return where the first of some programs is that is there; without one, end."""
    program = next(filter(None, map(shutil.which, names)), None)
    if program is None:
        sys.exit("Chromium is not there: apt-get install chromium")
    return program


def main(wanted: list[str]) -> None:
    """Take all pictures, or those whose names begin as one of the arguments does."""
    FOLDER.mkdir(exist_ok=True)
    program = which(CHROMIUM)
    with house() as home, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for name, scene in PICTURES.items():
            if not wanted or name.startswith(tuple(wanted)):
                take(browser, home, name, scene)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
