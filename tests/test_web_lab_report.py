"""Pages of the lab in a browser: nothing scrolls sideways, and axe finds nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from brelan.lab import compare, report
from lab_study import faulty, study

if TYPE_CHECKING:
    from playwright.sync_api import Browser

WIDTHS = (1280, 390, 360)


def compared() -> str:
    sides = (compare.side("template-game", given) for given in (["level=honest"], []))
    return compare.html(compare.compare(*sides, matches=400), "fr")


PAGES: dict[str, Callable[[], str]] = {
    "one level": lambda: report.html(study([faulty()]), "en"),
    "three levels": lambda: report.html(
        study([faulty(name) for name in ("careful", "club", "expert")]), "fr"
    ),
    "comparison": compared,
}


@pytest.mark.parametrize(
    ("name", "scheme"), [("one level", "light"), ("three levels", "dark"), ("comparison", "dark")]
)
def test_a_page_of_the_lab_is_readable_on_every_screen(
    browser: Browser, tmp_path: Path, name: str, scheme: str
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    file = tmp_path / "page.html"
    file.write_text(PAGES[name](), encoding="utf-8")
    page = browser.new_page(color_scheme="dark" if scheme == "dark" else "light")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        cut = page.evaluate(
            """() => [...document.querySelectorAll("main td, main th, .said li, dd")]
            .filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
            .map((each) => each.textContent)"""
        )
        assert cut == []
    page.set_viewport_size({"width": WIDTHS[0], "height": 740})
    found = Axe().run(page)
    assert [(each["id"], each["nodes"][0]["html"]) for each in found.response["violations"]] == []
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    page.close()
