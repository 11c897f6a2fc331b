"""The rules against their reference engine: whole random matches, compared at every ply."""

from __future__ import annotations

import random
from typing import Any

import pytest

import brelan
from brelan.engine.game import Game
from brelan.rules import TABLE, as_dict
from brelan.suite.walk import Walk

from ..cards import DEAL, KNOBS, SCORE, Card, notation
from ..reference import Reference


class Both:
    """One match on both engines: the rules decide luck, the reference is told what it was."""

    def __init__(self, game: Game, mode: str, seed: int) -> None:
        self.walk = Walk(game, seed, mode)
        knobs: dict[str, Any] = game.knobs
        self.reference = Reference(**knobs)

    def view(self, seat: int | None) -> dict[str, Any]:
        return as_dict(self.walk.view(seat), seat, self.walk.layout, KNOBS)

    def let_table_move(self) -> bool:
        """Deal and score; whether the match goes on."""
        while self.walk.state.turn == TABLE and (legal := self.walk.legal()):
            is_new = self.walk.state.round_no == 0
            self.walk.play(legal[0])
            if legal == [DEAL] and is_new:
                assert self.reference.needs_deal
                self.reference.deal(self.pack_dealt(), int(self.walk.state.first))
            if legal == [SCORE]:
                self.compare_end()
        return bool(self.walk.state.turn != TABLE)

    def pack_dealt(self) -> list[str]:
        """Read the order of the pack back from the table, just after a deal (§2)."""
        state = self.walk.state
        cards = [*state.aside, *state.hand[0], *state.hand[1], *state.row, *state.pile]
        return [Card(card).printed for card in cards if card]

    def compare(self) -> None:
        legal = [notation(self.walk.state, number) for number in self.walk.legal()]
        assert sorted(legal) == sorted(self.reference.legal())
        for seat in (None, 0, 1):
            ours, theirs = self.view(seat), self.reference.view(seat)
            self.compare_open(ours, theirs)
            held = [card for hand in ours["hand"] for card in hand or []]
            assert sorted(held) == theirs["hand"]

    def compare_open(self, ours: dict[str, Any], theirs: dict[str, Any]) -> None:
        assert ours["row"] == theirs["row"]
        for name in ("round_no", "first", "turn", "pile_size"):
            assert ours[name] == theirs[name], name
        assert ours["action_no"] == theirs["action_no"] - 1
        assert ours["opener"] == theirs["first_of_match"]
        assert ours["held"] == theirs["hand_sizes"]
        assert ours["has_taken"] == theirs["has_taken"]
        for seat in range(2):
            counts = theirs["collections"][seat]
            assert ours["collection"][seat] == [c for c in counts for _ in range(counts[c])]
        assert tuple(ours["points"]) == tuple(self.reference.scores())

    def compare_end(self) -> None:
        ours = self.view(None)
        assert (ours["phase"] == "over") == self.reference.is_over
        if not self.reference.is_over:
            assert self.reference.needs_deal
            return
        assert [seat for seat in range(2) if ours["winner"] == seat] == self.reference.winners
        assert (ours["reason"] == "cities") == (self.reference.reason == "cities")
        assert tuple(ours["points"]) == tuple(self.reference.scores())
        theirs = self.reference.view(None)
        if theirs["revealed_hands"] is not None:
            hands = [sorted(hand) for hand in ours["shown_hand"]]
            assert hands == [sorted(hand) for hand in theirs["revealed_hands"]]
            assert sorted(ours["shown_aside"]) == sorted(theirs["revealed_removed"])
        else:
            assert ours["shown_hand"] == [[], []]
            assert ours["shown_aside"] == []

    def play_out(self, choice: random.Random) -> None:
        while self.let_table_move():
            self.compare()
            number = choice.choice(self.walk.legal())
            self.reference.play(notation(self.walk.state, number))
            self.walk.play(number)


def random_game(choice: random.Random) -> Game:
    """A game of random knobs that go together."""
    while True:
        knobs: dict[str, Any] = {
            name: choice.choice(knob.values)
            for name, knob in KNOBS.items()
            if choice.random() < 0.3
        }
        if any(name.startswith("copies_") for name in knobs) and choice.random() < 0.9:
            knobs["deck"] = "custom"
        try:
            return brelan.game("district-noir", **knobs)
        except brelan.Refused:
            continue


@pytest.mark.parametrize(("mode", "matches"), [("interpreted", 12), ("checked", 80)])
def test_matches_against_the_reference(mode: str, matches: int) -> None:
    game = brelan.game("district-noir")
    for seed in range(matches):
        Both(game, mode, seed).play_out(random.Random(seed))


@pytest.mark.parametrize(("mode", "matches"), [("interpreted", 12), ("checked", 120)])
def test_any_variant_against_the_reference(mode: str, matches: int) -> None:
    for seed in range(matches):
        choice = random.Random(1000 + seed)
        Both(random_game(choice), mode, seed).play_out(choice)
