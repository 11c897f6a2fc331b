"""Positions set up by hand: what no match can come to is refused, in one line that says why."""

from __future__ import annotations

import random
from typing import Any

import pytest

import brelan
from brelan.engine.match import Match
from brelan.suite.walk import Walk, cards_of
from brelan.testing import position

from ..cards import KINGS
from ..state import Phase
from ..unreachable import unreachable
from .test_examples import E6_COURT, GAME, court
from .test_reference import random_game

PACKETS = [["H2", "H3", "H4", "H5"], ["C2", "C3", "C4", "C5"]]
TURN: dict[str, Any] = {"turn": 0, "hand": [["H9"], ["C9"]], "rest": None}
DRAFT: dict[str, Any] = {"turn": 0, "packet": PACKETS, "rest": "stock"}
REMOVED = {"dead_family": "removed"}
BURNED = ["S2", "S3", "S4", "S5", "S6", "S7", "S8", "S9"]

REFUSED: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("2 seats serve HK: each seat has a King of its own", {}, TURN | {"serves": ["HK", "HK"]}),
    ("H7 is no King", {}, TURN | {"serves": ["HK", "H7"]}),
    ("HK is served and aside", {}, TURN | {"serves": ["HK", "SK"], "aside": ["HK"]}),
    ("Kings for some seats only", {}, TURN | {"aside": ["HK", "DK", "SK"]}),
    ("seat 1 reveals SK: it serves DK", {}, TURN
        | {"serves": ["HK", "DK"], "revealed": ["HK", "SK"]}),
    ("a King aside lies face up", {}, TURN | {"shown_aside": ["SK"]}),
    ("a King aside lies face down", {"show_unused_king": "on"}, TURN | {"aside": ["SK"]}),
    ("cards are removed", {}, TURN | {"removed": ["S2"]}),
    ("cards are burned: they are with two players only", {"players": 3}, TURN | {"burned": ["S2"]}),
    ("S9 is of a dead family", REMOVED, TURN | {"serves": ["HK", "CK"], "hand": [["S9"], ["C9"]]}),
    ("H3 on 2.1 floats: 1.1 and 1.2 below it", {}, TURN
        | {"court": court({"1.1": "H2", "2.1": "H3"})}),
    ("H3 on 2.1 floats: 1.1 or 1.2 below it", {"single_support": "on"}, TURN
        | {"court": court({"1.3": "H2", "2.1": "H3"})}),
    ("CK on 4.1 floats: 3.1 and 3.2 below it", {}, TURN
        | {"court": ["CK", None, *E6_COURT[2:]]}),
    ("there is a discard", {}, TURN | {"discard": ["S2"]}),
    ("seat 0 holds 14 cards: a hand has 13 at most", {}, TURN
        | {"hand": [["HA", *(f"H{n}" for n in range(2, 11)), "HJ", "HQ", "HK", "SK"], ["C9"]]}),
    ("8 cards are laid and 26 in hand: 26 can be played", {}, TURN | {
        "court": [None, None, None, None, None, None, "SA", "S2", "S3", "S4"],
        "discard": ["S5", "S6", "S7", "S8"],
        "hand": [[f"{f}{r}" for r in ("A", *range(2, 11), "J", "Q", "K")] for f in "HC"],
    }),
    ("seat 0 has the turn and no card", {}, TURN | {"hand": [[], ["C9"]]}),
    ("there is nothing to swap", {}, TURN | {"phase": "swap", "court": court({"1.1": "HQ"})}),
    ("there is nothing to swap", {}, TURN
        | {"phase": "swap", "court": court({"1.1": "HJ", "1.2": "HA"})}),
    ("there is nothing to exchange", {}, TURN
        | {"phase": "give", "court": court({"1.1": "HJ"}), "hand": [["H9"], []]}),
    ("the phase is not draw: it may be play, swap, give", {}, TURN | {"phase": "draw"}),
    ("2 cards are laid after 1 turns", {}, TURN
        | {"turn_no": 1, "round_no": 1, "court": court({"1.1": "H2", "1.2": "H3"})}),
    ("the game would be over: two players must be able to play", {"players": 3}, TURN
        | {"court": E6_COURT, "hand": [["C10", "H9"], ["D3"], ["C2"]]}),
    ("the game would be over: two players must", {"end_check": "immediate"}, TURN
        | {"turn": 1, "turn_no": 1, "court": court({"1.1": "H2"}), "hand": [[], ["C9"]]}),
    ("the game would be over: a player must", {"players": 3, "end_check": "solo_finish"}, TURN
        | {"court": E6_COURT, "hand": [["H9"], ["D3"], ["C2"]]}),
    ("packets are not dealt with draft = random", {"draft": "random"}, DRAFT),
    ("the phase is not swap: it may be keep, burn", {}, DRAFT | {"phase": "swap"}),
    ("deal_no is 7: there are 6 deals", {}, DRAFT | {"deal_no": 7, "rest": None}),
    ("step is 3: somebody chooses at steps 1 to 2", {}, DRAFT | {"step": 3}),
    ("nobody chooses what to burn", {"two_player_draft": "full"}, DRAFT | {"phase": "burn"}),
    ("cards lie on the Court", {}, DRAFT | {"court": court({"1.1": "H9"})}),
    ("HK is in a hand or a packet", {}, DRAFT
        | {"packet": [["HK", "H3", "H4", "H5"], PACKETS[1]], "rest": None}),
    ("the stock has 36 cards: there must be packets of 4", {}, DRAFT
        | {"burned": BURNED[:4]}),
    ("seat 1 has 3 cards in the packet: it must have 4", {}, DRAFT
        | {"packet": [PACKETS[0], PACKETS[1][:3]], "rest": None}),
    ("seat 0 has 0 cards chosen: it must have 2", {}, DRAFT | {"turn": 1}),
    ("seat 0 has 0 cards chosen: it must have 1", {}, DRAFT | {"phase": "burn"}),
    ("seat 0 has 1 cards in hand: it must have 0", {}, DRAFT | {"hand": [["H9"]], "rest": None}),
    ("8 cards are burned: there must be 0", {}, DRAFT | {"burned": BURNED}),
    ("40 cards are left for the stock: it has 32 by now", {}, DRAFT | {"deal_no": 2}),
    ("packets have moved: say what each seat remembers", {}, DRAFT | {
        "deal_no": 2, "hand": [["H9", "H10"], ["C9", "C10"]], "burned": BURNED[:4],
    }),
]  # fmt: skip


@pytest.mark.parametrize(("why", "knobs", "places"), REFUSED, ids=lambda each: str(each)[:50])
def test_no_match_can_come_to_this(why: str, knobs: dict[str, Any], places: dict[str, Any]) -> None:
    with pytest.raises(brelan.Refused) as refused:
        position(brelan.game(GAME, **knobs), **places)
    assert why in str(refused.value)
    assert "\n" not in str(refused.value)


def test_what_matches_come_to_is_not_refused() -> None:
    for seed in range(12):
        choice = random.Random(seed)
        for walk in Walk(random_game(choice), seed).run(choice):
            state = walk.state
            if walk.seat is not None:
                is_draft = state.phase in (Phase.KEEP, Phase.BURN)
                given = {"packet": 0, "remembered": 0, "serves": [*state.serves[: state.players]]}
                assert not list(unreachable(state, given if is_draft else {}))


def end_of(match: Match) -> brelan.Result:
    choice = random.Random(1)
    while match.turn is not None:
        match.play(choice.choice(match.legal()))
    assert match.result is not None
    return match.result


@pytest.mark.parametrize(
    "knobs",
    [{}, {"two_player_draft": "full"}, {"show_unused_king": "on"}, REMOVED],
    ids=lambda knobs: str(*knobs),
)
def test_a_draft_set_up_by_hand_goes_on_to_the_end(knobs: dict[str, str]) -> None:
    """The Kings lie apart, and the stock is dealt to its last card."""
    game = brelan.game(GAME, **knobs)
    match = position(game, **DRAFT, serves=["HK", "CK"])
    state = match._state
    assert not {*state.stock} & {*KINGS}
    assert list(state.king[:2]) == list(state.serves[:2])
    assert sorted(cards_of(game, state).elements()) == sorted(game.pack)
    end_of(match)
    assert sorted(cards_of(game, match._state).elements()) == sorted(game.pack)


def test_what_a_match_can_come_to_is_set_up() -> None:
    chosen = position(
        brelan.game(GAME, players=3), rest="stock", turn=1, chosen=[["H6", "H7"], ["C6"]],
        packet=[["H2", "H3"], ["C2", "C3", "C4"], ["D2", "D3", "D4", "D5"]],
    )  # fmt: skip
    assert len(chosen.legal()) == 3
    end_of(chosen)
    burning = position(
        brelan.game(GAME), rest="stock", turn=0, phase="burn", chosen=[["H6"]],
        packet=[["H2", "H3", "H4"], PACKETS[1]],
    )  # fmt: skip
    assert {move.notation for move in burning.legal()} == {"burn H2", "burn H3", "burn H4"}
    end_of(burning)


def test_the_round_is_what_the_cards_laid_have_taken() -> None:
    for laid, turn_no, phase, round_no in (
        (0, 0, "play", 1),
        (1, 0, "play", 2),
        (1, 0, "give", 1),
        (2, 0, "play", 2),
        (3, 1, "play", 2),
    ):
        row = [*["HJ", "H2", "H3"][:laid], None, None, None, None][:4]
        places = {"court": [None] * 6 + row, "phase": phase, "turn": turn_no, "turn_no": turn_no}
        match = position(brelan.game(GAME), **(TURN | places))
        assert match.view(None).as_dict()["round_no"] == round_no
