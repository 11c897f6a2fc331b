"""Take the pictures of the designer's lab in `docs/pictures`: a report, and a comparison.

uv run --all-groups --all-extras tools/report_pictures.py

The figures are played first, with a fixed seed. It needs Chromium and the built client.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from pictures import CHROMIUM, FOLDER, QUALITY, which
from playwright.sync_api import Browser, sync_playwright

import brelan
from brelan.lab import compare, report
from brelan.lab.study.plan import plan
from brelan.lab.study.run import run

GAME, PLAYERS, SETTING = "batailles-et-piques", 4, "hand_size=5"
SEED, MATCHES = 1, 16_000
DESK, PHONE, SHEET = (1280, 1000), (360, 740), (794, 1123)  # a sheet of A4 at 96 dots per inch
Views = Sequence[tuple[str, tuple[int, int], str, str]]
VIEWS: Views = (
    ("desk-light", DESK, "light", "screen"),
    ("desk-dark", DESK, "dark", "screen"),
    ("phone-light", PHONE, "light", "screen"),
    ("phone-dark", PHONE, "dark", "screen"),
    ("print", SHEET, "light", "print"),
)


def pages(folder: Path) -> Iterator[tuple[str, str, Views]]:
    """Yield a page of each kind: its name, its text, and the views that are kept of it."""
    game = brelan.game(GAME, players=PLAYERS)
    command = f"brelan lab report {GAME} --players {PLAYERS} --matches {MATCHES} --seed {SEED}"
    study = run(plan(game, seed=SEED, matches=MATCHES), folder / "study", command=command)
    yield "lab-report", report.html(study, "en"), VIEWS
    sides = [compare.side(GAME, given, players=str(PLAYERS)) for given in ([], [SETTING])]
    command = f"brelan lab compare {GAME} --players {PLAYERS} --b {SETTING} --seed {SEED}"
    found = compare.compare(*sides, SEED, precision=0.02, command=f"{command} --precision 0.02")
    yield "lab-compare", compare.html(found, "fr"), VIEWS[::2]


def take(browser: Browser, name: str, file: Path, views: Views) -> None:
    """Take the pictures of one page."""
    for view, (width, height), theme, medium in views:
        page = browser.new_page(
            viewport={"width": width, "height": height},
            color_scheme="dark" if theme == "dark" else "light",
        )
        page.emulate_media(media="print" if medium == "print" else "screen")
        page.goto(file.as_uri())
        if medium == "print":  # the margins of a sheet
            page.add_style_tag(content="body{padding:53px 49px}")
        page.evaluate("document.fonts.ready")
        picture = FOLDER / f"{name}-{view}.jpg"
        page.screenshot(path=picture, type="jpeg", quality=QUALITY)
        page.close()
        sys.stdout.write(f"{picture.relative_to(FOLDER.parent.parent)}\n")


def main() -> None:
    """Take all pictures."""
    FOLDER.mkdir(exist_ok=True)
    program = which(CHROMIUM)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for name, page, views in pages(Path(folder)):
            file = Path(folder) / f"{name}.html"
            file.write_text(page, encoding="utf-8")
            take(browser, name, file, views)
        browser.close()


if __name__ == "__main__":
    main()
