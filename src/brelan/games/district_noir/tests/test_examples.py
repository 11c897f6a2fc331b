"""The worked examples of the specification (§8), by number, and the cases of §5."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
from rich.console import Console

import brelan
from brelan.engine.match import Match
from brelan.terminal.screen import Screen
from brelan.testing import position

from ..terminal import draw

GAME = brelan.game("district-noir")

# §8.1: number, the collections of A and B, the totals, the winner
SCORING = [
    (1, "2,2,3,2 | 0,0,0 | 3,0,0 | 2", "1,2,2,5 | 4,0,0 | 0,0,0 | 1", [19, 21], [1]),
    (2, "1,1,1,1 | 0,0,0 | 0,0,0 | 0", "0,0,0,0 | 0,0,1 | 0,0,0 | 2", [31, 4], [0]),
    (3, "2,2,2,2 | 0,0,0 | 0,0,0 | 0", "3,3,3,3 | 0,0,0 | 0,0,0 | 0", [10, 41], [1]),
    (5, "0,0,0,1 | 0,0,0 | 3,4,2 | 2", "1,0,0,2 | 0,0,0 | 0,0,0 | 0", [-17, 13], [1]),
    (7, "2,2,4,2 | 3,2,0 | 0,3,1 | 1", "3,3,2,2 | 1,0,1 | 2,1,1 | 1", [20, 20], [0]),
]
IDS = ["S5", "S6", "S7", "S8", "A2", "A3", "A4", "T1", "T2", "T3"]

# §8.3: the pack, and the actions of each round
WRITTEN = """
    S8 V2 S7   S8 S6 T3 T1 S5   T2 S5 S5 A2 S5   A4 A2
    S7 A2 V1 S6 S8   A3 S6 S8 T2 T2
    S6 S8 S8 S8 T3   S7 S6 S7 S7 A2
    S7 S7 T1 V3 S8   S5 T1 S6 A3 T2
"""
PACK = WRITTEN.split()
ROUNDS = [
    ("A T3 B *3 A S5 B A2 A S6 B S5 A S8 B S5 A *5 B S5 A T1 B T2", "S5 S5 T1 T2"),
    ("B *4 A S6 B S8 A S8 B S6 A S7 B A3 A V1 B T2 A A2 B T2 A *5", "S6 S8 S8 S6 S7"),
    ("A S6 B S7 A S8 B A2 A T3 B S7 A *5 B S6 A S8 B *5 A S8 B S7", "S6 S8 S8 S8 S7"),
    ("B T1 A V3 B T2 A S7 B A3 A S7 B S6 A *5 B S5 A S8 B *5 A T1", "S6 S8 S8 S8 T1"),
]


def seen(match: Match, seat: int | None = None) -> dict[str, Any]:
    return match.view(seat).as_dict()


def notations(match: Match) -> list[str]:
    return [move.notation for move in match.legal()]


def collections(*written: str) -> list[list[str]]:
    """Read collections as §8 writes them; which cities does not matter for the score."""
    cities = ["V1", "V2", "V3"]
    found = []
    for text in written:
        *counts, held = [int(count) for count in text.replace("|", ",").split(",")]
        cards = [card for card, count in zip(IDS, counts, strict=True) for _ in range(count)]
        found.append(cards + [cities.pop() for _ in range(held)])
    return found


def last_play(places: dict[str, Any], **knobs: Any) -> Match:
    """Make the last action of a match: A plays a card that nobody takes."""
    game = brelan.game("district-noir", **knobs)
    hand: dict[str, Any] = {"hand": [["S8"], []], "turn": 0, "round_no": 4, "has_taken": [1, 1]}
    match = position(game, rest=None, **hand, **places)
    match.play("S8")
    return match


@pytest.mark.parametrize(("number", "one", "two", "totals", "winners"), SCORING)
def test_8_1_scoring(
    number: int, one: str, two: str, totals: list[int], winners: list[int]
) -> None:
    match = last_play({"collection": collections(one, two)})
    assert match.result is not None
    assert (match.result.scores, match.result.winners) == (totals, winners)
    assert match.result.reason == ("supports" if number == 7 else "points")


def test_8_2_10_taking_two_first_cards() -> None:
    match = position(
        GAME, rest="pile", turn=0, row=["A4", "A2"], hand=[["S5"] * 5, ["S6"] * 4 + ["S7"]]
    )
    match.play("take")
    assert seen(match)["collection"][0] == ["A2", "A4"]
    assert seen(match)["row"] == []
    assert notations(match) == ["S6", "S7"]


def test_8_2_12_13_the_newest_five_or_all() -> None:
    for row, left in ((["S5", "S6", "S7", "S8", "A2", "T1"], ["S5"]), (["S6"] * 4, [])):
        match = position(GAME, rest="pile", turn=0, row=row, hand=[["S8"], ["S8"]])
        match.play("take")
        assert seen(match)["collection"][0] == sorted(row[len(left) :], key=order)
        assert seen(match)["row"] == left


def order(card: str) -> int:
    return [*IDS, "V1", "V2", "V3"].index(card)


def test_8_2_14_an_empty_hand_must_take() -> None:
    match = GAME.deal(seed=3, cards=PACK)
    while seen(match)["held"][0] or match.turn != 0:
        match.play(match.legal()[0])
    assert notations(match) == ["take"]
    assert seen(match)["row_size"] >= 6


def test_8_2_15_no_second_take() -> None:
    match = position(GAME, rest="pile", turn=0, has_taken=[1, 0], hand=[["S5", "T1"], ["S8"]])
    assert notations(match) == ["S5", "T1"]


def test_8_2_17_cities_in_hand_do_not_win() -> None:
    places: dict[str, Any] = {"turn": 0, "row": ["S5", "V3"], "rest": "pile"}
    hands = [["V1", "V2", "S6"], ["S8", "S8"]]
    match = position(GAME, hand=[["V1", "V2", "V3"], hands[1]], turn=0, row=["S5"], rest="pile")
    match.play("take")
    assert match.result is None
    for rule, result in (("hand_or_collected", ([0, 0], [0], "cities")), ("collected", None)):
        option = position(brelan.game("district-noir", city_win=rule), hand=hands, **places)
        option.play("take")
        assert option.result == result


def test_8_2_18_the_end_of_a_round() -> None:
    match = GAME.deal(seed=1, cards=PACK)
    play_round(match, *ROUNDS[0])
    view = seen(match)
    assert view["first"] == view["turn"] == 1
    assert view["has_taken"] == [0, 0]
    assert view["held"] == [5, 5]
    assert view["pile_size"] == 20


def play_round(match: Match, actions: str, row: str) -> None:
    """Play a round as §8.3 writes it, and compare who acts, what is taken, and the row."""
    words = actions.split()
    for seat, action in zip(words[::2], words[1::2], strict=True):
        assert match.turn == "AB".index(seat)
        before = seen(match)["row_size"]
        match.play("take" if action.startswith("*") else action)
        if action.startswith("*"):
            assert before - seen(match)["row_size"] == int(action[1:])
    assert seen(match)["row"] == row.split()


def test_8_3_complete_game() -> None:
    match = GAME.deal(seed=1, cards=PACK)
    for actions, row in ROUNDS:
        play_round(match, actions, row)
    assert match.result == ([20, 20], [0], "supports")
    one, two = collections("2,2,4,2 | 3,2,0 | 0,3,1 | 0", "3,3,2,2 | 1,0,1 | 2,1,1 | 0")
    view = seen(match)
    assert [[c for c in pile if c[0] != "V"] for pile in view["collection"]] == [one, two]
    assert [len(pile) for pile in view["collection"]] == [20, 17]
    assert view["shown_aside"] == ["S7", "S8", "V2"]
    assert len(match.view(None).history) == 48 + 5


# ---------------------------------------------------------------- §5 and §9


def test_5_10_a_city_win_comes_before_everything() -> None:
    places = {"collection": [["V1", "V2"], ["S8"] * 5], "row": ["V3"], "hand": [[], []]}
    places["has_taken"] = [0, 1]
    match = position(GAME, rest=None, turn=0, round_no=4, **places)
    assert seen(match)["points"] == [0, 8]
    match.play("take")
    assert match.result == ([0, 0], [0], "cities")  # no points are counted
    assert seen(match)["points"] == [0, 0]
    assert not any("score" in sentence for sentence in match.story(0, "en"))
    screen = Screen(GAME.folder.texts("en"), Console(file=io.StringIO(), width=100))
    screen.print(draw(match.view(0), ["Ann", "Bob"], screen))
    lines = screen.console.file.getvalue().splitlines()  # type: ignore[attr-defined]
    assert next(line for line in lines if "Bob" in line).split()[-2:] == ["·", "·"]
    off = brelan.game("district-noir", city_win="off")
    other = position(off, rest=None, turn=0, round_no=4, **places)
    other.play("take")
    assert other.result == ([0, 8], [1], "points")


def test_5_6_a_forced_take_may_bring_the_whole_row() -> None:
    game = brelan.game("district-noir", forced_take="whole_row")
    places: dict[str, Any] = {"row": ["S5"] * 5 + ["S6"] * 3, "hand": [[], []], "has_taken": [0, 1]}
    match = position(game, rest="pile", turn=0, **places)
    match.play("take")
    assert seen(match)["row"] == []
    unforced = position(game, rest="pile", turn=0, row=places["row"], hand=[["S8"], ["S8"]])
    unforced.play("take")
    assert seen(unforced)["row"] == ["S5"] * 3


def test_5_9_dead_plays_are_accepted_or_skipped() -> None:
    places: dict[str, Any] = {"row": ["S5"], "hand": [["S6", "S7"], ["S6"]], "has_taken": [1, 0]}
    for option, is_over in (("off", False), ("on", True)):
        game = brelan.game("district-noir", skip_dead_plays=option)
        match = position(game, rest=None, turn=1, round_no=4, **places)
        match.play("take")
        assert (match.result is not None) == is_over
        while match.turn is not None:
            match.play(match.legal()[0])
        assert match.result == ([0, 5], [1], "points")


@pytest.mark.parametrize(
    ("knobs", "winners", "reason"),
    [
        ({}, [], "draw"),
        ({"final_tie": "second_player_wins"}, [1], "second_player"),
        ({"score_tie": "draw"}, [], "draw"),
    ],
)
def test_7_a_complete_tie(knobs: dict[str, Any], winners: list[int], reason: str) -> None:
    match = last_play({"collection": [["S5", "A2"], ["S5", "A2"]]}, **knobs)
    assert match.result == ([2, 2], winners, reason)


def test_7_equal_points_may_be_a_draw() -> None:
    tied = {"collection": collections(*SCORING[-1][1:3])}
    assert last_play(tied, score_tie="draw").result == ([20, 20], [], "draw")


def test_7_a_tie_may_be_played_again() -> None:
    match = last_play({"collection": [["S5", "A2"], ["S5", "A2"]]}, final_tie="replay")
    view = seen(match)
    assert match.result is None
    assert (view["round_no"], view["held"], view["row_size"]) == (1, [5, 5], 2)
    assert view["collection"] == [[], []]


def test_7_playing_again_comes_to_an_end() -> None:
    knobs: dict[str, Any] = {f"copies_{card}": 0 for card in [*IDS, "V1", "V2", "V3"]}
    knobs |= {"copies_A2": 6, "deck": "custom", "take_size": 1, "removed": 0, "hand_size": 2}
    game = brelan.game("district-noir", final_tie="replay", rounds=1, **knobs)
    match = game.deal(seed=1)
    while match.turn is not None:
        match.play(match.legal()[0])
    assert match.result == ([2, 2], [], "draw")


def test_6_reveal_at_end_is_an_option() -> None:
    for option, shown in (("on", True), ("off", False)):
        match = brelan.game("district-noir", reveal_at_end=option).deal(seed=1, cards=PACK)
        for actions, row in ROUNDS:
            play_round(match, actions, row)
        assert any(seen(match)["shown_aside"]) == shown


@pytest.mark.parametrize(
    ("knobs", "words"),
    [
        ({"copies_S5": 6}, "copies_S5 = 6 is for deck = custom"),
        ({"rounds": 5}, "needs 55 cards, and the pack has 45"),
        ({"deck": "custom", **{f"copies_{card}": 9 for card in IDS}}, "60 cards at most"),
    ],
)
def test_9_knobs_that_do_not_go_together_are_refused(knobs: dict[str, Any], words: str) -> None:
    with pytest.raises(brelan.Refused, match=words):
        brelan.game("district-noir", **knobs)


IMPOSSIBLE: list[tuple[dict[str, Any], str]] = [
    ({"turn": 2}, "turn = 2 is no seat; seats are 0 to 1"),
    ({"row": ["S5"] * 6}, "there are not so many cards S5: 7 are named, and the pack has 5"),
    ({"row": ["S5", None, "S6"]}, "row has a gap"),
    ({"row": ["S9"]}, "row: there is no card 'S9'; there are: S5, S6"),
    ({"row_size": 3}, "row_size says how many cards row has: name them"),
    ({"pile": ["S5", None, "S6"]}, "pile has a gap"),
    ({"pile": ["S5"]}, "the rounds to come need 30 cards; the pile has 1"),
    ({"aside": ["S5"] * 4}, "3 cards were removed, not 4"),
    ({"hand": [["S5"] * 3 + ["S6"] * 3, ["S8"]]}, "a hand has 5 cards at most, not 6"),
    ({"hand": [["S5"], ["S6"], ["S7"]]}, "hand has room for 2, not 3"),
    (
        {"hand": [["S5", "S6", "S7"], ["S8"]]},
        "seat 0 has made 2 actions in this round and seat 1 4",
    ),
    ({"turn": 1, "hand": [["S5"], ["S6", "S7"]], "first": 1}, "first does not agree"),
    ({"has_taken": [2, 0]}, "has_taken of seat 0 is 1 or 0, not 2"),
    ({"has_taken": [1, 1], "hand": [[], ["S5"]]}, "seat 0 cannot have the turn"),
    ({"has_taken": [1, 1], "hand": [[], []]}, "seat 0 has the turn and no legal move"),
    ({"round_no": 5}, "there are 4 rounds: this cannot be round 5"),
    ({"action_no": 3}, "action_no does not agree with the other places"),
    ({"opener": 1}, "opener does not agree with the other places"),
    ({"points": [3, 0]}, "points does not agree with the other places"),
    ({"phase": "over"}, "phase does not agree with the other places"),
    ({"winner": 0}, "a match that goes on has no winner"),
    ({"reason": "nobody knows"}, "reason = 'nobody knows' is not known; there are: none, cities"),
    ({"collection": [["V1", "V2", "V3"]]}, "seat 0 has the three cities: the match is over"),
]


@pytest.mark.parametrize(("places", "words"), IMPOSSIBLE, ids=[words for _, words in IMPOSSIBLE])
def test_position_refuses_what_cannot_be(places: dict[str, Any], words: str) -> None:
    usual: dict[str, Any] = {"turn": 0, "hand": [["S5"], ["S6"]]}
    usual["rest"] = None if "pile" in places else "pile"
    with pytest.raises(brelan.Refused, match=re.escape(words)) as refused:
        position(GAME, **{**usual, **places})
    assert "\n" not in str(refused.value)


def test_position_refuses_what_an_option_has_ended() -> None:
    hands: dict[str, Any] = {"turn": 0, "hand": [["S5", "S6"], ["S6", "S7"]], "rest": "pile"}
    dead = brelan.game("district-noir", skip_dead_plays="on")
    position(dead, round_no=4, has_taken=[1, 0], **{**hands, "hand": [["S5"] * 2, ["S6"]]})
    with pytest.raises(brelan.Refused, match="skip_dead_plays = on ends it there"):
        position(dead, round_no=4, has_taken=[1, 1], **hands)
    cities = brelan.game("district-noir", city_win="hand_or_collected")
    with pytest.raises(brelan.Refused, match="seat 0 has the three cities"):
        position(cities, collection=[["V1"]], **{**hands, "hand": [["V2", "V3"], ["S5", "S6"]]})
