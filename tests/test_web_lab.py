"""The lab in Chromium: variants are studied and compared, read, shared and played."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from browser_fixture import DESK, DEVICES, SMALL_PHONE, Browse, findings

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from server_processes import Process

WIDTH = "document.querySelector('li .interval').getBoundingClientRect().width"


def check(page: Page, device: str) -> None:
    """Axe finds nothing, and nothing scrolls sideways."""
    assert findings(page) == []
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= DEVICES[device]["viewport"]["width"]


def test_a_variant_is_studied_read_shared_and_played(browse: Browse, house: Process) -> None:
    visit = browse(DESK)
    page = visit.open("/lab")
    page.get_by_role("link", name="The lab").first.wait_for()
    page.get_by_label("Game").select_option("district-noir")
    page.get_by_label("Game").select_option("love-letter")
    page.get_by_role("radiogroup", name="Players").get_by_role("radio", name="3").check()
    page.get_by_role("group", name="Tokens to win").get_by_role("button").first.click()
    check(page, DESK)
    page.get_by_role("button", name="Run", exact=True).focus()
    page.keyboard.press("Enter")
    page.locator("li .interval").first.wait_for(timeout=60_000)
    first = page.evaluate(WIDTH)
    latest = time.monotonic() + 60
    while page.evaluate(WIDTH) > 0.8 * first:
        assert time.monotonic() < latest, "the interval does not shrink"
        page.wait_for_timeout(200)
    page.get_by_role("button", name="That will do").click()
    page.get_by_role("button", name="Run these rules").wait_for()
    assert "then it was stopped" in page.locator("p.state").inner_text()
    assert "Tokens to win: 4" in page.locator("article").inner_text()
    check(page, DESK)

    other = browse(SMALL_PHONE, dark=True, lang="fr").open(page.url.removeprefix(house.url))
    other.locator("li .interval").first.wait_for()
    check(other, SMALL_PHONE)
    assert other.get_by_role("button", name="Cela suffit").count() == 0
    with visit.context.expect_page() as opened:
        page.get_by_role("link", name="The whole report").click()
    report = opened.value
    report.locator("#method").wait_for()
    assert "tokens_to_win" in report.inner_text("main")

    page.get_by_text("Nobody has played these rules to the end").wait_for()

    page.get_by_role("link", name="Compare").click()
    page.get_by_role("heading", name="Two variants, the same deals.").wait_for()
    check(page, DESK)
    page.get_by_role("button", name="Compare", exact=True).click()
    page.locator("li .interval").first.wait_for(timeout=60_000)
    page.locator("th", has_text="decisions").first.wait_for()
    shares = page.locator("article section").first
    assert "the first one wins" in shares.inner_text()
    assert "Tokens to win: 4" in page.locator("article dl").inner_text()
    check(page, DESK)
    compared = page.url.removeprefix(house.url)
    assert compared.startswith("/#compare=")
    other.goto(house.url + compared)
    other.locator("li .interval").first.wait_for()
    other.get_by_role("heading", name="Parts").wait_for()
    check(other, SMALL_PHONE)
    page.get_by_role("link", name="Play b").click()
    page.get_by_role("button", name="Begin").wait_for()
    assert page.get_by_role("group", name="Tokens to win").inner_text().split()[1] == "4"
    page.go_back()
    page.go_back()

    page.get_by_role("button", name="Play it").click()
    page.locator(".felt [data-at]").first.wait_for()
    table = page.url.partition("#table=")[2].partition("&")[0]
    info = page.request.get(f"{house.url}/api/tables/{table}").json()
    assert info["knobs"]["tokens_to_win"] == 4
    assert len(info["seats"]) == 3


def test_a_study_that_is_gone_is_told(browse: Browse) -> None:
    visit = browse(DESK)
    visit.expect("404")
    page = visit.open("/#lab=gone")
    page.get_by_text("This study is not kept here any more.").wait_for()
