"""What a search has found, in sentences and as figures in words."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from brelan import i18n
from brelan.lab.report.numbers import Numbers, digits_for
from brelan.lab.report.sentences import BOLD, PLAIN, Sentence, Teller
from brelan.lab.study.figures import Figure
from brelan.lab.tune.objectives import CARDS, CHANGES, SEATS, Objective
from brelan.lab.tune.points import BETTER, WORSE, Front, Point, Seen

FOLDER = Path(__file__).parent
MOST = 5  # sentences
MARKS = {BETTER: "▲", WORSE: "▼"}


class FrontTeller:
    """Tells a front in one language."""

    def __init__(self, front: Front, lang: str) -> None:
        self.front, self.lang = front, lang
        self.texts, self.numbers = i18n.load(FOLDER, lang), Numbers(lang)
        self.report = Teller(lang)

    def sentences(self) -> list[Sentence]:
        """Return at most five sentences: how many are better, the best in each objective."""
        front, last = self.front, self.front.levels[-1]
        if not front.is_fresh:
            return [Sentence(self.texts("said.not_fresh"))]
        best = [each for objective in front.objectives for each in self._best(objective)]
        count = sum(point.is_better(last) for point in front.points)
        told = [Sentence(self.texts("said.count", {"count": count, "level": last}))]
        told = told if count else []
        told += best or [Sentence(self.texts("said.none"))]
        fallen = [Sentence(self.texts("said.fallen", {"count": front.fallen}))]
        return [*told[: MOST - 1], *(fallen if front.fallen else [])]

    def headline(self) -> str:
        """Return the page's heading: how many variants are better at the last level."""
        last = self.front.levels[-1]
        count = sum(point.is_better(last) for point in self.front.points)
        if not count or not self.front.is_fresh:
            return self.texts("headline.none")
        return self.texts("headline.better", {"count": count})

    def name(self, objective: Objective) -> str:
        """Return how an objective is called."""
        return self.texts(f"objective.{objective.name}")

    def wanted(self, objectives: Iterable[Objective]) -> str:
        """Return what is wanted."""
        between = "\u00a0; " if self.lang == "fr" else "; "
        return between.join(self._wanted(objective) for objective in objectives)

    def what(self, point: Point) -> str:
        """Return what a variant is: the knobs that are turned."""
        turned = ", ".join(f"{name} = {value}" for name, value in point.turned.items())
        return turned or self.texts("page.base")

    def printed(self, objective: Objective, seen: Seen) -> str:
        """Write a figure with its interval, divided by a bar."""
        if objective.name == CHANGES:
            return self.numbers.plain(seen.value)
        figure = Figure(seen.value, seen.low, seen.high, 0.0, 1)
        if objective.is_share:
            return self.numbers.share_figure(figure)
        if objective.name in (SEATS, CARDS):
            return self._points(figure)
        return self.numbers.figure(figure)

    def value(self, objective: Objective, value: float) -> str:
        """Write a value along an axis."""
        if objective.is_share or objective.name in (SEATS, CARDS):
            number = 100 * value
            text = self.numbers.plain(number, 0 if number == round(number) else 1)
            return text + (self.numbers.percent if objective.is_share else "")
        return self.numbers.plain(value, 0 if value == round(value) else 1)

    def mark(self, seen: Seen) -> str:
        """Return the sign of a verdict; nothing if it is not sure."""
        return MARKS.get(seen.verdict, "")

    def matches(self) -> Iterable[str]:
        """Return how much was played of each variant, by level."""
        players = self.front.players
        for level in self.front.levels:
            count = min(point.deals[level] for point in self.front.points) * players
            facts = {"level": level, "matches": self.numbers.plain(count)}
            yield self.texts("page.matches", facts)

    def _points(self, figure: Figure) -> str:
        digits = digits_for(100 * figure.margin, 100 * figure.mean)

        def written(value: float) -> str:
            return self.numbers.plain(100 * value, digits)

        reach = self.numbers.range(figure.low, figure.high, written)
        return f"{written(figure.mean)}|{reach}"

    def _best(self, objective: Objective) -> list[Sentence]:
        """Return the sentence on the variant that is best in an objective, if it is surely."""
        front = self.front
        for level in reversed(front.levels):
            sure = [p for p in front.points if p.figures[level][objective.name].verdict == BETTER]
            if not sure:
                continue
            best = min(sure, key=lambda point: point.figures[level][objective.name].distance)
            last = front.levels[-1]
            at = level
            if best.figures[last][objective.name].verdict != BETTER:
                at += self.texts("said.unsure", {"level": last})
            original = front.points[0].figures[level][objective.name]
            facts = {
                "what": self.what(best),
                "a": self._main(objective, original),
                "b": f"{BOLD}{self._main(objective, best.figures[level][objective.name])}{PLAIN}",
                "at": self.texts("said.at", {"level": at}),
                "target": self._target(objective),
            }
            return [Sentence(self.texts(f"best.{objective.name}", facts))]
        return []

    def _main(self, objective: Objective, seen: Seen) -> str:
        return self.printed(objective, seen).partition("|")[0]

    def _target(self, objective: Objective) -> str:
        return f"{100 * objective.target:g}" if objective.is_share else f"{objective.target:g}"

    def _wanted(self, objective: Objective) -> str:
        target = self.value(objective, objective.target)
        return self.texts("page.wanted", {"name": self.name(objective), "target": target})
