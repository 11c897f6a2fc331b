"""The page of a report: one file of HTML that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from brelan.lab.charts.markup import Markup, element, joined
from brelan.lab.report.claims import Claim, claims
from brelan.lab.report.details import Details
from brelan.lab.report.look import stylesheet
from brelan.lab.report.numbers import Numbers
from brelan.lab.report.sections import Sections
from brelan.lab.report.sentences import BOLD, PLAIN, Sentence, Teller, strongest
from brelan.lab.study.figures import LevelFigures, StudyFigures

MARK = (
    "M50 8 68 33 50 58 32 33Z M29 44 47 69 29 94 11 69Z M71 44 89 69 71 94 53 69Z"  # three lozenges
)


class Origin(NamedTuple):
    """Where figures come from: they can be made again."""

    seed: int
    version: str  # of brelan
    rules_version: int
    command: str


def page(study: StudyFigures, lang: str) -> str:
    """Return the report of a study as a page."""
    teller = Teller(lang)
    family = claims(study)
    said = teller.sentences(study, family)
    title = teller.texts("page.title", {"game": study.names[lang]})
    main = [
        *_opening(study, teller, said),
        *Sections(teller, study).all(),
        *Details(teller, study).all(),
        _method(study, teller, family),
    ]
    body = joined([bar(teller), element("main", *main, id="main")])
    return document(title, lang, study.game, body)


def document(title: str, lang: str, game: str, body: Markup) -> str:
    """Return a whole page, with all that it needs inside."""
    head = joined(
        [
            Markup('<meta charset="utf-8">'),
            Markup('<meta name="viewport" content="width=device-width,initial-scale=1">'),
            Markup('<meta name="color-scheme" content="light dark">'),
            Markup('<meta name="generator" content="Brelan">'),
            element("title", title),
            Markup(f"<style>{stylesheet(game)}</style>"),
        ]
    )
    inside = joined([element("head", head), "\n", element("body", body)])
    return f"<!doctype html>\n{element('html', inside, lang=lang)}\n"


def marked(text: str) -> Markup:
    """Return a sentence with its figures in bold."""
    escaped = joined([text])
    return Markup(escaped.replace(BOLD, "<b>").replace(PLAIN, "</b>"))


def bar(teller: Teller) -> Markup:
    """Return what stands above every page of the lab."""
    path = element("path", d=MARK)
    mark = element("svg", path, viewBox="0 0 100 100", aria_hidden="true")
    lab, tagline = (teller.texts(f"page.{name}") for name in ("lab", "tagline"))
    names = [mark, element("b", "Brelan"), element("i", lab), element("span", tagline)]
    header = element("header", *names, class_="bar")
    return joined([header, element("div", "", class_="frieze", aria_hidden="true")])


def _opening(study: StudyFigures, teller: Teller, said: Sequence[Sentence]) -> Iterator[Markup]:
    """Yield what stands first: the sentences, then five figures."""
    texts = teller.texts
    yield element("p", f"{texts('page.kick')} · {study.names[teller.lang]}", class_="kick")
    yield element("h1", next((each.headline for each in said if each.headline), ""))
    turned = ", ".join(f"{name} = {value}" for name, value in study.turned.items())
    facts = {"count": study.players, "knobs": turned or texts("page.as_printed")}
    levels = ", ".join(level.level for level in study.levels)
    about = f"{texts('page.variant', facts)} · {texts('page.levels')} {levels}"
    yield element("p", about, class_="about")
    items = (_sentence(each, len(study.levels) > 1) for each in said)
    yield element("ol", *items, class_="said", aria_label=texts("page.sentences"))
    if study.levels:
        level = strongest(study)
        if len(study.levels) > 1:
            yield element("p", texts("page.five", {"level": level.level}), class_="about")
        yield _five(level, study.players, teller, said)


def _sentence(sentence: Sentence, names_level: bool) -> Markup:
    at = [element("small", sentence.level)] if names_level and sentence.level else []
    return element("li", marked(sentence.marked), *at)


def _five(level: LevelFigures, players: int, teller: Teller, said: Sequence[Sentence]) -> Markup:
    """Return five figures of a level: its most unequal place, length, ties, choices, luck."""
    texts, numbers = teller.texts, teller.numbers
    best = max(level.fairness.order, key=lambda seat: seat.wins.mean)
    place = {0: texts("label.first"), players - 1: texts("label.last")}
    name = place.get(best.number) or teller.place(best.number)
    is_unfair = any(each.claim and each.claim.subject == "fairness" for each in said)
    shares = numbers.share_figure
    wins = texts("label.cell_wins", {"place": name})
    forced = texts("label.forced_note")
    cells = [
        _cell(wins, shares(best.wins), "bad" if is_unfair else ""),
        _cell(texts("label.minutes"), numbers.figure(level.length.minutes)),
        _cell(texts("label.tie"), shares(level.fairness.ties)),
        _cell(forced, shares(level.choices.forced)),
    ]
    skill = level.choices.skill
    if skill is not None:
        cells.append(_cell(texts("label.luck_share"), shares(skill.luck_share)))
    else:
        cells.append(_cell(texts("label.decisions"), numbers.figure(level.length.decisions)))
    return element("dl", *cells, class_="five")


def _cell(name: str, printed: str, class_: str = "") -> Markup:
    main, _, rest = printed.partition("|")
    term = element("dt", name, *([Markup("<br>"), element("small", rest)] if rest else []))
    return element("div", term, element("dd", main), class_=class_ or None)


def _method(study: StudyFigures, teller: Teller, family: Sequence[Claim]) -> Markup:
    texts = teller.texts
    told = [texts("method.intervals"), texts("method.family", {"count": len(family)})]
    level = texts("method.level")
    rows = [(f"{level} {each.level}", _budget(each, teller)) for each in study.levels]
    rows.append((texts("method.variant"), study.variant))
    origin = Origin(study.seed, study.version, study.rules_version, study.command)
    return method(teller, told, rows, origin)


def method(
    teller: Teller, told: Sequence[str], rows: Sequence[tuple[str, str]], origin: Origin
) -> Markup:
    """Return how figures came about, and the command that makes them again."""
    texts = teller.texts
    facts = {"version": origin.version, "rules": origin.rules_version}
    listed = [
        *rows,
        (texts("method.seed"), str(origin.seed)),
        (texts("method.versions"), texts("method.versions_are", facts)),
    ]
    pairs = (joined([element("dt", name), element("dd", value)]) for name, value in listed)
    again = element("div", texts("method.again"), element("code", origin.command), class_="again")
    return element(
        "section",
        element("h2", texts("part.method")),
        *(element("p", each) for each in told),
        element("dl", *pairs),
        again,
        element("p", texts("method.credits"), class_="foot"),
        id="method",
        class_="method",
    )


def _budget(level: LevelFigures, teller: Teller) -> str:
    numbers: Numbers = teller.numbers
    facts = {"matches": numbers.plain(level.matches), "deals": numbers.plain(level.deals)}
    precision = {"precision": numbers.share(level.precision)}
    end = teller.texts(f"method.{'settled' if level.is_settled else 'stopped'}", precision)
    return f"{teller.texts('method.budget', facts)}, {end}"
