"""From the door to the table, and what is said when something goes wrong, in Chromium."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

import brelan
from browser_fixture import DESK, DEVICES, PHONE, SMALL_PHONE, Browse, findings
from web_play import LIT, open_table

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from server_processes import Process

GAMES = brelan.games()
NAMES = {
    "love-letter": "Love Letter",
    "district-noir": "District Noir",
    "cour-du-roi": "La cour du Roi",
    "batailles-et-piques": "Batailles et piques",
    "art-of-war": "Art of War",
}
RAW = r"\b(?:internal|undefined|null|\w+_\w+|(?:error|link|join)\.\w+)\b"  # codes and keys
DOOR = "article[data-game]"


def door(page: Page, game: str) -> Any:
    return page.locator(f"article[data-game='{game}']")


def asked(page: Page, house: Process, path: str) -> Any:
    """Return what the server says to the guest of a page."""
    return page.request.get(house.url + path).json()


def table_of(page: Page) -> str:
    page.wait_for_url("**/#table=*")
    found: str = re.findall(r"#table=([^&]+)", page.url)[0]
    return found


def fits(page: Page, device: str) -> bool:
    width: int = page.evaluate("document.documentElement.scrollWidth")
    return width <= DEVICES[device]["viewport"]["width"]


# ---------------------------------------------------------------- doors


@pytest.mark.parametrize("game", GAMES)
def test_one_click_leads_from_the_door_to_a_match_against_club(
    browse: Browse, house: Process, game: str
) -> None:
    page = browse(DESK).open()
    here = door(page, game)
    here.locator(".miniature").wait_for()
    assert NAMES[game] in here.inner_text()
    assert re.search(r"\d players · \d+ min", here.inner_text())
    here.get_by_role("button", name=f"Play {NAMES[game]}", exact=True).click()
    page.locator(".felt [data-at]").first.wait_for()
    info = asked(page, house, f"/api/tables/{table_of(page)}")
    assert info["mine"] == [0]
    assert {seat["bot"] for seat in info["seats"][1:]} == {"club"}
    assert info["options"]["hints"]


def test_running_matches_come_first(browse: Browse, house: Process) -> None:
    page = browse(DESK).open()
    first, second = (f"document.querySelector(`{each}`)" for each in (".resume", DOOR))
    for game in ("love-letter", "art-of-war"):
        open_table(page, house.url, game, ["random"])
    page.reload()
    page.locator(".resume.lit").wait_for()
    assert page.evaluate(f"{first}.compareDocumentPosition({second})") & 4  # the door follows it
    assert page.locator("a.chip").count() == 1
    page.locator(".resume").click()
    page.locator(f".felt {LIT}").first.wait_for()


def test_doors_stay_shut_without_a_server_and_open_again(browse: Browse, house: Process) -> None:
    visit = browse(PHONE, lang="fr")
    visit.expect("ERR_CONNECTION_REFUSED", "request failed")
    page = visit.open()
    page.locator(f"{DOOR} .miniature").first.wait_for()
    play = door(page, "district-noir").get_by_role("button", name="Jouer")
    house.stop()
    play.tap()
    page.get_by_text("Le serveur ne répond pas.").wait_for()
    assert findings(page) == []
    house.start()
    play.tap()
    page.locator(".felt [data-at]").first.wait_for()


@pytest.mark.parametrize(("lang", "name"), [("en", "Guest"), ("fr", "Invité")])
def test_a_guest_has_a_name_in_the_language_of_the_page(
    browse: Browse, house: Process, lang: str, name: str
) -> None:
    page = browse(DESK, lang=lang).open()
    page.locator(f"{DOOR} button.lit").first.click()
    page.locator(".felt [data-at]").first.wait_for()
    assert asked(page, house, "/api/me")["name"] == name


# ---------------------------------------------------------------- friends


def test_friends_come_by_a_link_that_is_drawn_as_a_code(browse: Browse) -> None:
    first = browse(DESK).open()
    door(first, "district-noir").get_by_role("button", name="with friends").click()
    links = first.get_by_role("dialog", name="Links")
    links.wait_for()
    assert findings(first) == []
    link = links.locator("input").first.input_value()
    assert "/#join=" in link
    code = links.locator("img").first
    assert code.evaluate("image => image.decode().then(() => image.naturalWidth)") > 20
    links.get_by_role("button", name="Close").click()
    second = browse(SMALL_PHONE, dark=True, lang="fr").open("/#join=" + link.split("#join=")[1])
    second.locator("[data-sit-down]").wait_for()
    assert fits(second, SMALL_PHONE)
    assert findings(second) == []
    second.get_by_label("Votre nom").fill("Bérénice")
    second.locator("[data-sit-down]").tap()
    for page in (first, second):
        page.locator(".felt [data-at]").first.wait_for()
    first.get_by_text("Bérénice").first.wait_for()


def test_an_invitation_is_good_for_one(browse: Browse, house: Process) -> None:
    first = browse(DESK).open()
    opened = open_table(first, house.url, "love-letter", ["open"], options={"hints": False})
    key = opened["links"]["invitation 1"]
    second = browse(PHONE).open(f"/#join={key}")
    second.get_by_text("No hints are given at this table.").wait_for()
    second.locator("[data-sit-down]").tap()
    second.locator(".felt [data-at]").first.wait_for()
    late = browse(PHONE, lang="fr")
    late.expect("404", "status 4")
    third = late.open(f"/#join={key}")
    third.get_by_role("heading", name="Cette place n’est plus là").wait_for()
    assert findings(third) == []


def test_a_listed_table_is_in_the_lobby(browse: Browse, house: Process) -> None:
    first = browse(DESK).open()
    options = {"hints": True, "listed": True}
    table = open_table(first, house.url, "art-of-war", ["open"], options=options)["table"]
    first.goto(f"{house.url}/#table={table}")
    page = browse(SMALL_PHONE).open()
    page.get_by_role("heading", name="Open tables").wait_for()
    assert fits(page, SMALL_PHONE)
    assert findings(page) == []
    page.locator("section li[data-game='art-of-war']").get_by_role("button").tap()
    page.wait_for_url(f"**/#table={table}*")
    for each in (first, page):
        each.locator(".felt [data-at]").first.wait_for()


# ---------------------------------------------------------------- a table of one's own


def test_a_rule_that_is_changed_is_played(browse: Browse, house: Process) -> None:
    page = browse(DESK).open("/#new=love-letter")
    page.get_by_role("radiogroup", name="Tie at showdown").get_by_label("all win").check()
    page.get_by_text("1 rule changed").wait_for()
    page.get_by_role("button", name="Add a bot").click()
    page.get_by_role("radiogroup", name="The clock").get_by_label("per move", exact=True).check()
    page.get_by_role("radiogroup", name="Hints").get_by_label("no").check()
    ticket = page.get_by_role("complementary", name="What will be played")
    assert "three seats" in ticket.inner_text()
    assert "Tie at showdown: all win" in ticket.inner_text()
    assert "no hints" in ticket.inner_text()
    assert findings(page) == []
    ticket.get_by_role("button", name="Begin").click()
    page.locator(".felt [data-at]").first.wait_for()
    info = asked(page, house, f"/api/tables/{table_of(page)}")
    assert info["knobs"]["tie_break"] == "both_win"
    assert info["options"]["clock"]["kind"] == "per_move"
    assert len(info["seats"]) == 3
    assert not info["options"].get("hints")
    page.locator(f".felt {LIT}").first.wait_for()  # one's own turn
    assert page.get_by_role("button", name="Hint").count() == 0
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="No hints are given at this table.").wait_for()
    assert findings(page) == []


def test_another_game_keeps_what_was_chosen(browse: Browse) -> None:
    page = browse(SMALL_PHONE, lang="fr").open("/#new=love-letter")
    page.get_by_role("radiogroup", name="La pendule").get_by_label("jours par coup").check()
    page.get_by_role("radio", name=re.compile("La cour du Roi")).check()
    page.wait_for_url("**/#new=cour-du-roi")
    assert page.get_by_role("radio", name="jours par coup").is_checked()
    assert fits(page, SMALL_PHONE)
    assert findings(page) == []


# ---------------------------------------------------------------- axe, elsewhere


@pytest.mark.parametrize(("device", "dark"), [(DESK, False), (SMALL_PHONE, True)])
@pytest.mark.parametrize("where", ["lesson", "replay", "curtain", "free seats", "rulebook"])
def test_axe_finds_nothing(
    browse: Browse, house: Process, where: str, device: str, dark: bool
) -> None:
    page = browse(device, dark=dark, lang="fr").open()
    others = {"curtain": ["me"], "free seats": ["open"]}.get(where, ["random"])
    table = open_table(page, house.url, "district-noir", others)["table"]
    if where == "lesson":
        page.goto(f"{house.url}/#learn=cour-du-roi")
        page.locator("[data-next]").wait_for()
    elif where == "replay":
        page.goto(f"{house.url}/#replay={table}")
        page.get_by_role("slider").wait_for()
    else:
        page.goto(f"{house.url}/#table={table}")
        page.locator("[data-lift], .felt h2, .felt [data-at]").first.wait_for()
    if where == "rulebook":
        page.locator(".felt [data-at]").first.wait_for()
        page.keyboard.press("r")
        page.get_by_role("dialog").locator("h2").first.wait_for()
    # Axe takes what is to be scrolled into sight in a dialog for a hidden link to skip by.
    assert [each for each in findings(page) if not each.startswith("skip-link")] == []
    assert fits(page, device)


# ---------------------------------------------------------------- when things go wrong


@pytest.mark.parametrize(
    ("device", "lang", "dark"), [(DESK, "en", False), (SMALL_PHONE, "fr", True)]
)
@pytest.mark.parametrize("where", ["table", "join", "seat", "replay", "rules", "learn", "new"])
def test_what_is_not_there(browse: Browse, where: str, device: str, lang: str, dark: bool) -> None:
    visit = browse(device, dark=dark, lang=lang)
    visit.expect("404", "status 4")
    page = visit.open(f"/#{where}=nothing-is-here")
    page.get_by_role("link", name={"en": "All games", "fr": "Tous les jeux"}[lang]).last.wait_for()
    said = page.locator("main").inner_text()
    assert len(said) > 30
    assert re.findall(RAW, said) == []
    assert fits(page, device)
    assert findings(page) == []


def test_a_page_waits_for_the_server_and_goes_on_by_itself(browse: Browse, house: Process) -> None:
    visit = browse(DESK, lang="fr")
    visit.expect("ERR_CONNECTION_REFUSED", "request failed")
    page = visit.open()
    known, table = (
        open_table(page, house.url, "district-noir", ["random"])["table"] for _ in range(2)
    )
    page.goto(f"{house.url}/#table={known}")
    page.locator(f".felt {LIT}").first.wait_for()
    page.evaluate("location.hash = '#home'; window.isTheSame = true")
    page.locator(DOOR).first.wait_for()
    house.stop()
    page.evaluate(f"location.hash = '#table={table}'")
    page.get_by_role("heading", name="La maison est injoignable.").wait_for()
    assert findings(page) == []
    house.start()
    page.locator(f".felt {LIT}").first.wait_for()
    assert page.evaluate("window.isTheSame")  # nothing was loaded again


def test_a_part_that_is_missing_is_fetched_when_the_server_is_back(
    browse: Browse, house: Process
) -> None:
    visit = browse(SMALL_PHONE)
    visit.expect("ERR_CONNECTION_REFUSED", "request failed", "preload")
    page = visit.open()
    page.locator(DOOR).first.wait_for()
    house.stop()
    page.evaluate("location.hash = '#credits'")
    page.get_by_role("heading", name="The house cannot be reached.").wait_for()
    assert findings(page) == []
    house.start()
    page.get_by_role("heading", name="Credits").wait_for()


def test_a_move_made_without_a_connection_leaves_when_it_is_back(
    browse: Browse, house: Process
) -> None:
    visit = browse(SMALL_PHONE, lang="fr")
    visit.expect("ERR_CONNECTION_REFUSED", "request failed", "WebSocket")
    page = visit.open()
    table = open_table(page, house.url, "district-noir", ["random"])["table"]
    page.goto(f"{house.url}/#table={table}")
    page.locator(f".felt {LIT}").first.wait_for()
    before = asked(page, house, f"/api/tables/{table}")["ply"]
    page.evaluate("window.isTheSame = true")
    house.stop()
    page.get_by_text("Connexion perdue.").wait_for()
    assert findings(page) == []
    page.locator(f".felt .hand {LIT}, .felt {LIT}").first.tap()
    page.get_by_text("Votre coup est gardé ici").first.wait_for()
    house.start()
    page.get_by_text("Connexion perdue.").wait_for(state="detached")
    page.locator(f".felt {LIT}").first.wait_for()  # the bot has answered
    assert asked(page, house, f"/api/tables/{table}")["ply"] >= before + 2
    assert page.evaluate("window.isTheSame")  # nothing was loaded again


def test_a_seat_that_is_open_in_another_window(browse: Browse, house: Process) -> None:
    visit = browse(DESK)
    first = visit.open()
    table = open_table(first, house.url, "district-noir", ["random"])["table"]
    first.goto(f"{house.url}/#table={table}&seat=0")
    first.locator(f".felt {LIT}").first.wait_for()
    second = visit.open(f"/#table={table}&seat=0")
    second.locator(f".felt {LIT}").first.wait_for()
    strip = first.get_by_text("This seat is open in another window.")
    strip.wait_for()
    assert findings(first) == []
    first.keyboard.press("1")  # nothing can be touched here
    assert first.locator("[inert] [data-at]").count() > 0
    assert second.get_by_text("open in another window").count() == 0
    first.get_by_role("button", name="Take it back").click()
    strip.wait_for(state="detached")
    second.get_by_text("This seat is open in another window.").wait_for()
    assert first.locator("[inert] [data-at]").count() == 0


def test_a_seat_of_somebody_else_is_watched(browse: Browse, house: Process) -> None:
    first = browse(DESK).open()
    table = open_table(first, house.url, "district-noir", ["random"])["table"]
    second = browse(PHONE, lang="fr").open(f"/#table={table}&seat=0")
    second.get_by_text("Vous regardez.").wait_for()
    assert second.locator(f".felt {LIT}").count() == 0


@pytest.mark.parametrize(("lang", "said"), [("en", "on time"), ("fr", "au temps")])
def test_a_clock_that_runs_out(browse: Browse, house: Process, lang: str, said: str) -> None:
    page = browse(SMALL_PHONE, lang=lang).open()
    options = {"clock": {"kind": "per_move", "seconds": 5}}
    table = open_table(page, house.url, "district-noir", ["random"], options=options)["table"]
    page.goto(f"{house.url}/#table={table}")
    page.locator("[data-over-match]").wait_for()
    assert said in page.locator("[data-over-match]").inner_text()
    assert page.locator(f".felt {LIT}").count() == 0
    survey = page.locator(".survey")
    survey.wait_for()
    assert findings(page) == []
    if lang == "en":
        survey.get_by_role("button", name="4: good").tap()
        with page.expect_response("**/survey") as answered:
            survey.get_by_role("button", name="just right").tap()
        assert answered.value.ok
        survey.get_by_text("Thank you.").wait_for()
    else:
        survey.get_by_role("button", name="Ne pas demander").tap()
        survey.wait_for(state="detached")
    page.reload()
    page.get_by_role("link", name="All games" if lang == "en" else "Tous les jeux").wait_for()
    page.wait_for_load_state("networkidle")
    assert survey.count() == 0


def test_bots_that_are_being_prepared(browse: Browse, house: Process) -> None:
    visit = browse(SMALL_PHONE, lang="fr")
    share = {"now": 0.4}

    def some(route: Any) -> None:
        games = [{**game, "prepared": share["now"]} for game in route.fetch().json()]
        route.fulfill(content_type="application/json", body=json.dumps(games))

    visit.context.route("**/api/games", some)
    page = visit.open()
    bar = page.get_by_role("progressbar", name="On prépare les cartes")
    bar.wait_for()
    assert bar.get_attribute("aria-valuenow") == "40"
    assert findings(page) == []
    table = open_table(page, house.url, "district-noir", ["random"])["table"]
    page.goto(f"{house.url}/#table={table}")
    bar.wait_for()
    assert bar.get_attribute("aria-valuenow") == "40"
    page.locator(f".felt {LIT}").first.click()  # meanwhile one plays
    assert findings(page) == []
    share["now"] = 0.7
    page.locator("[role=progressbar][aria-valuenow='70']").wait_for()
    share["now"] = 1
    bar.wait_for(state="detached")
