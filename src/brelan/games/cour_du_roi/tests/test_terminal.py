"""The table of La cour du Roi in a terminal: it can be drawn at every ply, and tells no secrets."""

from __future__ import annotations

import io
import random
from typing import Any

import pytest
from rich.console import Console

import brelan
from brelan.engine.match import Match
from brelan.i18n import LANGUAGES
from brelan.suite.walk import Walk
from brelan.terminal.screen import Room, Screen
from brelan.testing import position

from ..cards import Card
from ..memory import ASIDE, BURNED, whereabouts
from ..terminal import draw, path

WIDTHS = (80, 100)


def drawn(match: Match, seat: int | None, language: str, width: int, room: Room) -> list[str]:
    console = Console(file=io.StringIO(), width=width)
    screen = Screen(match.game.folder.texts(language), console)
    screen.room = room
    names = [f"greedy (seat {number})" for number in range(match.game.players)]
    screen.print(draw(match.view(seat), names, screen))
    return console.file.getvalue().splitlines()  # type: ignore[attr-defined, no-any-return]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_table_can_be_drawn_and_fits(players: int) -> None:
    choice = random.Random(players)
    game = brelan.game("cour-du-roi", players=players, games=2 if players == 2 else 1)
    match = game.deal(seed=players)
    while match.turn is not None:
        if choice.random() < 0.2:
            seat, language, width = (
                choice.choice(options) for options in ((None, *range(players)), LANGUAGES, WIDTHS)
            )
            lines = drawn(match, seat, language, width, choice.choice(list(Room)))
            assert max(map(len, lines)) <= width
        move = choice.choice(match.legal())
        assert path(match.view(match.turn).record, move.id) or move.notation == "pass"
        match.play(move)
    assert "★" in "".join(drawn(match, 0, "fr", 80, Room.TIGHT))


def test_the_court_says_where_cards_go_and_why_not_elsewhere() -> None:
    court = [None] * 6 + ["H7", "D9", None, "CA"]
    hands = [["H2", "SK", "D10", "SA"], ["C3"]]
    match = position(brelan.game("cour-du-roi"), rest=None, turn=0, court=court, hand=hands)
    wall = "\n".join(drawn(match, 0, "en", 100, Room.ROOMY))
    assert "1.3─┴──+4" in wall  # all four cards may go there
    assert "♥7  7–K" in wall  # a 7 is covered by 7 and more, an Ace by numbers
    assert "♣A  A–10" in wall
    assert "♥♦" in wall  # 2.1 takes the families of its supports
    assert "no 1.3" in wall  # 2.2 lacks one


def test_a_pass_of_the_game_before_is_forgotten() -> None:
    game = brelan.game("cour-du-roi", players=4, games=2)
    match, choice = game.deal(seed=1), random.Random(1)
    while match.view(None).record.game_no == 1:
        match.play(choice.choice(match.legal()))
    last_turns = {move.seat: move.notation for move in match.view(None).history}
    assert "pass" in last_turns.values()
    assert not [line for line in drawn(match, 0, "en", 100, Room.ROOMY) if "passed" in line]


@pytest.mark.parametrize("players", [2, 3])
def test_kings_set_aside_are_shown(players: int) -> None:
    match = brelan.game("cour-du-roi", players=players, show_unused_king="on").deal(seed=1)
    assert any("À l’écart" in line for line in drawn(match, 0, "fr", 80, Room.TIGHT))


@pytest.mark.parametrize(
    "knobs",
    [
        {"players": 2},
        {"players": 2, "two_player_draft": "full"},
        {"players": 3},
        {"players": 3, "jack_draws": "after_gift"},
        {"players": 4},
    ],
    ids=str,
)
def test_what_is_remembered_of_a_card_is_true(knobs: dict[str, Any]) -> None:
    choice = random.Random(1)
    for walk in Walk(brelan.game("cour-du-roi", **knobs), 1).run(choice):
        if walk.state.first and choice.random() < 0.3:
            seat = choice.randrange(walk.game.players)
            for card, holders in whereabouts(walk.view(seat), seat).items():
                assert place_of(walk.state, card) in holders, Card(card)


def place_of(state: Any, card: int) -> int:
    if card in state.burned:
        return int(BURNED)
    if card in state.aside:
        return int(ASIDE)
    return next(seat for seat in range(state.players) if card in state.hand[seat])
