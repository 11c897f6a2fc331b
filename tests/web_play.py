"""Playing in Chromium as people do: by mouse, by finger, and by keyboard alone."""

from __future__ import annotations

import random
from typing import Any

from playwright.sync_api import Error, Page

LIT = "[data-lit]:visible"
CONFIRM = "[data-confirm]:visible, .prompt .btn.strong:visible"
OVER = "[data-over-match]"
OWN_ORIGIN = "origin"


def open_table(page: Page, home: str, game: str, others: list[str], **more: Any) -> dict[str, Any]:
    """Open a table as the guest of a page: bots by name, `open`, or `me` for one more here.

    Returns its id and the secrets of its links.
    """
    kinds = {"open": {"kind": "open"}, "me": {"kind": "me", "name": "Second"}}
    seats = [{"kind": "me"}, *(kinds.get(each, {"kind": "bot", "bot": each}) for each in others)]
    wanted = {"game": game, "seats": seats, "options": {"hints": True}, **more}
    answer = page.request.post(f"{home}/api/tables", data=wanted, headers={OWN_ORIGIN: home})
    assert answer.ok, answer.text()
    found: dict[str, Any] = answer.json()
    return found


def is_over(page: Page) -> bool:
    return page.locator(OVER).count() > 0


def play_to_the_end(page: Page, how: str = "click", luck: int = 1, most: int = 2000) -> int:
    """Choose lit things until the match is over; return how many choices that took.

    `how` is `click`, `tap` or `keys`.
    """
    chance, chosen, idle = random.Random(luck), 0, 0
    while not is_over(page):
        assert chosen < most, "the match does not end"
        assert idle < 300, f"nothing can be chosen: {page.inner_text('main')}"
        count = page.locator(LIT).count()
        if count + page.locator(CONFIRM).count() == 0:
            page.wait_for_timeout(50)
            idle += 1
            continue
        choose(page, chance.randrange(max(count, 1)), count, how)
        chosen, idle = chosen + 1, 0
    return chosen


def choose(page: Page, place: int, count: int, how: str) -> None:
    """Choose one of the lit things, by its place among them; one that is gone is passed over."""
    confirm = page.locator(CONFIRM)
    confirms = confirm.count() > 0 and place >= count // 2
    try:
        if how == "keys":
            if confirms:
                reach(page, CONFIRM.replace(":visible", ""))
            page.keyboard.press("Enter" if confirms else "1234567890"[min(place, 9)])
        elif how == "tap":
            (confirm.first if confirms else page.locator(LIT).nth(place)).tap(timeout=1500)
        else:
            (confirm.first if confirms else page.locator(LIT).nth(place)).click(timeout=1500)
    except Error:  # it is gone, or something moves over it: another one is tried
        page.wait_for_timeout(20)


def reach(page: Page, selector: str) -> None:
    """Go on by Tab until the focus is on something; a fault if that never happens."""
    for _ in range(80):
        if page.evaluate(f"document.activeElement.matches({selector!r})"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"no key leads to {selector}: {page.inner_text('main')}")


def open_about(page: Any) -> Any:
    """Open what is told of the table where one sits."""
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="About this table").click()
    about = page.get_by_role("dialog", name="About this table")
    about.wait_for()
    return about
