"""The bots of District Noir, decision by decision."""

from __future__ import annotations

import random
from typing import Any

import pytest

import brelan
from brelan.engine.game import Game
from brelan.testing import position

from ..analysis import solutions

GAME = brelan.game("district-noir")


def choices(bot: str, game: Game = GAME, **places: Any) -> set[str]:
    """What a bot does in a position, whatever its luck."""
    match = position(game, rest="pile", turn=0, **places)
    bots = (brelan.bot(bot, game, seed=seed) for seed in range(40))
    return {each.choose(match.view(0)).notation for each in bots}


@pytest.mark.parametrize("bot", ["careful", "shrewd", "greedy", "closer"])
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


def test_careful_does_not_uncover_a_city_by_taking() -> None:
    row = ["V2", "S5", "S5", "S5", "S5", "S6"]
    places: dict[str, Any] = {"collection": [[], ["V1", "V3"]], "row": row}
    assert "take" not in choices("careful", hand=[["A4", "S8"], ["S7"]], **places)


def test_greedy_counts_cities_only_where_they_can_win() -> None:
    places: dict[str, Any] = {"collection": [["V1", "V2"], []], "hand": [["S5", "S6"], ["S7"]]}
    places["row"] = ["V3", "T3", "T3", "T2", "T2"]
    assert choices("greedy", **places) == {"take"}
    off = brelan.game("district-noir", city_win="off")
    assert "take" not in choices("greedy", off, **places)


def test_closer_chooses_the_best_solution_of_the_last_round() -> None:
    better = 0
    for seed in range(12):
        match, choice = GAME.deal(seed=seed), random.Random(seed)
        while match.view(None).record.round_no < 4:
            match.play(choice.choice(match.legal()))
        while match.turn is not None:
            view = match.view(match.turn)
            values = {solved.move: solved.expected for solved in solutions(view)}
            closer, greedy = (brelan.bot(name, GAME).choose(view) for name in ("closer", "greedy"))
            assert values[closer] == pytest.approx(max(values.values()))
            better += values[closer] > values[greedy] + 0.01
            match.play(closer)
    assert better > 3


@pytest.mark.parametrize("knobs", [{"rounds": 1}, {"rounds": 2}, {"hand_size": 1, "rounds": 3}])
def test_closer_finishes_when_the_pile_is_not_empty(knobs: dict[str, Any]) -> None:
    game = brelan.game("district-noir", **knobs)
    summary = brelan.simulate(game, ["closer", "greedy"], matches=40, seed=1)
    assert 0 < summary.wins[0].mean < 1


def test_greedy_takes_what_is_good_and_leaves_what_is_bad() -> None:
    good: dict[str, Any] = {"row": ["S8", "A4", "A3", "S7", "A2"], "hand": [["T1", "S5"], ["S6"]]}
    bad: dict[str, Any] = {"row": ["T3", "T3", "T2", "T2", "T1"], "hand": [["T1", "S5"], ["S6"]]}
    assert choices("greedy", **good) == {"take"}
    assert "take" not in choices("greedy", **bad)
