"""The bot `shrewd`: what it sees in a move, and how often it makes it."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import pytest

import brelan
from brelan.engine.view import View
from brelan.testing import position

from ..balance import MAJORITY
from ..shrewd import GAIN, HURRY, MOST, PATIENCE, PROFIT, THREAT, eagerness, prospect

GAME = brelan.game("district-noir")


def view_of(**places: Any) -> View:
    return position(GAME, rest="pile", turn=0, **places).view(0)


def of_each(rule: Any, view: View) -> dict[str, Any]:
    """What a rule says of each legal move; what it tries out it takes back."""
    record = view.record.copy()
    found = {move.notation: rule(record, move.id) for move in view.legal()}
    assert record.tobytes() == view.record.tobytes()
    return found


def test_what_a_move_brings_and_leaves() -> None:
    view = view_of(hand=[["A4", "T3"], ["A2"]], row=["A3"])
    assert of_each(prospect, view) == {"A4": (7, 7), "T3": (0, 0), "take": (3, 0)}


def test_a_take_may_lay_bare_what_the_other_likes() -> None:
    view = view_of(hand=[["A4"], ["A2"]], row=["A3", "T1", "T1", "T1", "T2", "T2"])
    assert of_each(prospect, view)["take"] == (-7, 3)


def test_what_the_other_would_not_take_is_no_comfort() -> None:
    view = view_of(hand=[["T3", "A2"], ["A2"]], row=["T2"])
    assert of_each(prospect, view) == {"T3": (-5, 0), "A2": (0, 0), "take": (-2, 0)}


def test_after_the_take_there_is_only_the_other_to_think_of() -> None:
    view = view_of(hand=[["A4", "T3"], ["A2"]], row=["A3"], has_taken=[1, 0])
    assert of_each(prospect, view) == {"A4": (0, 7), "T3": (0, 0)}


def test_whoever_has_taken_is_no_threat() -> None:
    view = view_of(hand=[["A4", "T3"], ["A2", "S5"]], row=["A3"], has_taken=[0, 1])
    assert of_each(prospect, view) == {"A4": (7, 0), "T3": (0, 0), "take": (3, 0)}


@pytest.mark.parametrize("cards", [1, 2, 3, 4, 5])
def test_a_majority_counts_more_the_safer_it_is(cards: int) -> None:
    view = view_of(hand=[["T1", "T2"], ["A2"]], row=["S8"] * cards)
    assert of_each(prospect, view)["take"] == pytest.approx((8 * MAJORITY[min(cards, 4)], 0))


def test_no_more_is_seen_in_a_city_win_than_in_many_points() -> None:
    places: dict[str, Any] = {"collection": [["V1", "V3"], []], "hand": [["A4", "T3"], ["A2"]]}
    assert of_each(prospect, view_of(row=["V2"], **places))["take"] == (MOST, 0)
    places["collection"] = [[], ["V1", "V3"]]
    threats = {
        move: threat
        for move, (_, threat) in of_each(prospect, view_of(row=["V2"], **places)).items()
    }
    assert threats == {"A4": MOST, "T3": MOST, "take": 0}


@pytest.mark.parametrize("action", [0, 6])
def test_how_often_it_makes_a_move(action: int) -> None:
    row = ["A2", "T1", "A3", "T1", "A2", "T1"]
    view = view_of(hand=[["A4", "T3"], ["A2"]], row=row)
    view.record.action_no = action
    taking = 2 * (GAIN + PROFIT) - 2 * THREAT - PATIENCE + HURRY * action
    eager = {"A4": 7 * GAIN - 7 * THREAT, "T3": 0.0, "take": taking}
    assert of_each(eagerness, view) == pytest.approx(eager)
    rounds = 4000
    bots = (brelan.bot("shrewd", GAME, seed=seed) for seed in range(rounds))
    made = Counter(bot.choose(view).notation for bot in bots)
    total = sum(map(math.exp, eager.values()))
    for move, each in eager.items():
        share = math.exp(each) / total
        deviation = math.sqrt(share * (1 - share) / rounds)
        assert made[move] / rounds == pytest.approx(share, abs=5 * deviation)
