"""The report: what it says first, that it says it rightly, and the page around it."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import numpy.typing as npt
import pytest

import brelan
from brelan import i18n
from brelan.lab import report
from brelan.lab.charts import Scale
from brelan.lab.report.claims import claims, worth_saying
from brelan.lab.report.numbers import Numbers
from brelan.lab.report.sentences import FOLDER
from brelan.lab.study.figures import Fairness, Figure, LevelFigures, SeatFigure
from brelan.lab.study.intervals import mean_of
from brelan.suite import often
from lab_study import CARDS, DIFFERENCE, card, faulty, figure, level, seats, study

Values = npt.NDArray[Any]
VOID = {"meta", "br"}
SEAT_DRAWS_MORE = Fairness(
    seats([0.22, 0.34, 0.22, 0.22], 60), seats([0.25] * 4, 60), figure(0.004, 0.05)
)
ALWAYS_WINS = [*CARDS[:4], card(9, ("Soleil", "Sun"), 0.41)]


def said(*levels: LevelFigures, lang: str = "en", **changes: Any) -> list[str]:
    told = [each.text for each in report.sentences(study(list(levels), **changes), lang)]
    return [sentence.replace("\u202f%", " %") if lang == "en" else sentence for sentence in told]


def fair_level(**changes: Any) -> LevelFigures:
    return level("careful", order=[0.502, 0.498], by_seat=[0.499, 0.501], **changes)


def test_the_strongest_effect_comes_first_and_each_figure_says_how_sure_it_is() -> None:
    told = said(faulty())
    assert len(told) == 5
    assert told[0] == (
        "The Princess loses matches: −18.3 ± 2.3 points of win chance, in place of another card."
    )
    assert "One match in nine is a tie: 11.3 % ± 0.7." in told
    idle = "The Baron is played 0.2 times a round and hardly matters: +0.1 ± 0.5 points"
    assert any(sentence.startswith(idle) for sentence in told)
    effects = [c.effect for c in worth_saying(study([faulty()]), claims(study([faulty()])))]
    assert effects == sorted(effects, reverse=True)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"fairness": SEAT_DRAWS_MORE}, "Seat 1 wins 34.0 %"),
        ({"cards": ALWAYS_WINS}, "The Sun wins matches: +41.0"),
        ({"cards": CARDS}, "The Baron is played 0.2 times a round and hardly matters"),
    ],
)
def test_a_planted_fault_is_among_the_sentences(changes: dict[str, Any], expected: str) -> None:
    told = said(fair_level(**changes))
    assert any(sentence.startswith(expected) for sentence in told)


def test_a_game_without_a_fault_gets_no_such_sentence() -> None:
    even = [
        card(n, (f"{n}", f"{n}"), value) for n, value in enumerate((0.01, -0.012, 0.008, -0.01))
    ]
    told = said(fair_level(cards=even))
    assert "No seat and no place in the order of play wins" in told[-2]
    assert told[-1].startswith("A match lasts 4.0 rounds")
    assert not any("card" in sentence or "Seat" in sentence for sentence in told)


def test_what_is_not_significant_in_the_family_is_not_said() -> None:
    sharp = figure(0.03, 0.4, 4000, DIFFERENCE, 0.0)  # alone significant, not among a hundred
    alone = fair_level(cards=[replace(CARDS[0], value=sharp)])
    (claim,) = [c for c in claims(study([alone])) if c.key == "card_good"]
    assert claim.p <= 0.05
    many = [replace(CARDS[0], card=number, value=sharp) for number in range(100)]
    crowded = claims(study([fair_level(cards=many)]))
    assert not any(c.is_significant for c in crowded if c.key == "card_good")


def test_whoever_watches_a_fair_game_and_stops_at_the_first_alarm_is_seldom_misled() -> None:
    """In a fair game each sentence on who wins is false; one comes in at most 5 % of studies."""
    studies, longest, looks = min(often(60), 2000), 400, (30, 50, 80, 120, 200, 400)
    game = brelan.game("template-game")
    played = brelan.simulate(game, ["honest"] * 2, matches=2 * longest * studies, seed=3)
    won = played.results["won"][:, 0].reshape(studies, longest, 2).mean(axis=2)
    base = fair_level()
    alarms = sum(any(_is_alarm(base, deals[:look]) for look in looks) for deals in won)
    assert alarms <= 0.05 * studies + 4 * (0.05 * 0.95 * studies) ** 0.5


def _is_alarm(base: LevelFigures, deals: Values) -> bool:
    figures = [mean_of(each, (0.0, 1.0), 0.5) for each in (deals, 1 - deals)]
    both = [SeatFigure(n, each, each) for n, each in enumerate(figures)]
    seen = study([replace(base, fairness=replace(base.fairness, seats=both, order=both))])
    return any(each.subject == "fairness" for each in worth_saying(seen, claims(seen)))


def test_a_level_of_which_little_is_known_does_not_stand_for_the_game() -> None:
    levels = [faulty("careful"), faulty("club", deals=500), faulty("expert", deals=11)]
    assert "These five figures: club" in report.html(study(levels), "en")
    assert "These five figures" not in report.html(study(levels[:1]), "en")
    assert "Ces cinq chiffres\u00a0: expert" in report.html(study(levels[2:] * 2), "fr")


def test_of_several_levels_the_strongest_is_heard_and_named() -> None:
    weak, strong = faulty(), faulty("club", cards=ALWAYS_WINS)
    page = report.html(study([weak, strong]), "en")
    first = page[page.index('<ol class="said"') : page.index("</ol>")]
    assert "The Sun wins matches" in first
    assert "<small>club</small>" in first
    assert "<small>careful</small>" in first  # of the Princess only the weaker one knows


def test_all_keys_have_texts_in_both_languages() -> None:
    french, english = (i18n.load(FOLDER, lang).entries for lang in ("fr", "en"))
    assert french.keys() == english.keys()
    for key, text in french.items():
        if key.startswith("command."):
            continue  # words to type, of the house
        prose = re.sub(r"\{\w+, (select|plural), ", "", text)
        assert not re.search(r"[^\u00a0\u202f(][:;!?»%](\s|$)", prose), key
        assert "'" not in prose, key
    assert {f"headline.{key}" for key in _keys()} <= french.keys()
    assert {f"said.{key}" for key in _keys()} <= french.keys()


def _keys() -> set[str]:
    places = ("order_first", "order_last", "order_place")
    return {*places, *(claim.key for claim in claims(study([faulty(), fair_level()])))}


def test_french_is_written_as_french_is() -> None:
    told = said(faulty(), lang="fr")
    assert "Une partie sur neuf est nulle\u00a0: 11,3\u00a0% ± 0,7." in told
    page = report.html(study([faulty()]), "fr")
    assert '<html lang="fr">' in page
    assert not re.search(r"\d\.\d+\s?%", _text(page))


class Reader(HTMLParser):
    """Checks that elements close, and keeps what a screen reader needs."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.pictures: list[dict[str, str | None]] = []
        self.words: list[str] = []
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.addresses += [v or "" for name, v in attrs if name in ("src", "href")]
        self.ids += [v or "" for name, v in attrs if name == "id"]
        if tag == "svg" and "svg" not in self.open:
            self.pictures.append(given)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.words.append(data)


def _read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    return reader


def _text(page: str) -> str:
    return " ".join(_read(page).words)


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
@pytest.mark.parametrize("names", [("careful",), ("careful", "club", "expert")])
def test_a_page_is_whole_and_needs_nothing_else(lang: str, names: tuple[str, ...]) -> None:
    page = report.html(study([faulty(name) for name in names]), lang)
    reader = _read(page)
    assert reader.open == []
    assert not reader.addresses
    assert "<script" not in page
    assert not re.search(r"url\((?!\"?data:)", page)
    assert len(set(reader.ids)) == len(reader.ids)
    for picture in reader.pictures:  # hidden, since a table says it, or told in words
        assert picture.get("aria-hidden") == "true" or picture.get("aria-label")
    for part in ("fairness", "tension", "choices", "skill", "length", "cards", "events"):
        assert part in reader.ids
    for part in ("moves", "rules", "scores", "metrics", "method"):
        assert part in reader.ids


def test_the_page_says_how_to_play_the_study_again() -> None:
    given = study([faulty()], turned={"spy_bonus": "off"}, seed=77)
    text = _text(report.html(given, "en"))
    for needed in (given.command, "77", given.variant, "Brelan 0.1.0", "spy_bonus = off", "20,000"):
        assert needed in text


def test_letters_of_names_cannot_break_the_page() -> None:
    nasty = replace(CARDS[4], names={"fr": "<b>&", "en": "<b>&"}, the={})
    page = report.html(study([faulty(cards=[*CARDS[:4], nasty])], command="a < b"), "en")
    assert "&lt;b&gt;&amp; loses" in page
    assert "a &lt; b" in page
    assert _read(page).open == []


def test_texts_never_told_show_no_braces() -> None:
    pages = {lang: _text(report.html(study([faulty()]), lang)) for lang in i18n.LANGUAGES}
    assert "… gagne." in pages["fr"]
    assert not any("{" in page for page in pages.values())


def test_what_was_not_measured_is_left_out() -> None:
    bare = fair_level(tension=None, metrics=[])
    unknown = Figure(math.nan, math.nan, math.nan, math.nan, 0)
    choices = replace(bare.choices, gap=unknown, matters=unknown, skill=None)
    page = report.html(study([replace(bare, choices=choices)]), "en")
    reader = _read(page)
    assert not {"tension", "skill", "cards", "moves", "rules", "metrics"} & set(reader.ids)
    assert "nan" not in _text(page)


def test_data_has_the_sentences_and_all_figures() -> None:
    given = study([faulty()])
    plain = json.loads(json.dumps(report.data(given), allow_nan=False))
    assert [s.replace("\u202f", " ") for s in plain["sentences"]["en"]] == said(faulty())
    assert len(plain["sentences"]["fr"]) == 5
    assert plain["claims"][0]["claim"] == "card_bad"
    assert all(claim["adjusted"] <= 0.05 for claim in plain["claims"])
    assert plain["levels"][0]["fairness"]["order"][1]["wins"]["mean"] == 0.531


def test_numbers_have_as_many_digits_as_are_known() -> None:
    english, french = Numbers("en"), Numbers("fr")
    assert english.share_figure(figure(0.531, 0.35)) == "53.1\u202f%|51.9–54.3"
    assert french.share_figure(figure(0.531, 0.35, 400)) == "53\xa0%|46–60"
    assert english.points(-0.0001) == "0.0"
    assert english.points_figure(figure(0.03, 0.4, 4000, DIFFERENCE)) == "+3.0|+0.7 to +5.3"
    assert french.plain(-1234.5, 1) == "−1\u202f234,5"
    assert english.plain(math.nan) == "–"


@pytest.mark.parametrize("values", [[0.0], [0.2, 0.21], [-5, 300], [1e-9, 2e-9], [math.nan]])
def test_a_scale_holds_its_values_and_has_round_ticks(values: list[float]) -> None:
    scale = Scale.around(values)
    assert all(scale.low <= value <= scale.high for value in values if not math.isnan(value))
    assert 2 <= len(scale.ticks()) <= 6
    assert all(0 <= scale.place(tick) <= 100 for tick in scale.ticks())
