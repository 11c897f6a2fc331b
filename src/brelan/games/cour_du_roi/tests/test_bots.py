"""The bots of La cour du Roi, decision by decision."""

from __future__ import annotations

from typing import Any

import pytest

import brelan
from brelan.testing import position

GAME = brelan.game("cour-du-roi")


def choices(bot: str, **places: Any) -> set[str]:
    """What a bot does in a position, whatever its luck."""
    match = position(GAME, rest="stock", turn=0, serves=["HK", "SK"], **places)
    bots = (brelan.bot(bot, GAME, seed=seed) for seed in range(25))
    return {each.choose(match.view(0)).notation for each in bots}


@pytest.mark.parametrize("bot", ["careful", "greedy"])
def test_the_own_family_is_kept(bot: str) -> None:
    assert choices(bot, packet=[["C2", "D3", "H9", "S4"], ["C5", "C6", "C7", "C8"]]) == {"keep H9"}


@pytest.mark.parametrize("bot", ["careful", "greedy"])
def test_the_own_family_is_not_covered_by_another(bot: str) -> None:
    court = [None] * 6 + ["H9", "S5", "D6", "C7"]
    chosen = choices(bot, court=court, hand=[["D10"], ["C3", "C4"]])
    assert "D10 1.1" not in chosen


def test_careful_does_what_it_must_when_every_move_hurts() -> None:
    court = [None] * 6 + ["H2", "H3", "H4", "H5"]
    chosen = choices("careful", court=court, hand=[["D10"], ["C3", "C4"]])
    assert chosen <= {"D10 1.1", "D10 1.2", "D10 1.3", "D10 1.4"}


def test_a_jack_does_not_give_the_own_family_away() -> None:
    court = [None] * 6 + ["CJ", None, None, None]
    hands = [["HQ", "D2"], ["C3", "C4"]]
    for bot in ("careful", "greedy"):
        assert choices(bot, phase="give", court=court, hand=hands) == {"give D2 to 1"}


@pytest.mark.parametrize(("draws", "target"), [("before_gift", 2), ("after_gift", 1)])
def test_a_gift_that_is_missed_goes_where_it_is_likeliest_drawn_back(
    draws: str, target: int
) -> None:
    game = brelan.game("cour-du-roi", players=3, jack_draws=draws)
    places: dict[str, Any] = {"court": [None] * 6 + ["CJ", None, None, None], "phase": "give"}
    places |= {"hand": [["HQ"], ["C3"], ["C4", "C5", "C6"]], "serves": ["HK", "SK", "DK"]}
    match = position(game, rest=None, turn=0, **places)
    assert (
        brelan.bot("greedy", game, seed=1).choose(match.view(0)).notation == f"give HQ to {target}"
    )
