"""Sentences: claims in the words that a designer would use, and the headline over them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from brelan import i18n
from brelan.lab.report.claims import Claim, claims, worth_saying
from brelan.lab.report.numbers import Numbers
from brelan.lab.study.figures import CardFigure, Figure, LevelFigures, StudyFigures
from brelan.lab.study.plan import FEWEST_DEALS

FOLDER = Path(__file__).parent
BOLD, PLAIN = "\ue000", "\ue001"
MOST = 5
MANY = 12  # up to here a number is written as a word


@dataclass(frozen=True)
class Sentence:
    """A sentence; its figures stand between BOLD and PLAIN. Without a claim it only describes."""

    marked: str
    headline: str = ""
    claim: Claim | None = None

    @property
    def text(self) -> str:
        """The sentence as plain text."""
        return self.marked.replace(BOLD, "").replace(PLAIN, "")

    @property
    def level(self) -> str:
        """The level that it claims something of; empty if it claims nothing."""
        return self.claim.level if self.claim is not None else ""


class Teller:
    """Tells claims in one language."""

    def __init__(self, lang: str) -> None:
        self.lang, self.texts, self.numbers = lang, i18n.load(FOLDER, lang), Numbers(lang)

    def sentences(self, study: StudyFigures, family: Sequence[Claim]) -> list[Sentence]:
        """Return at most five sentences of a family of claims, the strongest effect first.

        Where fewer are significant, what a match is like follows.
        """
        said = [self.tell(claim) for claim in worth_saying(study, family, MOST)]
        if not said:
            said = [Sentence(self.texts("said.nothing"), self.texts("headline.none"))]
        if not any(s.claim and s.claim.subject == "fairness" for s in said) and len(said) < MOST:
            said.append(Sentence(self.texts("said.even")))
        if len(said) < MOST and study.levels:
            said.append(self._length(study))
        return said

    def tell(self, claim: Claim) -> Sentence:
        """Return the sentence of a claim."""
        facts = {name: self._fact(claim, name, value) for name, value in claim.facts.items()}
        facts |= self._more_facts(claim)
        sentence = self.texts(f"said.{claim.key}", facts)
        headline = self.texts(f"headline.{claim.key}", facts)
        return Sentence(_begun(sentence), _begun(_plain(headline)), claim)

    def place(self, number: int) -> str:
        """Return how a place in the order of play is called; 0 starts."""
        return self.texts("label.place", {"number": number + 1})

    def word(self, number: int) -> str:
        """Return a whole number as a word, if it is small."""
        key = f"number.{number}"
        return self.texts(key) if key in self.texts.entries else self.numbers.plain(number)

    def _fact(self, claim: Claim, name: str, value: Any) -> Any:
        if isinstance(value, Figure):
            return self._bold(self._points(value) if name == "value" else self._share(value))
        if name == "card":
            return value.the.get(self.lang) or self._card(value)
        if name in ("fair", "much", "high"):
            return self.numbers.share(value, 0 if (100 * value) % 1 < 0.05 else 1)
        if name == "played" and value is not None:
            return self._bold(self.numbers.plain(value, 1 if value >= 0.1 else 2))
        if name == "matches":
            return self.numbers.plain(value)
        return value

    def _card(self, card: CardFigure) -> str:
        """Return how a card without an article is called in a sentence."""
        return self.texts("said.card", {"card": card.names[self.lang]})

    def _more_facts(self, claim: Claim) -> dict[str, Any]:
        facts = claim.facts
        if claim.key.startswith(("seat", "order")):
            is_more = facts["wins"].mean > facts["fair"]
            return {"more": "yes" if is_more else "no", "place": self.place(facts["number"])}
        if claim.key in ("ties", "comebacks"):
            return {"one_in": self._one_in(facts[claim.key])}
        if claim.key == "card_idle" and facts["played"] is None:
            return {"per": "none"}
        if claim.key.startswith("idle"):
            first = facts["unused"][0]
            name = " ".join(dict.fromkeys((first.key, first.names.get(self.lang, ""))))
            return {"count": len(facts["unused"]), "first": f"{BOLD}{name.strip()}{PLAIN}"}
        return {}

    def _one_in(self, figure: Figure) -> str:
        """Return the number that one thing comes in, as a word; `none` if it comes in no such."""
        number = round(1 / figure.mean) if figure.mean > 0 else 0
        close = number >= 2 and abs(figure.mean * number - 1) < 0.12
        return self.word(number) if close and number <= MANY else "none"

    def _share(self, figure: Figure) -> str:
        main = self.numbers.share_figure(figure).partition("|")[0]
        return f"{main} {self._sure(self.numbers.margin(figure))}"

    def _points(self, figure: Figure) -> str:
        main = self.numbers.points_figure(figure).partition("|")[0]
        return f"{main} {self._sure(self.numbers.margin(figure))}"

    def _sure(self, margin: str) -> str:
        return self.texts("said.sure", {"margin": margin})

    def _bold(self, text: str) -> str:
        main, plus, rest = text.partition(" ±")
        return f"{BOLD}{main}{PLAIN}{plus}{rest}"

    def _length(self, study: StudyFigures) -> Sentence:
        """Return what a match is like at the strongest level: no claim, a description."""
        length = strongest(study).length
        shown = {"turns": length.turns, "decisions": length.decisions, "minutes": length.minutes}
        key = "length"
        if length.rounds is not None and length.rounds.mean > 1.5:
            shown["rounds"], key = length.rounds, "length_round"
        facts = {
            name: self._bold(self.numbers.plain(figure.mean, 1 if figure.mean < 20 else 0))
            for name, figure in shown.items()
        }
        return Sentence(self.texts(f"said.{key}", facts))


def strongest(study: StudyFigures) -> LevelFigures:
    """Return the last level of which enough is known; without one, the one of which most is."""
    known = [level for level in study.levels if level.deals >= FEWEST_DEALS]
    return known[-1] if known else max(study.levels, key=lambda level: level.deals)


def sentences(study: StudyFigures, lang: str) -> list[Sentence]:
    """Return the sentences that stand first on a report."""
    return Teller(lang).sentences(study, claims(study))


def _plain(text: str) -> str:
    return text.replace(BOLD, "").replace(PLAIN, "")


def _begun(text: str) -> str:
    """Return a sentence with a capital letter, also where a card or a figure begins it."""
    place = 1 if text.startswith(BOLD) else 0
    return text[:place] + text[place : place + 1].upper() + text[place + 1 :]
