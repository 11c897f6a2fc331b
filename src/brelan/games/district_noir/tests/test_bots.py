"""The bots of District Noir, decision by decision."""

from __future__ import annotations

from typing import Any

import pytest

import brelan
from brelan.testing import position

GAME = brelan.game("district-noir")


def choices(bot: str, **places: Any) -> set[str]:
    """What a bot does in a position, whatever its luck."""
    match = position(GAME, rest="pile", turn=0, **places)
    bots = (brelan.bot(bot, GAME, seed=seed) for seed in range(40))
    return {each.choose(match.view(0)).notation for each in bots}


@pytest.mark.parametrize("bot", ["careful", "greedy", "closer"])
def test_an_own_city_win_is_never_refused(bot: str) -> None:
    hands = [["S8", "S7"], ["S5"]]
    taken = choices(bot, collection=[["V1", "V3"], []], row=["V2", "T1", "T3"], hand=hands)
    assert taken == {"take"}


@pytest.mark.parametrize("bot", ["careful", "greedy", "closer"])
def test_no_city_win_is_given_away(bot: str) -> None:
    places: dict[str, Any] = {"collection": [[], ["V1", "V3"]], "row": ["S5"]}
    assert "V2" not in choices(bot, hand=[["V2", "T3"], ["S5"]], **places)
    places["row"] = ["V2", "S5", "S5", "S6"]
    assert choices(bot, hand=[["A4", "S8"], ["S5"]], **places) == {"take"}
    places["row"] = ["V2", "S6", "S5", "S5", "S6"]  # any card pushes the city out of the five
    assert len(choices("careful", hand=[["A4", "S8"], ["S5"]], **places)) > 1


def test_careful_does_what_it_must_when_every_move_gives_the_win_away() -> None:
    places: dict[str, Any] = {"collection": [[], ["V1", "V3"]], "row": ["V2"], "has_taken": [1, 0]}
    assert choices("careful", hand=[["S5", "S6"], ["S5"]], **places) == {"S5", "S6"}


def test_greedy_takes_what_is_good_and_leaves_what_is_bad() -> None:
    good = {"row": ["S8", "A4", "A3", "S7", "A2"], "hand": [["T1", "S5"], ["S6"]]}
    bad = {"row": ["T3", "T3", "T2", "T2", "T1"], "hand": [["T1", "S5"], ["S6"]]}
    assert choices("greedy", **good) == {"take"}
    assert "take" not in choices("greedy", **bad)
