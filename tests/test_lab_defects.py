"""Planted defects are named in the first sentences of a report; without one there is no such."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

import brelan
from brelan.lab.report import sentences
from brelan.lab.study.plan import plan
from brelan.lab.study.run import run
from study_executor import Here

GAME = str(Path(__file__).with_name("lab_game"))
FAIRNESS = {"seat", "order_first", "order_last", "order_place"}
CARDS = {"card_good", "card_bad", "card_idle"}


def said(home: Path, exchanges: int, **knobs: str) -> list[tuple[str, dict[str, object]]]:
    """Return what the sentences of a report claim, and their facts."""
    asked = plan(brelan.game(GAME, **knobs), ["plain"], precision=0.03)
    budget = dataclasses.replace(
        asked.budgets[0], contest=250, exchanges=exchanges, samples=6, sampled=6
    )
    study = run(dataclasses.replace(asked, budgets=(budget,)), home, executor=Here())
    told = [each for each in sentences(study, "en") if each.claim is not None]
    assert len(sentences(study, "en")) <= 5
    return [(each.claim.key, each.claim.facts) for each in told if each.claim is not None]


def cards(told: list[tuple[str, dict[str, object]]], key: str) -> list[str]:
    """Return the cards of which something is said."""
    return [facts["card"].printed for name, facts in told if name == key]  # type: ignore[attr-defined]


def test_a_card_that_always_wins(tmp_path: Path) -> None:
    told = said(tmp_path, 5000, order="cycle", defect="champion")
    assert told[0][0] == "card_good"
    assert cards(told, "card_good") == ["1"]


def test_a_seat_that_draws_an_extra_card(tmp_path: Path) -> None:
    told = said(tmp_path, 1000, order="ladder", defect="extra")
    (facts,) = (facts for key, facts in told if key in FAIRNESS)
    assert facts["number"] == 0
    assert "seat" in dict(told)


def test_a_card_that_never_matters(tmp_path: Path) -> None:
    told = said(tmp_path, 100_000, order="ladder", defect="blank")
    assert cards(told, "card_idle") == ["5"]


@pytest.mark.parametrize(
    ("order", "none"), [("cycle", FAIRNESS | CARDS), ("ladder", FAIRNESS | {"card_idle"})]
)
def test_without_a_defect_nothing_of_the_kind_is_said(
    tmp_path: Path, order: str, none: set[str]
) -> None:
    assert not none & {key for key, _ in said(tmp_path, 20_000, order=order, defect="none")}
