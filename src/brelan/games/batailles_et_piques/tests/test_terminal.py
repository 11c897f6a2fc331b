"""The table in a terminal: it can be drawn at every ply, it fits, and what it says is true."""

from __future__ import annotations

import io
import random
from collections import Counter
from typing import Any

import pytest
from rich.console import Console

import brelan
from brelan.engine.game import Game
from brelan.engine.match import Match
from brelan.i18n import LANGUAGES
from brelan.suite.walk import Walk
from brelan.terminal.screen import Room, Screen
from brelan.testing import position

from ..cards import Card
from ..story import members
from ..terminal import _kinds, _seen, draw, path

NAME = "batailles-et-piques"
WIDTHS = (80, 100)


def drawn(match: Match, seat: int | None, language: str, width: int, room: Room) -> list[str]:
    console = Console(file=io.StringIO(), width=width)
    screen = Screen(match.game.folder.texts(language), console)
    screen.room = room
    names = [f"careful (seat {number})" for number in range(match.game.players)]
    screen.print(draw(match.view(seat), names, screen))
    return console.file.getvalue().splitlines()  # type: ignore[attr-defined, no-any-return]


@pytest.mark.parametrize(
    "knobs",
    [
        {"players": 3},
        {"players": 6, "passing": "one_in_a_row"},
        {"players": 4, "slots": 3, "hand_size": 8, "copies_12": 3},
    ],
    ids=str,
)
def test_every_table_can_be_drawn_and_fits(knobs: dict[str, Any]) -> None:
    game, choice = brelan.game(NAME, **knobs), random.Random(1)
    game = Game(game.folder, game.knobs, mode="checked")
    match = game.deal(seed=1)
    while match.turn is not None:
        if choice.random() < 0.1:
            seat, language, width, room = (
                choice.choice(options)
                for options in ((None, *range(game.players)), LANGUAGES, WIDTHS, list(Room))
            )
            lines = drawn(match, seat, language, width, room)
            assert max(map(len, lines)) <= width
            assert len(lines) >= 2 + game.players
        move = choice.choice(match.legal())
        is_listed = not move.notation.startswith(("kill", "peek -"))
        assert bool(path(match.view(match.turn).record, move.id)) == is_listed
        match.play(move)
    assert "★" in "".join(drawn(match, 0, "fr", 80, Room.TIGHT))


@pytest.mark.parametrize(
    "knobs",
    [
        {"slacker": 4, "mines": 3},
        {"slacker": 4, "copies_5": 3, "slots": 3, "peek_scope": "hand_card", "kings": 2},
        {"slacker": 4, "public_survivors": "on"},
    ],
    ids=str,
)
def test_what_is_said_of_hidden_cards_is_true(knobs: dict[str, Any]) -> None:
    """The true card is among those named, and no card is counted in two places."""
    game, choice, compared = brelan.game(NAME, **knobs), random.Random(2), 0
    for seed in range(6):
        for walk in Walk(game, seed).run(choice):
            me, seat = choice.sample(range(3), 2)
            view, state = walk.view(me), walk.state
            if view.hand_holds[me, seat].any() and choice.random() < 0.5:
                for slot in members(int(state.filled[seat])):
                    assert state.in_play[seat, slot] in _kinds(view, seat, slot, me)
                said = Counter(_seen(view, seat, me))
                there = Counter(card for card in Card for _ in range(state.hand[seat, card]))
                assert said <= there + Counter(map(int, state.in_play[seat]))
                compared += 1
    assert compared > 50


def test_a_card_known_of_a_hand_is_not_said_to_be_where_it_cannot_be() -> None:
    """A mine is in a hand, or in L: in the hand, once L has attacked, or shows another card."""
    places: dict[str, Any] = {
        "in_play": [[13, 9], [5, 12], [3, 7]],
        "hand": [[], ["M", 2]],
        "hand_holds": [[[], ["M"]]],
        "unless_in": [[[], [["left"]]]],
    }
    match = position(brelan.game(NAME), rest="pile", turn=1, **places)
    assert "Seat 1 holds a mine (or in L)" in table(match)
    match.play("L>2L")
    assert "Seat 1 holds a mine\n" in table(match)


def table(match: Match) -> str:
    lines = drawn(match, 0, "en", 80, Room.ROOMY)
    return "\n".join(line.rstrip() for line in lines)
