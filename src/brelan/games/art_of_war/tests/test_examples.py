"""The worked examples of the specification (§15), by number, and its edge cases and options."""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import Any

import pytest

import brelan
from brelan.engine.match import Match
from brelan.suite.walk import Walk, cards_of
from brelan.testing import position

from ..cards import FRONT, MOVES, Action, Card, Slot
from ..state import Phase, Reason
from ..story import label

GAME = brelan.game("art-of-war")
DECK = ["S"] * 9 + ["G"] * 6 + ["A"] * 5
KINGS = ["K1", "K2"]
SLOTS = [slot.name for slot in Slot][:-1]


def seen(match: Match, seat: int | None = None) -> dict[str, Any]:
    return match.view(seat).as_dict()


def notations(match: Match, verb: str = "") -> list[str]:
    return [move.notation for move in match.legal() if move.notation.startswith(verb)]


def board(**units: str) -> list[str | None]:
    """Write a battlefield by its slots."""
    return [units.get(slot) for slot in SLOTS]


def turned(*slots: str) -> list[str]:
    """Write postures: which slots are Offensive."""
    return ["offensive" if slot in slots else "defensive" for slot in SLOTS]


def stand(
    mine: dict[str, str], theirs: dict[str, str], *, game: brelan.Game = GAME, **places: Any
) -> Match:
    """Set up a position in which seat 0 is to act."""
    places.setdefault("hand", [["S"], ["S"]])
    places.setdefault("turn", 0)
    return position(game, rest="pile", unit=[board(**mine), board(**theirs)], **places)


def hand_of(size: int) -> list[list[str]]:
    """So many cards for seat 0, two for seat 1."""
    return [(["G", "A", "S"] * 3)[:size], ["S", "G"]]


def play(match: Match, *moves: str) -> Match:
    for move in moves:
        match.play(move)
    return match


# ---------------------------------------------------------------- §15


def test_e1_set_up() -> None:
    match = GAME.deal(cards=["K1", "K2", *DECK, *DECK[::-1]])
    for seat, first in enumerate(("S", "A")):
        view = seen(match, seat)
        assert view["hand"][seat] == [first] * 3 + [f"K{seat + 1}"]
        assert view["kingdom"][seat] == [first]
    play(match, "deploy S F2", "deploy A F1")
    view = seen(match)
    assert view["pile_size"] == [15, 16]  # J1 has drawn already
    assert view["held"] == [4, 3]
    assert view["citizens"] == [1, 1]
    assert (view["turn"], view["turn_no"], view["phase"]) == (0, 1, "action")
    assert cards_of(GAME, match._state).total() == 42


# attacker, its hand, target, its posture, outcome, damage
BLOWS = [
    ("S", 4, "A", "defensive", "dead", 0),
    ("S", 2, "A", "defensive", "captured", 0),
    ("S", 3, "G", "defensive", "captured", 0),
    ("S", 2, "G", "offensive", "captured", 0),
    ("S", 3, "G", "offensive", "dead", 0),
    ("G", 4, "S", "defensive", "wounded", 1),
    ("A", 4, "S", "offensive", "captured", 0),
    ("K1", 4, "G", "offensive", "wounded", 1),
    ("S", 4, "K1", "defensive", "captured", 0),
    ("S", 4, "K2", "defensive", "wounded", 4),
    ("S", 5, "K2", "defensive", "captured", 0),
    ("S", 4, "K2", "offensive", "captured", 0),
]


@pytest.mark.parametrize(("attacker", "size", "target", "posture", "outcome", "damage"), BLOWS)
def test_e2_single_blows(
    attacker: str, size: int, target: str, posture: str, outcome: str, damage: int
) -> None:
    slot = "F3" if attacker == "A" else "F2"
    units, mine = {slot: target, "F1": "G"}, {slot: attacker}
    postures = [[], turned(slot) if posture == "offensive" else []]
    match = stand(mine, units, hand=hand_of(size), posture=postures)
    match.play(f"attack {slot} {slot}")
    view = seen(match)
    assert view["outcome"] == outcome
    assert view["damage"][1][SLOTS.index(slot)] == damage
    assert view["kingdom"][0] == ([target] if outcome == "captured" else [])
    assert view["graveyard"][1].count(target) == (outcome == "dead")
    assert view["kills"] == [int(outcome == "dead"), 0]
    is_execution = target in ("K1", "K2") and outcome == "captured"
    assert (match.result is not None) == is_execution
    if match.result is not None:
        assert match.result[1:] == ([0], "execution")


@pytest.mark.parametrize(
    ("size", "clean", "printed", "remaining"),
    [
        (1, "wounded", "wounded", "wounded"),
        (2, "dead", "dead", "captured"),
        (3, "dead", "captured", "dead"),
    ],
)
def test_e3_two_blows_on_a_guard(size: int, clean: str, printed: str, remaining: str) -> None:
    for rule, outcome in (("clean", clean), ("printed", printed), ("remaining", remaining)):
        game = brelan.game("art-of-war", capture_rule=rule)
        match = stand({"F1": "S", "F3": "A"}, {"F3": "G", "F1": "G"}, game=game, hand=hand_of(size))
        play(match, "attack F3 F3", "attack F1 F3")
        assert seen(match)["outcome"] == outcome
        assert seen(match)["damage"][1][2] == (2 if outcome == "wounded" else 0)


@pytest.mark.parametrize("king", ["K1", "K2"])
def test_e6_first_turn_execution(king: str) -> None:
    kings = ["K2", "K1"] if king == "K1" else ["K1", "K2"]
    match = GAME.deal(cards=[*kings, *DECK, *DECK])
    play(match, "deploy S F2", "deploy K F2")
    assert seen(match)["held"] == [4, 3]
    match.play("attack F2 F2")
    if king == "K1":
        assert match.result == ([2, 1], [0], "execution")
        assert seen(match)["turn_no"] == 1
    else:
        assert match.result is None
        assert seen(match)["damage"][1][1] == 4


def test_e8_deploy_and_swap() -> None:
    match = stand({"F2": "G"}, {"F1": "S"}, hand=[["S", "A"], ["S"]])
    expected = {f"deploy {card} {slot}" for card in "SA" for slot in ("F1", "F2", "F3", "A2")}
    assert set(notations(match, "deploy")) == expected
    match.play("deploy A F2")
    for reader in (None, 0, 1):
        view = seen(match, reader)
        assert view["known"][0] == ["G"]
        assert view["held"] == [2, 1]
    assert seen(match, 0)["hand"][0] == ["S", "G"]
    play(match, "demobilise G")
    assert seen(match)["known"][0] == []


@pytest.mark.parametrize(
    ("rule", "size", "forced"),
    [
        ("literal", 7, 2),
        ("literal", 6, 0),
        ("program", 7, 1),
        ("program", 6, 0),
        ("handout", 7, 1),
        ("handout", 6, 1),
        ("handout", 5, 0),
    ],
)
def test_e9_development(rule: str, size: int, forced: int) -> None:
    game = brelan.game("art-of-war", hand_rule=rule)
    match = play(stand({"F2": "G"}, {"F1": "S"}, game=game, hand=hand_of(size)), "nothing")
    for _ in range(forced):
        assert notations(match) == ["demobilise S", "demobilise G", "demobilise A"]
        match.play("demobilise G")
    assert seen(match)["held"][0] == size - forced
    assert notations(match)[0] == "end"
    match.play("demobilise S")
    assert notations(match)[0] == "end"


@pytest.mark.parametrize(
    ("citizens", "tie", "winners", "reason"),
    [
        ((9, 8), "draw", [0], "citizens"),
        ((8, 8), "draw", [], "draw"),
        ((8, 8), "kills", [0], "kills"),
    ],
)
def test_e10_end_of_war(
    citizens: tuple[int, int], tie: str, winners: list[int], reason: str
) -> None:
    game = brelan.game("art-of-war", war_tie=tie)
    kingdoms = [["S"] * citizens[0], ["G"] * citizens[1]]
    units = [board(F1="S"), board(F2="A")]
    match = position(
        game, rest=None, turn=1, unit=units, kingdom=kingdoms, hand=[[], ["A"]],
        graveyard=[["A"] * 3, ["A"] * 4], turn_no=32,
    )  # fmt: skip
    play(match, "nothing", "end")
    assert match.result == (list(citizens), winners, reason)


def test_16_3_a_war_may_end_in_a_draw_whatever_the_kingdoms() -> None:
    for knobs, result in (
        ({"end_of_war": "larger_kingdom"}, ([9, 8], [0], "citizens")),
        ({"end_of_war": "draw"}, ([9, 8], [], "draw")),
        ({"end_of_war": "draw", "war_tie": "kills"}, ([9, 8], [], "draw")),
    ):
        game = brelan.game("art-of-war", **knobs)
        units = [board(F1="S"), board(F2="A")]
        match = position(
            game, rest=None, turn=1, unit=units, kingdom=[["S"] * 9, ["G"] * 8], hand=[[], ["A"]],
            graveyard=[[], ["A"]], turn_no=32,
        )  # fmt: skip
        play(match, "nothing", "end")
        assert match.result == result
        equal = [line for line in match.story(0, "en") if "Kingdoms are equal" in line]
        assert equal == []
        told = "Nobody wins a war that has run its course: the match is a draw."
        assert (told in match.story(0, "en")) == (result[2] == "draw")


def test_16_3_an_execution_wins_even_if_no_war_does() -> None:
    game = brelan.game("art-of-war", end_of_war="draw")
    match = stand({"F2": "S"}, {"F2": "K1"}, game=game, hand=hand_of(6))
    assert play(match, "attack F2 F2").result == ([0, 0], [0], "execution")


@pytest.mark.parametrize("rule", ["literal", "program", "handout"])
@pytest.mark.parametrize("size", [5, 6, 7])
def test_16_3_what_is_forced_may_leave_nothing_free(rule: str, size: int) -> None:
    """The note's own words: who has too many cards must, and otherwise may, demobilise."""
    forced = {"literal": 2 * (size == 7), "program": size == 7, "handout": size >= 6}[rule]
    for free_part in ("always", "unless_forced"):
        game = brelan.game("art-of-war", hand_rule=rule, free_part=free_part)
        match = play(stand({"F2": "G"}, {"F1": "S"}, game=game, hand=hand_of(size)), "nothing")
        for _ in range(forced):
            assert "end" not in notations(match)
            match.play(notations(match)[0])
        is_free = free_part == "always" or not forced
        assert (match.turn, seen(match)["citizens"][0]) == (0 if is_free else 1, forced)
        if is_free:
            for _ in range(2):
                match.play(notations(match)[1])
            assert seen(match)["citizens"][0] == forced + 2


def test_e11_soldier_strength_follows_the_hand() -> None:
    match = stand({"F1": "S", "F2": "S"}, {"F3": "K2", "F2": "G", "F1": "G"}, hand=hand_of(5))
    for attack in ("attack F2 F2", "attack F1 F3"):
        move = next(move for move in match.legal() if move.notation == attack)
        _, facts = label(match.view(0).record, move.id)
        assert facts["blow"] == 5
        match.play(move)
    assert seen(match)["graveyard"][1] == ["G"]
    assert seen(match)["kingdom"][0] == ["K2"]
    assert match.result == ([1, 0], [0], "execution")


# ---------------------------------------------------------------- §3, §11


def test_3_reach_of_every_unit() -> None:
    table = {
        "S": ["F3", "F2", "F1", "", "", ""],
        "G": ["F3", "F2", "F1", "", "", ""],
        "A": ["F1 A2", "A1 A3", "F3 A2", "F2", "F1 F3", "F2"],
        "K1": ["F2 F3 A3", "F1 F2 F3 A2", "F1 F2 A1", "F3", "F2", "F1"],
        "K2": ["F2 F3", "F1 F2 F3", "F1 F2", "", "", ""],
    }
    everywhere = dict(zip(SLOTS, "GGGAAA", strict=True))
    for card, reached in table.items():
        for slot, targets in zip(SLOTS, reached, strict=True):
            mine = {slot.replace("A", "F"): "G", slot: card}
            match = stand(mine, everywhere, hand=[["S", "S"], []])
            attacks = {f"attack {slot} {target}" for target in targets.split()}
            assert set(notations(match, f"attack {slot}")) == attacks


def test_11_1_no_attack_into_an_empty_slot() -> None:
    match = stand({"F2": "S"}, {"F1": "S"})
    assert notations(match, "attack") == []
    with pytest.raises(brelan.IllegalMove):
        match.play("attack F2 F2")


def test_11_3_5_the_rear_advances_as_it_is() -> None:
    match = stand(
        {"F2": "S", "F1": "K2"}, {"F2": "G", "A2": "S"}, hand=hand_of(3),
        posture=[[], turned("A2")],
    )  # fmt: skip
    assert notations(match, "attack F1") == ["attack F1 F2"]  # and not A2
    play(match, "attack F2 F2")
    view = seen(match)
    assert view["unit"][1] == board(F2="S")
    assert view["posture"][1][1] == "offensive"
    assert view["kingdom"][0] == ["G"]
    assert notations(match) == ["stop", "attack F1 F2"]
    play(match, "attack F1 F2")
    assert seen(match)["kingdom"][0] == ["G", "S"]


def test_7_4_a_unit_that_advances_keeps_its_damage() -> None:
    match = stand(
        {"F2": "S"}, {"F2": "S", "A2": "K2", "F1": "S"}, hand=hand_of(2),
        damage=[[], [0, 0, 0, 0, 3, 0]], phase="attack",
    )  # fmt: skip
    play(match, "attack F2 F2")
    assert seen(match)["unit"][1] == board(F1="S", F2="K2")
    assert seen(match)["damage"][1] == [0, 3, 0, 0, 0, 0]


def test_11_4_nothing_advances_to_the_rear() -> None:
    match = stand({"F2": "A"}, {"F1": "G", "A1": "S"}, posture=[[], turned("A1")])
    play(match, "attack F2 A1")
    assert seen(match)["unit"][1] == board(F1="G")


def test_11_10_a_swap_before_the_rear_leaves_it() -> None:
    match = stand({"F1": "G", "A1": "A"}, {"F1": "S"}, hand=[["S"], []])
    play(match, "deploy S F1")
    assert seen(match)["unit"][0] == board(F1="S", A1="A")


def test_11_14_execution_comes_before_conscription() -> None:
    match = stand({"F2": "S"}, {"F2": "K1"}, hand=hand_of(6))
    match.play("attack F2 F2")
    assert match.result == ([0, 0], [0], "execution")
    assert seen(match)["graveyard"][1] == ["K1"]


# ---------------------------------------------------------------- §8


def test_8_the_oldest_citizen_then_the_hand_then_collapse() -> None:
    units: tuple[dict[str, str], dict[str, str]] = ({"F2": "S", "F1": "S", "F3": "S"}, {"F2": "A"})
    match = stand(*units, hand=[["A"] * 5, ["G"]], kingdom=[[], ["S", "G"]])
    play(match, "attack F2 F2")
    assert match.turn == 1
    assert notations(match) == ["conscript F1", "conscript F2", "conscript F3"]
    play(match, "conscript F3")
    assert seen(match)["kingdom"][1] == ["G"]
    play(match, "attack F1 F3", "conscript F1", "attack F3 F1")
    assert notations(match) == ["conscript G F1", "conscript G F2", "conscript G F3"]
    play(match, "conscript G F1")
    assert match.turn == 0
    assert seen(match)["phase"] == "development"
    last = stand(*units, hand=[["A"] * 5, []])
    last.play("attack F2 F2")
    assert last.result == ([0, 0], [0], "collapse")


# ---------------------------------------------------------------- §13


def test_13_the_table_of_moves() -> None:
    """Without options: 1 + 24 + 36 + 1 + 3 + 12 + 4 + 1 moves; openings are deployments too."""
    counts = Counter(Action(action) for action in MOVES["action"])
    usual = {
        Action.NOTHING: 1, Action.DEPLOY: 24, Action.ATTACK: 36, Action.STOP: 1,
        Action.CONSCRIPT: 3 + 12, Action.DEMOBILISE: 4, Action.END: 1,
    }  # fmt: skip
    assert {action: counts[action] for action in usual} == usual
    assert sum(usual.values()) == 82


FULL = dict.fromkeys(SLOTS, "A")


@pytest.mark.parametrize(
    ("mine", "hand", "most"),
    [
        (FULL, ["S", "G", "A", "K1"], 1 + 24 + 10),
        (FULL | {"F2": "K1"}, ["S", "G", "A"], 1 + 18 + 12),
    ],
)
def test_13_the_most_choices(mine: dict[str, str], hand: list[str], most: int) -> None:
    game = brelan.game("art-of-war", deck="custom", copies_A=10)
    match = stand(mine, FULL, game=game, hand=[hand, ["S"]])
    assert len(match.legal()) == most
    if len(hand) == 3:
        play(match, "attack A1 F2")
        assert len(match.legal()) == 12  # 13 with a STOP, less the one that has struck


def test_13_what_is_true_of_every_position() -> None:
    """§2 the column law; §5 the hand and the units of who acts; §9.3 when a war ends."""
    wars = 0
    for seed in range(8):
        walk, attacks = Walk(GAME, seed), 0
        for _ in walk.run(random.Random(seed)):
            state = walk.state
            for units in state.unit:
                assert all(units[slot] or not units[slot + FRONT] for slot in range(FRONT))
            if state.phase == Phase.ACTION:
                attacks = 0
                assert 1 <= state.held[state.active] <= 7
                assert state.unit[state.active].any()
            attacks += state.phase == Phase.ATTACK
            assert attacks <= 6
            assert state.turn_no <= 32
        if walk.state.reason >= Reason.CITIZENS:
            assert (walk.state.turn_no, walk.state.active) == (32, walk.state.first)
            assert not walk.state.pile_size.any()
            wars += 1
    assert wars > 2


# ---------------------------------------------------------------- §16


def test_16_king_row_whole_reaches_the_whole_front() -> None:
    game = brelan.game("art-of-war", king_row="whole")
    match = stand({"F1": "K1"}, dict.fromkeys(("F1", "F2", "F3", "A3", "A1"), "G"), game=game)
    reached = ["attack F1 F1", "attack F1 F2", "attack F1 F3", "attack F1 A3"]
    assert notations(match, "attack") == reached


def test_16_king_sweep_strikes_everybody_in_range() -> None:
    game = brelan.game("art-of-war", king_sweep="on")
    match = stand(
        {"F1": "K1"}, {"F2": "G", "F3": "S", "A3": "A", "F1": "S"}, game=game,
        posture=[[], turned("F3", "A3")],
    )  # fmt: skip
    assert notations(match, "attack") == []
    match.play("sweep F1")
    view = seen(match)
    assert view["kingdom"][0] == ["S", "A"]
    assert view["unit"][1] == board(F1="S", F2="G")
    assert view["damage"][1][:2] == [0, 1]


@pytest.mark.parametrize("first", [0, 1])
def test_16_king_deal_fixed_gives_k1_to_the_first_player(first: int) -> None:
    game = brelan.game("art-of-war", king_deal="fixed", first_player="random")
    deals = (game.deal(seed=seed) for seed in range(40))
    match = next(deal for deal in deals if seen(deal)["first"] == first)
    assert seen(match)["king_seen"] == (["K1", "K2"] if first == 0 else ["K2", "K1"])


def test_16_king_deal_independent_hides_the_king() -> None:
    game = brelan.game("art-of-war", king_deal="independent")
    match = game.deal(cards=["K2", "K2", "K1", "K1", *DECK, *DECK])
    assert seen(match, 0)["king"] == ["K2", None]
    assert seen(match, 0)["king_seen"] == [None, None]
    play(match, "deploy K F1")
    assert seen(match, 1)["king_seen"] == ["K2", None]
    pairs = {tuple(game.deal(seed=seed)._state.king.tolist()) for seed in range(40)}
    assert len(pairs) == 4


def test_16_king_citizen_off_keeps_the_king() -> None:
    for value, allowed in (("on", ["end", "demobilise K"]), ("off", [])):
        game = brelan.game("art-of-war", king_citizen=value)
        match = play(stand({"F2": "G"}, {"F1": "S"}, game=game, hand=[["K1"], ["S"]]), "nothing")
        assert (notations(match) if match.turn == 0 else []) == allowed


def test_16_a_captured_king_may_become_a_citizen() -> None:
    game = brelan.game("art-of-war", king_capture_ends="off")
    places: dict[str, Any] = {"hand": [["G", "A", "S", "S"], ["S"]], "kingdom": [[], ["G"]]}
    match = stand({"F2": "S"}, {"F2": "K1", "F1": "S"}, game=game, **places)
    play(match, "attack F2 F2")
    assert match.result is None
    assert seen(match)["kingdom"][0] == ["K1"]
    places["hand"][0].append("G")
    dead = play(stand({"F2": "S"}, {"F2": "K1"}, game=game, **places), "attack F2 F2")
    assert dead.result == ([0, 1], [0], "execution")


def test_16_of_two_kings_the_own_one_comes_first() -> None:
    game = brelan.game("art-of-war", king_capture_ends="off")
    match = stand(
        {"F2": "G"}, {"F1": "S"}, game=game, hand=[["K1", "K2"], ["S"]], king=["K2", "K1"]
    )
    play(match, "deploy K F1", "demobilise K")
    assert seen(match)["unit"][0] == board(F1="K2", F2="G")
    assert seen(match)["kingdom"][0] == ["K1"]


def test_16_demobilise_max_one() -> None:
    game = brelan.game("art-of-war", demobilise_max=1)
    match = play(stand({"F2": "G"}, {"F1": "S"}, game=game, hand=hand_of(3)), "nothing")
    match.play("demobilise S")
    assert match.turn == 1
    forced = play(stand({"F2": "G"}, {"F1": "S"}, game=game, hand=hand_of(7)), "nothing")
    play(forced, "demobilise S", "demobilise G")
    assert forced.turn == 1


def test_16_conscription_of_two_is_chosen_from_the_kingdom() -> None:
    game = brelan.game("art-of-war", conscription="two")
    places: dict[str, Any] = {"hand": [["A"] * 5, ["G"]], "kingdom": [[], ["S", "G", "A", "G"]]}
    match = play(stand({"F2": "S"}, {"F2": "A"}, game=game, **places), "attack F2 F2")
    assert len(notations(match)) == 9
    play(match, "conscript G F1")
    assert set(notations(match)) == {f"conscript {c} {s}" for c in "SGA" for s in ("F2", "F3")}
    play(match, "conscript A F3")
    assert seen(match)["kingdom"][1] == ["S", "G"]
    assert seen(match)["phase"] == "development"
    places["kingdom"] = [[], ["S"]]
    match = play(stand({"F2": "S"}, {"F2": "A"}, game=game, **places), "attack F2 F2")
    assert match.result == ([0, 1], [0], "collapse")


def test_16_equal_kingdoms_and_equal_kills_are_a_draw() -> None:
    game = brelan.game("art-of-war", war_tie="kills")
    places = {"unit": [board(F1="S"), board(F2="A")], "graveyard": [["S"] * 3, ["G"] * 3]}
    match = position(game, rest=None, turn=1, hand=[[], ["A"]], **places)
    assert seen(match)["kills"] == [3, 3]
    play(match, "nothing", "end")
    assert match.result == ([0, 0], [], "draw")


def test_16_reserve_is_a_queue_of_its_own() -> None:
    game = brelan.game("art-of-war", reserve="on")
    match = game.deal(cards=["K1", "K2", *DECK, *DECK])
    play(match, "deploy S F2", "deploy K F1")
    assert notations(match) == ["reserve S", "reserve K"]
    play(match, "reserve K", "reserve S")
    view = seen(match)
    assert (view["held"], view["reserves"]) == ([3, 2], [["K1"], ["S"]])
    assert {move.split()[1] for move in notations(match, "deploy")} == {"K"}
    assert notations(match, "reserve") == ["reserve S"]
    play(match, "deploy K F2")
    view = seen(match)
    assert (view["held"], view["reserves"][0], view["known"][0]) == ([3, 2], ["S"], [])
    play(match, "end", "reserve S", "end")
    assert seen(match)["reserves"][1] == ["S", "S"]


def test_16_support_helps_the_attack_and_the_defence() -> None:
    game = brelan.game("art-of-war", support="on")
    hands = [["S", "A", "G"], ["G", "S"]]
    match = stand({"F2": "S", "F1": "G"}, {"F2": "G", "F3": "G"}, game=game, hand=hands)
    assert notations(match, "support") == ["support S", "support A F2", "support A F3"]
    play(match, "support S", "support A F3", "attack F1 F3")
    assert match.turn == 1
    assert notations(match) == ["pass", "support G"]
    play(match, "pass")  # 1 + 1 for the Soldier, after 1 of the Archer
    view = seen(match)
    assert view["outcome"] == "dead"
    assert view["graveyard"] == [["S", "A"], ["G"]]
    play(match, "attack F2 F2", "support G")
    view = seen(match)
    assert (view["outcome"], view["unit"][1]) == ("blocked", board(F2="G"))
    assert view["phase"] == "development"


def test_16_kings_support_with_a_reserve() -> None:
    game = brelan.game("art-of-war", support="on", reserve="on")
    places: dict[str, Any] = {"hand": [["K1"], ["K2"]], "reserves": [["S"], []]}
    match = stand({"F2": "G"}, {"F2": "S"}, game=game, **places)
    assert notations(match, "support") == ["support K S", "support K A F2"]
    play(match, "support K A F2", "attack F2 F2", "support K G")
    assert seen(match)["reserves"] == [["S", "K1"], ["K2"]]


@pytest.mark.parametrize(("copies", "turns"), [((1, 2, 1), 0), ((0, 0, 5), 2), ((10, 10, 10), 52)])
def test_16_a_deck_of_any_units(copies: tuple[int, int, int], turns: int) -> None:
    """§16.7 A match has twice as many turns as a deck has cards, less 8."""
    counts = dict(zip(("copies_S", "copies_G", "copies_A"), copies, strict=True))
    knobs: dict[str, Any] = {"deck": "custom", **counts}
    match = brelan.game("art-of-war", **knobs).deal(seed=1)
    deck = ["S"] * copies[0] + ["G"] * copies[1] + ["A"] * copies[2]
    assert cards_of(match.game, match._state) == Counter(map(Card.__getitem__, deck * 2 + KINGS))
    while match.turn is not None:
        quiet = [notation for notation in notations(match) if notation in ("nothing", "end")]
        match.play(quiet[0] if quiet else notations(match)[0])
    assert seen(match)["turn_no"] == turns


@pytest.mark.parametrize(
    ("knobs", "words"),
    [
        ({"copies_S": 8}, "copies_S = 8 is for deck = custom"),
        ({"deck": "custom", "copies_S": 1, "copies_G": 1, "copies_A": 1}, "needs 4 cards at least"),
    ],
)
def test_16_knobs_that_do_not_go_together_are_refused(knobs: dict[str, Any], words: str) -> None:
    with pytest.raises(brelan.Refused, match=words):
        brelan.game("art-of-war", **knobs)


def test_4_cards_are_listed_pack_by_pack() -> None:
    with pytest.raises(brelan.Refused, match="cards 3 to 22 must be these 20"):
        GAME.deal(cards=["K1", "K2", *DECK[:-1], "G", *DECK])
    with pytest.raises(brelan.Refused, match="there are not so many cards K1"):
        stand({"F1": "K1"}, {"F1": "K1"})


# ---------------------------------------------------------------- positions that cannot be


def refused(words: str, game: brelan.Game = GAME, **places: Any) -> None:
    usual: dict[str, Any] = {"turn": 0, "unit": [board(F1="S"), board(F1="S")]}
    usual |= {"hand": [["S"], ["S"]], "rest": None if "pile" in places else "pile"}
    with pytest.raises(brelan.Refused, match=re.escape(words)) as refusal:
        position(game, **{**usual, **places})
    assert "\n" not in str(refusal.value)


IMPOSSIBLE: list[tuple[dict[str, Any], str]] = [
    ({"turn": 2}, "turn = 2 is no seat; seats are 0 to 1"),
    ({"kingdom": [["K1"], ["K1"]]}, "there are not so many cards K1: 2 are named"),
    ({"unit": [board(F1="K1"), board(F1="S")], "kingdom": [["K1"]]}, "not so many cards K1"),
    ({"kingdom": [["S"] * 17]}, "there are not so many cards S: 21 are named, and the pack has 18"),
    ({"kingdom": [["S", None, "G"]]}, "kingdom of seat 0 has a gap"),
    ({"kingdom": [["P"]]}, "kingdom of seat 0: there is no card 'P'; there are: K1, K2, S, G, A"),
    ({"citizens": [3, 0]}, "citizens says how many cards kingdom has: name them"),
    ({"held": [2, 1]}, "hand and held contradict each other in length"),
    ({"hand": [["S"], ["S"], ["S"]]}, "hand has room for 2, not 3"),
    ({"hand": [["A"] * 6, ["S"]]}, "seat 0 has 6 A in its hand, and a deck has 5; captives"),
    ({"hand": [[], ["S"]]}, "seat 0 has just drawn: its hand has a card"),
    ({"known": [["G"]]}, "known of seat 0 names a G that its hand has not"),
    (
        {"unit": [board(A1="S", F2="S"), board(F1="S")]},
        "A1 of seat 0 needs a unit before it, on F1",
    ),
    ({"unit": [["S"] * 7, board(F1="S")]}, "unit of seat 0 has room for 6, not 7"),
    ({"unit": [board(F1="S"), board()]}, "seat 1 has no unit left: that is a conscription or"),
    ({"posture": [[], turned("F2")]}, "F2 of seat 1 is empty: it has no posture and no damage"),
    ({"posture": [turned("F1")]}, "F1 of seat 0 has not attacked yet in phase = action"),
    ({"posture": [["asleep"]]}, "posture of seat 0 = 'asleep' is not known; there are: defensive"),
    ({"damage": [[], [1]]}, "F1 of seat 1 has not been struck yet in phase = action"),
    (
        {"damage": [[1]], "phase": "attack"},
        "F1 of seat 0 has not been struck yet in phase = attack",
    ),
    ({"damage": [[], [2]], "phase": "attack"}, "F1 of seat 1 with damage 2 is dead"),
    ({"damage": [[], [-1]], "phase": "attack"}, "F1 of seat 1 with damage -1 is dead, or never"),
    ({"phase": "preparation"}, "phase = preparation is the table's, and seat 0 has the turn"),
    ({"phase": "lunch"}, "phase = 'lunch' is not known; there are: deal, opening"),
    ({"phase": "opening"}, "seat 0 has 1 units in phase = opening"),
    ({"phase": "reserve_opening"}, "phase = reserve_opening needs reserve = on"),
    ({"phase": "block"}, "phase = block needs support = on"),
    ({"phase": "conscription"}, "seat 0 conscripts: it has no unit but those just called up"),
    ({"phase": "conscription", "to_conscript": 2}, "to_conscript is 1 to 1, not 2"),
    ({"to_conscript": 1}, "to_conscript is for phase = conscription"),
    ({"phase": "forced"}, "must_demobilise = 0 does not go with phase = forced"),
    ({"must_demobilise": 1}, "must_demobilise = 1 does not go with phase = action"),
    ({"active": 1}, "active does not agree with the other places"),
    ({"first": 7}, "first does not agree with the other places"),
    ({"bonus": 1}, "a bonus needs support = on"),
    ({"reserves": [["S"]]}, "seat 0 has a reserve; that needs reserve = on"),
    ({"graveyard": [["K1"]]}, "a King in a graveyard has ended the match"),
    (
        {"graveyard": [["S"]], "kills": [0, 2]},
        "seat 1 has 2 kills; the other graveyard has 1 units",
    ),
    ({"kingdom": [["K1", "K2"]]}, "seat 0 has both Kings; that needs king_capture_ends = off"),
    ({"king": ["K1", "K1"]}, "king has King 1 and King 2, one for each seat"),
    ({"kingdom": [["K2"]], "king": ["K1", "K2"]}, "seat 0 has K2, and was dealt K1"),
    ({"king_seen": [None, "K1"]}, "king_seen of seat 0 is K1: everybody has seen him"),
    ({"winner": 1}, "a match that goes on has no winner"),
    ({"reason": "draw"}, "a match that goes on has no winner, no reason"),
    ({"sweep_left": ["F1"]}, "no sweep half struck"),
    ({"sweep_left": ["F9"]}, "sweep_left = 'F9' is not known; there are: f1, f2, f3"),
    ({"pile": [["S"], ["K1"]]}, "pile has Soldiers, Guards and Archers only"),
    ({"pile": [["S", None, "S"], ["S"]]}, "pile has Soldiers, Guards and Archers only, and no gap"),
    ({"pile": [["S", "S"], ["S"]]}, "with the turn of seat 0 the decks cannot have 2 and 1 cards"),
    ({"pile": [["A"] * 6, ["S"] * 6]}, "seat 0 has 6 A in its hand and deck, and a deck has 5"),
]


@pytest.mark.parametrize(("places", "words"), IMPOSSIBLE, ids=[words for _, words in IMPOSSIBLE])
def test_position_refuses_what_cannot_be(places: dict[str, Any], words: str) -> None:
    refused(words, **places)


def test_position_refuses_an_attack_that_nobody_made() -> None:
    game = brelan.game("art-of-war", support="on")
    units = {"unit": [board(F2="S"), board(F2="G")]}
    refused("needs an attacker", game, phase="block", **units)
    blow: dict[str, Any] = {"attacker": "F2", "posture": [[], turned("F2")], "phase": "block"}
    refused("nobody stands on F1", game, target="F1", **blow, **units)
    match = position(game, rest="pile", turn=0, hand=[["G"], []], target="F2", **blow, **units)
    assert notations(match) == ["pass", "support G"]
    assert seen(match)["active"] == 1


def test_position_refuses_a_conscription_of_nobody() -> None:
    units = [board(), board(F2="S")]
    refused("seat 0 has nobody to conscript: that is a Collapse", unit=units, hand=[[], ["S"]],
            phase="conscription")  # fmt: skip
    two = brelan.game("art-of-war", conscription="two")
    for left, words in ((1, "it has no unit but those just called up"), (2, "that is a Collapse")):
        refused(words, two, unit=units, phase="conscription", to_conscript=left)


def test_who_began_follows_from_the_decks() -> None:
    units = [board(F1="S"), board(F1="S")]
    for sizes, first in (((3, 3), 1), ((3, 4), 0)):
        pile = [["S"] * size for size in sizes]
        match = position(GAME, rest=None, turn=0, unit=units, hand=[["G"], ["G"]], pile=pile)
        assert seen(match)["first"] == first
