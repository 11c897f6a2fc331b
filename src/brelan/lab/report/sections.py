"""The parts of a report on matches as a whole: who wins, how long, when it is decided, choices."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator, Sequence

from brelan.lab.charts import Dot, Line, Row, Scale, dot_plot, line_chart
from brelan.lab.charts.dots import key
from brelan.lab.charts.markup import Markup, element
from brelan.lab.report.sentences import Teller
from brelan.lab.report.tables import figure_table, part
from brelan.lab.study.figures import Figure, LevelFigures, SeatFigure, StudyFigures, Tension

Written = Callable[[Figure], str]


class Sections:
    """Writes parts of a report in one language; each holds all levels side by side."""

    def __init__(self, teller: Teller, study: StudyFigures) -> None:
        self.teller, self.study, self.levels = teller, study, study.levels
        self.texts, self.numbers = teller.texts, teller.numbers
        names = [level.level for level in study.levels]
        self.series = names if len(names) > 1 else [""]
        self.fair = 1 / study.players

    def all(self) -> Iterator[Markup]:
        """Return the parts, in the order of the page."""
        yield self.fairness()
        yield from self.tension()
        yield self.choices()
        yield from self.skill()
        yield self.length()

    def fairness(self) -> Markup:
        """Return the shares of wins, by order of play and by seat, and ties."""
        order = self._seats(lambda level: level.fairness.order, self._place)
        seats = self._seats(
            lambda level: level.fairness.seats,
            lambda number: self.texts("label.seat", {"number": number}),
        )
        halves = [self._half("caption.order", order)]
        if [row.dots for row in order] != [row.dots for row in seats]:
            halves.append(self._half("caption.seats", seats))
        shares = self.numbers.share_figure
        ties = [shares(level.fairness.ties) for level in self.levels]
        rows = [(self.texts("label.tie"), self.texts("label.shared"), ties)]
        return part(
            "fairness",
            self.texts("part.fairness"),
            "",
            element("div", *halves, class_="duo" if len(halves) + len(self.levels) == 3 else "one"),
            figure_table(self.texts("label.tie"), rows, self.series),
            is_long=True,
        )

    def length(self) -> Markup:
        """Return how long a match is."""
        numbers, lengths = self.numbers, [level.length for level in self.levels]
        rows = [self._row("decisions", [numbers.figure(each.decisions) for each in lengths])]
        rows.append(self._row("turns", [numbers.figure(each.turns) for each in lengths]))
        if all(each.rounds is not None for each in lengths):
            rounds = [numbers.figure(each.rounds) for each in lengths if each.rounds]
            rows.append(self._row("rounds", rounds))
        minutes = [numbers.figure(each.minutes) for each in lengths]
        rows.append(self._row("minutes_table", minutes))
        most = [numbers.plain(each.minutes_most, 0) for each in lengths]
        rows.append(self._row("minutes_most", most))
        title = self.texts("part.length")
        table = figure_table(title, rows, self.series)
        return part("length", title, self.texts("caption.length"), table)

    def tension(self) -> Iterator[Markup]:
        """Return win chances over time; nothing where no matches were looked into."""
        known = [(n, level.tension) for n, level in enumerate(self.levels) if level.tension]
        if not known:
            return
        numbers, texts = self.numbers, self.texts
        is_one = len(self.levels) == 1
        lines = [_line(tension, "winner", texts("label.winner"), n) for n, tension in known]
        if is_one:
            lines.append(_line(known[0][1], "leader", texts("label.leader"), 1))
        title, caption = (
            texts("part.tension"),
            "caption.tension_both" if is_one else "caption.tension",
        )
        chart = line_chart(
            f"{title}. {texts(caption)}",
            lines,
            Scale(0, 1),
            Scale(0, 1),
            printed_across=lambda value: numbers.share(value, 0),
            printed_up=lambda value: numbers.share(value, 0),
            fair=self.fair,
        )
        names = [line.name if is_one else self.levels[line.series].level for line in lines]
        keys = [key(name, line.series) for name, line in zip(names, lines, strict=True)]
        legend = element("p", *keys, class_="legend")
        high = {"high": numbers.share(known[0][1].is_high, 0)}
        shares = self._over_levels(lambda level: level.tension.decided if level.tension else None)
        backs = self._over_levels(lambda level: level.tension.comebacks if level.tension else None)
        changes = self._over_levels(
            lambda level: level.tension.lead_changes if level.tension else None, numbers.figure
        )
        rows = [
            (texts("label.decided"), texts("label.decided_note", high), shares),
            self._row("lead_changes", changes),
            (texts("label.comebacks"), texts("label.comebacks_note"), backs),
        ]
        table = figure_table(title, rows, self.series)
        yield part("tension", title, texts(caption), chart, legend, table)

    def choices(self) -> Markup:
        """Return what there is to decide."""
        numbers, texts = self.numbers, self.texts
        much = numbers.share(self.levels[-1].choices.is_much, 0)
        rows = [
            self._dots("forced", lambda level: level.choices.forced),
            self._dots("matters", lambda level: level.choices.matters),
        ]
        title = texts("part.choices")
        plot = dot_plot(title, rows, Scale(0, 1), self._percent, series=self.series)
        moves = self._over_levels(lambda level: level.choices.legal_moves, numbers.figure)
        gaps = self._over_levels(lambda level: level.choices.gap, numbers.points_figure)
        others = [self._row("legal_moves", moves), self._row("gap", gaps, texts("label.gap_note"))]
        table = figure_table(title, others, self.series)
        return part("choices", title, texts("caption.choices", {"much": much}), plot, table)

    def skill(self) -> Iterator[Markup]:
        """Return how much the stronger player wins, and what explains who wins."""
        known = [level.choices.skill for level in self.levels if level.choices.skill]
        if not known:
            return
        texts = self.texts
        name = texts("label.stronger_wins")
        if len(self.levels) == 1:
            name = texts("label.wins_of", {"stronger": known[0].stronger})
        pairs = (texts("label.pair", {"one": s.stronger, "other": s.weaker}) for s in known)
        wins = self._dots("wins", lambda level: _of(level, "wins"))
        rows = [
            dataclasses.replace(wins, name=name, note=", ".join(pairs), fair=self.fair),
            self._dots("luck_share", lambda level: _of(level, "luck_share"), note="luck_note"),
            self._dots("skill_share", lambda level: _of(level, "skill_share"), note="skill_note"),
        ]
        title = texts("part.skill")
        plot = dot_plot(title, rows, Scale(0, 1), self._percent, series=self.series)
        yield part("skill", title, texts("caption.skill"), plot)

    def _seats(
        self,
        chosen: Callable[[LevelFigures], Sequence[SeatFigure]],
        name: Callable[[int], str],
    ) -> list[Row]:
        """Return a row for each seat, with its share of wins at each level."""
        fair = self.texts("label.fair", {"share": self.numbers.share(self.fair, 0)})
        by_level = [chosen(level) for level in self.levels]
        return [
            Row(
                name(number),
                [self._dot(seats[number].wins, n) for n, seats in enumerate(by_level)],
                fair if number == 0 else "",
                self.fair,
            )
            for number in range(self.study.players)
        ]

    def _half(self, caption: str, rows: Sequence[Row]) -> Markup:
        text = self.texts(caption)
        bounds = (bound for row in rows for dot in row.dots for bound in (dot.low, dot.high))
        scale = Scale.around([*bounds, self.fair], least=0.1)
        plot = dot_plot(text, rows, scale, self._percent, series=self.series, most=3)
        return element("div", element("p", text, class_="cap"), plot)

    def _place(self, number: int) -> str:
        if number == 0:
            return self.texts("label.first")
        if number == self.study.players - 1:
            return self.texts("label.last")
        return self.teller.place(number)

    def _row(
        self, label: str, printed: Sequence[str], note: str = ""
    ) -> tuple[str, str, Sequence[str]]:
        return self.texts(f"label.{label}"), note, printed

    def _dots(
        self,
        label: str,
        chosen: Callable[[LevelFigures], Figure | None],
        note: str = "",
    ) -> Row:
        """Return a row of shares; what a level does not have is left out."""
        found = [(number, chosen(level)) for number, level in enumerate(self.levels)]
        dots = [self._dot(figure, number) for number, figure in found if figure is not None]
        note = note or f"{label}_note"
        small = self.texts(f"label.{note}") if f"label.{note}" in self.texts.entries else ""
        return Row(self.texts(f"label.{label}"), dots, small)

    def _dot(self, figure: Figure, series: int) -> Dot:
        printed = self.numbers.share_figure(figure)
        return Dot(figure.mean, figure.low, figure.high, printed, series)

    def _over_levels(
        self,
        chosen: Callable[[LevelFigures], Figure | None],
        written: Written | None = None,
    ) -> list[str]:
        figures = (chosen(level) for level in self.levels)
        written = written or self.numbers.share_figure
        return [written(figure) if figure else self.texts("label.unknown") for figure in figures]

    def _percent(self, value: float) -> str:
        return self.numbers.share(value, 0 if abs(100 * value % 1) < 1e-6 else 1)


def _of(level: LevelFigures, name: str) -> Figure | None:
    return getattr(level.choices.skill, name) if level.choices.skill else None


def _line(tension: Tension, name: str, label: str, series: int) -> Line:
    figures: list[Figure] = [getattr(moment, name) for moment in tension.curve]
    done = [moment.done for moment in tension.curve]
    lows = [figure.low if not math.isnan(figure.low) else figure.mean for figure in figures]
    highs = [figure.high if not math.isnan(figure.high) else figure.mean for figure in figures]
    return Line(label, done, [figure.mean for figure in figures], lows, highs, series)
