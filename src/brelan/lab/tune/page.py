"""The page of a search: what was found first, then the front, and a command for each variant."""

from __future__ import annotations

from typing import Any

from brelan.i18n import LANGUAGES
from brelan.lab.charts import Spot, scatter
from brelan.lab.charts.markup import Markup, element, joined
from brelan.lab.report.page import Origin, bar, document, marked, method
from brelan.lab.report.tables import figure, part
from brelan.lab.tune.objectives import Objective
from brelan.lab.tune.points import BETTER, Front, Point, Seen
from brelan.lab.tune.tell import FrontTeller


def html(front: Front, lang: str) -> str:
    """Return a front as one page of HTML that needs nothing else."""
    teller = FrontTeller(front, lang)
    texts, game = teller.texts, front.names[lang]
    items = (element("li", marked(each.marked)) for each in teller.sentences())
    about = {"players": front.players, "knobs": ", ".join(front.over)}
    main = [
        element("p", f"{texts('page.kick')} · {game}", class_="kick"),
        element("h1", teller.headline()),
        element("p", texts("page.about", about), class_="about"),
        element("ol", *items, class_="said", aria_label=texts("page.said")),
    ]
    if len(front.objectives) > 1:
        main.append(_scatter(teller))
    main += [_table(teller), _commands(teller), _method(teller)]
    title = texts("page.title", {"game": game})
    return document(title, lang, front.game, joined([bar(teller.report), element("main", *main)]))


def data(front: Front) -> dict[str, Any]:
    """Return a front as plain data, its sentences first."""
    said = {lang: FrontTeller(front, lang).sentences() for lang in LANGUAGES}
    told = {lang: [sentence.text for sentence in each] for lang, each in said.items()}
    return {"sentences": told, **front.as_dict()}


def _scatter(teller: FrontTeller) -> Markup:
    """Return the front by its first two objectives, at the level that is known best."""
    front, texts = teller.front, teller.texts
    level = front.levels[0]
    across, up = front.objectives[:2]
    spots = [
        Spot(
            str(number),
            _span(point.figures[level][across.name]),
            _span(point.figures[level][up.name]),
            point.is_original,
        )
        for number, point in enumerate(front.points)
    ]
    names = [element("p", f"↑ {teller.name(up)}"), element("p", f"→ {teller.name(across)}")]
    drawing = scatter(
        f"{texts('page.scatter')}: {teller.name(across)}, {teller.name(up)}",
        spots,
        printed_x=lambda value: teller.value(across, value),
        printed_y=lambda value: teller.value(up, value),
    )
    facts = {"level": level, "wanted": teller.wanted((across, up))}
    caption = texts("page.scatter_caption", facts)
    return part("front", texts("page.scatter"), caption, names[0], drawing, names[1])


def _span(seen: Seen) -> tuple[float, float, float]:
    return seen.value, seen.low, seen.high


def _table(teller: FrontTeller) -> Markup:
    front, texts = teller.front, teller.texts
    heads = [texts("page.variant"), texts("page.level"), *map(teller.name, front.objectives)]
    head = element("tr", *(element("th", each, scope="col") for each in heads))
    rows = [
        _row(teller, number, point, level)
        for number, point in enumerate(front.points)
        for level in front.levels
    ]
    title = texts("page.table")
    table = element(
        "table",
        element("caption", title, class_="unseen"),
        element("thead", head),
        element("tbody", *rows),
        class_="tuned",
    )
    caption, is_long = texts("page.table_caption"), len(rows) > 16
    return part("variants", title, caption, table, is_long=is_long)


def _row(teller: FrontTeller, number: int, point: Point, level: str) -> Markup:
    front = teller.front
    name = element("th", element("b", str(number)), f" {teller.what(point)}", scope="row")
    by = element("td", level, data_of=teller.texts("page.level"))
    figures = (_cell(teller, each, point.figures[level][each.name]) for each in front.objectives)
    return element("tr", name, by, *figures)


def _cell(teller: FrontTeller, objective: Objective, seen: Seen) -> Markup:
    printed: list[str] = [figure(teller.printed(objective, seen))]
    if sign := teller.mark(seen):
        is_up = seen.verdict == BETTER
        word = teller.texts(f"page.{'better' if is_up else 'worse'}")
        mark = element("span", sign, class_="up" if is_up else "down", aria_hidden="true")
        printed += [" ", mark, element("span", word, class_="unseen")]
    return element("td", *printed, data_of=teller.name(objective))


def _commands(teller: FrontTeller) -> Markup:
    texts = teller.texts
    parts = [
        element(
            "div",
            element("h3", f"{number} · {teller.what(point)}"),
            element("div", element("code", point.compare), element("code", point.play)),
            class_="again",
        )
        for number, point in enumerate(teller.front.points)
        if not point.is_original
    ]
    title, caption = texts("page.commands"), texts("page.commands_caption")
    return part("commands", title, caption, *parts, is_long=True)


def _method(teller: FrontTeller) -> Markup:
    front, texts, numbers = teller.front, teller.texts, teller.numbers
    facts = {"tried": numbers.plain(front.tried), "size": numbers.plain(front.size)}
    over = (f"{name} = {'/'.join(map(str, values))}" for name, values in front.over.items())
    rows = [
        (texts("page.wanted_is"), teller.wanted(front.objectives)),
        (texts("page.over"), "; ".join(over)),
        (texts("page.tried"), f"{texts('page.tried_are', facts)}; {'; '.join(teller.matches())}"),
        (texts("page.base"), front.variant),
    ]
    family = texts("page.family", {"count": front.claims})
    intervals = texts("page.intervals" if front.is_fresh else "said.not_fresh")
    origin = Origin(front.seed, front.version, front.rules_version, front.command)
    return method(teller.report, [intervals, family], rows, origin)
