"""Studies: what is counted, that figures do not depend on the workers, and that nothing is lost."""

from __future__ import annotations

import dataclasses
import itertools
import json
import shutil
from pathlib import Path

import numpy as np
import polars
import pytest

import brelan
from brelan.errors import Refused
from brelan.kit.new import TEMPLATE
from brelan.lab.study.course import Course
from brelan.lab.study.figures import StudyFigures, from_dict
from brelan.lab.study.folder import StudyFolder
from brelan.lab.study.forecast import forecast
from brelan.lab.study.plan import EXCHANGE, Job, Plan, plan
from brelan.lab.study.run import figures, run
from brelan.lab.study.table import StudyTable
from brelan.lab.study.watch import DEALT, HELD, PLAYED, TARGETED
from brelan.lab.study.worker import as_parquet, work
from study_executor import Here


@pytest.fixture(scope="module")
def template() -> Plan:
    game = brelan.game("template-game")
    small = plan(game, ["balanced"], seed=4, precision=0.04)
    budget = dataclasses.replace(small.budgets[0], contest=300, exchanges=300, samples=4, sampled=2)
    return dataclasses.replace(small, budgets=(budget,))


@pytest.fixture(scope="module")
def kept(template: Plan, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, StudyFigures]:
    path = tmp_path_factory.mktemp("study") / "kept"
    return path, run(template, path, executor=Here())


def test_matches_are_those_of_simulate() -> None:
    game = brelan.game("love-letter", players=3)
    table = StudyTable(game, ["careful"])
    rows = table.deals(range(20), seed=5, sides=1)
    table.play(rows)
    played = brelan.simulate(game, ["careful"] * 3, matches=60, seed=5, threads=1).results
    for name in ("won", "scores", "decisions"):
        assert (rows[name] == played[name]).all()
    metrics = np.array([[row[name] for name in game.folder.metrics.METRICS] for row in played])
    assert (rows["metrics"] == metrics).all()


def test_cards_of_a_match_are_followed() -> None:
    """In District Noir each card that is played was in the hand of who plays it."""
    game = brelan.game("district-noir")
    table = StudyTable(game, ["random"])
    rows = table.deals(range(10), seed=1, sides=1)
    events, scripts = table.play(rows)
    assert (events[..., DEALT].sum(axis=(1, 2)) == 2 * game.knobs["hand_size"]).all()
    assert (events[..., PLAYED] <= events[..., HELD]).all()
    assert not events[..., TARGETED].any()
    plays = game.folder.cards.MOVES["card"][scripts] > 0
    for match, row in enumerate(rows):
        made = int(plays[match, : int(row["decisions"])].sum())
        assert events[match, :, :, PLAYED].sum() == made


def test_a_bot_that_searches_is_watched_by_its_moves() -> None:
    table = StudyTable(brelan.game("template-game"), ["novice"])
    rows = table.deals(range(3), seed=2, sides=1)
    events, scripts = table.play(rows)
    again = StudyTable(brelan.game("template-game"), ["novice"])
    rows_again = again.deals(range(3), seed=2, sides=1)
    events_again, scripts_again = again.play(rows_again)
    assert rows.tobytes() == rows_again.tobytes()
    assert (events == events_again).all()
    assert (scripts == scripts_again).all()
    assert rows["decisions"].min() >= 2


def test_levels_are_played_one_after_the_other(tmp_path: Path) -> None:
    """Who stops early has the first ones whole."""
    asked = plan(brelan.game("template-game"), ["honest", "novice", "balanced"], matches=40)
    course = Course(StudyFolder(tmp_path, asked))
    jobs = [job.level for job in course.jobs()]
    assert [level for level, _ in itertools.groupby(jobs)] == ["honest", "novice", "balanced"]


def test_figures_are_those_that_are_known(kept: tuple[Path, StudyFigures]) -> None:
    """Two who play an equilibrium of Kuhn poker: who acts first loses 1/18 of a chip."""
    (level,) = kept[1].levels
    assert level.is_settled
    assert [seat.wins.null for seat in level.fairness.seats] == [0.5, 0.5]
    assert level.fairness.order[0].score.low <= -1 / 18 <= level.fairness.order[0].score.high
    assert level.length.decisions.mean == pytest.approx(level.length.turns.mean)  # one each time
    assert level.choices.legal_moves.mean == 2
    assert level.choices.forced.mean == 0
    values = {card.printed: card.value for card in level.cards}
    assert values["K"] is not None
    assert values["J"] is not None
    assert values["K"].low > 0.4
    assert values["J"].high < -0.4
    assert {card.names["fr"] for card in level.cards} == {"le Valet", "la Dame", "le Roi"}
    assert level.choices.skill is not None
    assert level.choices.skill.weaker == "honest"
    assert level.tension is not None
    assert level.tension.curve[-1].winner.mean > 0.7
    assert {move.key for move in level.moves} >= {"move.bet", "move.pass"}
    assert level.rules is not None
    assert level.rules.matches == 4
    plain = json.loads(json.dumps(kept[1].as_dict(), allow_nan=False))
    assert from_dict(plain).as_dict() == kept[1].as_dict()


def test_figures_do_not_depend_on_who_did_what_and_when(
    template: Plan, kept: tuple[Path, StudyFigures], tmp_path: Path
) -> None:
    alone = kept[1].as_dict()
    assert run(template, tmp_path / "backwards", executor=Here(backwards=True)).as_dict() == alone
    assert run(template, tmp_path / "two", workers=2).as_dict() == alone


def test_a_study_that_was_stopped_goes_on(
    template: Plan, kept: tuple[Path, StudyFigures], tmp_path: Path
) -> None:
    first, second = Here(most=7), Here()
    with pytest.raises(KeyboardInterrupt):
        run(template, tmp_path, executor=first)
    (tmp_path / "balanced" / "play" / ".unfinished").mkdir(parents=True, exist_ok=True)
    assert run(template, tmp_path, executor=second).as_dict() == kept[1].as_dict()
    assert len(first.done) == 7
    assert not set(first.done) & set(second.done)
    third = Here()
    assert run(template, tmp_path, executor=third).as_dict() == kept[1].as_dict()
    assert not third.done
    assert figures(StudyFolder.open(tmp_path)).as_dict() == kept[1].as_dict()


def test_what_is_kept_are_tables_that_others_open(kept: tuple[Path, StudyFigures]) -> None:
    path, found = kept
    table = polars.read_parquet(path / "balanced" / "play" / "*" / "matches.parquet")
    (level,) = found.levels
    assert table.height == level.matches
    assert table["won_0"].mean() == pytest.approx(level.fairness.seats[0].wins.mean)
    assert (table["won_0"] + table["won_1"] == 1).all()


def test_a_table_in_which_nothing_has_happened_is_empty(template: Plan, tmp_path: Path) -> None:
    """As the exchanges of a game in which no seat has cards of its own."""
    folder = StudyFolder(tmp_path, template)
    nothing = as_parquet({"pair": np.zeros(0, np.int64), "won": np.zeros(0)})
    for batch in range(2):
        folder.add(Job("balanced", EXCHANGE, batch), {"exchanges": nothing})
    assert folder.table("balanced", EXCHANGE, "exchanges").height == 0


def test_a_folder_that_is_not_of_this_study_is_refused(template: Plan, tmp_path: Path) -> None:
    StudyFolder(tmp_path / "one", template)
    other = dataclasses.replace(template, seed=5)
    with pytest.raises(Refused, match="keeps another study: it has another seed"):
        StudyFolder(tmp_path / "one", other)
    with pytest.raises(Refused, match="keeps no study"):
        StudyFolder(tmp_path, template)
    (tmp_path / "file").write_text("")
    with pytest.raises(Refused, match="is a file"):
        StudyFolder(tmp_path / "file", template)
    (tmp_path / "one" / "study.json").write_text("{")
    with pytest.raises(Refused, match=r"study\.json is damaged"):
        StudyFolder.open(tmp_path / "one")


def test_a_damaged_table_is_named_and_can_be_played_again(
    template: Plan, kept: tuple[Path, StudyFigures], tmp_path: Path
) -> None:
    run(template, tmp_path, executor=Here())
    damaged = tmp_path / "balanced" / "play" / "000000"
    (damaged / "matches.parquet").write_bytes(b"PAR1")
    with pytest.raises(Refused, match=f"remove the folder {damaged}"):
        run(template, tmp_path, executor=Here())
    for file in damaged.iterdir():
        file.unlink()
    damaged.rmdir()
    assert run(template, tmp_path, executor=Here()).as_dict() == kept[1].as_dict()


def test_a_forecast_says_what_is_left(template: Plan, tmp_path: Path) -> None:
    folder = StudyFolder(tmp_path, template)
    before = forecast(folder, 1)
    assert before.seconds > 0
    run(template, tmp_path, executor=Here())
    assert forecast(folder, 1).seconds == 0


def test_a_study_of_one_deal_knows_nearly_nothing(tmp_path: Path) -> None:
    study = run(
        plan(brelan.game("template-game"), ["honest"], matches=2), tmp_path, executor=Here()
    )
    (level,) = study.levels
    assert (level.matches, level.is_settled) == (2, False)
    assert level.fairness.seats[0].wins.margin > 0.4


def test_quick_bots_are_the_default() -> None:
    """`closer` of District Noir solves the end of a match, and is too slow for many."""
    assert plan(brelan.game("district-noir")).levels == ("greedy",)


def test_edited_rules_are_another_study(tmp_path: Path) -> None:
    folder = tmp_path / "edited_game"
    shutil.copytree(TEMPLATE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    game = brelan.game(str(folder))
    before = plan(game)
    assert plan(game) == before
    with (folder / "rules.py").open("a", encoding="utf-8") as rules:
        rules.write("# edited\n")
    after = plan(game)
    assert after.id != before.id
    StudyFolder(tmp_path / "kept", before)
    with pytest.raises(Refused, match="has another code"):
        StudyFolder(tmp_path / "kept", after)
    with pytest.raises(Refused, match="a worker has another version of edited-game"):
        work(before, Job("balanced", "play", 0))


def test_what_cannot_be_studied_is_refused() -> None:
    game = brelan.game("template-game")
    with pytest.raises(Refused, match="no level 'strong' of template-game; there are: random, hon"):
        plan(game, ["strong"])
    with pytest.raises(Refused, match="named once"):
        plan(game, ["honest", "honest"])
