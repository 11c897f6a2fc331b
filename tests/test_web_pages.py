"""The pages of the browser client in Chromium, at a real server."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import brelan
from browser_fixture import DESK, DEVICES, PHONE, SMALL_PHONE, Browse, findings

if TYPE_CHECKING:
    from server_processes import Process

TOOLS = Path(__file__).parents[1] / "tools"


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_first_page_is_shown(browse: Browse, device: str, dark: bool, lang: str) -> None:
    """Without complaints, which the fixture looks for, and without scrolling sideways.

    Axe finds nothing either.
    """
    page = browse(device, dark=dark, lang=lang).open()
    page.get_by_role("heading", level=1).wait_for()
    page.wait_for_load_state("networkidle")
    assert "Brelan" in page.title()
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= DEVICES[device]["viewport"]["width"]
    assert findings(page) == []


def test_what_goes_wrong_in_a_page_is_noticed(browse: Browse) -> None:
    """The tests would be worth nothing otherwise."""
    visit = browse(DESK)
    page = visit.open()
    for script in (
        "setTimeout(() => { throw new Error('planted') })",
        "console.error('planted')",
        "void fetch('/assets/planted')",
        "document.body.append(Object.assign(document.createElement('script'), {text: '1'}))",
        "document.body.append(Object.assign(new Image(), {src: 'http://127.0.0.1:9/planted'}))",
    ):
        before = len(visit.complaints)
        page.evaluate(script)
        page.wait_for_timeout(200)
        assert len(visit.complaints) > before, script
    visit.expect("planted", "Content Security Policy", "forbidden: ")
    visit.expect("Failed to load resource", "127.0.0.1:9")
    assert visit.unexpected() == []


@pytest.mark.parametrize("device", [PHONE, SMALL_PHONE])
def test_a_phone_can_install_it(browse: Browse, device: str) -> None:
    page = browse(device).open()
    session = page.context.new_cdp_session(page)
    found = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert {error["errorId"] for error in found} <= {"in-incognito"}  # as all tests are
    manifest = session.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert manifest["url"].endswith("/manifest.webmanifest")


@pytest.mark.parametrize("name", ["home", *brelan.games()])
def test_a_first_load_is_light(
    browse: Browse, house: Process, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """As much as `tools/page_speed.py` allows; in French, whose texts are the longer ones."""
    monkeypatch.setattr(sys, "path", [str(TOOLS), *sys.path])
    tool = runpy.run_path(str(TOOLS / "page_speed.py"))
    visit = browse(DESK, lang="fr")
    page = visit.context.new_page()
    received = tool["watch"](page)
    table = "" if name == "home" else f"#table={tool['opened'](page, house.url, name)}"
    page.goto(f"{house.url}/{table}")
    load, api = tool["first_load"](page, received)
    assert api > 0, "nothing was measured"
    assert 50 < load < tool["GOALS"]["table" if table else "home"]
