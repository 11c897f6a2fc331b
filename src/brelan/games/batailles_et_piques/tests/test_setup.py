"""Positions set up by hand: what no match can come to is refused, in one line that says why."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from typing import Any

import pytest

import brelan
from brelan.suite.walk import Walk
from brelan.testing import position

from ..cards import Card
from ..setup import _dead
from ..state import Phase
from ..unreachable import unreachable
from .test_reference import random_game

NAME = "batailles-et-piques"
SLOTS: list[list[Any]] = [[9, 10], [3, 7], ["M", 8]]

REFUSED: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("seat 0 has 2 cards 9: an army has 1", {}, {"in_play": [[9, 9], [3, 7], [5, 6]]}),
    ("seat 1 has 2 cards K: an army has 1", {}, {"hand": [[], ["K", "K"]]}),
    ("seat 2 has 3 cards M: an army has 2", {}, {"hand": [[], [], ["M", "M"]]}),
    ("two mines in play: there may be one", {}, {"in_play": [[9, 10], ["M", "M"], [5, 6]]}),
    ("in the centre: there are left and right", {}, {"in_play": [[9, 10, 1], [3, 7], [5, 6]]}),
    ("holds 7 cards: a hand has 6 at most", {}, {"hand": [[1, 2, 3, 4, 5, 6, 7]]}),
    (
        "seat 0 holds 1 cards and could draw: it must hold 6",
        {},
        {"rest": None, "hand": [[1]], "pile": [[2, 3]]},
    ),
    (
        "seat 1 has an empty slot and a card for it",
        {},
        {"in_play": [[9, 10], [3], [5, 6]], "hand": [[], ["M"]]},
    ),
    (
        "seat 1 has units, but none in play",
        {},
        {"in_play": [[9, 10], ["M"], [5, 6]]},
    ),
    ("too many cards K in the graveyards", {}, {"graveyard": [[], [], ["K", "K", "K"]]}),
    ("too many cards 9 in the graveyards", {}, {"graveyard": [[], [9, 9]]}),
    ("seat 0 has 3 Teamwork cards: there are 2 at most", {}, {"teamwork_left": [3, 2, 2]}),
    ("seat 2 has 1 Slacker cards: there are 0", {"slacker": 0}, {"slacker_left": [0, 0, 1]}),
    ("seat 0 has 4 points: its graveyard is worth 2", {}, {"points": [4], "graveyard": [["K"]]}),
    ("seat 0 knows of a card in the left slot of seat 1", {}, {"known": [[[], [5]]]}),
    ("seat 0 knows of a card in the left slot of seat 0", {}, {"known": [[[9]]]}),
    (
        "can_be of the left slot of seat 1 lacks its card",
        {},
        {"can_be": [[[9], [10]], [[5, 6], [7]], [["M"], [8]]]},
    ),
    ("seat 0 knows a card to be in the hand of seat 1", {}, {"hand_holds": [[[], [12]]]}),
    (
        "seat 2 has the turn and no unit",
        {},
        {"rest": None, "turn": 2, "in_play": [[9], [3], ["M"]]},
    ),
    ("an opponent must have a card in play", {}, {"rest": None, "in_play": [[9]]}),
    (
        "nobody may have 3 points",
        {"end_rule": "points", "end_points": 3},
        {"graveyard": [[1, 2, 4]], "in_play": [[9, 10], [3, 7], [5, 6]]},
    ),
    ("it has 2 rounds", {"end_rule": "rounds", "end_rounds": 2}, {"round_no": 3}),
    ("seat 1 has passed: nobody may", {}, {"first_to_pass": 1}),
    (
        "seat 0 has passed: only another active player may have",
        {"passing": "until_all_pass"},
        {"first_to_pass": 0},
    ),
]


@pytest.mark.parametrize(("why", "knobs", "places"), REFUSED, ids=lambda each: str(each)[:50])
def test_no_match_can_come_to_this(why: str, knobs: dict[str, Any], places: dict[str, Any]) -> None:
    given: dict[str, Any] = {"rest": "pile", "turn": 0, "in_play": SLOTS} | places
    with pytest.raises(brelan.Refused) as refused:
        position(brelan.game(NAME, **knobs), **given)
    assert why in str(refused.value)
    assert "\n" not in str(refused.value)


def test_what_matches_come_to_is_not_refused() -> None:
    for seed in range(12):
        choice = random.Random(seed)
        for walk in Walk(random_game(choice), seed).run(choice):
            if walk.state.phase == Phase.TURN:
                assert not list(unreachable(walk.state, walk.state.pile_size))


def test_what_a_match_can_come_to_is_set_up() -> None:
    game = brelan.game(NAME, copies_9=2, passing="one_in_a_row", slots=3)
    match = position(
        game, rest="pile", turn=1, in_play=[[9, 9, "M"], [3, 7, 8], [1, 2, 4]],
        hand=[["M", "K"], ["M", "M"]], graveyard=[[13], [13], [13]], first_to_pass=0,
        known=[[[], [None, 7]]],
    )  # fmt: skip
    assert match.view(None).as_dict()["points"] == [1, 1, 1]
    assert [move.notation for move in match.legal() if ">" not in move.notation]
    game = brelan.game(NAME, credit="attacker")
    own = position(game, rest="pile", turn=0, in_play=SLOTS, graveyard=[[1, 1, 1], [2], [4]])
    assert own.view(None).as_dict()["points"] == [3, 1, 1]


def test_the_dead_are_of_other_armies_whenever_they_can_be() -> None:
    """Against all ways to share out the cards of one kind."""
    state = brelan.game(NAME).blank()
    for left in itertools.product(range(3), repeat=3):
        ways = set(all_ways(left))
        for taken in itertools.product(range(3), repeat=3):
            state.graveyard[:3, Card.NINE] = taken
            missing = [Counter({Card.NINE: count}) for count in left]
            if any(sums == taken for sums, _ in ways):
                dead = tuple(cards[Card.NINE] for cards in _dead(state, missing))
                assert (taken, dead) in ways
            else:
                with pytest.raises(brelan.Refused, match="too many cards 9"):
                    _dead(state, missing)


def all_ways(left: tuple[int, ...]) -> Any:
    """Yield who has taken how many cards, and how many of whom, if each is taken by another."""
    cards = [owner for owner, count in enumerate(left) for _ in range(count)]
    for takers in itertools.product(range(4), repeat=len(cards)):  # 3: the card is alive
        pairs = [(t, o) for t, o in zip(takers, cards, strict=True) if t < 3]
        if all(taker != owner for taker, owner in pairs):
            yield tuple(
                tuple(sum(pair[side] == seat for pair in pairs) for seat in range(3))
                for side in range(2)
            )
