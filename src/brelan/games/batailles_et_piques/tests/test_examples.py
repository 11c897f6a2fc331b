"""The worked examples of the specification (§14), by number, and what §3 to §13 say besides."""

from __future__ import annotations

import random
from typing import Any

import pytest

import brelan
from brelan.engine.match import Match
from brelan.testing import position

NAME = "batailles-et-piques"
GAME = brelan.game(NAME)
ALBA, BRUNO, CHLOE = 0, 1, 2

# §14: number, attackers, defenders, the sets of cards that may die, who chooses
COMBATS: list[tuple[int, list[Any], list[Any], list[str], str]] = [
    (1, [4, 6], [8], ["8 4", "8 6"], "defender"),
    (2, [4, 6], [10], ["4 6 10"], ""),
    (3, [4, 6], [12], ["4 6"], ""),
    (4, [1, 5], ["K"], ["K 5"], ""),
    (5, [9], [4, 6], ["9 4", "9 6"], "attacker"),
    (6, [10], [4, 6], ["10 4 6"], ""),
    (7, [12], [5, 6], ["5 6"], ""),
    (11, [8], ["M", 6], ["M 6"], ""),
    (12, [4], ["M", 10], ["M 4"], ""),
    (14, ["K"], ["M", 3], ["K"], ""),
    (15, ["K"], [1, 9], ["K 9"], ""),
    (16, ["K"], [1, 2], ["K"], ""),
    (19, [1], ["K", 2], ["K 1"], ""),
    (22, [1, 2], ["K"], ["K"], ""),
    (24, [8, 3], ["M"], ["M"], ""),
    (25, [7, 3], ["M"], ["7 3"], ""),
    (26, ["K"], ["K"], ["K K"], ""),
]


def seen(match: Match, seat: int | None = None) -> dict[str, Any]:
    return match.view(seat).as_dict()


def notations(match: Match) -> list[str]:
    return [move.notation for move in match.legal()]


def dead(match: Match) -> list[str]:
    """The dead of the last combat."""
    return sorted(str(card) for side in seen(match)["fallen"] for card in side if card)


def facing(attackers: list[Any], defenders: list[Any], **places: Any) -> Match:
    """Alba has the attackers in play, Bruno the defenders; other slots hold an 11 and a 13."""
    rows = [[*cards, other][:2] for cards, other in ((attackers, 11), (defenders, 13))]
    return position(GAME, rest="pile", turn=0, in_play=[*rows, [3, 7]], **places)


@pytest.mark.parametrize(("number", "attackers", "defenders", "ends", "chooser"), COMBATS)
def test_14_combats(
    number: int, attackers: list[Any], defenders: list[Any], ends: list[str], chooser: str
) -> None:
    attack = f"{'LR'[: len(attackers)]}>1{'LR'[: len(defenders)]}"
    found = []
    for way in range(len(ends)):
        match = facing(attackers, defenders)
        match.play(attack)
        if chooser:
            assert seen(match)["phase"] == "kill"
            assert match.turn == (ALBA if chooser == "attacker" else BRUNO)
            foes = defenders if chooser == "attacker" else attackers
            assert notations(match) == [f"kill {card}" for card in foes]
            match.play(notations(match)[way])
        found.append(dead(match))
        view = seen(match)
        worth = {"K": 2}
        for side, taker in ((0, BRUNO), (1, ALBA)):
            points = sum(worth.get(card, 1) for card in view["fallen"][side] if card)
            assert view["points"][taker] == points, number
    assert sorted(found) == sorted(sorted(end.split()) for end in ends)


def test_14_2_against_a_king_and_a_1() -> None:
    match = facing([2], ["K", 1])
    match.play("L>1LR")
    assert (match.turn, notations(match)) == (ALBA, ["kill K", "kill 1"])
    match.play("kill 1")
    assert dead(match) == ["1"]


def fill(match: Match, *cards: Any) -> None:
    """Place cards, whoever has the turn."""
    for card in cards:
        match.play(f"place {card}")


def test_14_26_both_kings_die_and_the_attacker_looks_first() -> None:
    match = facing(["K"], ["K"], hand=[[5], [6]])
    match.play("L>1L")
    assert match.turn == ALBA
    fill(match, 5, 6)
    assert match.turn == ALBA
    assert notations(match) == ["peek -", "peek 1L", "peek 1R", "peek 2L", "peek 2R"]
    match.play("peek 1L")
    assert seen(match, ALBA)["known"][ALBA][BRUNO] == [6, None, None]
    assert seen(match, ALBA)["looked_at"][ALBA] == 6
    assert seen(match)["seen_by"][BRUNO][0] == ["seat_0"]
    assert match.turn == BRUNO
    match.play("peek -")
    assert (seen(match)["phase"], match.turn) == ("turn", BRUNO)
    assert seen(match)["points"] == [2, 2, 0]


def test_14_s1_points_and_a_look() -> None:
    match = facing(["K"], ["M", 3], hand=[[9, 12], []])
    match.play("L>1LR")
    assert seen(match)["points"] == [0, 2, 0]
    assert seen(match)["graveyard"][BRUNO] == ["K"]
    assert match.turn == ALBA
    fill(match, 9)
    assert (seen(match)["phase"], match.turn) == ("peek", BRUNO)
    match.play("peek 0L")
    assert seen(match, BRUNO)["known"][BRUNO][ALBA] == [9, None, None]
    assert seen(match, CHLOE)["known"][CHLOE] == [[None] * 3] * 3


def test_14_s2_refill_of_two() -> None:
    ways = set()
    hand = [1, 9, 11, "M", "M", 12]
    choices: dict[Any, list[str]] = {}
    for first in (1, 9, 11, "M", 12):
        match = position(
            GAME, rest=None, turn=1, in_play=[[4, 6], [7, 3], ["M", 8]],
            hand=[[], hand, []], pile=[[], [2, 4, 5, 6, 8], []],
        )  # fmt: skip
        match.play("LR>2L")
        assert seen(match)["points"] == [0, 0, 2]
        assert seen(match)["teamwork_left"] == [2, 1, 2]
        fill(match, first)
        choices[first] = notations(match)
        ways |= {(first, move.split()[1]) for move in notations(match)}
    copies = {"M": 2}
    pairs = sum(
        copies.get(str(one), 1) * (copies.get(two, 1) - (str(one) == two)) for one, two in ways
    )
    assert pairs == 30 - 2
    assert "place M" not in choices["M"]
    fill(match, 9)
    view = seen(match, ALBA)
    assert (view["held"][BRUNO], view["pile_size"][BRUNO]) == (6, 3)
    assert view["filled"][BRUNO] == ["left", "right"]
    assert view["known"][ALBA][BRUNO] == [None] * 3
    assert len(view["can_be"][BRUNO][0]) > 5
    assert seen(match, BRUNO)["in_play"][BRUNO] == [12, 9, None]


def test_14_s3_forced_stop() -> None:
    match = position(
        GAME, rest=None, turn=0, in_play=[[8, 9], [4, 12], ["M", 7]], hand=[[], [], ["M"]]
    )
    match.play("R>2R")
    view = seen(match)
    assert view["status"] == ["active", "active", "stopped"]
    assert view["filled"][CHLOE] == ["left"]
    assert view["can_be"][CHLOE][0] == ["M"]
    match.play("L>2L")
    assert seen(match)["points"] == [1, 1, 0]
    assert (match.turn, notations(match)) == (CHLOE, ["place M"])
    fill(match, "M")
    assert (seen(match)["filled"][CHLOE], match.turn) == (["left"], ALBA)
    match.play("L>2L")
    view = seen(match)
    assert view["points"] == [2, 1, 0]
    assert view["status"] == ["active", "active", "dead"]


def test_14_s5_final_count() -> None:
    low, high = [3, 5, 6, 7, 9, 10, 11, 12], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]
    graveyard = [["K", 13, 8, 1, 2, 4, *low], ["K", "K", "M", "M", *high], [13, 4, 8, *low]]
    slots: list[list[Any]] = [["M"], [1, 2], ["M"]]
    hand: list[list[Any]] = [[], ["M", "M"]]
    match = position(GAME, rest=None, turn=1, graveyard=graveyard, in_play=slots, hand=hand)
    view = seen(match)
    assert view["points"] == [15, 19, 11]
    living = [card for army in view["living"] for card in army]
    assert len(living) == 6
    assert "K" not in living
    assert sum(view["points"]) + len(living) == 17 * 3


def ended(graveyard: list[list[Any]], **knobs: Any) -> brelan.Result:
    """Let the last active player stop."""
    game = brelan.game(NAME, **knobs)
    slots: list[list[Any]] = [[12], ["M"], ["M"]]
    match = position(game, rest=None, turn=0, in_play=slots, graveyard=graveyard)
    match.play("stop")
    assert match.result is not None
    assert match.result.reason == "stop"
    return match.result


def test_14_s6_tie() -> None:
    low = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    alba, bruno = ["K", "K", *low, 11, 12, 13, "M"], ["K", *low, 11, 11, 12, 13, "M", "M"]
    graveyard: list[list[Any]] = [alba, bruno, [*low, 13, "M"]]
    shared = ended(graveyard)
    assert (shared.scores, shared.winners) == ([18, 18, 12], [0, 1])
    option = {"tie_break": "kings_then_strength"}
    assert ended(graveyard, **option).winners == [0]
    assert ended([[11, 5], [10, 6], [4]], **option).winners == [0, 1]
    assert ended([[11, 5], [10, 7], [4]], **option).winners == [1]
    assert ended([[1, "M"], [10, "M"], [4]], **option).winners == [1]


def test_14_s7_information() -> None:
    match = position(
        GAME, rest="pile", turn=0, in_play=[[10, 8], [9, 12], [3, 7]], hand=[[2, 5], [5, 6], [5]]
    )
    match.play("L>1R")
    fill(match, 2)
    bystander = seen(match, CHLOE)
    assert bystander["fallen"] == [[10, None, None], [None] * 3]
    assert bystander["can_be"][BRUNO][1] == [11, 12, 13, "K", "M"]
    assert bystander["known"][CHLOE][BRUNO] == [None] * 3
    assert seen(match, ALBA)["known"][ALBA][BRUNO] == [None, 12, None]
    assert match.turn == BRUNO
    match.play("R>0R")
    fill(match, 5)
    assert seen(match)["can_be"][BRUNO][1] == [11, 12, 13, "K"]
    match.play("slack L 5")
    match.play(next(move for move in notations(match) if move.startswith("slack L")))
    match.play("slack R 6")
    view = seen(match, ALBA)
    assert view["known"][ALBA][BRUNO][1] is None
    assert 12 in view["can_be"][BRUNO][1]
    assert 1 in view["can_be"][BRUNO][1]
    assert view["hand_holds"][ALBA][BRUNO][0] == 12
    assert view["unless_in"][ALBA][BRUNO][0] == []
    assert seen(match, CHLOE)["hand_holds"][CHLOE][BRUNO] == [None] * 6


def test_14_s7_told_to_the_fighters_and_to_a_bystander() -> None:
    match = position(GAME, rest="pile", turn=0, in_play=[[10, 8], [9, 12], [3, 7]], hand=[[2, 5]])
    match.play("L>1R")
    assert match.story(ALBA, "en")[:2] == [
        "Your left card (10) attacks Seat 1’s right card (12).",
        "You lose a 10 to Seat 1’s right card.",
    ]
    assert match.story(BRUNO, "fr")[:2] == [
        "La carte de gauche de Siège 0 (10) attaque votre carte de droite (12).",
        "Siège 0 perd un 10 contre votre carte de droite.",
    ]
    for reader in (CHLOE, None):
        assert match.story(reader, "en")[:2] == [
            "Seat 0’s left card attacks Seat 1’s right card.",
            "Seat 0 loses a 10 to Seat 1’s right card.",
        ]
        assert not [line for line in match.story(reader, "fr") if "12" in line]


# ---------------------------------------------------------------- §3 to §13


def test_3_cards_given_by_hand() -> None:
    armies = [card.printed for card in GAME.pack]
    match = GAME.deal(seed=9, cards=armies)
    assert seen(match, ALBA)["hand"][ALBA] == [1, 2, 3, 4, 5, 6]
    for _ in range(3):
        fill(match, 2, 1)
    view = seen(match, BRUNO)
    assert view["in_play"][BRUNO] == [2, 1, None]
    assert view["hand"][BRUNO] == [3, 4, 5, 6, 7, 8]
    assert (view["held"], view["pile_size"]) == ([6] * 3, [8] * 3)
    assert (view["first"], match.turn) == (ALBA, ALBA)
    with pytest.raises(brelan.Refused, match="cards 17 to 32 must be these 16"):
        GAME.deal(cards=[*armies[:16], 1, *armies[16:31], *armies[32:]])


def test_3_nothing_shows_before_everybody_has_chosen() -> None:
    match = GAME.deal(seed=4)
    before = seen(match, CHLOE)
    for _ in range(4):
        match.play(match.legal()[0])
    after = seen(match, CHLOE)
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {"turn", "placed", "held"}
    assert after["placed"] == [["left", "right"], ["left", "right"], []]
    assert [move.notation for move in match.view(CHLOE).history[1:]] == ["place ?"] * 4
    assert after["first"] is None


def test_3_the_first_player_is_drawn_or_fixed() -> None:
    firsts = {option: set[int]() for option in ("random", "fixed")}
    for option, found in firsts.items():
        game = brelan.game(NAME, players=4, first_player=option)
        for seed in range(20):
            match = game.deal(seed=seed)
            while seen(match)["phase"] == "set_up":
                match.play(match.legal()[0])
            found.add(seen(match)["first"])
    assert firsts == {"random": {0, 1, 2, 3}, "fixed": {0}}


def test_5_the_moves_of_a_turn() -> None:
    """The bounds of §12: 28, 36, 44, 52 choices."""
    for players, count in ((3, 28), (4, 36), (5, 44), (6, 52)):
        game = brelan.game(NAME, players=players)
        slots = [[9, 10]] + [[3, 7]] * (players - 1)
        match = position(game, rest="pile", turn=0, in_play=slots, hand=[[1, 2, 3, 4, 5, 6]])
        assert len(notations(match)) == count


def test_5_a_mine_does_not_attack_and_no_second_one_comes() -> None:
    match = facing(["M", 9], [4, 6], hand=[["M", 5]])
    moves = notations(match)
    assert not [move for move in moves if move.startswith("L")]
    assert "slack L M" in moves
    assert "slack R M" not in moves
    match.play("slack L M")  # a bluff
    assert seen(match, BRUNO)["slacker_left"] == [1, 2, 2]
    assert match.view(BRUNO).history[-1].notation == "slack L ?"
    assert seen(match, ALBA)["in_play"][ALBA] == ["M", 9, None]


def test_9_the_last_two_kill_each_other() -> None:
    match = position(GAME, rest=None, turn=0, in_play=[[9], [9], ["M"]])
    match.play("L>1L")
    assert match.result is not None
    assert match.result.reason == "nobody_active"
    assert match.result.scores == [1, 1, 0]


def test_9_no_opponent_has_a_card_in_play() -> None:
    match = position(GAME, rest=None, turn=0, in_play=[[9], [8], []])
    match.play("L>1L")
    assert match.result is not None
    assert (match.result.reason, match.result.winners) == ("nothing_left", [0])


def test_13_other_ends() -> None:
    for reason in ("points", "rounds"):
        game = brelan.game(NAME, end_rule=reason, end_points=3, end_rounds=2)
        match = game.deal(seed=3)
        choice = random.Random(3)
        while match.turn is not None:
            match.play(choice.choice(match.legal()))
        assert match.result is not None
        assert match.result.reason == reason
        assert max(match.result.scores) >= 3 or reason == "rounds"
        assert seen(match)["round_no"] == 2 or reason == "points"


def passing(option: str, **places: Any) -> Match:
    """Three armies of which nothing is dead, with passes by this option."""
    slots = [[10, 8], [9, 12], [3, 7]]
    game = brelan.game(NAME, passing=option)
    return position(game, rest="pile", turn=0, in_play=slots, hand=[[2], [5], [6]], **places)


def test_14_8_nobody_passes_by_default() -> None:
    assert "pass" not in notations(passing("never"))


def test_14_8_one_pass_in_a_row() -> None:
    match = passing("one_in_a_row")
    match.play("pass")
    assert (match.turn, seen(match)["first_to_pass"], seen(match)["turn_no"]) == (BRUNO, ALBA, 2)
    assert match.story(CHLOE, "en")[-1] == "Seat 0 passes."
    assert match.story(ALBA, "fr")[-1] == "Vous passez."
    assert "pass" not in notations(match)
    match.play("slack L 5")
    assert (match.turn, seen(match)["first_to_pass"]) == (CHLOE, None)
    match.play("pass")
    assert (match.turn, "pass" in notations(match)) == (ALBA, False)
    match.play("L>1R")
    fill(match, 2)
    assert (match.turn, "pass" in notations(match)) == (BRUNO, True)


def test_14_8_the_match_ends_when_all_have_passed() -> None:
    match = passing("until_all_pass", graveyard=[[], [1], [4]])
    for move in ("pass", "pass", "slack R 6", "pass", "pass"):
        match.play(move)
    assert (match.turn, seen(match)["first_to_pass"]) == (CHLOE, ALBA)
    match.play("pass")
    assert match.result is not None
    assert (match.result.scores, match.result.winners) == ([0, 1, 1], [BRUNO, CHLOE])
    assert match.result.reason == "all_passed"
    assert "All have passed, one after another: the match is over." in match.story(None, "en")


def test_13_the_last_active_player_stops_instead_of_passing() -> None:
    for option in ("one_in_a_row", "until_all_pass"):
        game = brelan.game(NAME, passing=option)
        match = position(game, rest=None, turn=0, in_play=[[12], ["M"], ["M"]])
        assert "stop" in notations(match)
        assert "pass" not in notations(match)


def test_13_who_is_not_active_need_not_pass() -> None:
    game = brelan.game(NAME, passing="until_all_pass")
    match = position(game, rest=None, turn=0, in_play=[[12], ["M"], [9]])
    match.play("pass")
    assert match.turn == CHLOE
    match.play("pass")
    assert match.result is not None
    assert match.result.reason == "all_passed"


def test_13_a_mine_that_explodes_goes_to_the_attacker() -> None:
    game = brelan.game(NAME, mine_explodes="on")
    match = position(game, rest="pile", turn=0, in_play=[["K", 9], ["M", 3], [5, 6]])
    match.play("L>1LR")
    assert dead(match) == ["K", "M"]
    assert seen(match)["points"] == [1, 2, 0]


def test_13_all_credit_to_the_attacker_but_the_look_to_the_killer() -> None:
    game = brelan.game(NAME, credit="attacker")
    slots = [["K", 9], [1, 3], [5, 6]]
    match = position(game, rest="pile", turn=0, in_play=slots, hand=[[2]])
    match.play("L>1L")
    assert seen(match)["points"] == [2, 0, 0]
    fill(match, 2)
    assert (seen(match)["phase"], match.turn) == ("peek", BRUNO)


def test_13_wasted_blows() -> None:
    game = brelan.game(NAME, allow_waste="on")
    for slots, kills in (
        ([[12, 11], [5, 6], [3, 7]], ["kill 5", "kill 6", "kill 5 6"]),
        ([[9, 11], [4, 6], [3, 7]], ["kill -", "kill 4", "kill 6"]),
        ([[9, 11], [4, 12], [3, 7]], ["kill -", "kill 4"]),
    ):
        match = position(game, rest="pile", turn=0, in_play=slots)
        match.play("L>1LR")
        assert sorted(notations(match)) == sorted(kills)


def test_13_a_look_before_the_refill_or_into_a_hand() -> None:
    slots = [[1, 9], ["K", 12], [13, 7]]
    game = brelan.game(NAME, peek_timing="before_refill")
    match = position(game, rest="pile", turn=0, in_play=slots, hand=[[], [3]])
    match.play("L>1L")
    assert notations(match) == ["peek -", "peek 1R", "peek 2L", "peek 2R"]
    match.play("peek 1R")
    assert match.turn == BRUNO
    game = brelan.game(NAME, peek_scope="hand_card")
    match = position(game, rest="pile", turn=0, in_play=slots, hand=[[], [3, 5]])
    match.play("L>1L")
    fill(match, 3)
    assert notations(match) == ["peek -", "peek 1H"]
    match.play("peek 1H")
    view = seen(match, ALBA)
    assert view["hand_holds"][ALBA][BRUNO][0] == view["looked_at"][ALBA]
    assert view["looked_at"][ALBA] in seen(match, BRUNO)["hand"][BRUNO]
    game = brelan.game(NAME, peek_scope="none")
    match = position(game, rest="pile", turn=0, in_play=slots, hand=[[], [3]])
    match.play("L>1L")
    fill(match, 3)
    assert seen(match)["phase"] == "turn"


def test_13_three_slots() -> None:
    game = brelan.game(NAME, slots=3, hand_size=4)
    slots = [[4, 9, 2], ["M", 3, 10], [5, 6, 7]]
    match = position(game, rest="pile", turn=0, in_play=slots, hand=[[8, 1, 11, "M"]] * 2)
    moves = notations(match)
    assert {"L>1RC", "LC>1R", "RC>2C", "C>2LR", "slack C M"} <= set(moves)
    assert "LC>1RC" not in moves
    match.play("L>1LC")
    assert dead(match) == ["4", "M"]
    fill(match, "M", 8)
    assert seen(match, ALBA)["known"][ALBA][BRUNO] == [None, None, 10]


def test_13_everybody_sees_the_fighters() -> None:
    game = brelan.game(NAME, preset="teaching")
    match = position(game, rest="pile", turn=0, in_play=[[10, 8], [9, 12], [3, 7]], hand=[[2]])
    match.play("L>1R")
    fill(match, 2)
    assert seen(match)["can_be"][BRUNO][1] == [12]
    assert seen(match, CHLOE)["known"][CHLOE][BRUNO] == [None, 12, None]


@pytest.mark.parametrize(
    ("knobs", "why"),
    [
        ({"copies_3": 3, "copies_5": 3, "copies_6": 3}, "20 cards at most, not 22"),
        ({"mines": 4, "hand_size": 4}, "hand_size must be 5 or more"),
        ({f"copies_{value}": 0 for value in range(1, 14)}, "a unit for each of its 2 slots"),
    ],
)
def test_13_knobs_that_do_not_go_together(knobs: dict[str, Any], why: str) -> None:
    with pytest.raises(brelan.Refused, match=why):
        brelan.game(NAME, **knobs)


def test_6_equal_foes_are_told_apart_by_their_slots() -> None:
    game = brelan.game(NAME, copies_6=2)
    match = position(game, rest="pile", turn=0, in_play=[[9, 11], [6, 6], [3, 7]])
    match.play("L>1LR")
    assert notations(match) == ["kill 6 L", "kill 6 R"]


def test_14_a_choice_that_talks() -> None:
    """Rulebook, example 4: what everybody learns from who was spared."""
    match = position(GAME, rest="pile", turn=0, in_play=[[9, 11], [4, 6], [3, 7]], hand=[[2], [2]])
    match.play("L>1LR")
    match.play("kill 4")
    fill(match, 2, 2)
    seats = (ALBA, BRUNO, CHLOE, None)
    written = [match.view(seat).history[1].notation for seat in seats]
    assert written == ["kill 4", "kill 4", "kill L", "kill L"]
    assert seen(match, CHLOE)["can_be"][BRUNO][1] == [6, 7, 8, 9]
