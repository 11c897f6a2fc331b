"""Reports: the figures of a study as sentences, as one page of HTML, and as data."""

from __future__ import annotations

from typing import Any

from brelan.i18n import LANGUAGES
from brelan.lab.report.page import page
from brelan.lab.report.sentences import sentences
from brelan.lab.study.figures import StudyFigures

__all__ = ["data", "html", "sentences"]


def html(study: StudyFigures, lang: str) -> str:
    """Return the report of a study: one page of HTML that needs nothing else."""
    return page(study, lang)


def data(study: StudyFigures) -> dict[str, Any]:
    """Return the figures of a study, and the sentences that are said of them, as plain data."""
    said = {lang: sentences(study, lang) for lang in LANGUAGES}
    claims = [sentence.claim for sentence in said["en"] if sentence.claim is not None]
    return {
        "sentences": {lang: [each.text for each in told] for lang, told in said.items()},
        "claims": [
            {"claim": c.key, "level": c.level, "effect": c.effect, "p": c.p, "adjusted": c.adjusted}
            for c in claims
        ],
        **study.as_dict(),
    }
