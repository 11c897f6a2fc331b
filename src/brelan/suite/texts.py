"""The checks of texts: both languages say the same, well written, and nothing lacks words."""

from __future__ import annotations

import re

from brelan import i18n
from brelan.engine.game import Game


def both_languages_say_the_same(game: Game, seed: int) -> None:
    """Every text is there in French and English, with the same facts."""
    french, english = (game.folder.texts(lang).entries for lang in ("fr", "en"))
    lacking = sorted(french.keys() ^ english.keys())
    assert not lacking, f"in one language only: {', '.join(lacking)}"
    for key in french:
        found = [facts_of(text) for text in (french[key], english[key])]
        assert found[0] == found[1], f"{key}: facts in French {found[0]}, in English {found[1]}"


def facts_of(text: str) -> set[str]:
    """Name the arguments of a text; what follows a choice such as `you` is its wording."""
    return set(
        re.findall(r"(?<!you )(?<!left )(?<!other )(?<!one )(?<!=0 )(?<!=1 )\{(\w+)[.},]", text)
    )


def french_has_its_typography(game: Game, seed: int) -> None:
    """French texts have a no-break space before : ; ! ? » and the apostrophe ’."""
    for key, text in game.folder.texts("fr").entries.items():
        if key.startswith("command."):
            continue  # words to type, not prose
        prose = re.sub(r"\{\w+, (select|plural), ", "", text)
        breaks = re.search(r"[^\u00a0\u202f(][:;!?»](\s|$)", prose)
        assert not breaks, f"{key}: a no-break space is due before the mark in {breaks[0]!r}"
        assert "'" not in prose, f"{key}: write ’ for '"
    broken = re.search(r"\w+ [;!?»]", game.folder.rulebook("fr"))
    assert not broken, f"rulebook.fr.md: a no-break space is due in {broken[0]!r}"


def the_page_has_words_for_every_knob(game: Game, seed: int) -> None:
    """Each knob has a name and a sentence, each value that is no number a word, all different."""
    for lang in i18n.LANGUAGES:
        entries = game.folder.texts(lang).entries
        expected = {f"preset.{name}.name" for name in game.folder.knobs.presets}
        for name, knob in game.folder.knobs.items():
            words = [f"knob.{name}.value_{each}" for each in knob.values if isinstance(each, str)]
            expected |= {f"knob.{name}.name", f"knob.{name}.says", *words}
            said = [entries.get(key, key) for key in words]
            assert len(set(said)) == len(said), f"texts.{lang}.toml: two values of {name} are alike"
        there = {key for key in entries if key.startswith(("knob.", "preset."))}
        lacking, unknown = sorted(expected - there), sorted(there - expected)
        assert not lacking, f"texts.{lang}.toml lacks: {', '.join(lacking)}"
        assert not unknown, f"texts.{lang}.toml has, for no knob or preset: {', '.join(unknown)}"


def both_rulebooks_have_the_same_sections(game: Game, seed: int) -> None:
    """The French and the English rulebook have the same sections."""
    french, english = (
        re.findall(r"^#+ (§[\d.]+)", game.folder.rulebook(lang), re.MULTILINE)
        for lang in ("fr", "en")
    )
    assert french == english, f"French: {' '.join(french)}; English: {' '.join(english)}"
    assert french, "there is no section: a heading is written `## §1 …`"
