"""The rules against their reference engine: whole random matches, compared ply by ply."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import brelan
from brelan.engine.game import Game
from brelan.rules import TABLE, as_dict, hooks
from brelan.suite.walk import Walk

from ..cards import BEGIN, DEAL, KNOBS, SCORE, Card, notation
from ..draft import FIRST_TAKEN, draft_style
from ..reference import Reference, in_order
from ..state import BY_SEAT, Phase

SAME = ("turn", "phase", "round_no", "stock_size", "burned_size", "discard")
DRAFT_MOVES = ("keep", "burn", "draw", "pass", "decline")  # of the reference's log, not of ours


class Both:
    """One match on both engines: the rules decide luck, the reference is told what it was."""

    def __init__(self, game: Game, mode: str, seed: int) -> None:
        self.walk = Walk(game, seed, mode)
        self.players = game.players
        knobs: dict[str, Any] = game.knobs
        self.reference = Reference(**knobs)

    def view(self, seat: int | None) -> dict[str, Any]:
        return as_dict(self.walk.view(seat), seat, self.walk.layout, KNOBS)

    def scores(self) -> list[int]:
        scores, winners = np.zeros((2, 8), np.int64)
        self.walk.library(hooks.score)(self.walk.state, scores, winners)
        return [int(score) for score in scores[: self.players]]

    def let_table_move(self) -> bool:
        """Deal, hand on, draw and score; whether the match goes on."""
        while self.walk.state.turn == TABLE and (legal := self.walk.legal()):
            self.walk.play(legal[0])
            if legal == [DEAL]:
                self.reference.deal(self.cards_dealt(), self.first_to_be())
            if legal == [SCORE]:
                self.compare_end()
        return bool(self.walk.state.turn != TABLE)

    def cards_dealt(self) -> list[str]:
        """Read the order of the cards back from the table, just after a deal (§4)."""
        state = self.walk.state
        cards = [*state.serves, *state.aside, *state.shown_aside]
        for seat in range(self.players):
            cards += [*state.packet[seat], *state.hand[seat]]
        cards += [*state.burned, *state.stock, *state.removed]
        return [Card(card).printed for card in cards if card]

    def first_to_be(self) -> int:
        """The seat on which the lot will fall: nothing else is left to luck before."""
        other = Walk(self.walk.game, 0, "interpreted")
        other.state = self.walk.state.copy()
        other.state.phase = Phase.BEGIN
        other.play(BEGIN)
        return int(other.state.turn)

    def compare_moves(self) -> None:
        """Compare what may be played, and the points."""
        legal = [notation(self.walk.state, number) for number in self.walk.legal()]
        assert sorted(legal) == self.reference.legal()
        assert self.scores() == self.reference.scores()

    def compare_views(self, seat: int | None) -> None:
        """Compare what a seat, or a spectator, sees."""
        ours, theirs = self.view(seat), self.reference.view(seat)
        self.compare_public(ours, theirs)
        self.compare_exchanges(seat, ours, theirs)
        if seat is not None:
            self.compare_private(seat, ours, theirs)

    def compare_public(self, ours: dict[str, Any], theirs: dict[str, Any]) -> None:
        for name in SAME:
            assert ours[name] == theirs[name], name
        if ours["knobs"]["draft"] != "random":
            assert (ours["deal_no"], ours["step"]) == (theirs["deal_no"], theirs["step"])
        assert ours["first"] == theirs["first"]
        assert ours["held"] == theirs["hand_sizes"]
        assert ours["court"] == list(theirs["pyramid"].values())
        assert in_order([card for card in ours["removed"] if card]) == theirs["removed"]
        self.compare_kings(ours, theirs)
        spoken = [(seat, text) for seat, text in theirs["history"] if text[:4] != "give"]
        spoken = [(s, text) for s, text in spoken if text.split()[0] not in DRAFT_MOVES]
        log = [divmod(entry, BY_SEAT) for entry in ours["log"]]
        said = [(seat, notation(self.walk.state, number)) for seat, number in log]
        assert [(seat, text) for seat, text in said if text[:4] != "give"] == spoken

    def compare_kings(self, ours: dict[str, Any], theirs: dict[str, Any]) -> None:
        known = [
            (own or shown or " ")[0]
            for own, shown in zip(ours["serves"], ours["revealed"], strict=True)
        ]
        assert known == [family or " " for family in theirs["families"]]
        aside = [king for king in ours["shown_aside"] if king]
        assert aside == [king for king in theirs["aside"] if king]

    def compare_exchanges(
        self, seat: int | None, ours: dict[str, Any], theirs: dict[str, Any]
    ) -> None:
        expected = [(each["giver"], each["target"]) for each in theirs["exchanges"]]
        assert list(zip(ours["giver"], ours["receiver"], strict=True)) == expected
        if seat is not None:
            cards = [[each["given"], each["drawn"]] for each in theirs["exchanges"]]
            assert ours["exchanged"][seat][: len(cards)] == cards

    def compare_private(self, seat: int, ours: dict[str, Any], theirs: dict[str, Any]) -> None:
        assert in_order(ours["hand"][seat]) == theirs["hand"]
        rows = ours["remembered"][seat]
        style = draft_style(self.walk.state)
        seen: dict[int, set[str]] = {}
        for held in theirs["packs"]:
            packet = (held["deal"] - 1) * self.players + held["dealt_to"]
            first = FIRST_TAKEN[style, held["step"] - 1]
            taken = held["kept"] + held["burned"]
            if held == theirs["packs"][-1] and ours["phase"] in ("keep", "burn"):
                chosen = [card for card in ours["chosen"][seat] if card]
                assert in_order(ours["packet"][seat] + chosen) == held["seen"]
                assert sorted(chosen) == sorted(taken)
                continue
            assert sorted(rows[packet][first : first + len(taken)]) == sorted(taken)
            assert in_order(rows[packet][first + len(taken) :]) == held["passed"]
            seen.setdefault(packet, set()).update(held["seen"])
        assert [{card for card in row if card} for row in rows] == [
            seen.get(packet, set()) for packet in range(len(rows))
        ]

    def compare_end(self) -> None:
        assert self.scores() == self.reference.scores()
        for seat in (None, *range(self.players)):
            ours, theirs = self.view(seat), self.reference.view(seat)
            assert ours["points"] == theirs["totals"][-1]
            assert ours["reason"] == theirs["reason"]
            assert (ours["phase"] == "over") == self.reference.is_over
            assert [s for s, won in enumerate(ours["match_won"]) if won] == theirs["winners"]
            self.compare_kings(ours, theirs)
            if seat is not None:
                assert in_order(ours["hand"][seat]) == theirs["hand"]

    def play_out(self, choice: random.Random) -> None:
        while self.let_table_move():
            self.compare_moves()
            if choice.random() < 0.5:
                self.compare_views(choice.choice((None, *range(self.players))))
            number = choice.choice(self.walk.legal())
            self.reference.play(notation(self.walk.state, number))
            self.walk.play(number)
            if self.reference.phase == "draw":
                drawn = self.walk.state.exchanged.max(axis=0)[self.walk.state.exchange_no - 1, 1]
                self.reference.draw(Card(drawn).printed)


def random_game(choice: random.Random, **fixed: Any) -> Game:
    """A game of random seats and knobs."""
    while True:
        knobs: dict[str, Any] = {
            name: choice.choice(knob.values)
            for name, knob in KNOBS.items()
            if name != "games" and choice.random() < 0.4
        }
        if choice.random() < 0.3:
            knobs["games"] = choice.randint(2, 3)
        try:
            return brelan.game("cour-du-roi", **(knobs | fixed))
        except brelan.Refused:
            continue


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize(("mode", "matches"), [("interpreted", 1), ("checked", 4)])
def test_matches_against_the_reference(mode: str, matches: int, players: int) -> None:
    game = brelan.game("cour-du-roi", players=players)
    for seed in range(matches):
        Both(game, mode, seed).play_out(random.Random(seed))


@pytest.mark.parametrize(("mode", "matches"), [("interpreted", 2), ("checked", 16)])
def test_any_variant_against_the_reference(mode: str, matches: int) -> None:
    for seed in range(matches):
        choice = random.Random(1000 + seed)
        Both(random_game(choice), mode, seed).play_out(choice)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_gifts_drawn_back_against_the_twin(players: int) -> None:
    for seed in range(4):
        choice = random.Random(2000 + seed)
        game = random_game(choice, players=players, jack_draws="after_gift")
        Both(game, "checked", seed).play_out(choice)
