"""The analysis of a match in Chromium at a real server: from the end of a match, step by step."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, Page

from browser_fixture import DESK, SMALL_PHONE, Browse, findings
from server_processes import Process
from web_play import open_about, open_table, play_to_the_end


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

    play_on(page, panel, table, found)

    phone = browse(SMALL_PHONE, dark=True, lang="fr").open(f"/#analysis={table}&seat=0")
    phone.get_by_role("button", name="Décision suivante").click()
    phone.locator("button.verdict").click()
    phone.get_by_role("heading", name=f"Décision 1 sur {found['count']}").wait_for()
    phone.get_by_role("button", name="Rejouer à partir d’ici…").click()
    phone.get_by_role("dialog", name="Rejouer à partir d’ici").wait_for()
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
    assert findings(phone) == []


def play_on(page: Page, panel: Locator, table: str, found: dict[str, Any]) -> None:
    """Play another move than was played at the first decision; go back, and let cards be drawn."""
    first, home = found["decisions"][0], page.url.split("#")[0]
    page.goto(f"{home}#analysis={table}&seat=0&at={first['ply']}")
    panel.get_by_role("heading", name="Decision 1 of").wait_for()
    other = next(each["move"] for each in first["moves"] if each["move"] != first["made"])
    panel.get_by_role("button", name="Play on from here…").click()
    dialog = page.get_by_role("dialog", name="Play on from here")
    dialog.get_by_label("First move").select_option(str(other))
    dialog.get_by_role("radio", name="as they lay").check()
    assert findings(page) == []
    dialog.get_by_role("button", name="Open the table").click()
    page.wait_for_url(re.compile("#table=(?!" + table + ")"))
    page.get_by_text(f"This match goes on from step {first['ply']} of another one").wait_for()
    about = open_about(page)
    about.get_by_text("no deal of the house").wait_for()
    assert findings(page) == []
    about.get_by_role("button", name="Close").click()
    opened = re.search("#table=([^&]*)", page.url)
    assert opened is not None
    told = page.request.get(f"{home}api/tables/{opened[1]}/history?seat=0").json()
    assert told["readers"][0]["steps"][first["ply"]]["move"] == other

    page.get_by_role("button", name="Menu").click()  # by then that move may have ended the match
    page.locator(".list").get_by_role("button", name="Back to the analysis").click()
    page.wait_for_url(re.compile(f"#analysis={table}&seat=0"))
    panel.get_by_role("button", name="Play on from here…").click()
    dialog.get_by_role("button", name="Open the table").click()
    page.wait_for_url(re.compile("#table=(?!" + table + "|" + opened[1] + ")"))
    page.get_by_role("status").get_by_text("were drawn again").wait_for(
        timeout=120_000
    )  # bots are prepared
    play_to_the_end(page)
    page.get_by_role("link", name="Back to the analysis").click()
    panel.get_by_role("heading", name="Decision 1 of").wait_for()
    page.goto(f"{home}#history")
    page.get_by_text("what if · with").first.wait_for()


def test_a_match_that_goes_on_has_no_analysis(browse: Browse, house: Process) -> None:
    visit = browse(DESK)
    page = visit.open()
    page.get_by_role("heading", level=1).wait_for()
    table = open_table(page, house.url, "love-letter", ["careful"])["table"]
    page.goto(f"{house.url}/#analysis={table}&seat=1")
    page.get_by_role("heading", name="No analysis yet").wait_for()
    assert findings(page) == []
