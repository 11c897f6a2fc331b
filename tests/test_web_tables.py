"""Tables in Chromium at a real server: matches, links, reloads, restarts, lessons, replays."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING, Any

import pytest

import brelan
from browser_fixture import DESK, PHONE, SMALL_PHONE, Browse, findings
from server_processes import Process
from web_play import CONFIRM, LIT, OVER, choose, is_over, open_about, open_table, play_to_the_end

if TYPE_CHECKING:
    from playwright.sync_api import Page

GAMES = brelan.games()
SHORT: dict[str, dict[str, Any]] = {  # matches of a few minutes
    "love-letter": {"tokens_to_win": 2},
    "district-noir": {"rounds": 2},
}
CHANCE = random.Random(7)
IS_IN_SIGHT = """() => {
  const list = document.querySelector("[role=log] ol");
  const bottom = (each) => each.getBoundingClientRect().bottom;
  return bottom(list.lastElementChild) <= bottom(list) + 1;
}"""
CUT = """(selector) => [...document.querySelectorAll(selector)]
  .filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent)"""
OUT_OF_REACH = """(selector) => {
  const felt = document.querySelector(".felt").getBoundingClientRect();
  return [...document.querySelectorAll(`.felt ${selector}`)]
    .map((each) => [each.ariaLabel || each.textContent, each.getBoundingClientRect()])
    .filter(([, at]) => at.top > felt.bottom - 44 || at.right > 361 || at.left < -1)
    .map(([name]) => name);
}"""
IS_ASKED = f".felt {LIT}, {OVER}"  # or the match is over
IS_OVER = f"document.querySelector('{OVER}')"
FOCUSED = "() => document.activeElement.dataset.at ?? document.activeElement.textContent"
STOPS = """() => [...document.querySelectorAll('.felt .prompt, .felt .picker, .felt .hand, .felt')]
  .map((zone) => [...zone.querySelectorAll('button:not(:disabled)')]
    .filter((each) => each.tabIndex >= 0 && each.offsetParent
      && each.closest('.prompt, .picker, .hand, .felt') === zone).length)
  .filter((count) => count > 0)"""
AT_AN_END = """key => {
  const all = [...document.querySelectorAll("a[href], button")].filter((each) =>
    each.tabIndex >= 0 && each.getClientRects().length && !each.closest(".felt"));
  all.at(key === "Tab" ? 0 : -1).focus();
}"""
ZONE = """() => ['.prompt', '.picker', '.hand', '.felt']
  .findIndex((zone) => document.activeElement.closest('.felt')
    && document.activeElement.closest(zone))"""
FOCUS_ONE = """() => [...document.querySelectorAll('.felt button[data-lit]')]
  .find((each) => each.offsetParent && each.tabIndex === 0).focus()"""
BESIDE = """() => {
  const zone = document.activeElement.closest('.prompt, .picker, .hand, .felt');
  return [...zone.querySelectorAll('[data-lit]')].filter((each) => each.offsetParent).length;
}"""
WORDS = """() => {
  const said = ["aria-label", "title", "alt", "placeholder"];
  const all = [...document.querySelectorAll("*")];
  return [document.title, ...document.body.innerText.split("\\n"),
    ...all.flatMap((each) => said.map((name) => each.getAttribute(name))).filter(Boolean)];
}"""
OTHERS = {"batailles-et-piques": ["random", "random"]}


def opened(page: Any, house: Process, game: str, **more: Any) -> str:
    others = OTHERS.get(game, ["random"])
    found = open_table(page, house.url, game, others, knobs=SHORT.get(game, {}), **more)
    return str(found["table"])


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("device", "how"), [(DESK, "click"), (DESK, "keys"), (SMALL_PHONE, "tap")])
def test_a_whole_match(browse: Browse, house: Process, game: str, device: str, how: str) -> None:
    page = browse(device, lang="fr" if how == "click" else "en").open()
    table = opened(page, house, game)
    page.goto(f"{house.url}/#table={table}")
    assert play_to_the_end(page, how) > 0  # two tokens may come of one round
    assert page.locator(OVER).inner_text() != ""
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= page.viewport_size["width"]
    if game == "cour-du-roi" and device == DESK:  # the sums are told in signs
        sign = page.locator("[role=log] .suit").first
        words = "cœur|carreau|trèfle|pique" if how == "click" else "heart|diamond|club|spade"
        assert re.match(rf"^[♥♦♣♠]\s*({words})", sign.text_content() or "")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("device", [DESK, PHONE])
@pytest.mark.parametrize("game", GAMES)
def test_axe_finds_nothing_at_a_table(
    browse: Browse, house: Process, game: str, device: str, dark: bool
) -> None:
    page = browse(device, dark=dark).open()
    page.goto(f"{house.url}/#table={opened(page, house, game)}")
    page.locator(f".felt {LIT}").first.wait_for()
    assert findings(page) == []


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_to_its_end(browse: Browse, house: Process, game: str, lang: str) -> None:
    page = browse(DESK, lang=lang).open(f"/#learn={game}")
    page.locator("[data-lit], [data-next]").first.wait_for()
    assert findings(page) == []
    for _ in range(300):
        if page.locator("a[href='#new=" + game + "']").count():
            break
        on = page.locator("[data-next]:enabled")
        if on.count():
            on.click()
        else:
            play_once(page, "click")
            page.wait_for_timeout(30)
    assert page.locator("a[href='#new=" + game + "']").count() == 1


@pytest.mark.parametrize("game", GAMES)
def test_two_browsers_play_each_other_by_link(browse: Browse, house: Process, game: str) -> None:
    """The second one comes by the link of an invitation; both see the end."""
    first = browse(DESK, lang="fr").open()
    others = ["open", *OTHERS.get(game, ["random"])[1:]]
    found = open_table(first, house.url, game, others, knobs=SHORT.get(game, {}))
    table, key = found["table"], found["links"]["invitation 1"]
    first.goto(f"{house.url}/#table={table}")
    second = browse(PHONE, lang="en").open(f"/#join={key}")
    second.locator("[data-sit-down]").tap()
    second.wait_for_url("**/#table=*")
    assert key not in second.url
    for _ in range(4000):
        if is_over(first) and is_over(second):
            break
        for page, how in ((first, "click"), (second, "tap")):
            play_once(page, how)
        first.wait_for_timeout(20)
    assert is_over(first)
    assert is_over(second)


def play_once(page: Any, how: str) -> None:
    """Choose something, or confirm, if there is anything to choose."""
    count = page.locator(LIT).count()
    if count + page.locator(CONFIRM).count():
        choose(page, CHANCE.randrange(max(count, 1)), count, how)


def test_a_reload_and_a_restart_lose_nothing(browse: Browse, house: Process) -> None:
    visit = browse(DESK)
    visit.expect("WebSocket", "ERR_CONNECTION_REFUSED", "request failed")
    page = visit.open()
    knobs = {
        "tokens_to_win": 4
    }  # two may come of the first round, and nothing would be left to play
    table = open_table(page, house.url, "love-letter", ["random"], knobs=knobs)["table"]
    page.goto(f"{house.url}/#table={table}")
    for _ in range(3):
        page.locator(f".felt {LIT}").first.wait_for()
        play_once(page, "click")
        page.wait_for_timeout(300)
    page.reload()
    page.locator(f".felt {LIT}").first.wait_for()
    house.stop()
    page.get_by_text("Connection lost.").wait_for()
    house.start()
    page.get_by_text("Connection lost.").wait_for(state="detached")
    play_to_the_end(page)


def test_a_match_between_two_on_one_device(browse: Browse, house: Process) -> None:
    """Between the turns nothing of the last view is in the page."""
    page = browse(DESK).open()
    found = open_table(page, house.url, "love-letter", ["me"], knobs={"tokens_to_win": 3})
    page.goto(f"{house.url}/#table={found['table']}")
    passed = 0
    for _ in range(1500):
        if is_over(page):
            break
        lift = page.locator("[data-lift]")
        if lift.count():
            assert page.locator(".felt, [data-at]").count() == 0
            page.keyboard.press("Escape")
            assert lift.count() == 1
            lift.click()
            passed += 1
        else:
            play_once(page, "click")
        page.wait_for_timeout(40)
    assert is_over(page)
    assert passed >= 2


def test_a_replay_from_any_eyes(browse: Browse, house: Process) -> None:
    page = browse(DESK).open()
    table = opened(page, house, "love-letter")
    page.goto(f"{house.url}/#table={table}")
    play_to_the_end(page)
    page.goto(f"{house.url}/#replay={table}")
    page.get_by_role("slider").wait_for()
    assert findings(page) == []
    page.get_by_role("button", name="One step on").click()
    page.get_by_role("button", name="One step on").click()
    page.get_by_role("button", name="To the beginning").click()
    page.get_by_role("radio", name="Open cards").check(force=True)
    assert page.locator(".prompt").inner_text() != ""
    page.get_by_role("button", name="One step on").click()
    assert page.locator(".seat.turn").count() == 0  # the light is for those who may act
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    inside = page.get_by_role("slider").evaluate("each => each.getBoundingClientRect().right")
    assert inside <= 360
    page.get_by_role("button", name="To the end").click()
    assert page.locator(OVER).count() == 1
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Verify the deal").click()
    page.get_by_text("Deal verified").wait_for()
    page.get_by_role("slider").fill("4")
    page.locator(".eyes label").nth(1).click()
    page.wait_for_url("**&seat=1&at=4")
    link, story = page.url, page.get_by_role("log").text_content()

    # The link leads somebody else to the same moment and eyes; another link is followed too.
    other = browse(PHONE).open(link[len(house.url) :])
    other.get_by_role("slider").wait_for()
    assert other.get_by_role("slider").input_value() == "4"
    assert other.get_by_role("radio").nth(1).is_checked()
    other.evaluate("location.hash = location.hash.replace('at=4', 'at=2')")
    other.wait_for_function("() => document.querySelector('[type=range]').value === '2'")
    assert other.get_by_role("radio").nth(1).is_checked()

    # The file that is downloaded is opened again, at every eye.
    page.get_by_role("button", name="Menu").click()
    with page.expect_download() as downloaded:
        page.get_by_role("link", name="Download the match").click()
    assert downloaded.value.suggested_filename == f"brelan-{table}.json"
    page.goto(f"{house.url}/#verify")
    page.locator("input[type=file]").set_input_files(downloaded.value.path())
    page.get_by_text("Deal verified").wait_for()
    page.get_by_role("link", name="See it again").click()
    page.get_by_role("slider").fill("4")
    page.locator(".eyes label").nth(1).click()
    assert page.get_by_role("log").text_content() == story


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_a_table_that_waits_can_be_read(browse: Browse, house: Process, dark: bool) -> None:
    page = browse(SMALL_PHONE, dark=dark, lang="fr").open()
    found = open_table(page, house.url, "love-letter", ["open"])
    page.goto(f"{house.url}/#table={found['table']}")
    page.get_by_text("Une place est encore libre.").wait_for()
    assert findings(page) == []


def test_the_deal_is_sealed_where_everybody_can_read_it(browse: Browse, house: Process) -> None:
    """Until the cards are dealt a nonce may be added; then everybody sees the same seal."""
    first = browse(SMALL_PHONE, dark=True).open()
    found = open_table(first, house.url, "love-letter", ["open"])
    table, key = found["table"], found["links"]["invitation 1"]
    first.goto(f"{house.url}/#table={table}")
    first.get_by_text("One seat is still free.").wait_for()
    about = open_about(first)
    about.get_by_label("A nonce of your own").fill("salt of the first")
    about.get_by_role("button", name="Add").click()
    about.get_by_text("salt of the first").wait_for()
    assert findings(first) == []
    committed = first.request.get(f"{house.url}/api/tables/{table}").json()["commitment"]
    assert about.get_by_text(committed).is_visible()
    about.get_by_role("button", name="Close").click()
    second = browse(DESK).open(f"/#join={key}")
    second.locator("[data-sit-down]").click()
    for page in (first, second):
        page.locator(f".felt [data-at], {OVER}").first.wait_for()
        about = open_about(page)
        about.get_by_text("Seal of the deal").wait_for()
        seal = page.request.get(f"{house.url}/api/tables/{table}").json()["seal"]
        for shown in (seal, committed, "salt of the first"):
            assert about.get_by_text(shown).is_visible()
        assert about.get_by_role("textbox").count() == 0  # it is too late for another one
    assert findings(second) == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_a_hint_says_what_and_why(browse: Browse, house: Process, dark: bool) -> None:
    page = browse(DESK, dark=dark).open()
    page.goto(f"{house.url}/#table={opened(page, house, 'district-noir')}")
    page.locator(f".felt {LIT}").first.wait_for()
    page.keyboard.press("h")
    hint = page.get_by_role("dialog", name="What an expert would do")
    hint.wait_for()
    assert re.search(r"^(Play|Take) .*\n+.*\d", hint.inner_text(), re.MULTILINE)
    assert findings(page) == []
    hint.get_by_role("button", name="Play it").click()
    hint.wait_for(state="detached")
    page.get_by_role("log").get_by_text(re.compile("^You (play|take)")).first.wait_for()


def test_the_menu_lies_over_the_table(browse: Browse, house: Process) -> None:
    page = browse(SMALL_PHONE).open()
    page.goto(f"{house.url}/#table={opened(page, house, 'love-letter')}")
    page.locator(f".felt {LIT}").first.wait_for()
    page.get_by_role("button", name="Menu").tap()
    items = page.locator("header li").locator("a, button:enabled")
    assert items.count() > 5
    for item in items.all():
        item.tap(trial=True)  # nothing lies over it


@pytest.mark.parametrize(
    ("game", "players"), [("love-letter", 6), ("batailles-et-piques", 6), ("cour-du-roi", 4)]
)
def test_a_full_table_with_a_clock_fits_a_phone(
    browse: Browse, house: Process, game: str, players: int
) -> None:
    """Names are read whole beside their clocks, nothing is out of reach, and nothing jumps."""
    page = browse(SMALL_PHONE, lang="fr").open()
    options = {"hints": True, "clock": {"kind": "total", "seconds": 3000}}
    others = ["random"] * (players - 1)
    found = open_table(page, house.url, game, others, knobs={"players": players}, options=options)
    page.goto(f"{house.url}/#table={found['table']}")
    heights = set()
    for _ in range(6):
        page.locator(IS_ASKED).first.wait_for()
        if is_over(page):
            break
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert page.evaluate(CUT, ".felt .seat b") == []
        assert page.evaluate(OUT_OF_REACH, LIT.removesuffix(":visible")) == []
        if page.locator(".prompt .actions .btn").count() == 0:
            heights.add(round(page.locator(".prompt").bounding_box()["height"]))
        play_once(page, "tap")
        page.wait_for_timeout(200)
    assert len(heights) == 1


@pytest.mark.parametrize(
    ("device", "game"), [(DESK, "love-letter"), (SMALL_PHONE, "batailles-et-piques")]
)
def test_a_game_that_has_no_table_of_its_own(
    browse: Browse, house: Process, device: str, game: str
) -> None:
    """One of ours under another name: places by name, moves as buttons; in the dark."""
    visit = browse(device, dark=True, lang="fr")

    def renamed(route: Any) -> None:
        answer = route.fetch(url=route.request.url.replace("sixth-game", game))
        text = answer.text().replace(f'"{game}"', '"sixth-game"')
        route.fulfill(response=answer, body=text)

    page = visit.open()
    table = opened(page, house, game)
    visit.context.route("**/api/**", renamed)
    page.goto(f"{house.url}/#table={table}")
    page.locator(f".felt .moves {LIT}").first.wait_for()
    assert page.evaluate("() => document.querySelector('[data-game]').dataset.game") == "sixth-game"
    assert findings(page) == []
    assert page.locator(".felt .moves [tabindex='-1']").count() > 0  # one stop of the Tab key
    width = page.viewport_size["width"]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for each in page.locator(".felt .moves button").all():
        assert each.evaluate("each => each.scrollWidth <= each.clientWidth"), "it is cut off"
    if device == DESK:
        assert play_to_the_end(page, "keys") > 0
    visit.context.unroute_all(behavior="ignoreErrors")  # one may be under way


def zones_by_tab(page: Page, key: str) -> list[int]:
    """Go once through the page by a key; return which zones of the felt that leads to, in order."""
    page.evaluate(AT_AN_END, key)
    found: list[int] = []
    for _ in range(40):
        page.keyboard.press(key)
        zone = page.evaluate(ZONE)
        if zone >= 0:
            found.append(zone)
        elif found:
            break
    return found


@pytest.mark.parametrize("game", GAMES)
def test_each_zone_is_one_stop_of_the_tab_key(browse: Browse, house: Process, game: str) -> None:
    """Arrows lead to the rest of it. After a move the focus is on the table, and never lost."""
    page = browse(DESK).open()
    page.goto(f"{house.url}/#table={opened(page, house, game)}")
    for _ in range(3):
        page.locator(f".felt {LIT}").first.wait_for()
        stops = page.evaluate(STOPS)
        assert stops
        assert max(stops) == 1
        forth, back = zones_by_tab(page, "Tab"), zones_by_tab(page, "Shift+Tab")
        assert forth == sorted(forth)  # the prompt, its choices, the hand, the rest of the table
        assert len(forth) >= len(stops)
        assert back == forth[::-1]
        page.evaluate(FOCUS_ONE)
        reached = {page.evaluate(FOCUSED)}
        for _ in range(2 * page.locator(f".felt {LIT}").count()):
            page.keyboard.press("ArrowRight")
            reached.add(page.evaluate(FOCUSED))
        beside = page.evaluate(BESIDE)
        assert len(reached) >= min(beside, 2), "no arrow leads from thing to thing"
        page.keyboard.press("1")
        page.wait_for_function(f"() => document.activeElement.matches('.felt *') || {IS_OVER}")
        if is_over(page):
            break


def test_the_story_follows_its_last_line(browse: Browse, house: Process) -> None:
    """It is seen whole, and bears the mark of whom it is about: after a reload too."""
    page = browse(DESK).open()
    page.goto(f"{house.url}/#table={opened(page, house, 'love-letter')}")
    for _ in range(8):
        page.locator(IS_ASKED).first.wait_for(state="attached")
        page.wait_for_function(IS_IN_SIGHT)
        if is_over(page):
            break
        play_once(page, "click")
        page.wait_for_timeout(300)
    page.locator(IS_ASKED).first.wait_for(state="attached")
    told = page.get_by_role("log").inner_text()
    page.reload()
    page.locator(IS_ASKED).first.wait_for(state="attached")
    assert page.get_by_role("log").inner_text() == told


@pytest.mark.parametrize("game", GAMES)
def test_everything_on_a_table_follows_the_language(
    browse: Browse, house: Process, game: str
) -> None:
    """What is read, and what is only said to a screen reader, is as if it had been loaded so."""
    page = browse(DESK, lang="en").open()
    page.goto(f"{house.url}/#table={opened(page, house, game)}")
    for _ in range(3):
        page.locator(IS_ASKED).first.wait_for(state="attached")
        play_once(page, "click")
    page.locator(IS_ASKED).first.wait_for(state="attached")
    for _ in range(3):
        page.keyboard.press("Escape")  # a choice that is begun would not outlast the reload
    page.get_by_role("button", name="FR").click()
    page.wait_for_function("() => document.documentElement.lang === 'fr'")
    page.get_by_role("button", name="Règles").wait_for()
    switched = set(page.evaluate(WORDS))
    page.reload()
    page.locator(IS_ASKED).first.wait_for(state="attached")
    missing = set(page.evaluate(WORDS)) - switched
    assert missing == set()
