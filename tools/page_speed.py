"""Measure the browser client: what the first load weighs, how soon it answers, what shifts.

uv run --all-groups --all-extras tools/page_speed.py

For the home page and the table of each game, each opened with an empty cache, in headless Chromium
on this machine: bytes received by the first load without fonts, with their headers and as they are
compressed on the wire; the time from a click to the next paint over some choices
(the 98th percentile, which browsers call INP); how long the page itself worked from the click to
the second frame after it (CPU time of its main thread, the same percentile: where other programs
run too, INP is mostly waiting); the layout shifts that no input caused (CLS, see `layout_shift`).
"""

from __future__ import annotations

import random
import sys
from typing import Any

from pictures import CHROMIUM, DEVICES, house, which
from playwright.sync_api import Error, Page, sync_playwright

import brelan

CHOICES = 40
TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
GOALS = {"home": 125, "table": 150}  # KB
GOAL_INP, GOAL_CLS = 100, 0.01  # milliseconds; less than this is not seen
WATCH = """
window.shifts = []; window.paints = [];
new PerformanceObserver((list) => { for (const e of list.getEntries())
  if (!e.hadRecentInput) window.shifts.push([e.startTime, e.value]); })
  .observe({type: "layout-shift", buffered: true});
new PerformanceObserver((list) => { for (const e of list.getEntries())
  if (e.interactionId) window.paints.push(e.duration); })
  .observe({type: "event", durationThreshold: 16, buffered: true});
"""


def watch(page: Page) -> list[tuple[str, int]]:
    """Return a list that fills with what is received: kind and compressed size."""
    received: list[tuple[str, int]] = []
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    kinds: dict[str, str] = {}

    def responded(event: dict[str, Any]) -> None:
        kinds[event["requestId"]] = event["type"]

    def finished(event: dict[str, Any]) -> None:
        kind = kinds.get(event["requestId"], "")
        received.append((kind, int(event["encodedDataLength"])))

    session.on("Network.responseReceived", responded)
    session.on("Network.loadingFinished", finished)
    return received


def first_load(page: Page, received: list[tuple[str, int]]) -> tuple[float, float]:
    """Wait until a page needs nothing more; return what it received without fonts, in KB.

    Also how much of that was asked of the server's API.
    """
    page.locator("[data-lit], article[data-game] .miniature").first.wait_for()
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(1000)
    return (
        sum(size for kind, size in received if kind != "Font") / 1000,
        sum(size for kind, size in received if kind == "Fetch") / 1000,
    )


def percentile(values: list[float], share: float) -> float:
    """Return the value below which a share of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def layout_shift(shifts: list[tuple[float, float]]) -> float:
    """Return what browsers call CLS: the largest sum of shifts less than 1 s apart, in 5 s."""
    largest, total, begun, before = 0.0, 0.0, 0.0, -1e9
    for at, value in shifts:
        if at - before > 1000 or at - begun > 5000:
            total, begun = 0.0, at
        total, before = total + value, at
        largest = max(largest, total)
    return largest


def main() -> None:
    """Print the figures, each beside its goal."""
    program = which(CHROMIUM)
    print(f"{'page':22} {'KB':>12} {'of it API':>9} {'INP ms':>12} {'work ms':>8} {'CLS':>14}")  # noqa: T201
    with house() as home, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for name in ("", *brelan.games()):
            context = browser.new_context(**DEVICES["desk"])
            context.add_init_script(WATCH)
            page = context.new_page()
            received = watch(page)
            if name:
                table = opened(page, home, name)
                page.goto(f"{home}/#table={table}")  # by a link: nothing is in the cache
            else:
                page.goto(home)
            load, api = first_load(page, received)
            work = percentile(play(page), 0.98) if name else 0.0
            figures = page.evaluate("({shifts: window.shifts, paints: window.paints})")
            inp = percentile(figures["paints"], 0.98)
            goal, shift = GOALS["table" if name else "home"], layout_shift(figures["shifts"])
            row = f"{name or 'home':22} {load:6.0f} < {goal} {api:9.0f} {inp:6.0f} < {GOAL_INP}"
            row = f"{row} {work:8.0f}"
            print(f"{row} {shift:7.3f} < {GOAL_CLS}", flush=True)  # noqa: T201
            context.close()
        browser.close()


def opened(page: Page, home: str, game: str) -> str:
    """Return the id of a new table of a game, against bots that answer at once."""
    seats = [{"kind": "me"}] + [{"kind": "bot", "bot": "random"}] * (brelan.game(game).players - 1)
    wanted = {"game": game, "seats": seats}
    answer = page.request.post(f"{home}/api/tables", data=wanted, headers={"origin": home})
    found: str = answer.json()["table"]
    return found


def play(page: Page) -> list[float]:
    """Make some choices, as soon as there are any; return the CPU time of each, in milliseconds.

    It is that of the page, from the click to the second frame after it.
    """
    chance = random.Random(1)  # noqa: S311
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    spent: list[float] = []

    def busy() -> float:
        found = session.send("Performance.getMetrics")["metrics"]
        seconds: float = next(each["value"] for each in found if each["name"] == "TaskDuration")
        return 1000 * seconds

    lit = page.locator("[data-lit]:visible, [data-confirm]:visible")
    for _ in range(CHOICES):
        if page.locator("[data-over-match]").count():
            break
        try:
            lit.first.wait_for(timeout=5000)
            box = lit.nth(chance.randrange(lit.count())).bounding_box(timeout=1000)
        except Error:
            continue
        if box is not None:
            before = busy()
            page.mouse.click(box["x"] + box["width"] / 2, box["y"] + min(20, box["height"] / 2))
            page.evaluate(TWO_FRAMES)
            spent.append(busy() - before)
    return spent


if __name__ == "__main__":
    sys.exit(main())
