"""Chromium at a real server, for the end-to-end tests of the browser client.

`house` is a server of its own process, `browse` opens pages of it as people have them: at a desk,
on a phone, in the dark, in French. When a test ends, no page may have complained: of an error in
its scripts, of a request that failed, of what its content-security policy forbids.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from brelan.server.pages import FOLDER

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

    from server_processes import Process

CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "chrome")
DESK, PHONE, SMALL_PHONE = "desk", "phone", "small phone"
DEVICES: dict[str, dict[str, Any]] = {
    DESK: {"viewport": {"width": 1280, "height": 800}},
    PHONE: {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
    SMALL_PHONE: {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True},
}
PATIENCE = 30_000  # milliseconds in which what a test waits for appears
AT_REST = """() => Promise.all(document.getAnimations()
  .filter((each) => each.effect.getComputedTiming().endTime < Infinity)
  .map((each) => each.finished.catch(() => null))).then(() => null)"""
WATCH = """
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`forbidden: ${event.violatedDirective} ${event.blockedURI}`));
"""


@pytest.fixture(scope="session")
def chromium() -> str:
    """Where Chromium is; without it, or without a page to show, the tests are skipped."""
    reason = "the end-to-end tests need "
    pytest.importorskip(
        "playwright", reason=f"{reason}playwright: uv run --all-groups pytest has it"
    )
    found = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if found is None:
        pytest.skip(f"{reason}Chromium: apt-get install chromium")
    if not (FOLDER / "index.html").exists():
        pytest.skip(f"{reason}the browser client, which is not built: python3 hatch_build.py")
    return found


@pytest.fixture(scope="session")
def house(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """A server with an empty database. A test may stop and start it again."""
    from server_processes import Process

    folder = tmp_path_factory.mktemp("house")
    server = Process(f"sqlite:///{folder / 'house.db'}", folder).start()
    yield server
    server.close()


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    """Chromium, without a window.

    For one module: as long as Playwright runs, no other test could call `asyncio.run`.
    """
    from playwright.sync_api import sync_playwright

    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox"] if is_root else []
        )
        yield launched
        launched.close()


class Visit:
    """Somebody at the house: one browser profile, and what its pages complained of."""

    def __init__(self, context: BrowserContext, home: str) -> None:
        self.context, self.home = context, home
        self.complaints: list[str] = []
        self.expected: list[str] = []  # parts of complaints that are wanted
        context.add_init_script(WATCH)
        context.set_default_timeout(PATIENCE)
        context.on("page", self._watch)

    def open(self, path: str = "/") -> Page:
        """Open a page of the house, such as `/#join=KEY`."""
        page = self.context.new_page()
        page.goto(self.home + path)
        return page

    def expect(self, *parts: str) -> None:
        """Let complaints that hold one of these parts pass: the test causes them."""
        self.expected += parts

    def unexpected(self) -> list[str]:
        """Return what the pages complained of, but for what is expected."""
        return [each for each in self.complaints if not any(part in each for part in self.expected)]

    def _watch(self, page: Page) -> None:
        complain = self.complaints.append
        page.on("pageerror", lambda error: complain(f"error: {error.stack or error.message}"))
        page.on(
            "console",
            lambda said: (
                complain(f"console: {said.text} ({said.location.get('url')})")
                if said.type in ("error", "warning")
                else None
            ),
        )
        page.on(
            "requestfailed",
            lambda asked: (
                None  # what a page no longer wants when it goes is no failure
                if asked.failure == "net::ERR_ABORTED"
                else complain(f"request failed: {asked.method} {asked.url} {asked.failure}")
            ),
        )
        page.on(
            "response",
            lambda answer: (
                complain(f"status {answer.status}: {answer.url}") if answer.status >= 400 else None
            ),
        )
        page.on(
            "request",
            lambda asked: (
                None
                if asked.url.startswith((self.home, "data:", "blob:"))
                else complain(f"foreign request: {asked.url}")
            ),
        )


def findings(page: Page) -> list[str]:
    """Return what axe finds fault with in a page as it stands: rule, why, and where."""
    from axe_playwright_python.sync_playwright import Axe

    page.evaluate(AT_REST)
    found = Axe().run(page).response["violations"]
    return [
        f"{each['id']} ({each['help']}): {node['target']}"
        for each in found
        for node in each["nodes"]
    ]


Browse = Callable[..., Visit]


@pytest.fixture
def browse(browser: Browser, house: Process, tmp_path: Path) -> Iterator[Browse]:
    """Let people visit the house: `browse(PHONE, dark=True, lang="fr")`.

    Each is a guest of their own. `home` is another server, `reduced` asks for no motion.
    """
    visits: list[Visit] = []

    def visit(
        device: str = DESK,
        *,
        dark: bool = False,
        lang: str = "en",
        reduced: bool = True,
        home: str | None = None,
        **more: Any,
    ) -> Visit:
        context = browser.new_context(
            **DEVICES[device],
            color_scheme="dark" if dark else "light",
            locale={"en": "en-GB", "fr": "fr-FR"}.get(lang, lang),
            reduced_motion="reduce" if reduced else "no-preference",
            **more,
        )
        visits.append(Visit(context, home or house.url))
        return visits[-1]

    yield visit
    for number, each in enumerate(visits):
        for page in each.context.pages:
            if each.unexpected():
                page.screenshot(path=tmp_path / f"complained-{number}.png")
    complaints = [line for each in visits for line in each.unexpected()]
    for each in visits:
        each.context.close()
    assert not complaints, "\n".join(complaints)
