"""The page of a comparison: what changed first, then every figure of both sides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from brelan.i18n import LANGUAGES
from brelan.lab.charts import Dot, Row, Scale, dot_plot
from brelan.lab.charts.markup import Markup, element, joined
from brelan.lab.compare.changes import Change, Comparison
from brelan.lab.compare.tell import ChangeTeller
from brelan.lab.report.page import Origin, bar, document, marked, method
from brelan.lab.report.tables import figure, part


def html(comparison: Comparison, lang: str) -> str:
    """Return a comparison as one page of HTML that needs nothing else."""
    teller = ChangeTeller(comparison, lang)
    texts, game = teller.texts, comparison.names[lang]
    changes = comparison.changes
    amounts = [c for c in changes if not c.is_share and c.key != "metric"]
    metrics = [c for c in changes if c.key == "metric"]
    items = (element("li", marked(each.marked)) for each in teller.sentences())
    main = [
        element("p", f"{texts('page.kick')} · {game}", class_="kick"),
        element("h1", teller.headline()),
        element("p", teller.side(0), Markup("<br>"), teller.side(1), class_="about"),
        element("ol", *items, class_="said", aria_label=texts("page.said")),
        _shares(teller, [c for c in changes if c.is_share]),
        _table(teller, "amounts", texts("page.amounts_caption"), amounts),
    ]
    if metrics:
        main.append(_table(teller, "metrics", texts("page.amounts_caption"), metrics))
    main.append(_method(teller))
    title = texts("page.title", {"game": game})
    return document(
        title, lang, comparison.game, joined([bar(teller.report), element("main", *main)])
    )


def data(comparison: Comparison) -> dict[str, Any]:
    """Return a comparison as plain data, its sentences first."""
    said = {lang: ChangeTeller(comparison, lang).sentences() for lang in LANGUAGES}
    told = {lang: [sentence.text for sentence in each] for lang, each in said.items()}
    return {"sentences": told, **comparison.as_dict()}


def _shares(teller: ChangeTeller, changes: Sequence[Change]) -> Markup:
    rows = []
    for change in changes:
        difference = change.difference
        printed = teller.difference(change)
        dot = Dot(difference.mean, difference.low, difference.high, printed)
        sides = f"{teller.printed(change, change.a)} → {teller.printed(change, change.b)}"
        rows.append(Row(teller.name(change), [dot], sides, 0.0))
    bounds = [bound for row in rows for dot in row.dots for bound in (dot.low, dot.high)]
    scale = Scale.around([0.0, *bounds], least=0.02)
    digits = 0 if scale.high - scale.low >= 0.04 else 1
    title, caption = teller.texts("page.shares"), teller.texts("page.shares_caption")
    plot = dot_plot(title, rows, scale, lambda value: teller.numbers.points(value, digits))
    return part("shares", title, caption, plot)


def _table(teller: ChangeTeller, name: str, caption: str, changes: Sequence[Change]) -> Markup:
    texts, title = teller.texts, teller.texts(f"page.{name}")
    heads = ("a", "b", texts("page.difference"))
    columns = (element("th", each, scope="col") for each in heads)
    head = element("tr", element("td", ""), *columns)
    rows = (
        element(
            "tr",
            element("th", teller.name(change), scope="row"),
            element("td", teller.printed(change, change.a)),
            element("td", teller.printed(change, change.b)),
            element("td", figure(teller.difference(change))),
        )
        for change in changes
    )
    body = [element("thead", head), element("tbody", *rows)]
    table = element("table", element("caption", title, class_="unseen"), *body, class_="changes")
    return part(name, title, caption, table, is_long=len(changes) > 16)


def _method(teller: ChangeTeller) -> Markup:
    comparison, texts, numbers = teller.comparison, teller.texts, teller.numbers
    facts = {
        "matches": numbers.plain(comparison.matches),
        "deals": numbers.plain(comparison.deals),
    }
    precision = {"precision": numbers.share(comparison.precision)}
    end = texts(f"page.{'settled' if comparison.is_settled else 'stopped'}", precision)
    rows = [(texts("page.deals"), f"{texts('page.budget', facts)}, {end}")]
    rows += list(zip("ab", comparison.variants, strict=True))
    told = [
        texts("page.intervals"),
        texts("page.family", {"count": len(comparison.changes)}),
    ]
    c = comparison
    origin = Origin(c.seed, c.version, c.rules_version, c.command)
    return method(teller.report, told, rows, origin)
