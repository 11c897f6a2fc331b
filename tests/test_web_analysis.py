"""The analysis of a match in Chromium at a real server: from the end of a match, step by step."""

from __future__ import annotations

import re

from browser_fixture import DESK, SMALL_PHONE, Browse, findings
from server_processes import Process
from web_play import open_table, play_to_the_end


def test_a_match_is_analysed_after_its_end(browse: Browse, house: Process) -> None:
    """Found at the end of the match, stepped through, and kept for the phone in the dark."""
    visit = browse(DESK)
    page = visit.open()
    page.get_by_role("heading", level=1).wait_for()
    knobs = {"tokens_to_win": 1}
    table = open_table(page, house.url, "love-letter", ["careful"], knobs=knobs)["table"]
    page.goto(f"{house.url}/#table={table}")
    page.locator("[data-lit]").first.wait_for()
    play_to_the_end(page)
    page.get_by_role("link", name="Analyse").click()
    page.wait_for_url(f"**/#analysis={table}*")
    panel = page.get_by_role("group", name="Analysis")
    panel.get_by_text("Judged by what this seat could know").wait_for(timeout=120_000)
    panel.get_by_role("heading", name="The match").wait_for()
    slider = page.get_by_role("slider", name="Win chance over the match")
    found = page.request.get(f"{house.url}/api/tables/{table}/analysis?seat=0").json()
    for number, decision in enumerate(found["decisions"], start=1):
        page.get_by_role("button", name="Next decision").click()
        panel.get_by_role("heading", name=f"Decision {number} of {found['count']}").wait_for()
        assert slider.input_value() == str(decision["ply"])
        assert panel.locator(".decision li").count() >= min(2, len(decision["moves"]))
        tags = page.locator("[data-belief]")
        if any(belief["place"] == "hand" for belief in decision["belief"]):
            tags.first.wait_for()
    slider.focus()
    page.keyboard.press("End")
    result = "100.0%" if found["end"]["chance"] else "0.0%"
    assert result in (slider.get_attribute("aria-valuetext") or "")
    assert findings(page) == []
    page.emulate_media(color_scheme="dark")
    assert findings(page) == []

    page.get_by_text("Open cards").click()
    page.locator("[data-belief]").first.wait_for(state="detached")
    page.get_by_role("radio", name="You").locator("xpath=../following-sibling::label[1]").click()
    page.wait_for_url(re.compile(f"#analysis={table}&seat=1"))
    panel.get_by_role("heading", name="The match").wait_for(timeout=120_000)

    phone = browse(SMALL_PHONE, dark=True, lang="fr").open(f"/#analysis={table}&seat=0")
    phone.get_by_role("button", name="Décision suivante").click()
    phone.locator("button.verdict").click()
    phone.get_by_role("heading", name=f"Décision 1 sur {found['count']}").wait_for()
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
    assert findings(phone) == []


def test_a_match_that_goes_on_has_no_analysis(browse: Browse, house: Process) -> None:
    visit = browse(DESK)
    page = visit.open()
    page.get_by_role("heading", level=1).wait_for()
    table = open_table(page, house.url, "love-letter", ["careful"])["table"]
    page.goto(f"{house.url}/#analysis={table}&seat=1")
    page.get_by_role("heading", name="No analysis yet").wait_for()
    assert findings(page) == []
