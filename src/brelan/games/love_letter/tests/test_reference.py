"""The rules against their reference engine: whole random matches, compared at every ply."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import brelan
from brelan.engine.game import Game
from brelan.rules import TABLE, as_dict, hooks, new_scratch

from ..cards import DEAL, KNOBS, notation
from ..reference import Reference


class Both:
    """One match on both engines: the rules decide luck, the reference is told what it was."""

    def __init__(self, game: Game, mode: str, seed: int) -> None:
        self.game, self.layout = game, game.folder.layout
        library = game.folder.library(mode)
        self.legal_moves, self.play_move = library(hooks.legal_moves), library(hooks.play)
        self.state = game.blank()
        self.state.luck[0] = seed
        library(hooks.start)(self.state, np.array(game.pack, np.int16), False)
        knobs: dict[str, Any] = game.knobs
        self.reference = Reference(**knobs)
        self.scratch = new_scratch()

    def legal(self) -> list[int]:
        self.legal_moves(self.state, self.scratch)
        return [int(number) for number in self.scratch.moves[: self.scratch.count]]

    def view(self, seat: int | None) -> dict[str, Any]:
        return as_dict(self.layout.view(self.state.tobytes(), seat), seat, self.layout, KNOBS)

    def let_table_move(self) -> bool:
        """Deal and score; whether the match goes on."""
        while self.state.turn == TABLE:
            if not self.legal():
                return False
            number = self.legal()[0]
            self.play_move(self.state, number)
            if number == DEAL:
                assert self.state.starter in self.reference.possible_starters()
                self.reference.start_round(self.pack_dealt(), int(self.state.starter))
            else:
                self.compare_round_end()
        return True

    def pack_dealt(self) -> list[int]:
        """Read the order of the pack back from the table, just after a deal (LL-R2)."""
        state = self.state
        cards = [state.hand[seat] for seat in range(state.players)]
        cards += [state.burned, *(card for card in state.face_up if card)]
        cards.append(state.drew[state.starter, 0])
        cards += [card for card in state.pile if card]
        return [int(card) - 1 for card in cards]

    def compare(self) -> None:
        legal = [notation(self.state, number) for number in self.legal()]
        assert sorted(legal) == self.reference.legal()
        self.compare_public(self.view(None), self.reference.view(None))
        for seat in range(self.game.players):
            ours, theirs = self.view(seat), self.reference.view(seat)
            self.compare_public(ours, theirs)
            self.compare_private(seat, ours, theirs)

    def compare_public(self, ours: dict[str, Any], theirs: dict[str, Any]) -> None:
        for name in ("tokens", "round_no", "starter", "turn", "phase", "deck_size", "area"):
            assert ours[name] == theirs[name], name
        assert [card for card in ours["face_up"] if card is not None] == theirs["face_up"]
        assert ours["area_how"] == theirs["area_tags"]
        assert ours["in_round"] == theirs["in_round"]
        assert ours["protected"] == theirs["protected"]
        assert ours["burned_left"] != theirs["burned_taken"]

    def compare_private(self, seat: int, ours: dict[str, Any], theirs: dict[str, Any]) -> None:
        held = [ours["hand"][seat], *ours["drew"][seat]]
        assert sorted(card for card in held if card is not None) == theirs["hand"]
        if ours["phase"] != "choose_play":
            return
        others = [s for s in range(self.game.players) if s != seat and ours["in_round"][s]]
        known = {s: ours["known"][seat][s] for s in others if ours["known"][seat][s] is not None}
        assert theirs["known"].items() <= known.items()
        for other, card in known.items():  # a card that can only be in one place is known too
            assert card == self.state.hand[other] - 1
        not_held = {s: ours["not_held"][seat][s] for s in others if s not in known}
        expected = {s: facts for s, facts in theirs["not_held"].items() if s not in known}
        assert {s: facts for s, facts in not_held.items() if facts} == expected
        bottom = int(self.state.top + self.state.deck_size)
        tucked = {
            bottom - 1 - int(self.state.packed) - place: card
            for place, card in enumerate(ours["tucked_known"][seat])
            if card is not None
        }
        assert theirs["bottom"].items() <= tucked.items()
        for place, card in tucked.items():
            assert card == self.state.pile[bottom - 1 - place] - 1

    def compare_round_end(self) -> None:
        ours, theirs = self.view(None), self.reference.view(None)
        assert ours["tokens"] == theirs["tokens"]
        assert ours["revealed"] == theirs["revealed"]
        assert ours["burned_shown"] == theirs["burned_shown"]
        assert ours["reason"] == self.reference.reason
        assert _true(ours["round_won"]) == self.reference.round_winners
        over = self.reference.match_winners or []
        assert _true(ours["match_won"]) == over
        assert (ours["phase"] == "over") == (self.reference.phase == "match_over")

    def play_out(self, choice: random.Random) -> None:
        while self.let_table_move():
            self.compare()
            number = choice.choice(self.legal())
            self.reference.play(notation(self.state, number))
            self.play_move(self.state, number)


def _true(flags: list[int]) -> list[int]:
    return [seat for seat, flag in enumerate(flags) if flag]


def random_game(choice: random.Random) -> Game:
    """A game of random seats and knobs."""
    players = choice.randint(2, 6)
    knobs: dict[str, Any] = {
        name: choice.choice(knob.values)
        for name, knob in KNOBS.items()
        if name not in ("players", "tokens_to_win", "deck") and choice.random() < 0.4
    }
    if players <= 4 and choice.random() < 0.3:
        knobs["deck"] = "classic16"
    if choice.random() < 0.3:
        knobs["tokens_to_win"] = choice.randint(1, 7)
    return brelan.game("love-letter", players=players, **knobs)


@pytest.mark.parametrize(("mode", "matches"), [("interpreted", 12), ("checked", 60)])
def test_two_players_against_the_reference(mode: str, matches: int) -> None:
    game = brelan.game("love-letter")
    for seed in range(matches):
        Both(game, mode, seed).play_out(random.Random(seed))


@pytest.mark.parametrize(("mode", "matches"), [("interpreted", 6), ("checked", 60)])
def test_any_variant_against_the_reference(mode: str, matches: int) -> None:
    for seed in range(matches):
        choice = random.Random(1000 + seed)
        Both(random_game(choice), mode, seed).play_out(choice)
