"""The pages of the house that are no tables, in Chromium at a real server."""

from __future__ import annotations

import asyncio
import json
import random
import re
import runpy
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import brelan
from brelan import client
from brelan.client.playing import play_seat
from browser_fixture import DESK, DEVICES, PHONE, SMALL_PHONE, Browse, findings

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from server_processes import Process

ROOT = Path(__file__).parents[1]
TOOLS, WEB = ROOT / "tools", ROOT / "src" / "brelan" / "web"
GAMES = brelan.games()
QUIET = [
    "new=batailles-et-piques",
    "history",
    "verify",
    "settings",
    "bots",
    "credits",
    "keys",
    "learn",
    "nothing-is-here",
]
NONCE = "salt of Ben"


@pytest.fixture(scope="module")
def played(house: Process) -> dict[str, Any]:
    """A match of Love Letter between two guests: what was exported, and the cookie of the first."""

    async def play() -> dict[str, Any]:
        ana, ben = (client.Client(house.url, name=name) for name in ("Ana", "Ben"))
        opened = await ana.open("love-letter", ["me", "open"], knobs={"tokens_to_win": 1})
        await ben.join(opened.links["invitation 1"], nonce=NONCE)
        luck = random.Random(1)
        async with ana.connect(opened.table, 0) as first, ben.connect(opened.table, 1) as second:
            seats = [play_seat(seat, lambda at: luck.choice(at.legal)) for seat in (first, second)]
            await asyncio.wait_for(asyncio.gather(*seats), 60)
        file = json.loads(await ana.export(opened.table))
        return {"table": opened.table, "cookie": ana.cookie, "file": file}

    # In a thread of its own: where Playwright runs, so does a loop.
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as alone:
        return alone.submit(lambda: asyncio.run(play())).result()


def shown(page: Page) -> Page:
    page.get_by_role("heading", level=1).wait_for()
    page.wait_for_load_state("networkidle")
    return page


def offer(page: Page, match: Any, name: str = "match.json") -> str:
    """Give a file to be checked; return the sentence that comes of it."""
    content = match if isinstance(match, bytes) else json.dumps(match).encode()
    file = {"name": name, "mimeType": "application/json", "buffer": content}
    page.locator("input[type=file]").set_input_files(file)  # type: ignore[arg-type]
    found = page.locator("main").get_by_role("group").locator("h3")
    found.wait_for()
    return found.inner_text()


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize(("device", "lang"), [(DESK, "en"), (SMALL_PHONE, "fr")])
@pytest.mark.parametrize("where", [*QUIET, *(f"rules={game}" for game in GAMES)])
def test_a_quiet_page(browse: Browse, where: str, device: str, lang: str, dark: bool) -> None:
    page = shown(browse(device, dark=dark, lang=lang).open(f"/#{where}"))
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= DEVICES[device]["viewport"]["width"]
    assert findings(page) == []
    text = page.inner_text("body")
    keys = re.findall(
        r"\b(?:rules|history|settings|verify|bots|credits|keys|learn|new|home)\.(?!md\b)\w+", text
    )
    assert keys == [], "texts are missing"


# ---------------------------------------------------------------- rulebooks


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_rulebook_lists_its_sections(browse: Browse, game: str, lang: str) -> None:
    page = shown(browse(DESK, lang=lang).open(f"/#rules={game}"))
    listed = page.locator("aside a").all_inner_texts()
    headings = page.locator("article [data-section]").all_inner_texts()
    assert [re.sub(r"\s", "", each) for each in listed] == [
        re.sub(r"\s", "", each) for each in headings
    ]
    assert page.locator("article h1").count() == 1


def test_a_link_leads_to_a_section(browse: Browse) -> None:
    page = shown(browse(DESK).open("/#rules=love-letter&section=7.3"))
    heading = page.locator("[data-section='7.3']")
    page.wait_for_function(
        "Math.abs(document.querySelector(\"[data-section='7.3']\")"
        ".getBoundingClientRect().top) < 100"
    )
    assert "now" in (heading.get_attribute("class") or "")
    page.locator("aside").get_by_role("link", name="Winner").click()
    page.wait_for_url("**/#rules=love-letter&section=7.1")
    page.locator(".now[data-section='7.1']").wait_for()
    page.locator("article a", has_text="§7.3").first.click()
    page.wait_for_url("**section=7.3")


def test_the_contents_are_a_sheet_on_the_phone(browse: Browse) -> None:
    page = shown(browse(PHONE, lang="fr").open("/#rules=cour-du-roi"))
    page.get_by_role("button", name="Sommaire").tap()
    sheet = page.get_by_role("dialog", name="Sommaire")
    # Axe takes what is to be scrolled into sight in a dialog for a hidden link to skip by.
    assert [each for each in findings(page) if not each.startswith("skip-link")] == []
    sheet.get_by_role("link", name="§6.4").tap()
    page.wait_for_url("**section=6.4")
    sheet.wait_for(state="hidden")


def test_a_rulebook_is_printed_alone(browse: Browse) -> None:
    page = shown(browse(DESK).open("/#rules=district-noir"))
    page.emulate_media(media="print")
    for what in ("header", "footer", "aside", ".ways"):
        assert not page.locator(what).first.is_visible(), what
    assert page.locator("article h1").is_visible()


def test_a_rulebook_of_no_game(browse: Browse) -> None:
    visit = browse(DESK)
    visit.expect("404", "status 404")
    page = shown(visit.open("/#rules=whist"))
    assert page.inner_text("h1") == "This game is not here."


# ---------------------------------------------------------------- settings


def test_settings_outlast_a_reload(browse: Browse) -> None:
    page = shown(browse(DESK).open("/#settings"))
    for label, value in [("Motion", "none"), ("Light", "dark"), ("Sound", "on")]:
        page.get_by_role("radiogroup", name=label, exact=True).get_by_label(
            value, exact=True
        ).check()
    page.get_by_role("radiogroup", name="Single letters").get_by_label("off", exact=True).check()
    page.get_by_role("slider").fill("0.3")
    page.get_by_role("button", name="Listen").click()
    page.get_by_role("radiogroup", name="Language").get_by_label("Français", exact=True).check()
    page.get_by_role("heading", name="Réglages").wait_for()
    page.reload()
    shown(page)
    chosen = page.locator("input:checked").evaluate_all(
        "inputs => inputs.map(input => input.parentElement.innerText.trim())"
    )
    assert chosen == ["Français", "sombre", "sans", "oui", "non"]
    assert page.get_by_role("slider").input_value() == "0.3"
    assert page.locator("html").get_attribute("data-theme") == "dark"
    assert page.locator("html").get_attribute("lang") == "fr"


def test_the_synthesiser_is_loaded_when_it_is_wanted(browse: Browse) -> None:
    page = shown(browse(DESK).open("/#settings"))
    loaded = "performance.getEntriesByType('resource').some(each => each.name.includes('synth'))"
    assert not page.evaluate(loaded)
    page.get_by_role("radiogroup", name="Sound", exact=True).get_by_label("on", exact=True).check()
    page.get_by_role("button", name="Listen").click()
    page.wait_for_function(loaded)


# ---------------------------------------------------------------- matches, files


def test_a_guest_without_matches(browse: Browse) -> None:
    page = shown(browse(PHONE).open("/#history"))
    page.get_by_text("No matches yet.").wait_for()
    assert findings(page) == []


@pytest.mark.parametrize("device", [DESK, SMALL_PHONE])
def test_ones_matches(browse: Browse, house: Process, played: dict[str, Any], device: str) -> None:
    visit = browse(device)
    cookie = {"name": "brelan_guest", "value": played["cookie"], "url": house.url}
    visit.context.add_cookies([cookie])  # type: ignore[list-item]
    page = shown(visit.open("/#history"))
    row = page.locator("li", has_text="Love Letter").last
    row.wait_for()
    winner = played["file"]["result"][1]
    assert ("You win" if winner == [0] else "Ben wins") in row.inner_text()
    assert "with Ben" in row.inner_text()
    assert findings(page) == []
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= DEVICES[device]["viewport"]["width"]
    row.get_by_role("link", name="See it again").click()
    page.wait_for_url(f"**/#replay={played['table']}*")


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_match_is_verified_and_seen_again(
    browse: Browse, played: dict[str, Any], lang: str
) -> None:
    page = shown(browse(DESK, lang=lang).open("/#verify"))
    said = {"en": "Deal verified: the", "fr": "Donne vérifiée\u00a0: le secret"}[lang]
    assert offer(page, played["file"]).startswith(said)
    text = page.locator("main").get_by_role("group").inner_text()
    for each in (played["file"]["commitment"], NONCE, "Ana, Ben"):
        assert each in text
    assert findings(page) == []
    page.locator("main").get_by_role("group").get_by_role("link").click()
    page.wait_for_url("**/#replay=file*")
    page.locator("input[type=range]").wait_for()
    page.locator("input[type=range]").fill("3")
    page.wait_for_url("**at=3")
    page.reload()  # the file is not kept
    page.locator("a[href='#verify']").first.wait_for()


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda file: file | {"secret": "00" * 32}, "The secret does not match."),
        (lambda file: file | {"nonces": {}}, "This file was altered."),
        (
            lambda file: file | {"result": [file["result"][0][::-1], *file["result"][1:]]},
            "The result does not match.",
        ),
        (lambda file: file | {"rules": 99}, "This match was played by other rules."),
        (lambda file: file | {"game": "whist"}, "This house does not know the game."),
        (lambda file: {"brelan_match": 1}, "This is not a match."),
        (lambda file: b"no JSON", "This is not a match."),
        (lambda file: b" " * 5_000_000, "This file is too large."),
    ],
    ids=["secret", "nonces", "result", "rules", "game", "empty", "text", "large"],
)
def test_a_spoiled_file_is_refused_calmly(
    browse: Browse, played: dict[str, Any], spoil: Any, said: str
) -> None:
    page = shown(browse(DESK).open("/#verify"))
    assert offer(page, spoil(played["file"])) == said
    assert page.get_by_role("link", name="See it again").count() == 0
    assert findings(page) == []
    assert offer(page, played["file"]).startswith("Deal verified")  # the next one is good


# ---------------------------------------------------------------- bots, credits


def test_one_plays_against_a_level(browse: Browse) -> None:
    page = shown(browse(DESK).open("/#bots"))
    page.get_by_role("radiogroup", name="Play against").get_by_label("novice", exact=True).check()
    page.get_by_role("button", name="Play District Noir against novice").click()
    page.wait_for_url("**/#table=*")
    page.locator("[data-lit], [data-seat]").first.wait_for()
    assert "novice" in page.inner_text("main")


def test_the_levels_are_those_that_were_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(TOOLS), *sys.path])
    tool = runpy.run_path(str(TOOLS / "levels.py"))
    assert tool["PAGE"].read_text(encoding="utf-8") == tool["written"](), "tools/levels.py"
    assert {figure["game"] for figure in tool["figures"]()} == set(GAMES)


def test_every_emblem_is_credited() -> None:
    sources = [*WEB.rglob("*.ts"), *WEB.rglob("*.svelte")]
    sources += [each for game in WEB.parent.glob("games/*/web") for each in game.rglob("*.*")]
    sources = [each for each in sources if "node_modules" not in each.parts]
    credited = WEB / "art" / "emblems.ts"
    named = set(re.findall(r"icon:game-icons/([a-z-]+)", credited.read_text(encoding="utf-8")))
    for source in sources:
        used = re.findall(r"icon:game-icons/([a-z-]+)", source.read_text(encoding="utf-8"))
        assert set(used) <= named, source


# ---------------------------------------------------------------- when it does not start


def test_without_scripts_it_says_what_it_needs(browse: Browse) -> None:
    visit = browse(PHONE, java_script_enabled=False)
    visit.expect(".js csp")  # what Chromium says of modules that it may not run
    page = visit.open()
    for words in ("Brelan needs JavaScript", "Brelan a besoin de JavaScript"):
        assert page.get_by_text(words).is_visible()


def test_an_old_browser_is_told_at_once(browse: Browse) -> None:
    visit = browse(DESK)
    visit.context.add_init_script("delete window.WebSocket")
    visit.context.route("**/assets/*.js", lambda route: route.abort())
    visit.expect("ERR_FAILED", "request failed")
    page = visit.open()
    page.get_by_text("Brelan needs JavaScript").wait_for()
    assert findings(page) == []


@pytest.mark.parametrize(("lang", "again"), [("en", "Try again"), ("fr", "Réessayer")])
def test_a_part_that_cannot_be_fetched(browse: Browse, lang: str, again: str) -> None:
    visit = browse(PHONE, lang=lang)
    visit.expect("ERR_INTERNET_DISCONNECTED", "request failed")
    visit.context.route(
        re.compile(r"/assets/(en|fr)-"), lambda route: route.abort("internetdisconnected")
    )
    page = visit.open("/#keys")
    page.get_by_role("button", name=again).wait_for()
    assert findings(page) == []
    visit.context.unroute_all()
    page.get_by_role("button", name=again).click()
    page.locator("kbd").first.wait_for()
