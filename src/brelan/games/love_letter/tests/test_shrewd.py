"""The bot `shrewd`: what it expects of a move, and how often it makes it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import brelan
from brelan.games.love_letter.cards import KINDS, MOVES
from brelan.games.love_letter.shrewd import (
    FONDNESS,
    STAKE,
    guess_hand,
    how_shrewd,
    prospect,
    whom_it_meets,
)
from brelan.table import Move, View
from brelan.testing import position
from brelan.words import desk

SPY, GUARD, PRIEST, BARON, HANDMAID, PRINCE, CHANCELLOR, KING, COUNTESS, PRINCESS = range(10)


def sight(hand: list[int], known: int | None = None, **places: Any) -> View:
    """What a player sees with two cards, and perhaps the other's hand known."""
    if known is not None:
        places["known"] = [[None, known]]
    other = HANDMAID if known is None else known
    rest = None if "pile" in places else "pile"
    game = brelan.game("love-letter")
    drew = [hand[1:]]
    return position(game, rest=rest, turn=0, hand=[hand[0], other], drew=drew, **places).view(0)


def move_of(view: View, notation: str) -> Move:
    return next(move for move in view.legal() if move.notation == notation)


def expected(view: View, notation: str) -> float:
    move, odds = MOVES[move_of(view, notation).id], np.empty(KINDS)
    guess_hand(view.record, whom_it_meets(view.record, move.target), odds)
    return float(prospect(view.record, move, odds))


@pytest.mark.parametrize(
    ("hand", "known", "places", "notation", "worth"),
    [
        ([GUARD, SPY], BARON, {}, "1:3", 1),
        ([GUARD, SPY], BARON, {}, "1:5", 0),
        ([BARON, KING], GUARD, {}, "3", 1),
        ([BARON, GUARD], KING, {}, "3", -1),
        ([BARON, GUARD], GUARD, {}, "3", 0),
        ([PRINCE, SPY], PRINCESS, {}, "5:o", 1),
        ([PRINCE, SPY], KING, {}, "5:o", 0),
        ([PRINCE, PRINCESS], None, {}, "5:s", -1),
        ([PRINCESS, SPY], None, {}, "9", -1),
        ([HANDMAID, SPY], KING, {}, "4", 0),
        ([KING, PRIEST], COUNTESS, {}, "7", 0),
        ([KING, PRIEST], COUNTESS, {"pile": []}, "7", 1),
        ([KING, PRIEST], COUNTESS, {"pile": []}, "2", -1),
        ([KING, PRIEST], GUARD, {"pile": []}, "7", -1),
        ([GUARD, KING], COUNTESS, {"pile": []}, "1:8", 1),
        ([GUARD, KING], COUNTESS, {"pile": []}, "1:9", -1),
        ([BARON, KING], COUNTESS, {"pile": [], "protected": [0, 1]}, "3:-", -1),
    ],
)
def test_what_a_move_does_at_once(
    hand: list[int], known: int | None, places: dict[str, Any], notation: str, worth: int
) -> None:
    assert expected(sight(hand, known, **places), notation) == worth


def test_an_unknown_hand_is_any_card_that_was_not_seen() -> None:
    # Of 21 cards two are mine: of 19 others two are Barons, and 11 are lower than one.
    view = sight([BARON, GUARD])
    assert expected(view, "1:3") == pytest.approx(1 / 19)  # one Baron is mine
    higher, lower = 19 - 2 - 5, 2  # than my Guard: two Spies are lower, five Guards are equal
    assert expected(view, "3") == pytest.approx((lower - higher) / 19)


def test_a_card_that_was_ruled_out_is_not_expected() -> None:
    view = sight([GUARD, SPY], not_held=[[[], [BARON]]])
    assert expected(view, "1:3") == 0
    assert expected(view, "1:5") == pytest.approx(2 / 17)


@pytest.mark.parametrize("hand", [[GUARD, SPY], [PRIEST, HANDMAID], [COUNTESS, PRINCESS]], ids=str)
def test_how_often_it_makes_a_move(hand: list[int]) -> None:
    view = sight(hand, KING)
    paper = desk()
    paper.count = len(view.legal())
    paper.moves[: paper.count] = [move.id for move in view.legal()]
    appeal = [
        math.exp(FONDNESS[MOVES[move.id].card] + STAKE * expected(view, move.notation))
        for move in view.legal()
    ]
    for move, share in zip(view.legal(), appeal, strict=True):
        assert how_shrewd(view.record, move.id, paper) == pytest.approx(share / sum(appeal))
    assert how_shrewd(view.record, 0, paper) == 0


def test_it_likes_to_keep_high_cards_of_the_chancellor() -> None:
    game = brelan.game("love-letter")
    match = position(
        game, rest="pile", turn=0, hand=[SPY, HANDMAID], drew=[[GUARD, COUNTESS]],
        phase="choose_chancellor", drew_size=2,
    )  # fmt: skip
    bots = [brelan.bot("shrewd", game, seed=seed) for seed in range(300)]
    kept = [bot.choose(match.view(0)).notation.split()[1] for bot in bots]
    assert kept.count("8") > kept.count("1") / 2 > kept.count("0") / 2
    assert kept.count("8") > kept.count("0") * 1.5
