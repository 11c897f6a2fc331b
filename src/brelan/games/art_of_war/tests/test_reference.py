"""The rules against their reference engine: whole random matches, compared at every ply."""

from __future__ import annotations

import random
from typing import Any

import pytest

import brelan
from brelan.engine.game import Game
from brelan.rules import TABLE, as_dict
from brelan.suite.walk import Walk

from ..cards import DEAL, KNOBS, Card, Slot, notation
from ..reference import Reference

SAME = {  # places that the reference has too, by its own names
    "turn": "turn",
    "first": "first",
    "active": "active",
    "turn_no": "turn_number",
    "phase": "phase",
    "kingdom": "kingdoms",
    "reserves": "reserves",
    "kills": "kills",
    "held": "hand_sizes",
    "pile_size": "deck_sizes",
    "bonus": "bonus",
    "to_conscript": "to_conscript",
    "must_demobilise": "must_demobilise",
    "demobilised": "demobilised",
}
DECKS = ("deck", "copies_S", "copies_G", "copies_A")
EAGER = ("attack", "sweep", "support")


class Both:
    """One match on both engines: the rules decide luck, the reference is told what it was."""

    def __init__(self, game: Game, mode: str, seed: int) -> None:
        self.walk = Walk(game, seed, mode)
        knobs: dict[str, Any] = game.knobs
        self.reference = Reference(**knobs)

    def view(self, seat: int | None) -> dict[str, Any]:
        return as_dict(self.walk.view(seat), seat, self.walk.layout, KNOBS)

    def let_table_move(self) -> bool:
        """Deal, prepare and sweep; whether the match goes on."""
        while self.walk.state.turn == TABLE and (legal := self.walk.legal()):
            self.walk.play(legal[0])
            if legal == [DEAL]:
                self.reference.deal(self.packs_dealt(), int(self.walk.state.first))
        return bool(self.walk.state.turn != TABLE)

    def packs_dealt(self) -> list[str]:
        """Read the order of the packs back from the table, just after the deal (§4)."""
        state = self.walk.state
        cards = [*state.king, *state.box[:, 1]]
        for seat in range(2):
            cards += [card for card in range(1, 4) for _ in range(state.hand[seat, card])]
            cards += [state.kingdom[seat, 0], *state.pile[seat]]
        return [Card(card).printed for card in cards if card]

    def compare(self) -> None:
        """Compare the legal moves, and what one reader sees: each has every third ply."""
        assert sorted(self.legal()) == self.reference.legal()
        reader = (None, 0, 1)[self.walk.moves % 3]
        ours, theirs = self.view(reader), self.reference.view(reader)
        for our_name, their_name in SAME.items():
            assert ours[our_name] == theirs[their_name], our_name
        if reader is not None:
            assert sorted(ours["hand"][reader]) == theirs["hand"]
        for owner in range(2):
            self.compare_side(ours, theirs, owner)
        if theirs["declared"] is not None:
            attack = [ours["attacker"].upper(), ours["target"].upper()]
            assert attack == [theirs["declared"][0], theirs["declared"][1] or "NOWHERE"]

    def compare_side(self, ours: dict[str, Any], theirs: dict[str, Any], owner: int) -> None:
        units = {
            Slot(slot).name: {
                "unit": card,
                "posture": ours["posture"][owner][slot],
                "damage": ours["damage"][owner][slot],
            }
            for slot, card in enumerate(ours["unit"][owner])
            if card
        }
        assert units == theirs["battlefields"][owner]
        assert sorted(ours["graveyard"][owner]) == sorted(theirs["graveyards"][owner])
        king = ours["king_seen"][owner] or ours["king"][owner]
        assert king == theirs["kings"][owner]
        hidden = [] if ours["king_seen"][owner] else [king or "K"]
        assert sorted(ours["known"][owner] + hidden) == theirs["known_in_hands"][owner]

    def compare_end(self) -> None:
        ours = self.view(None)
        assert self.reference.is_over
        assert ours["phase"] == "over"
        assert [seat for seat in range(2) if ours["winner"] == seat] == self.reference.winners
        assert ours["citizens"] == self.reference.scores()
        is_war = ours["reason"] in ("citizens", "kills", "draw")
        assert ("war" if is_war else ours["reason"]) == self.reference.reason

    def legal(self) -> dict[str, int]:
        """The legal moves, by notation."""
        return {notation(self.walk.state, number): number for number in self.walk.legal()}

    def choose(self, choice: random.Random) -> str:
        """A random move, often an attack: random players alone are rather peaceful."""
        legal = list(self.legal())
        eager = [move for move in legal if move.startswith(EAGER)]
        return choice.choice(eager if eager and choice.random() < 0.75 else legal)

    def play_out(self, choice: random.Random) -> None:
        while self.let_table_move():
            self.compare()
            move = self.choose(choice)
            self.walk.play(self.legal()[move])
            self.reference.play(move)
        self.compare_end()


def random_game(choice: random.Random) -> Game:
    """A game with about half of its knobs turned; a deck of its own now and then."""
    options = [knob for name, knob in KNOBS.items() if knob.values[1:] and name not in DECKS]
    knobs = {knob.name: choice.choice(knob.values[1:]) for knob in options if choice.random() < 0.5}
    if choice.random() < 0.3:
        knobs |= {"deck": "custom"} | {name: choice.randint(2, 8) for name in DECKS[1:]}
    return brelan.game("art-of-war", **knobs)  # type: ignore[arg-type]


@pytest.mark.parametrize(("mode", "matches"), [("interpreted", 2), ("checked", 8)])
def test_matches_against_the_reference(mode: str, matches: int) -> None:
    game = brelan.game("art-of-war")
    for seed in range(matches):
        Both(game, mode, seed).play_out(random.Random(seed))


@pytest.mark.parametrize(("mode", "matches"), [("interpreted", 6), ("checked", 32)])
def test_any_variant_against_the_reference(mode: str, matches: int) -> None:
    for seed in range(matches):
        choice = random.Random(1000 + seed)
        Both(random_game(choice), mode, seed).play_out(choice)
