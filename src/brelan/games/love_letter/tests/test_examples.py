"""The worked examples of the specification, by number, and the cases of §5 and §7.3."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import brelan
from brelan.engine.game import Game
from brelan.engine.match import Match
from brelan.rules import hooks, new_scratch
from brelan.testing import position

from ..cards import SCORE
from ..metrics import METRICS

GOLDEN_A = [2, 8, 0, 3, 2, 9, 4, 1, 1, 1, 1, 4, 3, 7, 1, 0, 6, 5, 5, 6, 1]
GOLDEN_A_PLAYS = [
    (0, [2, 4], "2"),
    (1, [1, 8], "1:0"),
    (0, [1, 4], "1:0"),
    (1, [1, 8], "1:7"),
    (0, [1, 4], "1:7"),
    (1, [4, 8], "4"),
    (0, [3, 4], "3:-"),
    (1, [7, 8], "8"),
    (0, [1, 4], "1:5"),
    (1, [0, 7], "7"),
    (0, [0, 6], "6"),
    (0, [0, 5, 5], "keep 5 under 0 5"),
    (1, [4, 6], "4"),
    (0, [1, 5], "5:s"),
    (1, [5, 6], "5:s"),
]


def seen(match: Match, seat: int | None = None) -> dict[str, Any]:
    return match.view(seat).as_dict()


def hand(match: Match, seat: int) -> list[int]:
    view = seen(match, seat)
    return sorted(c for c in (view["hand"][seat], *view["drew"][seat]) if c is not None)


def notations(match: Match) -> list[str]:
    return [move.notation for move in match.legal()]


def end_of_round(match: Match) -> dict[str, Any]:
    """What a spectator saw just after the last round was scored."""
    ply = max(p for p, move in enumerate(match.view(None).history) if move.notation == "score")
    states = [*match._past(), match._state.tobytes()]
    view = brelan.View(match.game, None, match._seen(states[ply + 1], None), ())
    return view.as_dict()


def standing(rest: str | None = "pile", game: Game | None = None, **places: Any) -> Match:
    return position(game or brelan.game("love-letter"), rest=rest, **{"turn": 0, **places})


@pytest.mark.parametrize(
    ("tie_break", "tokens"), [("sum_of_discards", [0, 1]), ("both_win", [1, 1])]
)
def test_9_1_golden_a(tie_break: str, tokens: list[int]) -> None:
    match = brelan.game("love-letter", tie_break=tie_break).deal(cards=GOLDEN_A)
    assert seen(match)["face_up"] == [3, 2, 9]
    for seat, cards, move in GOLDEN_A_PLAYS:
        assert match.turn == seat
        assert hand(match, seat) == cards
        match.play(move)
    end = end_of_round(match)
    assert end["reason"] == "showdown"
    assert end["revealed"] == [0, 0]
    assert end["area"] == [[2, 1, 1, 3, 1, 6, 5, 1], [1, 1, 4, 8, 7, 4, 5, 6]]
    assert end["area_sum"] == [20, 36]
    assert end["tokens"] == tokens
    assert end["spy_won"] == [0, 0]


def test_9_1_golden_a_branches() -> None:
    match = brelan.game("love-letter").deal(cards=GOLDEN_A)
    legal = {}
    for turn, (_, _, move) in enumerate(GOLDEN_A_PLAYS):
        legal[turn] = notations(match)
        match.play(move)
        if turn == 0:
            assert seen(match, 0)["known"][0] == [None, 8]
            assert seen(match, 1)["exposed"][1] == [1, 0]
        if turn == 9:
            assert (hand(match, 0), hand(match, 1)) == ([0, 6], [4])
        if turn == 11:
            assert seen(match, 0)["tucked_known"][0][:2] == [0, 5]
            assert seen(match)["deck_size"] == 3  # seat 1 has drawn
    assert legal[7] == ["8"]
    assert legal[11] == ["keep 0 under 5 5", "keep 5 under 0 5", "keep 5 under 5 0"]
    assert legal[13] == ["1:-", "5:s"]


def test_9_2_1_countess_is_forced() -> None:
    assert notations(standing(hand=[8, 1], drew=[[5]])) == ["8"]


def test_9_2_2_countess_with_princess_is_free() -> None:
    assert notations(standing(hand=[8, 1], drew=[[9]])) == ["8", "9"]


def test_9_2_3_prince_and_princess_against_protection() -> None:
    match = standing(hand=[5, 1], drew=[[9]], protected=[0, 1])
    assert notations(match) == ["5:s", "9"]
    match.play("5:s")
    end = end_of_round(match)
    assert end["area"][0] == [5, 9]
    assert (end["reason"], end["tokens"]) == ("knockout", [0, 1])


def test_9_2_4_knockout_beats_the_empty_deck() -> None:
    match = standing(None, hand=[5, 9], drew=[[2]], area=[[0], [1]], burned=7)
    match.play("5:o")
    end = end_of_round(match)
    assert (end["reason"], end["tokens"]) == ("knockout", [2, 0])
    assert end["revealed"] == [None, None]


def test_9_2_7_chancellor_with_one_card_in_the_deck() -> None:
    match = standing(None, hand=[6, 1], drew=[[3]], pile=[8], burned=2)
    match.play("6")
    assert notations(match) == ["keep 3 under 8", "keep 8 under 3"]
    match.play("keep 8 under 3")
    assert match.turn == 1
    assert hand(match, 1) == [1, 3]
    assert seen(match)["deck_size"] == 0


def test_9_2_8_chancellor_with_an_empty_deck() -> None:
    match = standing(None, hand=[6, 1], drew=[[3]], burned=2)
    match.play("6")
    end = end_of_round(match)
    assert (end["reason"], end["revealed"], end["tokens"]) == ("showdown", [3, 1], [1, 0])


def test_9_2_10_baron_tie() -> None:
    match = standing(None, hand=[3, 4], drew=[[4]], pile=[1, 2], burned=0)
    match.play("3")
    assert seen(match)["in_round"] == [1, 1]
    assert seen(match, 0)["known"][0][1] == 4
    assert seen(match, 1)["known"][1][0] == 4


def test_9_2_11_and_12_count_legal() -> None:
    assert len(notations(standing(hand=[1, 4], drew=[[5]]))) == 11
    assert notations(standing(hand=[1, 4], drew=[[1]], protected=[0, 1])) == ["1:-"]


def test_5_2_prince_on_the_empty_deck_gives_the_burned_card() -> None:
    match = standing(None, hand=[5, 4], drew=[[2]], burned=8)
    match.play("5:o")
    assert end_of_round(match)["revealed"] == [2, 8]


def test_5_3_prince_takes_the_last_card() -> None:
    match = standing(None, hand=[5, 4], drew=[[2]], burned=8, pile=[7])
    match.play("5:o")
    end = end_of_round(match)
    assert (end["revealed"], end["burned_left"]) == ([2, 7], 1)


def test_5_4_a_spy_discarded_by_a_prince_counts() -> None:
    match = standing(None, hand=[5, 0], drew=[[2]], burned=8, pile=[7])
    match.play("5:o")
    assert end_of_round(match)["tokens"] == [0, 2]  # seven beats two, and the Spy


def test_5_5_a_handmaid_discarded_by_a_prince_does_not_protect() -> None:
    match = standing(hand=[5, 4], drew=[[2]])
    match.play("5:o")
    assert seen(match)["protected"] == [0, 0]


def test_5_7_prince_may_fizzle_by_option() -> None:
    game = brelan.game("love-letter", prince_vs_handmaid="may_fizzle")
    match = standing(game=game, hand=[5, 1], drew=[[9]], protected=[0, 1])
    assert notations(match) == ["5:s", "5:-", "9"]
    match.play("5:-")
    assert seen(match)["in_round"] == [1, 1]


def test_5_8_protection_ends_with_the_owner_s_next_turn() -> None:
    match = standing(hand=[4, 1], drew=[[2]])
    match.play("4")
    assert seen(match)["protected"] == [1, 0]
    match.play(match.legal()[0])
    assert seen(match)["protected"][0] == 0


def test_5_10_countess_is_forced_against_protection_too() -> None:
    assert notations(standing(hand=[8, 1], drew=[[7]], protected=[0, 1])) == ["8"]


def test_5_12_the_countess_does_not_bind_the_chancellor() -> None:
    match = standing(hand=[6, 1], drew=[[8]], pile=[7, 5, 2])
    match.play("6")
    assert "keep 7 under 8 5" in notations(match)
    assert "keep 8 under 7 5" in notations(match)


def test_5_15_the_king_may_give_the_princess_away() -> None:
    match = standing(hand=[7, 1], drew=[[9]])
    match.play("7")
    assert seen(match)["in_round"] == [1, 1]
    assert 9 in hand(match, 1)


def test_5_16_king_on_the_last_turn() -> None:
    match = standing(None, hand=[7, 8], drew=[[2]], burned=1)
    match.play("7")
    assert end_of_round(match)["revealed"] == [8, 2]


def test_5_18_a_guard_cannot_be_named() -> None:
    match = standing(hand=[1, 1], drew=[[2]])
    assert "1:1" not in notations(match)
    with pytest.raises(brelan.IllegalMove, match="may play: 1:0"):
        match.play("1:1")


def test_5_23_a_spy_in_hand_earns_nothing() -> None:
    match = standing(None, hand=[0, 4], drew=[[2]], burned=8)
    match.play("2")
    assert end_of_round(match)["tokens"] == [0, 1]


SPY_RULES = ("one_spy_in_play", "only_survivor_with_spy", "one_spy_played", "off")
SPY_TABLE = [  # §7.3: knock-out or showdown, areas, tokens by each of these rules
    ("knockout", [[0], []], [2, 0], [2, 0], [2, 0]),
    ("knockout", [[0, 0], []], [1, 0], [2, 0], [1, 0]),
    ("knockout", [[0], [0]], [2, 0], [2, 0], [1, 0]),
    ("knockout", [[], [0]], [1, 0], [1, 0], [1, 1]),
    ("knockout", [[], [0, 0]], [1, 0], [1, 0], [1, 0]),
    ("showdown", [[0], [0]], [1, 0], [1, 0], [1, 0]),
    ("showdown", [[], [0]], [1, 1], [1, 1], [1, 1]),
    ("showdown", [[0, 0], []], [1, 0], [2, 0], [1, 0]),
]


@pytest.mark.parametrize(("ending", "area", "default", "published", "played"), SPY_TABLE)
def test_7_3_spy_bonus(ending: str, area: Any, default: Any, published: Any, played: Any) -> None:
    for rule, expected in zip(SPY_RULES, (default, published, played, [1, 0]), strict=True):
        game = brelan.game("love-letter", spy_bonus=rule)
        match = standing(None, game, hand=[1, 2], drew=[[7]], area=area, burned=8)
        match.play("1:2" if ending == "knockout" else "1:3")
        end = end_of_round(match)
        assert end["reason"] == ending
        assert end["tokens"] == expected


def test_7_3_a_spy_shown_by_a_knock_out_was_not_played() -> None:
    """By the option that looks at all Spies played: who is out has only laid this one open."""
    game = brelan.game("love-letter", spy_bonus="one_spy_played")
    for area, tokens in (([[], []], [1, 0]), ([[0], []], [2, 0])):
        match = standing(None, game, hand=[1, 0], drew=[[7]], area=area, burned=8)
        match.play("1:0")
        end = end_of_round(match)
        assert (end["area"][1], end["tokens"]) == ([0], tokens)
    thrown = standing(None, game, hand=[5, 0], drew=[[1]], pile=[2, 3, 6], burned=8)
    thrown.play("5:o")  # the Spy is discarded, and its owner then knocked out
    thrown.play(next(m for m in thrown.legal() if m.notation == "3"))
    end = end_of_round(thrown)
    assert (end["reason"], end["area"][1][0], end["spy_won"]) == ("knockout", 0, [0, 1])


@pytest.mark.parametrize(
    ("rule", "winners", "scores"),
    [("shared", [0, 1], [7, 6]), ("higher_total", [0], [7, 6]), ("extra_round", [0], [7, 6])],
)
def test_8_both_reach_six(rule: str, winners: list[int], scores: list[int]) -> None:
    game = brelan.game("love-letter", simultaneous_match_win=rule)
    places = {"hand": [1, 2], "drew": [[7]], "area": [[], [0]], "burned": 8, "tokens": [6, 5]}
    match = standing(None, game, **places)
    match.play("1:3")
    assert match.result == brelan.Result(scores, winners, "tokens")


def test_8_an_extra_round_settles_a_tie() -> None:
    game = brelan.game("love-letter", simultaneous_match_win="extra_round")
    places = {"hand": [1, 2], "drew": [[7]], "area": [[], [0]], "burned": 8, "tokens": [5, 5]}
    match = standing(None, game, **places)
    match.play("1:3")
    assert match.result is None
    assert seen(match)["tokens"] == [6, 6]


def test_8_resignation_loses_the_match_at_once() -> None:
    match = brelan.game("love-letter").deal(seed=1)
    match.resign(0)
    assert match.result == brelan.Result([0, 0], [1], "resignation")
    assert match.legal() == []
    assert brelan.load(match.save()).result == match.result
    with pytest.raises(brelan.IllegalMove):
        match.resign(1)


@pytest.mark.parametrize(
    ("reveal", "revealed", "burned"),
    [("none", [None, None], None), ("winner_hand", [7, None], None), ("all", [7, None], 8)],
)
def test_6_reveal_after_knockout(reveal: str, revealed: Any, burned: int | None) -> None:
    game = brelan.game("love-letter", reveal_after_knockout=reveal)
    match = standing(game=game, hand=[1, 2], drew=[[7]], burned=8)
    match.play("1:2")
    end = end_of_round(match)
    assert (end["revealed"], end["burned_shown"]) == (revealed, burned)


def test_12_decks_and_tokens_by_players() -> None:
    for players, deck, tokens in [(2, 15, 6), (3, 17, 5), (4, 16, 4), (5, 15, 3), (6, 14, 3)]:
        game = brelan.game("love-letter", players=players)
        assert game.knobs["tokens_to_win"] == tokens
        assert seen(game.deal(seed=1))["deck_size"] == deck - 1  # the starter has drawn


def test_12_targets_with_three_players() -> None:
    game = brelan.game("love-letter", players=3)
    match = standing(game=game, hand=[1, 4, 2], drew=[[5]], protected=[0, 1, 0])
    assert notations(match) == [f"1>2:{n}" for n in (0, 2, 3, 4, 5, 6, 7, 8, 9)] + ["5:s", "5>2"]


def test_12_a_king_between_others_moves_knowledge() -> None:
    game = brelan.game("love-letter", players=3)
    match = standing(game=game, hand=[2, 9, 7], drew=[[1]], pile=[1, 4, 1, 4, 3])
    match.play("2>1")  # seat 0 sees the Princess
    match.play("1>0:2")
    match.play("7>1")
    assert seen(match, 0)["known"][0] == [None, None, 9]


def test_12_a_baron_tells_third_parties_that_the_winner_is_higher() -> None:
    game = brelan.game("love-letter", players=3)
    match = standing(game=game, hand=[3, 4, 1], drew=[[7]])
    match.play("3>1")
    assert seen(match, 2)["not_held"][2][0] == [0, 1, 2, 3, 4]
    assert seen(match, 2)["known"][2][0] is None


def test_cards_must_be_the_whole_pack() -> None:
    game = brelan.game("love-letter")
    with pytest.raises(ValueError, match="cards must be these 21"):
        game.deal(cards=[1] * 21)


def test_position_refuses_a_doubled_card() -> None:
    with pytest.raises(ValueError, match="not so many cards 9"):
        standing(hand=[9, 9], drew=[[1]])
    with pytest.raises(ValueError, match="unknown place"):
        standing(hands=[9, 9])


IMPOSSIBLE: list[tuple[dict[str, Any], str]] = [
    ({"turn": 2}, "turn = 2 is no seat; seats are 0 to 1"),
    ({"turn": None}, "turn = None is no seat"),
    ({"turn": True}, "turn = True is no seat"),
    ({"hand": [1, 2, 3]}, "hand has room for 2, not 3"),
    ({"hand": 1}, "hand takes a list, not 1"),
    ({"hand": [1, 11]}, "hand of seat 1: there is no card 11; there are: 0, 1, 2"),
    ({"hand": [1, None]}, "seat 1 is in the round and holds no card"),
    ({"drew": []}, "seat 0 has the turn: drew has the card"),
    ({"drew": [[2], [3]]}, "seat 1 has drawn, and seat 0 has the turn"),
    ({"drew": [[2, 3, 4]]}, "drew of seat 0 has room for 2, not 3"),
    ({"phase": "score"}, "phase does not agree with the other places"),
    ({"phase": "sleep"}, "phase = 'sleep' is not known; there are: deal, choose_play"),
    ({"phase": "choose_chancellor"}, "draws one card only if that was the last"),
    ({"area": [[0], [1, None, 2]]}, "area of seat 1 has a gap"),
    ({"area": [[1] * 15]}, "area of seat 0 has room for 14, not 15"),
    ({"area": [[0, 0, 0]]}, "there are not so many cards 0: 3 are named, and the pack has 2"),
    ({"area": [[0]], "area_how": [["played", "played"]]}, "contradict each other in length"),
    ({"area_size": [2, 0]}, "area_size says how many cards area has: name them"),
    ({"area": [[0]], "area_how": [["knockout"]]}, "seat 0 is in the round and was knocked out"),
    ({"area": [[0]], "area_sum": [3, 0]}, "area_sum does not agree with the other places"),
    ({"face_up": [0, 2, 3, 4]}, "face_up has room for 3, not 4"),
    ({"pile": [0, None, 2]}, "pile has a gap"),
    ({"deck_size": 4}, "deck_size does not agree with the other places; leave it out"),
    ({"pile": [], "hand": [5, 1]}, "a Prince on an empty deck gives the burned card"),
    ({"in_round": [0, 1]}, "seat 0 has the turn and is out of the round"),
    ({"in_round": [1, 0]}, "a round that goes on has two players in it"),
    ({"in_round": [1, 7]}, "in_round of seat 1 is 1 or 0, not 7"),
    ({"protected": [1, 0]}, "seat 0 has the turn: its protection has ended"),
    ({"tokens": [-1, 0]}, "seat 0 has -1 tokens; 0 is the least"),
    ({"tokens": [10**6, 0]}, "tokens of seat 0 = 1000000: it is a whole number, up to 32767"),
    ({"tokens": ["many", 0]}, "tokens of seat 0 = 'many': it is a whole number"),
    ({"starter": 2}, "starter = 2 is no seat of 2"),
    ({"known": [[None, 9]]}, "seat 0 cannot know of seat 1 what is not so"),
    ({"not_held": [[[], [1]]]}, "seat 0 cannot know of seat 1 what is not so"),
    ({"saw": [[0, 1]]}, "seat 0 saw a card of seat 1 that known does not name"),
    ({"tucked_known": [[3]]}, "nobody has put a card under the deck yet"),
    ({"same_hand": [2, None]}, "same_hand of seat 0 = 2 is no seat"),
    ({"rest": "turn"}, "rest = 'turn' is no place for a row of cards"),
]


@pytest.mark.parametrize(("places", "words"), IMPOSSIBLE, ids=[words for _, words in IMPOSSIBLE])
def test_position_refuses_what_cannot_be(places: dict[str, Any], words: str) -> None:
    usual: dict[str, Any] = {"hand": [6, 1], "drew": [[2]]}
    usual["rest"] = None if "pile" in places else "pile"
    with pytest.raises(brelan.Refused, match=re.escape(words)) as refused:
        standing(**{**usual, **places})
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("places", "words"),
    [
        ({"hand": [6, 1, 2], "in_round": [1, 1, 0]}, "seat 2 is out of the round and holds a card"),
        ({"hand": [6, 1], "in_round": [1, 1, 0], "protected": [0, 0, 1]}, "seat 2 is out of the"),
    ],
)
def test_position_refuses_who_is_out_and_still_plays(places: dict[str, Any], words: str) -> None:
    game = brelan.game("love-letter", players=3)
    standing(game=game, hand=[6, 1], drew=[[2]], in_round=[1, 1, 0])
    with pytest.raises(brelan.Refused, match=words):
        standing(game=game, drew=[[2]], **places)


def ended(match: Match, move: str) -> dict[str, float]:
    """The metrics of a match of one round that ends with a move."""
    folder, scratch = match.game.folder, new_scratch()
    match.play(move)
    last = next(ply for ply, made in enumerate(match.view(None).history) if str(made) == "score")
    states = [*match._past(), match._state.tobytes()]
    scored = np.frombuffer(states[last + 1], folder.layout.dtype)[0]
    folder.library("interpreted")(hooks.measure)(scored, SCORE, scratch)
    return dict(zip(METRICS, scratch.metrics.tolist(), strict=False))


@pytest.mark.parametrize(
    ("hand", "area", "knobs", "ties", "shared"),
    [
        ([7, 8], [[], []], {}, 0, 0),
        ([8, 7], [[], []], {}, 0, 0),
        ([6, 6], [[], []], {}, 1, 0),  # the Guard just played breaks the tie
        ([6, 6], [[], [1]], {}, 1, 1),
        ([6, 6], [[], [1]], {"double_tie": "nobody"}, 1, 0),
        ([6, 6], [[], []], {"tie_break": "both_win"}, 1, 1),
    ],
)
def test_metrics_tell_tied_showdowns_from_rounds_with_several_winners(
    hand: list[int], area: Any, knobs: dict[str, Any], ties: int, shared: int
) -> None:
    game = brelan.game("love-letter", **knobs)
    match = standing(None, game, hand=hand, drew=[[1]], area=area, burned=0)
    found = ended(match, "1:2")
    assert (found["ties"], found["shared_rounds"]) == (ties, shared)
    assert (found["rounds"], found["showdowns"], found["knockouts"]) == (1, 1, 0)
