"""The worked examples of the specification (§13), by number, and special cases of §10."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

import brelan
from brelan.engine.match import Match
from brelan.suite.walk import Walk
from brelan.testing import position

from ..cards import BOTTOM, FAMILY, MOVES, SUPPORT, Card, Kind
from ..state import BY_SEAT
from ..story import points

GAME = "cour-du-roi"
SLOTS = ["4.1", "3.1", "3.2", "2.1", "2.2", "2.3", "1.1", "1.2", "1.3", "1.4"]
E2_COURT = {"1.1": "H7", "1.2": "D9", "1.4": "CA"}
E3_COURT = ["D6", "S9", "CQ", "HJ", "S4", "DQ", "H7", "SK", "C10", "DA"]
E6_COURT = ["CK", "HJ", "SQ", "HQ", "S10", "DJ", "HK", "SK", "DQ", "CJ"]


def court(cards: dict[str, str]) -> list[str | None]:
    return [cards.get(slot) for slot in SLOTS]


def stand(players: int, knobs: dict[str, Any] | None = None, **places: Any) -> Match:
    game = brelan.game(GAME, players=players, **(knobs or {}))
    return position(game, rest=None, **places)


def notations(match: Match) -> set[str]:
    return {move.notation for move in match.legal()}


def play(match: Match, *moves: str) -> Match:
    for move in moves:
        match.play(move)
    return match


@pytest.mark.parametrize(
    ("players", "hand", "aside", "burned"), [(2, 13, 2, 24), (3, 17, 1, 0), (4, 13, 0, 0)]
)
def test_e1_arithmetic(players: int, hand: int, aside: int, burned: int) -> None:
    match = brelan.game(GAME, players=players).deal(seed=1)
    while match.view(None).as_dict()["phase"] != "play":
        match.play(match.legal()[0])
    view = match.view(None).as_dict()
    assert view["held"] == [hand] * players
    assert (view["burned_size"], view["stock_size"]) == (burned, 0)
    assert players * hand + aside + burned == 52


@pytest.mark.parametrize(
    ("knobs", "plays"),
    [
        ({}, 13),
        ({"order": "ladder"}, 11),
        ({"order": "cycle_weak_ace"}, 14),
        ({"single_support": "on"}, 14),
    ],
)
def test_e2_legal_plays(knobs: dict[str, Any], plays: int) -> None:
    hands = [["H2", "SK", "D10", "SA"], ["C3"]]
    match = stand(2, knobs, turn=0, court=court(E2_COURT), hand=hands)
    assert len(match.legal()) == plays
    if not knobs:
        expected = {
            "H2": "1.3 2.1 1.4",
            "SK": "1.3 1.1 1.2",
            "D10": "1.3 2.1 1.1 1.2 1.4",
            "SA": "1.3 1.4",
        }
        assert notations(match) == {
            f"{c} {s}" for c, slots in expected.items() for s in slots.split()
        }


def test_e3_scoring_with_a_dead_family() -> None:
    places: dict[str, Any] = {"turn": 2, "turn_no": 2, "serves": ["HK", "SK", "DK"]}
    match = stand(3, court=["D5", *E3_COURT[1:]], hand=[[], [], ["D6"]], **places)
    play(match, "D6 4.1")
    assert match.result is not None
    assert (match.result.scores, match.result.winners) == ([29, 48, 49], [2])
    assert points(match.view(None).record.court, FAMILY[Card.CK]) == 46


def test_13_4_a_queen() -> None:
    places: dict[str, Any] = {"turn": 0, "court": E3_COURT, "serves": ["HK", "SK", "DK"]}
    hands = [["HQ", "H2"], ["S3"], ["D3"]]
    match = play(stand(3, hand=hands, **places), "HQ 4.1")
    assert len(match.legal()) == 45
    assert match.view(None).as_dict()["discard"] == ["D6"]
    match = play(match, "swap 3.1 1.1")
    match.resign(0)
    assert match.result is not None
    assert match.result.scores == [91, 30, 25]
    needy = play(stand(3, {"queen_needs_support": "on"}, hand=hands, **places), "HQ 4.1")
    assert len(needy.legal()) == 16
    assert "swap 3.1 1.1" in notations(needy)
    assert "swap 3.2 2.1" not in notations(needy)


def test_e5_a_jack_gives_one_and_draws_one() -> None:
    drawn: Counter[str] = Counter()
    for seed in range(90):
        match = stand(2, turn=0, hand=[["CJ", "H5", "S2"], ["D9", "SK", "C4"]], serves=["HK", "DK"])
        match._secret = seed.to_bytes(32, "little")
        play(match, "CJ 1.1", "give S2 to 1")
        mine, theirs = (match.view(seat).as_dict()["hand"][seat] for seat in (0, 1))
        assert (len(mine), len(theirs)) == (2, 3)
        assert "S2" in theirs
        card = next(card for card in mine if card != "H5")
        drawn[card] += 1
        assert {*theirs, card} == {"D9", "SK", "C4", "S2"}
        assert match.view(0).as_dict()["serves"][0] == "HK"  # §10.8, though SK may have come
        assert match.view(0).as_dict()["exchanged"][0][0] == ["S2", card]
        assert match.view(1).as_dict()["serves"][1] == "DK"
    assert set(drawn) == {"D9", "SK", "C4"}
    assert min(drawn.values()) > 15
    last = play(stand(2, turn=0, hand=[["CJ"], ["D9", "C4"]]), "CJ 1.1")
    assert last.turn == 1


def test_13_5_a_jack_that_may_draw_the_gift_back() -> None:
    drawn: Counter[str] = Counter()
    for seed in range(120):
        match = stand(
            3, {"jack_draws": "after_gift"}, turn=0,
            hand=[["CJ", "H5", "S2"], ["D9", "SK", "C4"], ["C7", "C8"]], serves=["HK", "DK", "CK"],
        )  # fmt: skip
        match._secret = seed.to_bytes(32, "little")
        play(match, "CJ 1.1", "give S2 to 1")
        mine, theirs = (match.view(seat).as_dict()["hand"][seat] for seat in (0, 1))
        assert (len(mine), len(theirs)) == (2, 3)
        assert {*mine, *theirs} == {"H5", "S2", "D9", "SK", "C4"}
        card = match.view(1).as_dict()["exchanged"][1][0][1]
        assert card == next(card for card in mine if card != "H5")
        drawn[card] += 1
        told = [match.story(seat, "en")[-1] for seat in (0, 1, 2)]
        assert told[2] == "From Seat 1’s hand Seat 0 draws a card."
        if card == "S2":
            assert told[0] == "From Seat 1’s hand you draw your own card back: the 2 of spades."
            assert told[1].endswith("Seat 0 draws the card back that was given: the 2 of spades.")
    assert set(drawn) == {"D9", "SK", "C4", "S2"}
    assert min(drawn.values()) > 15


def test_e6_blocked_freed_and_the_end() -> None:
    hands = [["H9", "D3"], ["SA"], ["C2", "C10"]]
    able = [stand(3, turn=seat, court=E6_COURT, hand=hands).legal() for seat in range(3)]
    assert [[move.notation for move in able[seat]] for seat in (0, 2)] == [["pass"], ["C10 2.2"]]
    match = stand(3, turn=0, court=E6_COURT, hand=hands, serves=["HK", "SK", "CK"])
    assert notations(match) == {"pass"}
    play(match, "pass")
    assert len(match.legal()) == 9
    play(match, "SA 4.1")
    assert notations(match) == {"C10 2.2", "C2 4.1", "C10 4.1"}
    play(match, "C10 2.2")
    assert match.turn == 0
    play(match, "H9 4.1")
    assert (match.turn, notations(match)) == (2, {"pass"})
    play(match, "pass")
    assert match.result is not None
    assert (match.result.scores, match.result.winners) == ([106, 49, 31], [0])


@pytest.mark.parametrize(
    ("end_check", "moves", "scores"),
    [
        ("immediate", [], [13, 6]),
        ("round", ["S9 2.1"], [13, 24]),
        ("solo_finish", ["S9 2.1", "S8 2.2"], [13, 40]),
    ],
)
def test_13_7_three_ways_of_ending(end_check: str, moves: list[str], scores: list[int]) -> None:
    row = court({"1.1": "H10", "1.2": "S6", "1.3": "D4"})
    hands = [["H3"], ["S9", "S8"]]
    match = stand(2, {"end_check": end_check}, turn=0, court=row, hand=hands, serves=["HK", "SK"])
    play(match, "H3 1.4", *moves)
    assert match.result is not None
    assert match.result.scores == scores


@pytest.mark.parametrize(("tie_break", "winners"), [("shared", [0, 1]), ("summit", [0])])
def test_e8_a_tie(tie_break: str, winners: list[int]) -> None:
    # 52 + 9 = 61 with the summit, 33 + 20 + 8 = 61 without, 20 + 18 + 2 = 40
    cards = {"4.1": "HK", "3.1": "SJ", "2.1": "S10", "1.1": "H9", "1.2": "S8"}
    cards |= {"2.2": "D10", "2.3": "D9", "1.3": "D2", "3.2": "C5"}
    match = stand(
        3, {"tie_break": tie_break}, turn=2, turn_no=2, court=court(cards | {"1.4": "CA"}),
        hand=[[], [], ["C2"]], serves=["HK", "SK", "DK"],
    )  # fmt: skip
    play(match, "C2 1.4")
    assert match.result is not None
    assert (match.result.scores, match.result.winners) == ([61, 61, 40], winners)


def test_e9_one_deal_with_two_players() -> None:
    dealt = ["H3", "C8", "SQ", "D5", "H10", "C2", "S7", "DJ"]
    game = brelan.game(GAME)
    others = [card.printed for card in game.packs[1] if card.printed not in dealt]
    match = game.deal(seed=1, cards=["HK", "SK", "DK", "CK", *dealt, *others])
    play(match, "keep SQ", "burn D5", "keep DJ", "burn C2")
    assert sorted(match.view(0).as_dict()["packet"][0]) == ["H10", "S7"]
    play(match, "keep H10", "keep C8")
    view = match.view(0).as_dict()
    assert (sorted(view["hand"][0]), view["held"], view["burned_size"]) == (
        ["H10", "SQ"],
        [2, 2],
        4,
    )
    mine, theirs = view["remembered"][0][:2]
    assert mine == ["SQ", "D5", "H3", "C8"]  # kept, burned, and two passed on
    assert theirs == [None, None, "H10", "S7"]
    assert match.view(1).as_dict()["remembered"][1][0] == [None, None, "C8", "H3"]


@pytest.mark.parametrize(("card", "old"), [("H10", "H9"), ("S7", "H7"), ("SA", "HA"), ("SK", "HK")])
def test_10_1_and_2_the_own_family_and_equal_ranks_may_be_covered(card: str, old: str) -> None:
    match = stand(2, turn=0, court=court({"1.1": old}), hand=[[card], ["C3"]], serves=["HK", "DK"])
    assert f"{card} 1.1" in notations(match)


def test_10_9_a_king_in_the_discard_is_still_served() -> None:
    cards = court({"1.1": "HK", "1.2": "H9"})
    hands = [[], ["CA"]]
    match = stand(2, turn=1, turn_no=1, court=cards, hand=hands, serves=["HK", "DK"])
    play(match, "CA 1.1")
    assert match.result is not None
    assert (match.result.scores, match.result.winners) == ([9, 0], [0])


def test_10_10_and_11_only_new_cards_look_at_their_supports() -> None:
    row = {"1.1": "H7", "1.2": "D9", "1.3": "C4", "1.4": "C5", "2.1": "H2"}
    hands = [["C10", "S3"], ["S8", "C3", "D3"]]
    match = stand(2, turn=0, court=court(row), hand=hands)
    assert "S3 2.2" not in notations(match)
    play(match, "C10 1.1", "S8 1.3")
    assert match.view(None).as_dict()["court"][SLOTS.index("2.1")] == "H2"
    assert "S3 2.2" in notations(match)


def test_10_13_all_are_blocked_in_the_middle_of_a_round() -> None:
    match = stand(3, turn=0, court=E6_COURT, hand=[["DK", "H9"], ["D10"], ["C2"]])
    play(match, "DK 2.2")
    for seat in (1, 2):
        assert (match.turn, notations(match)) == (seat, {"pass"})
        play(match, "pass")
    assert match.result is not None
    assert match.result.reason == "nobody_can_play"


def test_9_the_most_points_there_are() -> None:
    best = ["HK", "HQ", "HJ", "H10", "H9", "H8", "H7", "H6", "H5", "H3"]
    match = stand(2, turn=0, turn_no=1, court=best, hand=[["H4"], []], serves=["HK", "SK"])
    play(match, "H4 1.4")
    assert match.result is not None
    assert match.result.scores == [197, 0]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_7_what_is_always_true(players: int) -> None:
    walk = Walk(brelan.game(GAME, players=players), players)
    before = walk.state.copy()
    for _ in walk.run(random.Random(players)):
        state = walk.state
        filled = {slot for slot in range(len(SLOTS)) if state.court[slot]}
        assert filled >= {slot for slot in range(len(SLOTS)) if before.court[slot]}
        for slot in filled - {*range(BOTTOM, len(SLOTS))}:
            assert filled >= {SUPPORT[slot], SUPPORT[slot] + 1}
        if before.first:
            noted = state.log[before.log_size : state.log_size]
            cards = [entry for entry in noted if MOVES[entry % BY_SEAT].kind == Kind.LAY]
            assert before.held.sum() - state.held.sum() == len(cards) <= 1
            assert (state.serves == before.serves).all()
        before = state.copy()


def test_10_a_queen_without_two_cards_swaps_nothing() -> None:
    hands = [["HQ", "D3"], ["C4", "C5"]]
    assert play(stand(2, turn=0, hand=hands), "HQ 1.1").turn == 1
    covering = stand(2, turn=0, hand=hands, court=court({"1.1": "S7"}))
    assert play(covering, "HQ 1.1").turn == 1


def test_only_the_two_players_know_what_a_jack_moved() -> None:
    hands = [["CJ", "H5"], ["D9"], ["C4", "C6"]]
    match = play(stand(3, turn=0, hand=hands), "CJ 1.1", "give H5 to 1")
    seen = [[move.notation for move in match.view(seat).history] for seat in (None, 0, 1, 2)]
    assert seen[1][1:] == seen[2][1:] == ["give H5 to 1", "draw D9"]
    assert seen[0][1:] == seen[3][1:] == ["give ? to 1", "draw ?"]
