"""Searches over knobs: what is asked for, what is found, and that luck is not taken for it."""

from __future__ import annotations

import dataclasses
import itertools
import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import brelan
from brelan import i18n
from brelan.engine.folder import open_folder
from brelan.engine.game import Game
from brelan.errors import Refused
from brelan.kit.new import TEMPLATE
from brelan.lab.compare import side
from brelan.lab.tune import Front, TunePlan, data, html, objectives, space, tune, tune_plan
from brelan.lab.tune.objectives import Objective, surely_better
from brelan.lab.tune.plan import FRESH, SEARCH
from brelan.lab.tune.points import dominates, undominated
from brelan.lab.tune.search import next_generation
from brelan.lab.tune.sums import Sums, added
from brelan.lab.tune.tell import FOLDER, FrontTeller
from brelan.suite import often

LAB_GAME = Path(__file__).parent / "lab_game"


def template() -> Game:
    return brelan.game("template-game")


def lab_game(**knobs: str) -> Game:
    folder = open_folder(str(LAB_GAME))
    return Game(folder, folder.knobs.settle(knobs))


def asked(game: Game, wanted: str, over: str, **options: Any) -> TunePlan:
    level = options.pop("level", None)
    plain = tune_plan(space(game, over), (), level=level)
    return tune_plan(
        space(game, over), objectives(wanted, game, plain.level), level=level, **options
    )


def extra_card() -> TunePlan:
    """A seat has a card too many in the original: the search is to take it away."""
    game = lab_game(defect="extra", order="ladder")
    return asked(game, "seats,changes", "defect=none/extra", trials=8, matches=400)


def plain(front: Front) -> dict[str, Any]:
    return {**front.as_dict(), "file": ""}


def test_a_planted_imbalance_is_tuned_away() -> None:
    front = tune(extra_card(), threads=1)
    original, *found = front.points
    assert original.is_original
    assert front.tried == 2
    cured = next(point for point in found if point.turned == {"defect": "none"})
    seen = cured.figures[front.levels[-1]]["seats"]
    assert seen.verdict == "better"
    assert seen.high < original.figures[front.levels[-1]]["seats"].low
    told = [each.text for each in FrontTeller(front, "en").sentences()]
    assert any(text.startswith("Nearest to fair is defect = none: the seat") for text in told)
    assert FrontTeller(front, "fr").headline() == "Une variante meilleure."


def test_without_a_defect_luck_of_the_search_is_not_reported() -> None:
    """Variants that are all fair: the best one looks better, and is not said to be."""
    plan = asked(template(), "seats,changes", "bet,first_player", trials=6, matches=100)
    front = tune(plan, threads=1)
    texts = [each.text for each in FrontTeller(front, "en").sentences()]
    verdicts = {p.figures[lv]["seats"].verdict for p in front.points for lv in front.levels}
    assert "better" not in verdicts
    assert texts[0] == "No variant is surely better than the original in what was asked for."


def test_the_same_seed_gives_the_same_front_on_any_number_of_threads(tmp_path: Path) -> None:
    fronts = [
        plain(tune(extra_card(), threads=threads, file=tmp_path / f"{threads}.jsonl"))
        for threads in (1, 2)
    ]
    assert fronts[0] == fronts[1]


def test_a_search_that_was_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole.jsonl", tmp_path / "cut.jsonl"
    front = plain(tune(extra_card(), threads=1, file=whole))
    lines = whole.read_bytes().splitlines(keepends=True)
    cut.write_bytes(b"".join(lines[:4]) + lines[4][:20])  # killed as it wrote
    assert plain(tune(extra_card(), threads=1, file=cut)) == front
    assert sorted(cut.read_bytes().splitlines()) == sorted(whole.read_bytes().splitlines())
    before = whole.read_bytes()
    assert plain(tune(extra_card(), threads=1, file=whole)) == front
    assert whole.read_bytes() == before  # nothing was played again


def test_a_file_of_another_search_or_a_damaged_one_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "search.jsonl"
    tune(extra_card(), threads=1, file=file)
    other = dataclasses.replace(extra_card(), seed=2)
    kept = file.read_bytes()
    with pytest.raises(Refused, match="is of another search; name another file with --results"):
        tune(other, threads=1, file=file)
    assert file.read_bytes() == kept
    damaged = kept.replace(b'"search"', b"{", 1)
    file.write_bytes(damaged)
    with pytest.raises(Refused, match="is damaged; remove it, and the search begins anew"):
        tune(extra_card(), threads=1, file=file)
    assert file.read_bytes() == damaged


def test_whoever_stops_the_search_is_told_that_it_was_not_checked() -> None:
    def stop(done: int, total: int) -> None:
        if done:
            raise KeyboardInterrupt

    plan = asked(lab_game(), "seats,changes", "order,defect", trials=8, matches=100)
    front = tune(plan, threads=1, searching=lambda done, total: stop(done // 4, total))
    assert front.is_stopped
    assert not front.is_fresh
    assert front.tried >= 1
    assert FrontTeller(front, "en").sentences()[0].text.startswith("These are the figures of the")


def test_fresh_deals_are_other_deals() -> None:
    plan = extra_card()
    assert plan.seed_of(SEARCH) != plan.seed_of(FRESH)
    assert plan.amount(FRESH, plan.level).deals == 10 * plan.amount(SEARCH, plan.level).deals


def test_the_search_learns_from_what_it_has_tried() -> None:
    """In a space that is too large to be tried as a whole the estimator goes where it is better."""
    game = brelan.game("batailles-et-piques", players=4)
    over = ",".join(f"copies_{number}=1..2" for number in range(1, 5)) + ",hand_size,king_strength"
    plan = asked(game, "seats,changes", over, trials=48, level="careful")
    tried: list[tuple[Any, tuple[float, ...]]] = []
    while generation := next_generation(plan, tried):
        assert generation == next_generation(plan, tried)
        assert len(generation) <= 8
        for values in generation:
            assert plan.space.is_allowed(values)
            strength = dict(zip(plan.space.names, values, strict=True))["king_strength"]
            tried.append(
                (values, (1.0 * abs(int(strength) - 3), 1.0 * len(plan.space.turned(values))))
            )
    assert len(tried) == len({values for values, _ in tried}) == 48
    early = np.mean([distances[0] for _, distances in tried[1:17]])
    late = np.mean([distances[0] for _, distances in tried[-16:]])
    assert late < early


def test_sums_add_up_to_the_interval_of_all_values() -> None:
    values = np.random.default_rng(1).random(500)
    parts = [{"ties": Sums.of(part)} for part in np.array_split(values, 7)]
    whole = added(parts)["ties"]
    assert whole.deals == 500
    assert whole.mean == pytest.approx(values.mean())
    assert whole.sd == pytest.approx(values.std(ddof=1))


def test_intervals_of_the_largest_gap_hold_and_false_alarms_are_rare() -> None:
    """Four seats that are fair: the gap looks like something, and its interval begins at 0."""
    chance, objective = np.random.default_rng(3), Objective("seats")
    rounds, misses, alarms = often(60), 0, 0
    for _ in range(rounds):
        sides = []
        for _ in "ab":
            wins = chance.dirichlet(np.ones(4), 300)
            sides.append({f"order:{place}": Sums.of(wins[:, place]) for place in range(4)})
        gap = objective.measure(sides[0], 4, 0)
        assert gap.value > 0
        misses += gap.low > 0
        alarms += surely_better(objective, (sides[0], 0), (sides[1], 0), 4) <= 0.05
    limit = 0.05 * rounds + 4 * (0.05 * 0.95 * rounds) ** 0.5
    assert misses <= limit
    assert alarms <= limit


def test_a_true_difference_is_sure() -> None:
    fair, unfair = (
        {"order:0": Sums.of(np.full(4000, share)), "order:1": Sums.of(np.full(4000, 1 - share))}
        for share in (0.5, 0.8)
    )
    objective = Objective("seats")
    assert objective.measure(unfair, 2, 0).value == pytest.approx(0.3)
    assert surely_better(objective, (fair, 1), (unfair, 0), 2) < 0.001
    assert surely_better(objective, (unfair, 1), (fair, 0), 2) == 1.0


def test_what_is_wanted_may_be_a_target() -> None:
    sums = {"minutes": Sums.of(np.array([18.0, 22.0] * 500)), "ties": Sums.of(np.zeros(1000))}
    length = Objective("minutes", 25.0)
    near = length.distance(length.measure(sums, 2, 0))
    assert near.value == pytest.approx(5.0)
    assert near.low < 5.0 < near.high
    at = Objective("minutes", 20.0)
    assert at.distance(at.measure(sums, 2, 0)).low == 0.0
    assert Objective("ties").measure(sums, 2, 0).value == 0.0
    assert Objective("changes").measure(sums, 2, 3) == (3, 3, 3)


def test_skill_and_cards_are_measured() -> None:
    front = tune(
        asked(
            brelan.game("cour-du-roi"),
            "skill,cards,changes",
            "order=cycle/ladder",
            trials=4,
            matches=60,
            level="greedy",
        ),
        threads=1,
    )
    original = front.points[0].figures[front.levels[0]]
    assert 0.5 < original["skill"].value < 1  # the better player wins more often
    assert original["cards"].low <= original["cards"].value <= original["cards"].high
    assert original["cards"].value > 0


def test_a_front_holds_what_nothing_beats() -> None:
    found = {(1,): (0.1, 2.0), (2,): (0.2, 1.0), (3,): (0.2, 2.0)}
    assert undominated(found) == [(1,), (2,)]
    assert not dominates((0.1, 2.0), (0.1, 2.0))


def test_each_point_has_the_commands_that_compare_and_play_it() -> None:
    front = tune(extra_card(), threads=1)
    point = front.points[1]
    words = shlex.split(point.compare)
    assert words[:3] == ["brelan", "lab", "compare"]
    settings: dict[str, list[str]] = {"--a": [], "--b": []}
    for option, value in itertools.pairwise(words):
        if option in settings:
            settings[option].append(value)
    players = words[words.index("--players") + 1]
    first, second = (side(words[3], settings[o], players=players) for o in ("--a", "--b"))
    assert first.turned == {"defect": "extra", "order": "ladder"}
    assert second.game.knobs["defect"] == point.turned.get("defect", "extra")
    assert point.play.startswith("brelan play ")


def test_the_page_needs_nothing_else_and_has_the_figures_in_words() -> None:
    front = tune(extra_card(), threads=1)
    for lang in i18n.LANGUAGES:
        page = html(front, lang)
        assert page.startswith("<!doctype html>")
        assert "<script" not in page
        assert "nan" not in page.partition("</style>")[2]
        assert 'role="img"' in page
        for point in front.points[1:]:
            assert point.play in page
    plain_data = json.loads(json.dumps(data(front), allow_nan=False))
    assert plain_data["sentences"]["fr"]
    assert plain_data["points"][0]["turned"] == {}


def test_both_languages_have_all_texts() -> None:
    french, english = (i18n.load(FOLDER, lang).entries for lang in ("fr", "en"))
    assert french.keys() == english.keys()


@pytest.mark.parametrize(
    ("over", "message"),
    [
        ("", "--over needs a knob; there are: bet, first_player"),
        ("colour", "unknown knob 'colour'; there are: bet, first_player"),
        ("players", "--over players is not allowed; --players sets it"),
        ("bet,bet", "--over names bet twice; each knob may be named once"),
        ("bet=1..1", "--over bet=1..1 leaves no choice; bet may be: 1, 2"),
        ("bet=2", "--over bet=2 leaves no choice; bet may be: 1, 2"),
        ("bet=1..9", "bet = 9 is not allowed; it may be: 1, 2"),
        ("first_player=a..b", "first_player = a is not allowed; it may be: "),
    ],
)
def test_a_space_without_a_choice_is_refused(over: str, message: str) -> None:
    with pytest.raises(Refused) as refused:
        space(template(), over)
    assert str(refused.value).startswith(message)


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ("", "--objective needs a name; there are: seats, minutes, "),
        ("beauty", "unknown objective 'beauty'; there are: seats, minutes, "),
        ("minutes", "minutes needs a target; write it as minutes=20"),
        (
            "minutes=soon",
            "minutes=soon is not allowed; write it as minutes=TARGET, from 0 to 1e+06",
        ),
        ("ties=2", "ties=2 is not allowed; write it as ties=TARGET, from 0 to 1"),
        ("seats=3", "seats=3 is not allowed; write it as seats"),
        ("ties,ties", "--objective names ties twice; each may be named once"),
        ("changes", "changes alone is best as printed; name another objective beside it"),
    ],
)
def test_an_objective_that_does_not_exist_is_refused(wanted: str, message: str) -> None:
    with pytest.raises(Refused) as refused:
        objectives(wanted, template(), "honest")
    assert str(refused.value).startswith(message)


def test_skill_needs_a_weaker_player() -> None:
    with pytest.raises(Refused, match="skill needs a level with a weaker one below it, not random"):
        objectives("skill", template(), "random")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "brelan", "lab", "tune", *arguments]
    return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)


def test_the_command_prints_a_table_and_writes_a_page(tmp_path: Path) -> None:
    page, kept = tmp_path / "front.html", tmp_path / "front.jsonl"
    over = ("--over", "bet", "--objective", "decisions=3,changes", "--matches", "100")
    done = run(str(TEMPLATE), *over, "--lang", "en", "--results", str(kept), "--output", str(page))
    assert done.returncode == 0, done.stderr
    assert "the original" in done.stdout
    again = shlex.split(done.stdout.strip().splitlines()[-1])
    assert again[:3] == ["brelan", "lab", "tune"]
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    told = json.loads(run(*again[3:], "--results", str(kept), "--json").stdout)
    assert told["sentences"]["en"][0] in " ".join(done.stdout.split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "brelan: which game? there are: "),
        (("love-letter",), "brelan: --over needs a knob; there are: "),
        (("love-letter", "--over", "colour"), "brelan: unknown knob 'colour'; there are: "),
        (("love-letter", "--over", "deck", "--trials", "0"), "brelan: --trials 0 is not allowed; "),
        (
            ("love-letter", "--over", "tie_break", "--final-level", "master"),
            "brelan: there is no level 'master' of love-letter; there are: ",
        ),
    ],
)
def test_the_command_says_what_is_allowed(arguments: tuple[str, ...], message: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith(message)
