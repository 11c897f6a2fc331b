"""The worked examples of the rulebook, the reference engine, and what is known of the game."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

import brelan
from brelan.testing import position

from ..reference import OVER, Reference

FOLDER = str(Path(__file__).resolve().parents[1])
GAME = brelan.game(FOLDER)


@pytest.mark.parametrize("bet", [1, 2])
def test_every_match_against_the_reference(bet: int) -> None:
    """§3 There are six deals and five lines of play: all of them are compared."""
    game = brelan.game(FOLDER, bet=bet)
    for cards in itertools.permutations("JQK"):
        for line in OVER:
            match, reference = game.deal(cards=cards), Reference("".join(cards), 0, bet)
            for move in line.split():
                assert match.turn == reference.turn
                match.play(move)
                reference.moves.append(move)
            assert match.turn is reference.turn is None
            assert match.result is not None
            assert match.result.scores == reference.scores


def test_4_a_fold_shows_nothing() -> None:
    match = GAME.deal(cards=["J", "K", "Q"])
    for move in ("bet", "pass"):
        match.play(move)
    assert match.result == ([1, -1], [0], "fold")
    assert match.story(0, "en")[-1] == "You win 1 chip."
    assert match.view(1).as_dict()["shown"] == [None, None]


def test_a_position_set_up_by_hand() -> None:
    match = position(GAME, rest="pile", turn=1, hand=["Q", "K"])
    assert [move.notation for move in match.legal()] == ["pass", "bet"]
    assert match.view(1).as_dict()["hand"] == [None, "K"]
    match.play("bet")
    assert [move.label("en") for move in match.legal()] == ["Fold", "Call"]


def test_balanced_loses_an_eighteenth_of_a_chip_when_it_acts_first() -> None:
    """The value of the game: nobody who acts first can do better."""
    game = brelan.game(FOLDER, first_player="seat0")
    results = brelan.simulate(game, ["balanced", "balanced"], matches=200_000).results
    assert results["scores"][:, 0].mean() == pytest.approx(-1 / 18, abs=0.012)
