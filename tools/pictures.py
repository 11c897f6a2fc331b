"""Take the pictures of `docs/pictures`: pages and tables, desk and phone, light and dark.

uv run --all-groups --all-extras tools/pictures.py          # all of them
uv run --all-groups --all-extras tools/pictures.py home     # those whose name begins so

The server is a real one; its secrets are not drawn but fixed, and a bot plays up to the moment that
is shown, so that the same cards lie there each time. It needs Chromium and the built client.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import random
import shutil
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import uvicorn
from playwright.sync_api import Browser, Page, sync_playwright

import brelan
from brelan import client
from brelan.bots.registry import fast_bot
from brelan.client.position import local_game
from brelan.server import fairness
from brelan.server.app import make_app
from brelan.server.database import open_store
from brelan.server.identity import Signer
from brelan.server.messages import Options
from brelan.server.settings import Settings
from brelan.server.sockets import Sockets

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "pictures"
QUALITY = 80
DEVICES: dict[str, dict[str, Any]] = {
    "desk": {"viewport": {"width": 1280, "height": 800}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}
THEMES = ("light", "dark")
CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "chrome")
END = 10_000  # more decisions than a match has

Deeds = Callable[[Page], None]  # what is done in a page before its picture is taken


@dataclass(frozen=True)
class Match:
    """A match of the reader: who else sits there, and after how many of one's decisions it is."""

    game: str
    others: tuple[str, ...] = ("careful",)
    decisions: int = 0
    knobs: dict[str, Any] = field(default_factory=dict)
    luck: int = 0  # another number is another deal
    player: str = "careful"  # who decides for the reader up to here


@dataclass(frozen=True)
class Picture:
    """What is shown: an address, `TABLE` being the id of the last match, and what is done there."""

    path: str = ""
    matches: tuple[Match, ...] = ()
    then: Deeds | None = None
    lang: str = "en"


def lit(*places: int) -> Deeds:
    """Return the choice of lit things on the felt, one after another."""

    def choose(page: Page) -> None:
        for place in places:
            things = page.locator(".felt [data-lit]:visible")
            things.first.wait_for()
            things.nth(min(place, things.count() - 1)).click()

    return choose


def click(name: str) -> Deeds:
    """Return a click on the first button of some name."""
    return lambda page: page.get_by_role("button", name=name).first.click()


def at_a_loss(page: Page) -> None:
    """Wait until a match is analysed, and go to the first choice that lost something."""
    page.wait_for_function(
        "document.querySelectorAll('.graph .mistake, .graph .inaccuracy').length"
        " && !document.querySelector('[role=progressbar]')",
        timeout=120_000,
    )
    while page.locator("button.verdict b").count() == 0:
        page.locator(".graphed .steps .icon-button").last.click()


def otherwise(page: Page) -> None:
    """Ask to play on from the first choice that lost something."""
    at_a_loss(page)
    page.locator("button.verdict").click()
    page.get_by_role("button", name="Play on from here…").click()


def study(seconds: int, begin: str = "Run", again: str = "Run these rules") -> Deeds:
    """Return a study, or a comparison, that runs for so long, and is stopped then."""

    def run(page: Page) -> None:
        page.get_by_role("button", name=begin, exact=True).click()
        page.locator("article .interval").first.wait_for(timeout=90_000)
        page.wait_for_timeout(1000 * seconds)
        page.get_by_role("button", name="That will do").click()
        page.get_by_role("button", name=again).wait_for(timeout=30_000)

    return run


def table(game: str, decisions: int, *others: str, then: Deeds | None = None, luck: int = 0,
          lang: str = "en", **knobs: Any) -> Picture:  # fmt: skip
    """Return a table after some decisions of the reader."""
    match = Match(game, others or ("careful",), decisions, knobs, luck)
    return Picture("#table=TABLE&seat=0", (match,), then, lang)


SOME = (
    Match("love-letter", ("club",), END, {"tokens_to_win": 2}),
    Match("district-noir", ("careful",), END),
    Match("batailles-et-piques", ("careful",) * 3, 3, {"players": 4}),
    Match("cour-du-roi", ("careful",), 20),
)
PICTURES: dict[str, Picture] = {
    "home": Picture("", SOME),
    "new-table": Picture("#new=love-letter"),
    "with-friends": Picture("", then=click("District Noir with friends")),
    "rules": Picture("#rules=love-letter"),
    "learn": Picture("#learn"),
    "lesson": Picture("#learn=love-letter"),
    "bots": Picture("#bots"),
    "lab": Picture("#lab&game=cour-du-roi", then=study(8)),
    "compare": Picture(
        "#compare&game=cour-du-roi&players=2&b=order:ladder",
        then=study(8, "Compare", "Compare these"),
    ),
    "verify": Picture("#verify"),
    "settings": Picture("#settings"),
    "history": Picture("#history", SOME),
    "credits": Picture("#credits"),
    "missing": Picture("#table=gone"),
    "curtain": Picture("#table=TABLE", (Match("cour-du-roi", ("me",)),)),
    "match-over": Picture("#table=TABLE&seat=0", SOME[1:2]),
    "replay": Picture("#replay=TABLE&seat=0&at=34", SOME[1:2]),
    "analysis": Picture(
        "#analysis=TABLE&seat=0",
        (Match("love-letter", ("club",), END, {"tokens_to_win": 2}),),
        then=at_a_loss,
        lang="fr",
    ),
    "what-if": Picture(
        "#analysis=TABLE&seat=0",
        (Match("love-letter", ("club",), END, {"tokens_to_win": 2}),),
        then=otherwise,
    ),
    "love-letter": table("love-letter", 2, luck=1, then=lit(0)),
    "love-letter-six": table("love-letter", 4, *["careful"] * 5, players=6, lang="fr"),
    "district-noir": table("district-noir", 9),
    "cour-du-roi": table("cour-du-roi", 25, then=lit(1)),
    "cour-du-roi-draft": table("cour-du-roi", 3, *["careful"] * 3, players=4, lang="fr"),
    "batailles-et-piques": table(
        "batailles-et-piques", 8, *["careful"] * 5, luck=1, players=6, lang="fr"
    ),
    "art-of-war": table("art-of-war", 30, luck=2),
}
for each in brelan.games():  # a game of which nobody has said what is worth a picture
    PICTURES.setdefault(each, table(each, 4, *["random"] * (brelan.game(each).players - 1)))


class House:
    """A server whose deals are always the same, from one picture to the next."""

    def __init__(self, url: str) -> None:
        self.url = url

    def deals(self, luck: int) -> None:
        """Begin again with the deals of a number."""
        count = iter(range(10**6))
        fairness.new_secret = lambda: random.Random(1000 * luck + next(count)).randbytes(32)  # noqa: S311

    def sit(self, matches: tuple[Match, ...]) -> tuple[str | None, str]:
        """Play some matches of one guest; return who that is, and the id of the last table."""

        async def play() -> tuple[str | None, str]:
            guest, found = client.Client(self.url, name="Mathilde"), ""
            for match in matches:
                self.deals(match.luck)
                found = await _play(guest, match)
            return guest.cookie, found

        with ThreadPoolExecutor(1) as alone:  # where Playwright runs, so does a loop
            return alone.submit(lambda: asyncio.run(play())).result()


async def _play(guest: client.Client, match: Match) -> str:
    options = Options(hints=True)
    seats = ["me", *match.others]
    opened = await guest.open(match.game, seats, knobs=match.knobs, options=options)
    if match.decisions:
        async with guest.connect(opened.table, 0, record=True) as seat:
            bot: Any = fast_bot(match.player, local_game(seat.table), seed=0)
            for _ in range(match.decisions):
                position = await seat.my_turn()
                if position is None:
                    break
                await seat.move(bot.choose(position.view()))
            await seat.my_turn()
    return opened.table


@contextlib.contextmanager
def house() -> Iterator[str]:
    """Hold a server; return its address."""
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


def take(browser: Browser, home: House, name: str, picture: Picture) -> None:
    """Take the pictures of one page."""
    home.deals(0)
    guest, found = home.sit(picture.matches)
    for device, given in DEVICES.items():
        for theme in THEMES:
            locale = {"en": "en-GB", "fr": "fr-FR"}[picture.lang]
            context = browser.new_context(
                **given, color_scheme=theme, locale=locale, reduced_motion="reduce"
            )
            if guest is not None:
                cookie = {"name": "brelan_guest", "value": guest, "url": home.url}
                context.add_cookies([cookie])  # type: ignore[list-item]
            page = context.new_page()
            page.goto(f"{home.url}/{picture.path.replace('TABLE', found)}")
            page.locator("h1, [data-at], [data-lift]").first.wait_for()
            page.wait_for_load_state("networkidle")
            if picture.then is not None:
                picture.then(page)
            page.mouse.move(0, 0)
            page.wait_for_timeout(1500)
            file = FOLDER / f"{name}-{device}-{theme}.webp"
            wanted = {"format": "webp", "quality": QUALITY, "captureBeyondViewport": False}
            shot = context.new_cdp_session(page).send("Page.captureScreenshot", wanted)
            file.write_bytes(base64.b64decode(shot["data"]))
            context.close()
            print(file.relative_to(FOLDER.parent.parent), flush=True)  # noqa: T201


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
    with house() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for name, picture in PICTURES.items():
            if not wanted or name.startswith(tuple(wanted)):
                take(browser, House(url), name, picture)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
