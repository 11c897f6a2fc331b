"""Texts: the same keys and facts in both languages, and the format that ICU agrees with."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import brelan
from brelan import i18n
from brelan.engine.folder import open_folder

FOLDERS = [open_folder(name) for name in brelan.games()]
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


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.id)
def test_both_languages_say_the_same(folder) -> None:  # type: ignore[no-untyped-def]
    french, english = (folder.texts(language).entries for language in ("fr", "en"))
    assert french.keys() == english.keys()
    for key in french:
        assert _facts(french[key]) == _facts(english[key]), key


def _facts(text: str) -> set[str]:
    """Name the arguments of a text; what follows a choice such as `you` is its wording."""
    return set(
        re.findall(r"(?<!you )(?<!left )(?<!other )(?<!one )(?<!=0 )(?<!=1 )\{(\w+)[.},]", text)
    )


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.id)
def test_french_typography(folder) -> None:  # type: ignore[no-untyped-def]
    for key, text in folder.texts("fr").entries.items():
        if key.startswith("command."):
            continue  # words to type, not prose
        prose = re.sub(r"\{\w+, (select|plural), ", "", text)
        assert not re.search(r"[^\u00a0\u202f(][:;!?»](\s|$)", prose), key
        assert "'" not in prose, key
    book = folder.rulebook("fr")
    assert not re.search(r"\w [;!?»]", book)


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


@pytest.mark.parametrize("language", i18n.LANGUAGES)
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.id)
def test_the_page_has_words_for_every_knob(folder, language: str) -> None:  # type: ignore[no-untyped-def]
    """Each knob has a name and a sentence, each value that is no number a word, all different."""
    entries = folder.texts(language).entries
    expected = set()
    for name, knob in folder.knobs.items():
        values = [value for value in knob.values if isinstance(value, str)]
        said = [f"knob.{name}.value_{value}" for value in values]
        assert len({entries[key] for key in said}) == len(said), name
        expected |= {f"knob.{name}.name", f"knob.{name}.says", *said}
    expected |= {f"preset.{name}.name" for name in folder.knobs.presets}
    assert {key for key in entries if key.startswith(("knob.", "preset."))} == expected


def test_both_rulebooks_have_the_same_sections() -> None:
    for folder in FOLDERS:
        books = [re.findall(r"^#+ (§[\d.]+)", folder.rulebook(lang), re.M) for lang in ("fr", "en")]
        assert books[0] == books[1]
        assert len(books[0]) > 3


def test_the_pages_have_the_same_texts_in_both_languages() -> None:
    folder = Path(brelan.__file__).parent / "web" / "texts"
    found = {lang: json.loads((folder / f"{lang}.json").read_text()) for lang in ("fr", "en")}
    assert list(found["fr"]) == list(found["en"])
    for key, text in found["en"].items():
        facts = re.compile(r"\{([a-z_]+)[},.]")
        assert set(facts.findall(text)) == set(facts.findall(found["fr"][key])), key
    breaks = [key for key, text in found["fr"].items() if re.search(r" [:;!?»%]|« ", text)]
    assert breaks == []  # a French line does not begin with punctuation
