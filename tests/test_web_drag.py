"""Cards that are dragged with the mouse to where they go, at a real server."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from playwright.sync_api import Error

from browser_fixture import DESK, Browse
from server_processes import Process
from web_play import CONFIRM, LIT, choose, is_over, open_table

CHANCE = random.Random(3)
MOST = 150  # choices until there is something to drag
OWN = "button[data-lit]:visible"
WHERE = {  # what is dragged, and where it may be let go
    "district-noir": (f".hand {OWN}", "[data-drop=row]"),
    "cour-du-roi": (f".pack {OWN}", "[data-drop=hand]"),
    "art-of-war": (f".hand {OWN}", "[data-drop][data-lit]"),
    "batailles-et-piques": (f".stand {OWN}", ".camp [data-drop][data-lit]"),
}


def drag(page: Any, card: Any, target: Any) -> None:
    """Lift a card, and let it go over something that shows itself once it is lifted."""
    for _ in range(5):  # while the page still settles, a press may miss
        card.hover()
        box = card.bounding_box()
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2 - 20, steps=3)
        try:
            page.locator("[data-dragged]").wait_for(timeout=1000)
        except Error:
            page.mouse.up()
        else:
            break
    target.wait_for()
    to = target.bounding_box()
    page.mouse.move(to["x"] + to["width"] / 2, to["y"] + to["height"] / 2, steps=4)
    page.mouse.up()


def told(page: Any) -> str:
    return str(page.get_by_role("log").first.inner_text())


def until(page: Any, wanted: str, first: str = "") -> bool:
    """Play until something is there; what `first` selects is chosen before anything else."""
    for _ in range(MOST):
        if page.locator(wanted).count():
            return True
        if is_over(page):
            return False
        if first and page.locator(first).count():
            page.locator(first).first.click()
        elif count := page.locator(LIT).count():
            choose(page, CHANCE.randrange(count), count, "click")
        elif page.locator(CONFIRM).count():
            page.locator(CONFIRM).first.click()
        page.wait_for_timeout(30)
    return False


@pytest.mark.parametrize("game", WHERE)
def test_a_card_is_dragged_to_where_it_goes(browse: Browse, house: Process, game: str) -> None:
    page = browse(DESK).open()
    others = ["random"] * (2 if game == "batailles-et-piques" else 1)
    page.goto(f"{house.url}/#table={open_table(page, house.url, game, others)['table']}")
    page.wait_for_load_state("networkidle")
    card, place = WHERE[game]
    assert until(page, card)
    before = told(page)
    drag(page, page.locator(card).first, page.locator(place).first)
    page.wait_for_function(
        "before => document.querySelector('[role=log]').innerText !== before", arg=before
    )


def test_two_cards_attack_between_two(browse: Browse, house: Process) -> None:
    """Let go between the two cards of an opponent, a unit attacks both."""
    page = browse(DESK).open()
    opened = open_table(page, house.url, "batailles-et-piques", ["random", "random"])
    page.goto(f"{house.url}/#table={opened['table']}")
    assert until(page, f".stand {OWN}")
    drag(page, page.locator(f".stand {OWN}").first, page.locator(".camp button.both").first)
    page.get_by_role("log").get_by_text(re.compile("both|two")).first.wait_for()


def test_cards_are_dragged_under_the_deck_in_order(browse: Browse, house: Process) -> None:
    page = browse(DESK).open()
    for _ in range(4):  # matches until a Chancellor comes
        opened = open_table(page, house.url, "love-letter", ["random"])
        page.goto(f"{house.url}/#table={opened['table']}")
        if until(page, ".tuck", first=".hand button[data-lit]:has-text('Chancellor')"):
            break
    under = page.locator(".tuck .slot")
    names = []
    for place in range(under.count()):
        card = page.locator(".me .hand button").first
        if not card.count():  # of two equal cards it does not matter which one goes
            break
        names.append(card.locator(".name").inner_text())
        drag(page, card, page.locator(".tuck"))
        under.nth(place).locator(".card").wait_for()
    lying = [each.locator(".card .name").inner_text() for each in under.all()]
    assert lying[: len(names)] == names
    assert names
    page.locator(CONFIRM).first.click()
    page.locator(".tuck").wait_for(state="detached")
