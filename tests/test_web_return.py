"""Who comes back to a table sees what has happened meanwhile, in Chromium at a real server."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

from browser_fixture import DESK, Browse
from web_play import LIT, choose, open_table

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from server_processes import Process

AWAY = "While you were away"
LOOKED_AT = """state => {
  Object.defineProperty(document, "visibilityState", {value: state, configurable: true});
  document.dispatchEvent(new Event("visibilitychange"));
}"""
GROWS = "count => document.querySelectorAll('[role=log] li').length > count"
MINE = f".felt {LIT}"


def leave(page: Page) -> None:
    """Put the page behind another one, as far as it can tell."""
    page.evaluate(LOOKED_AT, "hidden")


def come_back(page: Page) -> None:
    page.evaluate(LOOKED_AT, "visible")


def story(page: Page) -> list[str]:
    found: list[str] = page.locator("[role=log] li").all_inner_texts()
    return [re.sub(r"\s+", " ", each).strip() for each in found]


def play(page: Page, times: int = 1) -> None:
    """Make some moves of District Noir, each one choice."""
    for _ in range(times):
        page.locator(MINE).first.wait_for()
        before = len(story(page))
        page.keyboard.press("1")
        page.wait_for_function(GROWS, arg=before)


def test_what_happened_while_the_page_was_hidden_is_played(browse: Browse, house: Process) -> None:
    """Two bots answer; their moves are shown in order when the page is looked at again."""
    page, chance = browse(DESK, reduced=False).open(), random.Random(1)
    others, is_long = ["random", "random"], True
    while is_long:  # who is out of the round is away for longer than is played at once
        table = open_table(page, house.url, "love-letter", others, knobs={"players": 3})["table"]
        page.goto(f"{house.url}/#table={table}")
        page.locator(MINE).first.wait_for()
        before = story(page)
        leave(page)
        for _ in range(60):  # a move may have several parts
            if len(story(page)) > len(before):
                break
            count = page.locator(LIT).count()
            choose(page, chance.randrange(max(count, 1)), count, "keys")
            page.wait_for_timeout(50)
        page.wait_for_function("() => document.title.startsWith('●')")  # where it can be seen
        told = story(page)
        assert told[: len(before)] == before
        come_back(page)
        page.get_by_text(AWAY).first.wait_for()
        is_long = page.get_by_role("button", name="See them").count() > 0
    page.locator(MINE).first.wait_for()
    shown = story(page)
    assert shown.index(AWAY) > len(before)  # one's own move was seen
    assert [each for each in shown if each != AWAY] == told
    assert page.get_by_role("button", name="Skip").count() == 0


def test_a_long_absence_is_told_and_can_be_seen(browse: Browse, house: Process) -> None:
    player = browse(DESK).open()
    table = open_table(player, house.url, "district-noir", ["random"])["table"]
    player.goto(f"{house.url}/#table={table}")
    page = browse(DESK, reduced=False).open(f"/#table={table}")
    page.get_by_text("You are watching.").wait_for()
    before = story(page)
    leave(page)
    play(player, 5)
    player.locator(MINE).first.wait_for()
    page.wait_for_function(GROWS, arg=len(before) + 9)
    told = story(page)
    come_back(page)
    page.get_by_text(re.compile(r"^\s*While you were away 1\d moves were played")).wait_for()
    page.get_by_role("button", name="See them").click()
    skip = page.get_by_role("button", name="Skip")
    skip.wait_for()
    assert len(story(page)) < len(told)  # it is told again, from where it was left
    skip.click()
    skip.wait_for(state="detached")
    assert story(page) == [*told[: len(before)], AWAY, *told[len(before) :]]
    assert page.get_by_role("button", name="See them").count() == 0


def test_what_happened_while_the_page_was_closed_is_played(browse: Browse, house: Process) -> None:
    visit = browse(DESK)
    page = visit.open()
    found = open_table(page, house.url, "district-noir", ["open"])
    page.goto(f"{house.url}/#table={found['table']}")
    other = browse(DESK).open(f"/#join={found['links']['invitation 1']}")
    other.locator("[data-sit-down]").click()
    other.wait_for_url("**/#table=*")
    first, second = (page, other)
    page.locator(".felt [data-at]").first.wait_for()
    if page.locator(MINE).count() == 0:  # the other one begins
        play(second)
    play(first)
    other.locator(MINE).first.wait_for()
    told = story(page)
    page.goto("about:blank")
    play(other)
    page.goto(f"{house.url}/#table={found['table']}")
    page.locator(MINE).first.wait_for()
    page.get_by_role("log").get_by_text(AWAY).wait_for()
    shown = story(page)
    assert shown[: len(told) + 1] == [*told, AWAY]
    assert len(shown) > len(told) + 1
    page.reload()  # it was seen
    page.locator(MINE).first.wait_for()
    assert AWAY not in story(page)
