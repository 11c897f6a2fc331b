"""Texts: the format that ICU agrees with, and the pages; those of games are in the suite."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import brelan
from brelan import i18n

SAMPLES = (
    [("{n, plural, one {# carte} other {# cartes}}", {"n": n}) for n in (0, 1, 2, 5, 21)]
    + [
        ("{who, select, you {Vous} other {Personne}} : {x}", {"who": w, "x": "été"})
        for w in ("you", "other", "nobody")
    ]
    + [("{n, plural, =0 {aucune} one {une} other {plusieurs ({n})}}", {"n": n}) for n in (0, 1, 7)]
    + [
        ("{a, select, x {{n, plural, one {# un} other {# des}}} other {-}}", {"a": "x", "n": n})
        for n in (1, 3)
    ]
)


@pytest.mark.parametrize("language", i18n.LANGUAGES)
@pytest.mark.parametrize(("text", "facts"), SAMPLES)
def test_the_format_agrees_with_icu(
    text: str, facts: dict[str, object], language: str, tmp_path: Path
) -> None:
    messageformat = pytest.importorskip("icu4py.messageformat", reason="icu4py is not installed")
    file = tmp_path / f"texts.{language}.toml"
    file.write_text(f"sample = '{text}'", encoding="utf-8")
    ours = i18n.Texts(file)("sample", facts)
    assert ours == messageformat.MessageFormat(text, language).format(facts)


PAGES = Path(brelan.__file__).parent / "web"
TABLES = sorted(PAGES.parent.glob("games/*/web"))


@pytest.mark.parametrize("folder", [PAGES, *TABLES], ids=lambda folder: folder.parent.name)
def test_the_pages_have_the_same_texts_in_both_languages(folder: Path) -> None:
    found = {lang: json.loads((folder / f"texts/{lang}.json").read_text()) for lang in ("fr", "en")}
    assert list(found["fr"]) == list(found["en"])
    breaks = [key for key, text in found["fr"].items() if re.search(r" [:;!?»%]|« ", text)]
    assert breaks == []  # a French line does not begin with punctuation


def test_the_texts_of_the_pages_hold_the_same_facts() -> None:
    """Those of games do not: one language agrees with a fact that the other does not need."""
    found = {lang: json.loads((PAGES / f"texts/{lang}.json").read_text()) for lang in ("fr", "en")}
    facts = re.compile(r"\{([a-z_]+)[},.]")
    for key, text in found["en"].items():
        assert set(facts.findall(text)) == set(facts.findall(found["fr"][key])), key
