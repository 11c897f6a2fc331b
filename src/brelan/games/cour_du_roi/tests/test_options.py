"""Every option of La cour du Roi (§14): what it changes, and how `cards=` is consumed (§4)."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

import brelan
from brelan.engine.match import Match

from ..cards import COVERED_BY, KNOBS, RANKS
from .test_examples import GAME, court, notations, play, stand

NAMES = ["A", *map(str, range(2, 11)), "J", "Q", "K"]


def drafted(players: int, **knobs: Any) -> Match:
    """A match in which every choice of the draft was the first one."""
    match = brelan.game(GAME, players=players, **knobs).deal(seed=1)
    while match.view(None).as_dict()["phase"] in ("keep", "burn"):
        match.play(match.legal()[0])
    return match


@pytest.mark.parametrize(
    ("players", "knobs", "hand", "burned", "removed"),
    [
        (2, {"two_player_draft": "full"}, 25, 0, 0),
        (2, {"dead_family": "removed"}, 13, 0, 24),
        (3, {"dead_family": "removed"}, 13, 0, 12),
        (4, {"dead_family": "removed"}, 13, 0, 0),
        (2, {"draft": "random"}, 13, 24, 0),
        (3, {"draft": "random"}, 17, 0, 0),
        (4, {"draft": "random"}, 13, 0, 0),
        (2, {"draft": "random", "two_player_draft": "full"}, 25, 0, 0),
        (3, {"draft": "random", "dead_family": "removed"}, 13, 0, 12),
    ],
)
def test_hands(players: int, knobs: dict[str, Any], hand: int, burned: int, removed: int) -> None:
    match = drafted(players, **knobs)
    view = match.view(None).as_dict()
    assert (view["held"], view["burned_size"]) == ([hand] * players, burned)
    gone = [card for card in view["removed"] if card]
    dead = {king[0] for king in view["shown_aside"] if king}
    assert (len(gone), {card[0] for card in gone}) == (removed, dead)
    held = [card for seat in range(players) for card in match.view(seat).as_dict()["hand"][seat]]
    assert not [card for card in held if card[0] in dead]


COVERS = {
    "cycle": {
        "A": "A J Q K",
        **{str(number): f"A {' '.join(NAMES[1:number])}" for number in range(2, 11)},
        "J": "2 3 4 5 6 7 8 9 10 J",
        "Q": "2 3 4 5 6 7 8 9 10 J Q",
        "K": "2 3 4 5 6 7 8 9 10 J Q K",
    },
}
COVERS["cycle_weak_ace"] = {rank: f"{old} A" for rank, old in COVERS["cycle"].items()}
LADDER = ["J", "Q", "K", *NAMES[:10]]
COVERS["ladder"] = {rank: " ".join(LADDER[: 1 + place]) for place, rank in enumerate(LADDER)}


@pytest.mark.parametrize(
    ("order", "pairs"), [("cycle", 91), ("ladder", 91), ("cycle_weak_ace", 94)]
)
def test_what_covers_what(order: str, pairs: int) -> None:
    row = COVERED_BY[KNOBS["order"].values.index(order)]
    ranks = range(1, RANKS + 1)
    legal = {(new, old) for new, old in itertools.product(ranks, ranks) if row[old] >> new & 1}
    assert legal == {
        (1 + NAMES.index(new), 1 + NAMES.index(old))
        for new, covered in COVERS[order].items()
        for old in covered.split()
    }
    assert len(legal) == pairs


def test_a_queen_that_finds_no_supported_swap_swaps_nothing() -> None:
    cards = court({"1.1": "H7", "1.2": "D9", "2.1": "D2"})
    hands = [["SQ", "C3"], ["C4", "C5"]]
    assert play(stand(2, turn=0, court=cards, hand=hands), "SQ 2.1").turn == 0
    if_needed = stand(2, {"queen_needs_support": "on"}, turn=0, court=cards, hand=hands)
    play(if_needed, "SQ 2.1")
    assert notations(if_needed) == {"swap 1.1 1.2"}
    lone = court({"1.1": "H7", "2.1": "S2"})
    knobs = {"queen_needs_support": "on", "single_support": "on"}
    assert play(stand(2, knobs, turn=0, court=lone, hand=hands), "SQ 2.1").turn == 1


@pytest.mark.parametrize(("card", "powers"), [("HQ", 3), ("HJ", 1)])
def test_a_power_may_be_declined(card: str, powers: int) -> None:
    places: dict[str, Any] = {"turn": 0, "court": court({"1.1": "S7", "1.2": "D9"})}
    places["hand"] = [[card, "D3"], ["C4", "C5"]]
    match = play(stand(2, **places), f"{card} 1.3")
    assert "decline" not in notations(match)
    match = play(stand(2, {"powers_optional": "on"}, **places), f"{card} 1.3")
    assert len(match.legal()) == powers + 1
    before = match.view(None).as_dict()
    play(match, "decline")
    after = match.view(None).as_dict()
    assert match.turn == 1
    assert all(before[place] == after[place] for place in ("court", "held", "discard"))


@pytest.mark.parametrize(("players", "aside"), [(2, 2), (3, 1), (4, 0)])
def test_kings_set_aside_may_be_shown(players: int, aside: int) -> None:
    for value, shown in (("off", 0), ("on", aside)):
        match = drafted(players, show_unused_king=value)
        kings = {king for king in match.view(None).as_dict()["shown_aside"] if king}
        assert len(kings) == shown
        own = {match.view(seat).as_dict()["serves"][seat] for seat in range(players)}
        assert not kings & own


@pytest.mark.parametrize(
    ("draft", "givers"), [("pass_left", [2, 2, 2, 2]), ("alternate", [2, 1, 2, 1])]
)
def test_packets_may_change_direction(draft: str, givers: list[int]) -> None:
    """Whose packet seat 0 receives first, deal by deal, among three players."""
    match = brelan.game(GAME, players=3, draft=draft).deal(seed=1)
    found: list[int] = []
    while match.view(None).as_dict()["phase"] == "keep":
        packets = [{*match.view(seat).as_dict()["packet"][seat]} for seat in range(3)]
        if [len(packet) for packet in packets] == [4, 4, 4]:
            dealt = packets
        if [len(packet) for packet in packets] == [2, 2, 2] and match.turn == 0:
            found += [seat for seat in range(3) if packets[0] <= dealt[seat]]
        match.play(match.legal()[0])
    assert found == givers


@pytest.mark.parametrize("seat", range(4))
def test_the_first_player_may_be_fixed(seat: int) -> None:
    assert drafted(4, draft="random", first_player=f"seat{seat}").turn == seat


def test_the_first_player_is_drawn_by_lot() -> None:
    game = brelan.game(GAME, players=3, draft="random")
    assert {game.deal(seed=seed).turn for seed in range(20)} == {0, 1, 2}


@pytest.mark.parametrize("seed", range(3))
def test_the_loser_begins_the_next_game(seed: int) -> None:
    game = brelan.game(GAME, players=3, draft="random", games=2, first_player="loser")
    match, choice = game.deal(seed=seed), random.Random(seed)
    while match.view(None).record.game_no == 1:
        match.play(choice.choice(match.legal()))
    view = match.view(None).as_dict()
    assert view["points"][view["first"]] == min(view["points"])
    first = view["points"]
    while match.turn is not None:
        match.play(choice.choice(match.legal()))
    view = match.view(None).as_dict()
    assert match.result is not None
    assert match.result.scores == [a + b for a, b in zip(first, view["points"], strict=True)]


def test_4_an_explicit_list_of_cards() -> None:
    kings, others = (
        ["SK", "HK", "DK", "CK"],
        [str(card.printed) for card in brelan.game(GAME).packs[1]],
    )
    random.Random(1).shuffle(others)
    match = brelan.game(GAME, players=3).deal(seed=1, cards=kings + others)
    for seat in range(3):
        view = match.view(seat).as_dict()
        assert view["serves"][seat] == kings[seat]
        assert {*view["packet"][seat]} == {*others[4 * seat : 4 * seat + 4]}
    while match.view(None).as_dict()["deal_no"] == 1:
        match.play(match.legal()[0])
    assert {*match.view(0).as_dict()["packet"][0]} == {*others[12:16]}
    dealt = brelan.game(GAME, players=3, draft="random").deal(seed=1, cards=kings + others)
    assert dealt.turn == 0
    assert {*dealt.view(1).as_dict()["hand"][1]} == {*others[16:32], "HK"}
    named = brelan.game(GAME, players=3, draft="random", first_player="seat2")
    assert named.deal(seed=1, cards=kings + others).turn == 2
    small = brelan.game(GAME, players=3, draft="random", dead_family="removed")
    left = [card for card in others if card[0] != "C"]
    view = small.deal(seed=1, cards=kings + others).view(0).as_dict()
    assert {*view["hand"][0]} == {*left[:12], "SK"}
