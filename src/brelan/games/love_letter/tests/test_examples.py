"""The worked examples of the specification, by number, and the cases of §5 and §7.3."""

from __future__ import annotations

from typing import Any

import pytest

import brelan
from brelan.engine.game import Game
from brelan.engine.match import Match
from brelan.testing import position

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


SPY_TABLE = [  # §7.3: knock-out or showdown, areas, tokens by default and as published
    ("knockout", [[0], []], [2, 0], [2, 0]),
    ("knockout", [[0, 0], []], [1, 0], [2, 0]),
    ("knockout", [[0], [0]], [2, 0], [2, 0]),
    ("knockout", [[], [0]], [1, 0], [1, 0]),
    ("showdown", [[0], [0]], [1, 0], [1, 0]),
    ("showdown", [[], [0]], [1, 1], [1, 1]),
    ("showdown", [[0, 0], []], [1, 0], [2, 0]),
]


@pytest.mark.parametrize(("ending", "area", "default", "published"), SPY_TABLE)
def test_7_3_spy_bonus(ending: str, area: Any, default: Any, published: Any) -> None:
    for preset, expected in ((None, default), ("published2019", published)):
        game = brelan.game("love-letter", preset=preset)
        match = standing(None, game, hand=[1, 2], drew=[[7]], area=area, burned=8)
        match.play("1:2" if ending == "knockout" else "1:3")
        end = end_of_round(match)
        assert end["reason"] == ending
        assert end["tokens"] == expected
    game = brelan.game("love-letter", spy_bonus="off")
    match = standing(None, game, hand=[1, 2], drew=[[7]], area=area, burned=8)
    match.play("1:2" if ending == "knockout" else "1:3")
    assert end_of_round(match)["tokens"] == [1, 0]


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
