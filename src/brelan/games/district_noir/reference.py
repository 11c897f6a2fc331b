"""The reference engine: a plain Python District Noir engine.

Written only from the rule specification (the § and DN-R numbers below refer to it), to be compared
with the fast engine at every ply and to serve as its plain-Python baseline. Cards are the ids of
§1; seat 0 is A and seat 1 is B.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

PRINTED = {  # §1: copies of each card
    "S5": 5,
    "S6": 6,
    "S7": 7,
    "S8": 8,
    "A2": 4,
    "A3": 2,
    "A4": 1,
    "T1": 3,
    "T2": 4,
    "T3": 2,
    "V1": 1,
    "V2": 1,
    "V3": 1,
}
SUPPORTS = {"S8": 8, "S7": 7, "S6": 6, "S5": 5}  # in the order that breaks a tie (§7)
OWNER_GAINS = {"A2": 2, "A3": 3, "A4": 4, "T1": -1, "T2": -2, "T3": -3}
CITIES = {"V1", "V2", "V3"}
SET_POINTS = 5
TAKE = "take"
MOST_REPLAYS = 20  # house ruling: after that a tie is a draw

KNOBS: dict[str, tuple[Sequence[int | str], int | str]] = {  # §9: allowed values, default
    "players": ([2], 2),
    "first_player": (["random", "A", "B"], "random"),
    "alternate_first": (["on", "off"], "on"),
    "rounds": (range(1, 9), 4),
    "hand_size": (range(1, 10), 5),
    "removed": (range(10), 3),
    "initial_row": (range(10), 2),
    "take_size": (range(1, 10), 5),
    "forced_take": (["five", "whole_row"], "five"),
    "city_win": (["collected", "hand_or_collected", "off"], "collected"),
    "score_tie": (["most_8_then_7_6_5", "draw"], "most_8_then_7_6_5"),
    "final_tie": (["draw", "second_player_wins", "replay"], "draw"),
    "skip_dead_plays": (["off", "on"], "off"),
    "reveal_at_end": (["on", "off"], "on"),
    "deck": (["printed", "custom"], "printed"),
    **{
        f"copies_{card}": (range(4 if card in CITIES else 10), copies)
        for card, copies in PRINTED.items()
    },
}


@dataclass(slots=True)
class Player:
    """One side of the table."""

    hand: list[str] = field(default_factory=list)
    collection: list[str] = field(default_factory=list)
    has_taken: bool = False


class Reference:
    """A match of District Noir; the caller shuffles and tosses the coin."""

    def __init__(self, **knobs: int | str) -> None:
        for name, value in knobs.items():
            if name not in KNOBS:
                raise ValueError(f"unknown knob: {name}")
            if value not in KNOBS[name][0]:
                raise ValueError(f"{name}: {value}")
        self.knobs = {name: default for name, (_, default) in KNOBS.items()} | knobs
        self.rounds = int(self.knobs["rounds"])
        self.hand_size = int(self.knobs["hand_size"])
        self.take_size = int(self.knobs["take_size"])
        self.copies = {card: int(self.knobs[f"copies_{card}"]) for card in PRINTED}
        if self.knobs["deck"] == "printed" and self.copies != PRINTED:
            raise ValueError("deck = printed has the printed copies; deck = custom may vary them")
        needed = int(self.knobs["removed"]) + int(self.knobs["initial_row"])
        needed += 2 * self.hand_size * self.rounds
        if needed > len(self.pack()):
            raise ValueError(f"{needed} cards are needed, the pack has {len(self.pack())}")
        self.needs_deal = True
        self.replays = 0
        self.is_over = False
        self.winners: list[int] = []
        self.reason = ""
        self.turn: int | None = None
        self.round_no = 0
        self.action_no = 0  # of the action to choose; once the match is over, of the last one made
        self.first_of_match: int | None = None
        self.first: int | None = None  # of the round
        self.players = [Player(), Player()]
        self.row: list[str] = []  # oldest first
        self.pile: list[str] = []  # top first
        self.removed: list[str] = []
        self.log: list[tuple[int, int, int, str]] = []  # DN-R10; a replay goes on with it

    def pack(self) -> list[str]:
        """The unshuffled pack, in the order of §1."""
        return [card for card, copies in self.copies.items() for _ in range(copies)]

    def possible_first(self) -> set[int]:
        """The seats that may start round 1 (DN-R1)."""
        if self.knobs["first_player"] == "random":
            return {0, 1}
        return {0} if self.knobs["first_player"] == "A" else {1}

    def deal(self, cards: list[str], first: int) -> None:
        """Set up a match from a shuffled pack (§2, DN-R2) and begin round 1."""
        if not self.needs_deal:
            raise ValueError("no deal is awaited")
        if sorted(cards) != sorted(self.pack()):
            raise ValueError(f"not a complete pack: {cards}")
        if first not in self.possible_first():
            raise ValueError(f"first: {first}")
        self.needs_deal = False
        self.players = [Player(), Player()]
        self.pile = list(cards)
        self.removed = self._draw(int(self.knobs["removed"]))
        self.first_of_match = first
        self.round_no = 0
        self._begin_round(first)

    def legal(self) -> list[str]:
        """The notations of all legal actions, sorted (§4.1)."""
        if self.turn is None:
            return []
        me = self.players[self.turn]
        actions = sorted(set(me.hand))
        # An empty row cannot be taken from, unless there is nothing else to do.
        if not me.has_taken and (self.row or not me.hand):
            actions.append(TAKE)
        return actions

    def play(self, notation: str) -> None:
        """Carry out the action with this notation."""
        if notation not in self.legal():
            raise ValueError(f"not legal: {notation}")
        self.apply(notation)

    def apply(self, action: str) -> None:
        """Carry out a legal action and everything that follows from it (§4)."""
        assert self.turn is not None
        seat, me = self.turn, self.players[self.turn]
        self.log.append((self.round_no, self.action_no, seat, action))
        if action == TAKE:
            self._take(me)
            if self._has_cities(me):
                self._end([seat], "cities")
                return
        else:
            me.hand.remove(action)
            self.row.append(action)
        if self.action_no == 2 * (self.hand_size + 1) or self._only_dead_plays_are_left():
            self._end_round()
        else:
            self._begin_action(1 - seat)

    def scores(self) -> tuple[int, int]:
        """What A's and B's collections are worth (§7); after a win by cities nothing is (§5.10)."""
        if self.reason == "cities":
            return 0, 0
        a, b = (player.collection for player in self.players)
        return _score(a, b), _score(b, a)

    def view(self, seat: int | None) -> dict[str, Any]:
        """Everything that a seat, or a spectator (None), may see (§6)."""
        shown = self.is_over and self.knobs["reveal_at_end"] == "on"
        return {
            "round_no": self.round_no,
            "action_no": self.action_no,
            "first_of_match": self.first_of_match,
            "first": self.first,
            "turn": self.turn,
            "row": list(self.row),
            "collections": [{c: p.collection.count(c) for c in PRINTED} for p in self.players],
            "has_taken": [player.has_taken for player in self.players],
            "hand_sizes": [len(player.hand) for player in self.players],
            "pile_size": len(self.pile),
            "removed_size": len(self.removed),
            "hand": [] if seat is None else sorted(self.players[seat].hand),
            "revealed_hands": [sorted(p.hand) for p in self.players] if shown else None,
            "revealed_removed": sorted(self.removed) if shown else None,
            "is_over": self.is_over,
            "winners": list(self.winners),
            "reason": self.reason,
        }

    def _draw(self, count: int) -> list[str]:
        """Take cards from the top of the pile."""
        cards = self.pile[:count]
        del self.pile[:count]
        return cards

    def _begin_round(self, first: int) -> None:
        """Deal to A, then to B, and in round 1 the row (§2, §3)."""
        self.round_no += 1
        self.action_no = 0
        self.first = first
        for player in self.players:
            player.hand = self._draw(self.hand_size)
            player.has_taken = False
        if self.round_no == 1:
            self.row = self._draw(int(self.knobs["initial_row"]))
        if self.knobs["city_win"] == "hand_or_collected":
            for seat in (first, 1 - first):
                if self._has_cities(self.players[seat]):
                    self._end([seat], "cities")
                    return
        self._begin_action(first)

    def _begin_action(self, seat: int) -> None:
        """It is this seat's turn to choose an action."""
        self.action_no += 1
        self.turn = seat

    def _take(self, me: Player) -> None:
        """The newest cards leave the row (§4; §5.1, DN-R4)."""
        left = max(0, len(self.row) - self.take_size)
        if not me.hand and self.knobs["forced_take"] == "whole_row":
            left = 0
        me.collection += self.row[left:]
        del self.row[left:]
        me.has_taken = True

    def _has_cities(self, player: Player) -> bool:
        """Whether the three cities win at once (§5.10, DN-R6)."""
        match self.knobs["city_win"]:
            case "collected":
                return CITIES.issubset(player.collection)
            case "hand_or_collected":
                return CITIES.issubset(player.collection + player.hand)
        return False

    def _only_dead_plays_are_left(self) -> bool:
        """Whether the rest of the match may be skipped (DN-R5)."""
        return (
            self.knobs["skip_dead_plays"] == "on"
            and self.round_no == self.rounds
            and all(player.has_taken for player in self.players)
        )

    def _end_round(self) -> None:
        """§3: the row and the collections stay; the other player starts the next round."""
        assert self.first is not None
        if self.round_no == self.rounds:
            self._score_match()
        elif self.knobs["alternate_first"] == "on":
            self._begin_round(1 - self.first)
        else:
            self._begin_round(self.first)

    def _score_match(self) -> None:
        """§7: the higher total, then the Supports from the 8s down, then DN-R11."""
        assert self.first_of_match is not None
        a, b = ([score] for score in self.scores())
        if self.knobs["score_tie"] == "most_8_then_7_6_5":
            a += [self.players[0].collection.count(card) for card in SUPPORTS]
            b += [self.players[1].collection.count(card) for card in SUPPORTS]
        if a != b:
            self._end([0] if a > b else [1], "score")
        elif self.knobs["final_tie"] == "replay" and self.replays < MOST_REPLAYS:
            self.turn = None
            self.needs_deal = True
            self.replays += 1
        elif self.knobs["final_tie"] == "second_player_wins":
            self._end([1 - self.first_of_match], "score")
        else:
            self._end([], "score")

    def _end(self, winners: list[int], reason: str) -> None:
        """The match is over; without a winner it is a draw."""
        self.turn = None
        self.is_over = True
        self.winners = winners
        self.reason = reason


def _score(mine: list[str], theirs: list[str]) -> int:
    """The worth of a collection against the other one: majorities, sets, single cards (§7)."""
    counts = {card: mine.count(card) for card in SUPPORTS}
    majorities = sum(SUPPORTS[card] for card in SUPPORTS if counts[card] > theirs.count(card))
    sets = SET_POINTS * min(counts.values())
    return majorities + sets + sum(OWNER_GAINS.get(card, 0) for card in mine)


def random_matches(count: int, seed: int) -> dict[str, int]:
    """Play random matches with default knobs; count what was played."""
    rng = random.Random(seed)
    decisions = rounds = 0
    for _ in range(count):
        game = Reference()
        cards = game.pack()
        rng.shuffle(cards)
        game.deal(cards, rng.choice(sorted(game.possible_first())))
        while game.turn is not None:
            game.apply(rng.choice(game.legal()))
            decisions += 1
        rounds += game.round_no
    return {"matches": count, "rounds": rounds, "decisions": decisions}
