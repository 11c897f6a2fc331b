"""The parts of a report on the pieces of a game: cards, moves, rules, scores, what it counts."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import Any

from brelan.lab.charts import Dot, Row, Scale, dot_plot, histogram
from brelan.lab.charts.markup import Markup, element
from brelan.lab.report.numbers import UNKNOWN
from brelan.lab.report.sections import Sections
from brelan.lab.report.tables import figure, figure_table, part
from brelan.lab.study.figures import CardEvent, CardFigure, Figure, LevelFigures, Rules, Scores

ALMOST_ALL = 0.95  # of the seats: the others are too few, and too odd, to compare with
LONG = 16  # rows that do not have to stay on one sheet
FACT = re.compile(r"\{[^{}]*\}")
EVENTS = ("dealt", "held", "played", "targeted")


class Details(Sections):
    """Writes the parts on pieces."""

    def all(self) -> Iterator[Markup]:
        """Return the parts, in the order of the page."""
        yield from self.values()
        yield from self.events()
        yield from self.moves()
        yield from self.rules()
        yield from self.scores()
        yield from self.metrics()

    def values(self) -> Iterator[Markup]:
        """Return what each card is worth: its counterfactual value, the best first."""
        valued = self._by_key("cards", "card", lambda card: card.value)
        if not valued:
            return
        rows = []
        for (_, found), card in zip(valued, (found[0][1] for _, found in valued), strict=True):
            dots = [self._points_dot(each.value, n) for n, each in found if each.value]
            copies = self.texts("label.copies", {"count": card.copies}) if card.copies > 1 else ""
            rows.append(Row(card.names[self.teller.lang], dots, copies, 0.0))
        rows.sort(key=lambda row: -row.dots[-1].mean)
        scale = _around_zero(rows)
        title = self.texts("part.cards")
        plot = dot_plot(
            title, rows, scale, lambda v: self.numbers.points(v, _digits(scale)), series=self.series
        )
        is_long = len(rows) * len(self.levels) > LONG
        yield part("cards", title, self.texts("caption.cards"), plot, is_long=is_long)

    def events(self) -> Iterator[Markup]:
        """Return for each card how often it is dealt, held, played and lost, and who wins then."""
        tables: list[Markup] = []
        for level in self.levels:
            rows = [row for card in level.cards if (row := self._event_row(card)) is not None]
            if rows:
                heads = (element("th", self.texts(f"label.{name}"), scope="col") for name in EVENTS)
                title = element("caption", self.texts("part.events"), class_="unseen")
                head = element("tr", element("th", self.texts("label.card"), scope="col"), *heads)
                tables += [element("h3", level.level)] if len(self.levels) > 1 else []
                table = element("table", title, element("thead", head), element("tbody", *rows))
                tables.append(Markup(table.replace("<table", '<table class="events"', 1)))
        if tables:
            caption = self.texts("caption.events")
            yield part("events", self.texts("part.events"), caption, *tables, is_long=True)

    def moves(self) -> Iterator[Markup]:
        """Return what each kind of move tells, the most telling first."""
        found = self._by_key("moves", "key", lambda move: move.bits)
        if not found:
            return
        rows = []
        for _, moves in found:
            last = moves[-1][1]
            dots = [
                Dot(move.bits.mean, move.bits.low, move.bits.high, self._bits(move.bits), number)
                for number, move in moves
                if move.bits
            ]
            times = self.numbers.plain(last.times.mean, 1 if last.times.mean >= 0.1 else 2)
            facts = {"times": times, "share": self.numbers.share(last.share)}
            name = last.names[self.teller.lang]
            rows.append(Row(name, dots, self.texts("label.times", facts)))
        rows.sort(key=lambda row: -row.dots[-1].mean)
        scale = Scale.around([0.0, *(dot.high for row in rows for dot in row.dots)])
        title = self.texts("part.moves")
        digits = 0 if scale.high >= 4 else 1
        plot = dot_plot(
            title, rows, scale, lambda v: self.numbers.plain(v, digits), series=self.series
        )
        is_long = len(rows) * len(self.levels) > LONG
        yield part("moves", title, self.texts("caption.moves"), plot, is_long=is_long)

    def rules(self) -> Iterator[Markup]:
        """Return what never came into play, at each level."""
        told: list[Markup] = []
        for level in self.levels:
            if level.rules is not None:
                told += [element("h3", level.level)] if len(self.levels) > 1 else []
                told += self._idle(level.rules)
        if told:
            matches = max(level.rules.matches for level in self.levels if level.rules)
            caption = self.texts("caption.rules", {"matches": self.numbers.plain(matches)})
            yield part("rules", self.texts("part.rules"), caption, *told, is_long=True)

    def scores(self) -> Iterator[Markup]:
        """Return the distributions of scores, and how they go with winning."""
        title = self.texts("part.scores")
        inside: list[Markup] = []
        for number, level in enumerate(self.levels):
            inside += [element("h3", level.level)] if len(self.levels) > 1 else []
            inside.append(self._histograms(level, number))
        scores = [level.scores for level in self.levels]
        plain = self.numbers.figure
        known = [each.correlation for each in scores]
        rows = [
            self._row("mean_score", [plain(each.mean) for each in scores]),
            self._row("spread", [plain(each.spread) for each in scores]),
            self._row("lead", [plain(each.lead) for each in scores]),
            self._row(
                "correlation",
                [self.numbers.plain(math.nan if each is None else each, 2) for each in known],
            ),
        ]
        table = figure_table(title, rows, self.series)
        is_long = len(self.levels) > 1
        yield part("scores", title, self.texts("caption.scores"), *inside, table, is_long=is_long)

    def metrics(self) -> Iterator[Markup]:
        """Return what the game itself counts."""
        found = self._by_key("metrics", "name", lambda metric: metric.value)
        if not found:
            return
        rows = [
            (name.replace("_", " "), "", [self.numbers.figure(each.value) for _, each in metrics])
            for name, metrics in found
            if len(metrics) == len(self.levels)
        ]
        title = self.texts("part.metrics")
        table = figure_table(title, rows, self.series)
        yield part("metrics", title, self.texts("caption.metrics"), table)

    def _by_key(self, list_: str, key: str, chosen: Any) -> list[tuple[Any, list[Any]]]:
        """Return for each thing, by its key, the levels that know it, and its figures there."""
        found: dict[Any, list[Any]] = {}
        for number, level in enumerate(self.levels):
            for each in getattr(level, list_):
                value = chosen(each)
                if value is not None and not math.isnan(value.mean):
                    found.setdefault(getattr(each, key), []).append((number, each))
        return list(found.items())

    def _points_dot(self, value: Figure, series: int) -> Dot:
        printed = self.numbers.points_figure(value)
        return Dot(value.mean, value.low, value.high, printed, series)

    def _bits(self, bits: Figure) -> str:
        return self.numbers.figure(bits)

    def _event_row(self, card: CardFigure) -> Markup | None:
        events = [getattr(card, name) for name in EVENTS]
        if not any(events):
            return None
        cells = (
            element("td", *self._event(event), data_of=self.texts(f"label.{name}"))
            for name, event in zip(EVENTS, events, strict=True)
        )
        return element("tr", element("th", card.names[self.teller.lang], scope="row"), *cells)

    def _event(self, event: CardEvent | None) -> list[Markup]:
        if event is None or not event.share:
            return [element("small", "–")]
        times = self.numbers.plain(event.times.mean, 1 if event.times.mean >= 0.1 else 2)
        difference, _, reach = self.numbers.points_figure(event.difference).partition("|")
        if event.share > ALMOST_ALL:
            difference, reach = UNKNOWN, ""
        return [
            figure(self.numbers.share_figure(event.wins).partition("|")[0]),
            element("small", f"{difference} ({reach})" if reach else difference),
            element("small", self.texts("label.events", {"times": times})),
        ]

    def _idle(self, rules: Rules) -> list[Markup]:
        told, lang = list[Markup](), self.teller.lang
        for kind, unused in (("sections", rules.sections), ("knobs", rules.knobs)):
            if unused:
                items = (_item(each.key, each.names[lang]) for each in unused)
                told.append(element("h3", self.texts(f"label.{kind}")))
                told.append(element("ul", *items, class_="idle"))
        if rules.texts:
            items = (element("li", _without_facts(each.names[lang])) for each in rules.texts)
            count = f"{self.texts('label.texts')} ({len(rules.texts)})"
            listed = element("ul", *items, class_="idle")
            told.append(element("details", element("summary", count), listed))
        return told or [element("p", self.texts("label.none"))]

    def _histograms(self, level: LevelFigures, series: int) -> Markup:
        scores = level.scores
        highest = _highest(scores)
        digits = 0 if all((2 * edge).is_integer() for edge in scores.edges) else 1
        charts = []
        for seat, counts in enumerate(scores.counts):
            name = self.texts("label.seat", {"number": seat})
            mean = self.numbers.figure(level.fairness.seats[seat].score).partition("|")[0]
            title = f"{name}, {self.texts('label.mean_score')} {mean}"
            chart = histogram(
                title,
                scores.edges,
                counts,
                lambda value: self.numbers.plain(value, digits),
                highest=highest,
                share=self.numbers.share,
                series=series,
            )
            charts.append(element("div", element("p", element("b", name), f", {mean}"), chart))
        return element("div", *charts, class_="many")


def _item(key: str, name: str) -> Markup:
    return element("li", element("b", key), name if name != key else "")


def _without_facts(text: str) -> str:
    """Return a text of a game with an ellipsis for what is filled in."""
    while (shorter := FACT.sub("…", text)) != text:
        text = shorter
    return text


def _highest(scores: Scores) -> float:
    return max((max(counts) / (sum(counts) or 1) for counts in scores.counts), default=1.0)


def _around_zero(rows: Sequence[Row]) -> Scale:
    bounds = [bound for row in rows for dot in row.dots for bound in (dot.low, dot.high, dot.mean)]
    return Scale.around([0.0, *bounds], least=0.02)


def _digits(scale: Scale) -> int:
    return 0 if scale.high - scale.low >= 0.04 else 1
