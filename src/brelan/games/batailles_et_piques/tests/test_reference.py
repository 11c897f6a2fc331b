"""The rules against their reference engine: every combat, and whole random matches at every ply."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

import brelan
from brelan.engine.game import Game
from brelan.rules import TABLE, as_dict
from brelan.suite import often
from brelan.suite.walk import Walk

from .. import reference as slow
from ..cards import KNOBS, LETTERS, SCORE, Card, notation
from ..combat import results
from ..reference import Reference
from ..state import Phase, Status

NAME = "batailles-et-piques"
SAME = ("turn", "phase", "first", "mover", "first_to_pass", "turn_no", "round_no", "status")
CARD = {card.printed: int(card) for card in Card if card}


# ---------------------------------------------------------------- every combat (§6)


def combats() -> list[tuple[list[slow.Card], list[slow.Card]]]:
    """All combats of one against one, one against two and two against one."""
    units = slow.KINDS[:-1]
    duels = [([one], [foe]) for one in units for foe in slow.KINDS]
    pairs = [
        ([one], [foe, other])
        for one in units
        for foe, other in itertools.product(slow.KINDS, repeat=2)
        if not foe == other == slow.MINE
    ]
    teams = [
        ([one, two], [foe]) for one, two in itertools.product(units, repeat=2) for foe in slow.KINDS
    ]
    return duels + pairs + teams


def outcomes(found: int) -> set[slow.Outcome]:
    """Read a set of results as the reference writes them."""
    dead = [result for result in range(16) if found >> result & 1]
    return {
        slow.Outcome(
            tuple(place for place in range(2) if result >> place & 1),
            tuple(place for place in range(2) if result >> 2 >> place & 1),
        )
        for result in dead
    }


@pytest.mark.parametrize(
    "knobs",
    [
        {},
        {"mine_explodes": "on", "allow_waste": "on"},
        {"king_strength": 1, "nature_13": "spy", "nature_1": "both", "nature_6": "both"},
        {"king_strength": 9, "nature_9": "spy", "nature_2": "sapper", "allow_waste": "on"},
    ],
)
def test_every_combat_against_the_reference(knobs: dict[str, Any]) -> None:
    game = brelan.game(NAME, **knobs)
    state = Walk(game, 1).state
    fight = game.folder.library("checked")(results)
    warfare = Reference(**knobs).warfare
    for attackers, defenders in combats():
        one, two = [*(CARD[card] for card in attackers), 0][:2]
        three, four = [*(CARD[card] for card in defenders), 0][:2]
        expected = slow.combat(attackers, defenders, warfare)
        found = int(fight(state, one, two, three, four))
        assert outcomes(found) == set(expected), (attackers, defenders)
        assert all(outcome.attackers or outcome.defenders for outcome in expected)  # §6.5
        assert len(expected) <= (4 if "allow_waste" in knobs else 2)


# ---------------------------------------------------------------- whole matches


class Both:
    """One match on both engines: the rules decide luck, the reference is told what it was."""

    def __init__(self, game: Game, mode: str, seed: int) -> None:
        self.walk = Walk(game, seed, mode)
        self.walk.play(self.walk.legal()[0])
        knobs: dict[str, Any] = game.knobs
        self.reference = Reference(**knobs)
        self.reference.deal(self.armies(), self.first_to_come())

    def armies(self) -> list[slow.Card]:
        """Read the order of the armies back from the table, just after the deal (§3)."""
        state, cards = self.walk.state, []
        for seat in range(state.players):
            cards += [card for card in Card for _ in range(state.hand[seat, card])]
            cards += [Card(card) for card in state.pile[seat] if card]
        return [card.printed for card in cards]

    def first_to_come(self) -> int:
        """Set up somehow, on a copy: the lots are drawn alike."""
        other = Walk(self.walk.game, 0, self.walk.library.mode)
        other.state = self.walk.state.copy()
        while other.state.turn_no == 0:
            other.play(other.legal()[0])
        return int(other.state.first) - 1

    def let_table_move(self) -> bool:
        """Bury, reveal and score; whether the match goes on."""
        while self.walk.state.turn == TABLE and (legal := self.walk.legal()):
            self.walk.play(legal[0])
            if legal == [SCORE]:
                self.compare_end()
        return bool(self.walk.state.turn != TABLE)

    def compare(self, seat: int | None) -> None:
        """What may be done, and what one reader sees."""
        legal = [notation(self.walk.state, number) for number in self.walk.legal()]
        assert sorted(legal) == self.reference.legal()
        ours = as_dict(self.walk.view(seat), seat, self.walk.layout, KNOBS)
        theirs = self.reference.view(seat)
        self.compare_open(ours, theirs)
        self.compare_hands(ours, theirs, seat)
        if seat is not None:
            self.compare_own(ours, theirs, seat)

    def compare_open(self, ours: dict[str, Any], theirs: dict[str, Any]) -> None:
        for name in SAME:
            assert ours[name] == theirs[name], name
        assert ours["points"] == theirs["scores"]
        waiting = [held + len(placed) for held, placed in pairs(ours, "held", "placed")]
        assert waiting == theirs["hand_size"]
        assert ours["teamwork_left"] == theirs["teamwork"]
        assert ours["slacker_left"] == theirs["slacker"]
        assert ours["pile_size"] == theirs["pile_size"]
        assert ours["graveyard"] == theirs["graveyard"]
        for living, fallen in zip(ours["living"], theirs["fallen"], strict=True):
            assert sorted([*living, *fallen], key=slow.KINDS.index) == self.reference.army()
        for seat in self.reference.seats:
            filled = "".join(slot[0].upper() for slot in ours["filled"][seat])
            assert filled == "".join(theirs["can_be"][seat])
            assert in_slots(ours["can_be"][seat]) == theirs["can_be"][seat]
            seen = {s: [int(n[-1]) for n in names] for s, names in by_slot(ours["seen_by"][seat])}
            assert {s: seen[s] for s in filled} == theirs["seen_by"][seat]
        self.compare_fight(ours, theirs["fight"])

    def compare_fight(self, ours: dict[str, Any], fight: dict[str, Any] | None) -> None:
        assert (ours["attacker"] is None) == (fight is None)
        if fight is None:
            return
        assert ours["attacker"] == fight["attacker"]
        assert ours["defender"] == fight["defender"]
        for name, slots in (("attacking", fight["own"]), ("attacked", fight["at"])):
            assert "".join(slot[0].upper() for slot in ours[name]) == slots
        sides = zip((ours["attacker"], ours["defender"]), ours["fallen"], strict=True)
        dead = [[seat, s, card] for seat, side in sides for s, card in by_slot(side) if card]
        assert dead == fight["dead"]

    def compare_hands(self, ours: dict[str, Any], theirs: dict[str, Any], seat: int | None) -> None:
        """What the reader knows of each hand."""
        holds, unless = ours["open_hand_holds"], ours["open_unless_in"]
        if seat is not None:
            holds, unless = ours["hand_holds"][seat], ours["unless_in"][seat]
        for other in self.reference.seats:
            minded = [
                [card, "".join(slot[0].upper() for slot in slots)]
                for card, slots in zip(holds[other], unless[other], strict=True)
                if card is not None
            ]
            assert minded == theirs["held"].get(other, [])

    def compare_own(self, ours: dict[str, Any], theirs: dict[str, Any], seat: int) -> None:
        assert ours["hand"][seat] == theirs["hand"]
        assert in_slots(ours["in_play"][seat]) == theirs["slots"] | theirs["chosen"]
        known = {other: in_slots(ours["known"][seat][other]) for other in self.reference.seats}
        assert {other: cards for other, cards in known.items() if cards} == theirs["known"]
        pile = sorted(Card(card) for card in self.walk.state.pile[seat] if card)
        assert [card.printed for card in pile] == theirs["pile"]

    def compare_end(self) -> None:
        ours = as_dict(self.walk.view(None), None, self.walk.layout, KNOBS)
        assert self.reference.is_over
        assert ours["phase"] == "over"
        assert ours["reason"] == self.reference.reason
        assert ours["points"] == self.reference.scores()
        assert [
            seat for seat in self.reference.seats if ours["won"][seat]
        ] == self.reference.winners
        left = [self.reference.points(army) for army in ours["living"]]
        worth = self.reference.points(self.reference.pack())
        assert sum(ours["points"]) + sum(left) == worth  # §10.4

    def play_out(self, choice: random.Random) -> None:
        while self.let_table_move():
            self.compare(choice.choice([None, *self.reference.seats]))
            number = choice.choice(self.walk.legal())
            written, seat = notation(self.walk.state, number), self.walk.seat
            self.walk.play(number)
            self.reference.play(written, Card(self.walk.state.looked_at[seat]).printed)


def pairs(view: dict[str, Any], one: str, two: str) -> Any:
    return zip(view[one], view[two], strict=True)


def by_slot(row: list[Any]) -> Any:
    return zip(LETTERS, row, strict=True)


def in_slots(row: list[Any]) -> dict[str, Any]:
    """What lies in the slots, by letter; empty ones are left out."""
    return {slot: value for slot, value in by_slot(row) if value}


def random_game(choice: random.Random, **fixed: Any) -> Game:
    """A game of random knobs that go together."""
    while True:
        share = choice.random() / 2
        knobs = {n: choice.choice(k.values) for n, k in KNOBS.items() if choice.random() < share}
        try:
            return brelan.game(NAME, **(knobs | fixed))
        except brelan.Refused:
            continue


def has_unit(cards: Any) -> bool:
    return any(card not in (0, Card.MINE) for card in cards)


def test_4_who_owns_a_unit_has_one_in_play_at_every_turn() -> None:
    """The lemma of §4, in any variant; and never are two mines in play (§8.1)."""
    for seed in range(10):
        choice = random.Random(seed)
        for walk in Walk(random_game(choice), seed).run(choice):
            state = walk.state
            for seat in range(state.players if state.phase == Phase.TURN else 0):
                hand = [card for card in Card if state.hand[seat, card]]
                owned = [*state.in_play[seat], *hand, *state.pile[seat]]
                assert (state.status[seat] == Status.ACTIVE) == has_unit(owned)
                assert has_unit(owned) == has_unit(state.in_play[seat])
                assert list(state.in_play[seat]).count(Card.MINE) < 2


@pytest.mark.parametrize(
    ("players", "mode"),
    [(3, "interpreted"), (3, "checked"), (4, "checked"), (5, "checked"), (6, "checked")],
)
def test_matches_against_the_reference(players: int, mode: str) -> None:
    game = brelan.game(NAME, players=players)
    for seed in range(often(2)):
        Both(game, mode, seed).play_out(random.Random(seed))


def test_any_variant_against_the_reference() -> None:
    for seed in range(often(20)):
        choice = random.Random(1000 + seed)
        Both(random_game(choice), "checked", seed).play_out(choice)


@pytest.mark.parametrize("option", ["one_in_a_row", "until_all_pass"])
def test_passes_against_the_twin(option: str) -> None:
    for seed in range(6):
        choice = random.Random(2000 + seed)
        Both(random_game(choice, passing=option), "checked", seed).play_out(choice)
