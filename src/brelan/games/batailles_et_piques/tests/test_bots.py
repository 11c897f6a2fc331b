"""What the bot `careful` does, decision by decision."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import brelan
from brelan.engine.match_driver import Driver, blank_results
from brelan.testing import position

NAME = "batailles-et-piques"
GAME = brelan.game(NAME)
UNSEEN: list[None] = [None] * 3


def choices(*moves: str, rest: str | None = "pile", **places: Any) -> set[str]:
    """What it does after these moves, whatever its luck."""
    match = position(GAME, rest=rest, turn=0, **places)
    for move in moves:
        match.play(move)
    bots = (brelan.bot("careful", GAME, seed=seed) for seed in range(12))
    return {bot.choose(match.view(match.turn)).notation for bot in bots}


def knowing(*cards: Any) -> list[Any]:
    """What seat 0 has seen of the cards of seat 1."""
    return [[UNSEEN, [*cards, None][:3]]]


def test_a_known_weaker_card_is_attacked_with_what_is_just_enough() -> None:
    slots = [[6, 13], [5, 12], [3, 7]]
    assert choices(in_play=slots, known=knowing(5, None)) == {"L>1L"}
    slots = [[6, 13], [8, 12], [3, 7]]
    assert choices(in_play=slots, known=knowing(8, None)) == {"R>1L"}


def test_a_sapper_goes_for_a_mine_and_nothing_else_does() -> None:
    slots = [[8, 13], ["M", 12], [3, 7]]
    assert choices(in_play=slots, known=knowing("M", None)) == {"L>1L"}
    slots = [[7, 5], ["M", 12], ["M", 13]]
    chosen = choices(in_play=slots, known=knowing("M", 12))
    assert not [move for move in chosen if ">1" in move and "L" in move.split(">1")[1]]


def test_a_spy_goes_for_a_known_king() -> None:
    slots = [[2, 9], ["K", 12], [13, 7]]
    assert choices(in_play=slots, known=knowing("K", 12)) == {"L>1L"}


def test_a_mine_that_everybody_can_work_out_is_left_to_sappers() -> None:
    slots = [[12, 13], ["M"], ["M"]]
    assert choices(rest=None, in_play=slots) == {"stop"}
    slots = [[12, 4], ["M"], ["M"]]
    assert choices(rest=None, in_play=slots) <= {"R>1L", "R>2L"}


def test_a_slacker_fetches_a_sapper_for_the_last_mines() -> None:
    slots = [[12, 13], ["M"], ["M"]]
    fetched = choices(rest=None, in_play=slots, hand=[[8, 9]])
    assert fetched <= {"slack L 8", "slack R 8"}


def test_a_king_is_killed_rather_than_a_spy() -> None:
    slots = [[2, 9], ["K", 1], [13, 7]]
    assert choices("L>1LR", in_play=slots) == {"kill K"}


def test_a_look_is_taken_where_most_can_be_learnt() -> None:
    slots = [[1, 9], ["K", 12], [13, 7]]
    moves = ("L>1L", "place 3")
    places: dict[str, Any] = {"in_play": slots, "hand": [[], [3]]}
    assert choices(*moves, **places) == {"peek 2L", "peek 2R"}  # everybody knows one King is dead
    assert "peek 2L" not in choices(*moves, **places, known=[[UNSEEN, UNSEEN, [13]]])


def passes(option: str, *moves: str, **places: Any) -> bool:
    """Whether seat 0 passes after these moves: it knows that all others are too strong for it."""
    game = brelan.game(NAME, passing=option, slacker=0)
    slots, known = [[3, 5], [9, 12], [13, "K"]], [[UNSEEN, [9, 12, None], [13, "K", None]]]
    turn = (3 - len(moves)) % 3
    match = position(game, rest="pile", turn=turn, in_play=slots, known=known, **places)
    for move in moves:
        match.play(move)
    chosen = brelan.bot("careful", game, seed=1).choose(match.view(match.turn))
    return chosen.notation == "pass"


def test_it_passes_when_no_attack_promises_anything() -> None:
    for option, is_pass in (("never", False), ("one_in_a_row", True), ("until_all_pass", True)):
        assert passes(option) == is_pass


def test_the_pass_that_ends_the_match_is_for_who_is_not_behind() -> None:
    for graveyard, is_pass in (([], True), ([[4]], True), ([[4], [1]], True), ([[], [4]], False)):
        assert passes("until_all_pass", "pass", graveyard=graveyard)
        assert passes("until_all_pass", "pass", "pass", graveyard=graveyard) == is_pass


def played(players: int, bots: list[int], count: int, **knobs: Any) -> Any:
    """Play matches with these bots in the seats; return the results."""
    game = brelan.game(NAME, players=players, **knobs)
    results, driver = blank_results(game, count), Driver(game, bots)
    driver.set_up(results, 0, 1)
    results["seating"] = np.arange(players)
    driver.play(results)
    return results


def test_careful_beats_random() -> None:
    """One of it against two random players wins nearly always."""
    assert played(3, [0, 1, 0], 200)["winners"][:, 1].mean() > 0.85


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_9_no_match_is_longer_than_its_bounds(players: int) -> None:
    """The bounds of §9: 54, 72, 90 and 108 turns; twice as many decisions."""
    for bot in (0, 1):
        results = played(players, [bot] * players, 200)
        assert results["turns"].max() <= 18 * players
        assert results["decisions"].max() <= 36 * players


@pytest.mark.parametrize("players", [3, 6])
def test_13_no_match_with_passes_is_longer_than_its_bounds(players: int) -> None:
    for option, turns in (
        ("one_in_a_row", 36 * players),
        ("until_all_pass", players * (18 * players + 1)),
    ):
        for bot in (0, 1):
            results = played(players, [bot] * players, 50, passing=option)
            assert results["turns"].max() <= turns
            assert results["decisions"].max() <= turns + 18 * players
