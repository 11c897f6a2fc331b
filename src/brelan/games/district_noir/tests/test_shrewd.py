"""The bot `shrewd`: what it sees in a move, and how often it makes it."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import pytest

import brelan
from brelan.table import View
from brelan.testing import position

from ..balance import MAJORITY
from ..shrewd import GAIN, HURRY, MOST, PATIENCE, PROFIT, THREAT, eagerness, prospect

GAME = brelan.game("district-noir")


def sight(**places: Any) -> View:
    return position(GAME, rest="pile", turn=0, **places).view(0)


def of_each(rule: Any, view: View) -> dict[str, Any]:
    return {move.notation: rule(view.record.copy(), move.id) for move in view.legal()}


def test_what_a_move_brings_and_leaves() -> None:
    view = sight(hand=[["A4", "T3"], ["A2"]], row=["A3"])
    assert of_each(prospect, view) == {"A4": (7, 7), "T3": (0, 0), "take": (3, 0)}


def test_after_the_take_there_is_only_the_other_to_think_of() -> None:
    view = sight(hand=[["A4", "T3"], ["A2"]], row=["A3"], has_taken=[1, 0])
    assert of_each(prospect, view) == {"A4": (0, 7), "T3": (0, 0)}


def test_whoever_has_taken_is_no_threat() -> None:
    view = sight(hand=[["A4", "T3"], ["A2"]], row=["A3"], has_taken=[0, 1])
    assert of_each(prospect, view) == {"A4": (7, 0), "T3": (0, 0), "take": (3, 0)}


def test_a_majority_counts_more_the_safer_it_is() -> None:
    view = sight(hand=[["T1", "T2"], ["A2"]], row=["S8", "S8"])
    assert of_each(prospect, view)["take"] == pytest.approx((8 * MAJORITY[2], 0))


def test_no_more_is_seen_in_a_city_win_than_in_many_points() -> None:
    places: dict[str, Any] = {"collection": [["V1", "V3"], []], "hand": [["A4", "T3"], ["A2"]]}
    assert of_each(prospect, sight(row=["V2"], **places))["take"] == (MOST, 0)
    places["collection"] = [[], ["V1", "V3"]]
    view = sight(row=["V2"], **places)
    assert {threat for _, threat in of_each(prospect, view).values()} == {MOST, 0}


@pytest.mark.parametrize("action", [0, 6])
def test_how_often_it_makes_a_move(action: int) -> None:
    view = sight(hand=[["A4", "T3"], ["A2"]], row=["A3"], action_no=action)
    taking = 3 * (GAIN + PROFIT) - PATIENCE + HURRY * action
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
