"""The note's bot, decision by decision (§10), and `careful`."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import brelan
from brelan.testing import position

NAMES = ["spy", "guard", "priest", "baron", "handmaid", "prince", "chancellor", "king"]
NAMES += ["countess", "princess"]
VALUE = {name: value for value, name in enumerate(NAMES)}

DECISIONS: list[tuple[int, str, str | None, dict[str, Any], str]] = [
    (1, "spy guard", None, {}, "0"),
    (2, "guard priest", None, {}, "2"),
    (3, "countess princess", None, {}, "8"),
    (4, "king countess", None, {}, "8"),
    (5, "guard handmaid", "baron", {}, "1:3"),
    (6, "baron king", "guard", {}, "3"),
    (7, "prince baron", "princess", {}, "5:o"),
    (9, "king priest", "countess", {"pile": []}, "7"),
    (11, "handmaid priest", "prince", {}, "4"),
    (12, "prince princess", None, {"protected": [0, 1]}, "5:s"),
]


def choice(
    hand: str, known: str | None, places: dict[str, Any], bot: str = "eager", **options: Any
) -> str:
    game = brelan.game("love-letter", **options)
    kept, *drawn = (VALUE[name] for name in hand.split())
    opponent = VALUE[known or "handmaid"] if known or "handmaid" not in hand else 1
    rest = None if "pile" in places else "pile"
    knowledge = {"known": [[None, VALUE[known]]]} if known else {}
    match = position(
        game, rest=rest, turn=0, hand=[kept, opponent], drew=[drawn], **knowledge, **places
    )
    return brelan.bot(bot, game).choose(match.view(0)).notation


@pytest.mark.parametrize(("number", "hand", "known", "places", "expected"), DECISIONS)
def test_10_decisions(
    number: int, hand: str, known: str | None, places: dict[str, Any], expected: str
) -> None:
    assert choice(hand, known, places) == expected
    if number not in (4, 12):
        assert choice(" ".join(reversed(hand.split())), known, places) == expected


def test_10_decision_13_chancellor() -> None:
    pile = [1, 1, 2, 2]  # the deck has six cards once two are returned
    assert choice("spy guard king", None, {"pile": pile}) == "keep 7 under 0 1"
    assert choice("spy guard king", None, {"pile": pile[:3]}) == "keep 7 under 1 0"


def test_10_baron_that_surely_loses_is_dropped() -> None:
    assert choice("baron chancellor", "king", {}) == "6"
    assert choice("baron princess", "baron", {}) == "3"  # rule 1b: nine beats three


def test_10_known_baron_keeps_the_higher_card() -> None:
    assert choice("chancellor countess", "baron", {}) == "6"


def test_10_guard_names_the_most_frequent_unseen_character() -> None:
    # Two of most characters are unseen, one of each of 7, 8, 9: the highest of the pairs is 6.
    assert choice("guard countess", None, {}) == "1:6"


def test_10_stochastic_follows_the_weights() -> None:
    game = brelan.game("love-letter", bot_mode="stochastic")
    match = position(game, rest="pile", turn=0, hand=[2, 4], drew=[[7]])
    view = match.view(0)
    moves = Counter(brelan.bot("seed", game, seed=s).choose(view).notation for s in range(1200))
    assert set(moves) == {"2", "7"}
    assert 840 < moves["2"] < 960  # 90 against 30: three quarters of 1200, four deviations


def test_10_stochastic_never_plays_the_princess() -> None:
    game = brelan.game("love-letter", bot_mode="stochastic")
    match = position(game, rest="pile", turn=0, hand=[9, 4], drew=[[8]])
    view = match.view(0)
    assert {brelan.bot("seed", game, seed=s).choose(view).notation for s in range(60)} == {"8"}


def test_10_stochastic_guard_names_by_unseen_copies() -> None:
    game = brelan.game("love-letter", bot_mode="stochastic")
    match = position(game, rest="pile", turn=0, hand=[1, 4], drew=[[1]])
    view = match.view(0)
    moves = Counter(brelan.bot("seed", game, seed=s).choose(view).notation for s in range(1500))
    assert len(moves) == 9
    assert 140 < moves["1:2"] < 260  # two of fifteen
    assert 60 < moves["1:9"] < 145  # one of fifteen


@pytest.mark.parametrize(
    ("hand", "places", "never"),
    [
        ("princess guard", {}, "9"),
        ("prince princess", {}, "5:s"),
        ("baron spy", {"known": [[None, 7]]}, "3"),
    ],
)
def test_careful_never_knocks_itself_out(hand: str, places: dict[str, Any], never: str) -> None:
    game = brelan.game("love-letter")
    kept, drawn = (VALUE[name] for name in hand.split())
    match = position(game, rest="pile", turn=0, hand=[kept, 7], drew=[[drawn]], **places)
    view = match.view(0)
    moves = {brelan.bot("careful", game, seed=s).choose(view).notation for s in range(80)}
    assert never in [move.notation for move in match.legal()]
    assert never not in moves
    assert moves


def test_careful_moves_when_every_move_loses() -> None:
    game = brelan.game("love-letter")
    match = position(game, rest="pile", turn=0, hand=[5, 4], drew=[[9]], protected=[0, 1])
    assert brelan.bot("careful", game).choose(match.view(0)) in match.legal()


def test_6_1_a_card_tucked_and_seen_drawn_is_not_known_to_the_bot() -> None:
    """§10 What §6.1 does not list it does not know, though the house remembers it for the seat."""
    game = brelan.game("love-letter")
    match = position(
        game, rest=None, turn=0, hand=[6, 1], drew=[[1]], pile=[8, 2], burned=0, face_up=[4, 4, 5]
    )
    for move in ("6", "keep 1 under 8 2"):
        match.play(move)
    match.play("1:2")  # and keeps the Countess, which was drawn
    view = match.view(0)
    assert view.as_dict()["known"][0] == [None, 8]
    assert view.as_dict()["saw"][0] == [0, 0]
    assert brelan.bot("eager", game).choose(view).notation == "2"  # the more eager of the two
    assert brelan.bot("careful", game).choose(view) in view.legal()


def test_6_1_a_card_that_was_shown_is_known_while_it_is_kept() -> None:
    """A Priest, then the one who was looked at plays another card, or one just like it."""
    game = brelan.game("love-letter")
    for drawn, saw, choice in ((8, 1, "1:0"), (0, 0, "1:6")):
        match = position(
            game, rest=None, turn=0, hand=[1, 0], drew=[[2]], pile=[drawn, 4, 5], burned=9
        )
        for move in ("2", str(drawn)):
            match.play(move)
        view = match.view(0)
        assert view.as_dict()["saw"][0] == [0, saw]
        assert brelan.bot("eager", game).choose(view).notation == choice
