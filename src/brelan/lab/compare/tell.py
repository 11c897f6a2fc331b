"""What changed, in sentences and as lines for a terminal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from brelan import i18n
from brelan.lab.compare.changes import Change, Comparison, Duel
from brelan.lab.report.numbers import Numbers, digits_for
from brelan.lab.report.sentences import BOLD, PLAIN, Sentence, Teller
from brelan.lab.study.figures import Figure

FOLDER = Path(__file__).parent
MOST = 5  # sentences
MOST_OF_A_KIND = {"length": 1, "scores": 1}  # other kinds: two


class ChangeTeller:
    """Tells a comparison in one language."""

    def __init__(self, comparison: Comparison, lang: str) -> None:
        self.comparison, self.lang = comparison, lang
        self.texts, self.numbers = i18n.load(FOLDER, lang), Numbers(lang)
        self.report = Teller(lang)

    def sentences(self) -> list[Sentence]:
        """Return at most five sentences: a duel of bots, then what changed, most of all first."""
        told = [] if self.comparison.duel is None else [self._duel(self.comparison.duel)]
        changed = self._worth_saying()
        if not changed:
            facts = {"margin": self._margin()}
            headline = self.texts("headline.nothing")
            told.append(Sentence(self.texts("changed.nothing", facts), headline))
        elif not any(change.kind == "fairness" for change in changed):
            told.append(Sentence(self.texts("changed.shares_same", {"margin": self._margin()})))
        said = [Sentence(self._sentence(change)) for change in changed]
        first = [each for each in told if each.headline]
        last = [each for each in told if not each.headline]
        return [*first, *said[: MOST - len(told)], *last]

    def headline(self) -> str:
        """Return the page's heading: of the duel, or of what changed most."""
        told = next((each.headline for each in self.sentences() if each.headline), None)
        if told:
            return told
        first = self.comparison.significant[0]
        if first.kind == "fairness":
            return self.texts(f"headline.{'fairer' if first.is_fairer else 'less_fair'}")
        way = "more" if first.difference.mean > 0 else "less"
        keys = (f"headline.{first.key}_{way}", f"headline.{first.kind}_{way}", "headline.changed")
        key = next(key for key in keys if key in self.texts.entries)
        return self.texts(key, {"count": len(self.comparison.significant)})

    def name(self, change: Change) -> str:
        """Return how a figure is called."""
        if change.key == "metric":
            return str(change.number).replace("_", " ")
        return self.texts(f"figure.{self._key(change)}", self._place(change))

    def printed(self, change: Change, figure: Figure) -> str:
        """Write a figure of one side, without its interval."""
        if change.is_share:
            return self.numbers.share_figure(figure).partition("|")[0]
        return self.numbers.figure(figure).partition("|")[0]

    def difference(self, change: Change) -> str:
        """Write a difference with its interval, divided by a bar."""
        if change.is_share:
            return self.numbers.points_figure(change.difference)
        figure = change.difference
        digits = digits_for(figure.margin, figure.mean)
        written = self._signed(digits)
        reach = self.numbers.range(figure.low, figure.high, written)
        return f"{written(figure.mean)}|{reach}"

    def side(self, number: int) -> str:
        """Return what a side is: its knobs, and who plays."""
        turned = self.comparison.turned[number]
        variant = ", ".join(f"{name} = {value}" for name, value in turned.items())
        facts = {
            "side": "ab"[number],
            "variant": variant or self.texts("page.as_printed"),
            "level": self.comparison.levels[number],
        }
        return self.texts("page.side", facts)

    def _sentence(self, change: Change) -> str:
        digits = digits_for(change.difference.margin, change.difference.mean)
        if change.is_share:
            sure, margin = self.numbers.points_figure(change.difference), change.difference.margin
            reach = self.numbers.plain(100 * margin, digits_for(100 * margin, 1))
        else:
            sure = self.difference(change)
            reach = self.numbers.plain(change.difference.margin, digits)
        facts: dict[str, Any] = {
            "a": self.printed(change, change.a),
            "b": f"{BOLD}{self.printed(change, change.b)}{PLAIN}",
            "difference": f"{sure.partition('|')[0]} ± {reach}",
            "name": self.name(change),
            "fairer": self.texts("changed.fairer", {"is": "yes" if change.is_fairer else "no"}),
            **self._place(change),
        }
        return self.texts(f"changed.{self._key(change)}", facts)

    def _worth_saying(self) -> list[Change]:
        """Return what changed most; what the game counts has names of code, and waits behind."""
        said: list[Change] = []
        found = self.comparison.significant
        for change in sorted(found, key=lambda change: change.kind == "metrics"):
            like = sum(other.kind == change.kind for other in said)
            most = MOST_OF_A_KIND.get(change.kind, 2)
            if change.kind == "fairness" and self.comparison.players == 2:
                most = 1  # what one wins the other one loses
            if like < most:
                said.append(change)
        return said

    def _duel(self, duel: Duel) -> Sentence:
        a, b = self.comparison.levels
        fair = duel.wins.null or 0.0
        margin = self.numbers.margin(duel.wins)
        wins = self.numbers.share_figure(duel.wins).partition("|")[0]
        facts = {
            "one": b,
            "other": a,
            "wins": f"{BOLD}{wins}{PLAIN} ± {margin}",
            "fair": self.numbers.share(fair, 0),
        }
        if not duel.is_significant:
            return Sentence(self.texts("changed.duel_even", facts), self.texts("headline.nothing"))
        key = "duel" if duel.wins.mean > fair else "duel_weaker"
        return Sentence(self.texts("changed.duel", facts), self.texts(f"headline.{key}", facts))

    def _margin(self) -> str:
        """Return how far any share of wins may have changed, in points of percentage."""
        most = max(
            max(abs(change.difference.low), abs(change.difference.high))
            for change in self.comparison.changes
            if change.kind == "fairness"
        )
        return self.numbers.plain(100 * most, digits_for(100 * most, 100 * most))

    def _key(self, change: Change) -> str:
        if change.key != "order":
            return change.key
        places = {0: "order_first", self.comparison.players - 1: "order_last"}
        return places.get(int(change.number or 0), "order_place")

    def _place(self, change: Change) -> dict[str, Any]:
        number = change.number if isinstance(change.number, int) else 0
        return {"number": number, "place": self.report.place(number)}

    def _signed(self, digits: int) -> Callable[[float], str]:
        return lambda value: self.numbers.plain(value, digits, signed=True)
