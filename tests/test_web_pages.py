"""The pages of the browser client in Chromium, at a real server."""

from __future__ import annotations

import pytest

from browser_fixture import DESK, DEVICES, PHONE, SMALL_PHONE, Browse, findings


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
