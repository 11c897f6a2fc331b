"""What a study or a comparison says first, as its page prints it, in each language.

To find the sentences takes a part of a second, which a process that serves tables does not have: so
the process of the study writes them.
"""

from __future__ import annotations

from brelan.i18n import LANGUAGES
from brelan.lab import report
from brelan.lab.compare import Comparison
from brelan.lab.compare.tell import ChangeTeller
from brelan.lab.report.sentences import BOLD, PLAIN, Sentence
from brelan.lab.study.figures import StudyFigures
from brelan.server.lab.messages import ComparisonTold, StudyTold


def told(figures: StudyFigures) -> dict[str, StudyTold]:
    """Return what the report of a study says first, in each language."""
    return {lang: _told(figures, lang) for lang in LANGUAGES}


def _told(figures: StudyFigures, lang: str) -> StudyTold:
    said = report.sentences(figures, lang)
    headline = next((each.headline for each in said if each.headline), "")
    return StudyTold(headline, [_starred(each) for each in said])


def comparison_told(found: Comparison) -> dict[str, ComparisonTold]:
    """Return what a comparison says first, and how its figures are called, in each language."""
    return {lang: _comparison_told(ChangeTeller(found, lang)) for lang in LANGUAGES}


def _comparison_told(teller: ChangeTeller) -> ComparisonTold:
    names = {
        each.key if each.number is None else f"{each.key}:{each.number}": teller.name(each)
        for each in teller.comparison.changes
    }
    return ComparisonTold(teller.headline(), [_starred(s) for s in teller.sentences()], names)


def _starred(sentence: Sentence) -> str:
    return sentence.marked.replace(BOLD, "**").replace(PLAIN, "**")
