"""The bot `shrewd`: what it expects of a move, and how often it makes it."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

import brelan
from brelan.engine.view import Move, View
from brelan.games.love_letter.cards import KINDS, MOVES, Card
from brelan.games.love_letter.shrewd import (
    FONDNESS,
    STAKE,
    guess_hand,
    how_shrewd,
    prospect,
    whom_it_meets,
)
from brelan.games.love_letter.state import Phase
from brelan.rules import NOBODY, new_scratch
from brelan.testing import position

SPY, GUARD, PRIEST, BARON, HANDMAID, PRINCE, CHANCELLOR, KING, COUNTESS, PRINCESS = range(10)


def view_of(hand: list[int], known: int | None = None, **places: Any) -> View:
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
    met = whom_it_meets(view.record, move.target)
    guess_hand(view.record, met, odds)
    return float(prospect(view.record, move, met, odds))


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
    assert expected(view_of(hand, known, **places), notation) == worth


def test_an_unknown_hand_is_any_card_that_was_not_seen() -> None:
    # Of 21 cards two are mine, and 19 I have not seen.
    view = view_of([BARON, GUARD])
    assert expected(view, "1:3") == pytest.approx(1 / 19)  # one Baron is mine
    higher, lower = 19 - 2 - 5, 2  # than my Guard: two Spies are lower, five Guards are equal
    assert expected(view, "3") == pytest.approx((lower - higher) / 19)


def test_a_card_that_was_ruled_out_is_not_expected() -> None:
    view = view_of([GUARD, SPY], not_held=[[[], [BARON]]])
    assert expected(view, "1:3") == 0
    assert expected(view, "1:5") == pytest.approx(2 / 17)


def shares(view: View) -> dict[str, float]:
    """How likely it makes each move, as it says itself."""
    scratch = new_scratch()
    scratch.count = len(view.legal())
    scratch.moves[: scratch.count] = [move.id for move in view.legal()]
    assert how_shrewd(view.record, 0, scratch) == 0  # the table's move
    return {move.notation: how_shrewd(view.record, move.id, scratch) for move in view.legal()}


@pytest.mark.parametrize("hand", [[GUARD, SPY], [PRIEST, HANDMAID], [COUNTESS, PRINCESS]], ids=str)
def test_how_often_it_makes_a_move(hand: list[int]) -> None:
    view = view_of(hand, KING)
    appeal = {
        move.notation: math.exp(
            FONDNESS[MOVES[move.id].card] + STAKE * expected(view, move.notation)
        )
        for move in view.legal()
    }
    total = sum(appeal.values())
    assert shares(view) == pytest.approx({move: each / total for move, each in appeal.items()})


def test_it_keeps_with_a_chancellor_what_it_plays_least() -> None:
    for drew in ([GUARD, COUNTESS], [COUNTESS]):
        view = position(
            brelan.game("love-letter"), rest="pile", turn=0, hand=[SPY, HANDMAID], drew=[drew]
        ).view(0)
        if len(drew) == 1:
            view.record.phase, view.record.drew_size = Phase.CHOOSE_CHANCELLOR, 1
        assert view.record.phase == Phase.CHOOSE_CHANCELLOR
        found = shares(view)
        assert sum(found.values()) == pytest.approx(1)
        for one, other in itertools.product(found, repeat=2):
            kept, other_kept = (Card(1 + int(move.split()[1])) for move in (one, other))
            gap = FONDNESS[other_kept] - FONDNESS[kept]
            assert found[one] / found[other] == pytest.approx(math.exp(gap))


def among_three(hand: list[int], known: list[int | None], **places: Any) -> View:
    """What the first of three players sees, who may know the cards of the others."""
    is_in = places.get("in_round", [1, 1, 1])[1:]
    held = [GUARD if card is None else card for card in known]
    others = [card if here else None for card, here in zip(held, is_in, strict=True)]
    rest = None if "pile" in places else "pile"
    return position(
        brelan.game("love-letter", players=3), rest=rest, turn=0, hand=[hand[0], *others],
        drew=[hand[1:]], known=[[None, *known]], **places,
    ).view(0)  # fmt: skip


def test_a_showdown_is_against_everybody() -> None:
    view = among_three([GUARD, KING], [PRIEST, COUNTESS], pile=[])
    certain = {"1>2:8": 1, "7>2": 1, "1>1:2": -1, "7>1": -1, "1>1:5": -1}
    assert {move: expected(view, move) for move in certain} == certain
    out = among_three([GUARD, KING], [PRIEST, None], pile=[], in_round=[1, 1, 0])
    assert expected(out, "1>1:5") == 1  # whoever is out does not count


def test_more_to_aim_at_makes_a_card_no_dearer() -> None:
    two = shares(view_of([GUARD, HANDMAID]))["4"]
    assert shares(among_three([GUARD, HANDMAID], [None, None]))["4"] == pytest.approx(two)
    shielded = among_three([GUARD, HANDMAID], [None, None], protected=[0, 1, 0])
    assert shares(shielded)["4"] == pytest.approx(two)


def test_the_one_to_beat_is_the_next_in_the_round() -> None:
    view = among_three([KING, PRIEST], [None, COUNTESS], in_round=[1, 0, 1], pile=[])
    assert whom_it_meets(view.record, NOBODY) == 2
    assert whom_it_meets(view.record, 0) == 2  # a Prince on oneself
    assert whom_it_meets(view.record, 1) == 1
