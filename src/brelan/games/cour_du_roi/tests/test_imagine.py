"""Imagining in La cour du Roi: every world that fits what a seat knows, equally likely (§11)."""

from __future__ import annotations

import functools
import itertools
import math
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

import brelan
from brelan.engine.game import Game
from brelan.suite.uniform import surprise
from brelan.suite.walk import Walk, cards_of

from ..cards import KINGS, KNOBS, MOVES, PASS, Card, Kind
from ..draft import TAKEN_AT, draft_style, is_burned
from ..reference import SLOTS, Reference
from ..state import PACKET, Phase, Reason
from .test_reference import random_game

SAMPLES = 600  # and four more for each world
FEW_SAMPLES = 50  # where frequencies are not compared
MOST_WORLDS = 250  # whose frequencies are compared
ENOUGH = 3  # positions of each variant
MOST_CANDIDATES = 3_000
CARDS = [int(card) for card in Card if card]
DRAFTS = KNOBS["draft"].values
DRAWS = KNOBS["jack_draws"].values

World = tuple[Any, ...]


@dataclass
class Event:
    """Something that everybody saw; `cards` are those that could be laid just then."""

    kind: str
    seat: int = 0
    other: int = 0
    cards: frozenset[int] = frozenset()
    least: int = 0
    most: int = 9


@dataclass
class Story:
    """A random match with the events of its game so far, noted by watching it."""

    walk: Walk
    events: list[Event] = field(default_factory=list)

    def play(self, number: int) -> None:
        walk, state = self.walk, self.walk.state
        before = (int(state.round_no), int(state.turn_no), int(state.phase), int(state.turn))
        if state.phase == Phase.DEAL:
            self.events.clear()
        if number == PASS:
            self.events.append(Event("pass", before[3], cards=playable(state)))
        walk.play(number)
        kind = MOVES[number].kind
        if kind == Kind.LAY:
            laid = frozenset([int(MOVES[number].card)])
            self.events.append(Event("lay", before[3], cards=laid))
        if kind == Kind.GIVE:
            self.events.append(Event("exchange", before[3], int(MOVES[number].seat)))
        if before[2] >= Phase.PLAY and state.phase in (Phase.PLAY, Phase.SCORE):
            self.note_check(before)

    def note_check(self, before: tuple[int, ...]) -> None:
        state = self.walk.state
        is_over = state.phase == Phase.SCORE
        is_immediate = self.walk.game.knobs["end_check"] == "immediate"
        if not is_over and not is_immediate and state.round_no == before[0]:
            return
        least = 1 if self.walk.game.knobs["end_check"] == "solo_finish" else 2
        event = Event("check", cards=playable(state), least=least)
        if is_over:
            able = {Reason.NOBODY_CAN_PLAY: 0, Reason.ONE_CAN_PLAY: 1}.get(Reason(state.reason))
            if able is None:
                return
            event.least = event.most = able
        if before[2] != Phase.BEGIN:
            self.events.append(event)


def playable(state: Any) -> frozenset[int]:
    """The cards that could be laid on the Court, as the reference sees it."""
    reference = Reference(**{name: knob.value(int(state[name])) for name, knob in KNOBS.items()})
    court = {slot: Card(state.court[place]).printed for place, slot in enumerate(SLOTS)}
    reference.pyramid = {slot: card for slot, card in court.items() if card != "FACE_DOWN"}
    return frozenset(
        card for card in CARDS if any(reference._can_go(Card(card).printed, slot) for slot in SLOTS)
    )


# ---------------------------------------------------------------- all worlds, by brute force


@dataclass
class Search:
    """All worlds of a game under way that fit what a seat has seen, found backwards.

    It begins with all ways to share out the cards that are not laid, undoes the exchanges in all
    ways, and so comes to the hands of the draft; then the game is followed forward again.
    """

    view: Any
    me: int
    events: list[Event]

    def __post_init__(self) -> None:
        self.phase = int(self.view.phase)

    def worlds(self) -> Iterator[World]:
        for hands in self.last_hands():
            for first, exchanges in self.undo(hands, len(self.events), self.view.exchange_no):
                families = self.families(first)
                if families and self.was_dealt(first) and self.follow(first, exchanges):
                    told = zip(exchanges, self.known, strict=False)
                    hidden = [pair for pair, known in told if known is None]
                    yield (*map(frozenset, hands), *hidden, *families)

    def others(self) -> list[int]:
        return [seat for seat in range(self.view.players) if seat != self.me]

    def mine(self) -> set[int]:
        return {int(card) for card in self.view.hand[self.me] if card}

    def unknown(self) -> list[int]:
        gone = {*self.mine(), *map(int, self.view.court), *map(int, self.view.discard)}
        gone |= {int(card) for card in (*self.view.removed, *self.view.shown_aside)}
        return [card for card in CARDS if card not in gone]

    def size(self) -> int:
        """How many candidates there are, about."""
        left, size = len(self.unknown()), 1
        for seat in self.others():
            size *= math.comb(left, int(self.view.held[seat]))
            left -= int(self.view.held[seat])
        after = 0
        for event in reversed(self.events):
            after += event.kind == "lay"
            if event.kind == "exchange" and self.me not in (event.seat, event.other):
                held = [int(self.view.held[seat]) for seat in (event.seat, event.other)]
                size *= (held[0] + after // 2 + 1) * (held[1] + after // 2 + 1)
        return size

    def last_hands(self) -> Iterator[list[set[int]]]:
        def share(cards: list[int], seats: list[int]) -> Iterator[dict[int, set[int]]]:
            if not seats:
                yield {}
                return
            for hand in itertools.combinations(cards, int(self.view.held[seats[0]])):
                rest = [card for card in cards if card not in hand]
                for others in share(rest, seats[1:]):
                    yield {seats[0]: set(hand), **others}

        for hands in share(self.unknown(), self.others()):
            hands[self.me] = self.mine()
            yield [hands[seat] for seat in range(self.view.players)]

    @functools.cached_property
    def known(self) -> list[tuple[int, int] | None]:
        """The cards of each exchange: given, drawn; None where others exchanged."""
        rows, parties = (
            self.view.exchanged[self.me],
            zip(self.view.giver, self.view.receiver, strict=True),
        )
        return [
            (int(row[0]), int(row[1])) if 1 + self.me in pair else None
            for row, pair in zip(rows, parties, strict=True)
        ]

    def undo(
        self, hands: list[set[int]], end: int, exchange: int
    ) -> Iterator[tuple[list[set[int]], list[tuple[int, int]]]]:
        """Yield the first hands, and the cards of all exchanges, that can have led here."""
        hands = [set(hand) for hand in hands]
        while end > 0 and self.events[end - 1].kind != "exchange":
            end -= 1
            if self.events[end].kind == "lay":
                hands[self.events[end].seat] |= self.events[end].cards
        if end == 0:
            yield hands, []
            return
        giver, receiver = self.events[end - 1].seat, self.events[end - 1].other
        is_done = end < len(self.events) or self.phase != Phase.DRAW
        pairs = list(itertools.product(hands[receiver], hands[giver]))
        if not is_done:
            pairs = list(itertools.product(hands[giver], hands[receiver]))
        if self.view.jack_draws == DRAWS.index("after_gift"):
            pairs += [(card, card) for card in hands[giver]]
        for given, drawn in pairs:
            if self.known[exchange - 1] not in (None, (given, drawn)):
                continue
            before = [set(hand) for hand in hands]
            if is_done and given != drawn:
                before[giver] = before[giver] - {drawn} | {given}
                before[receiver] = before[receiver] - {given} | {drawn}
            for first, exchanges in self.undo(before, end - 1, exchange - 1):
                yield first, [*exchanges, (given, drawn)]

    def families(self, first: list[set[int]]) -> list[int] | None:
        kings = [[card for card in hand if card in KINGS] for hand in first]
        if any(len(each) != 1 for each in kings):
            return None
        if any(
            shown and [int(shown)] != each
            for shown, each in zip(self.view.revealed, kings, strict=False)
        ):
            return None
        return [each[0] for each in kings]

    def was_dealt(self, first: list[set[int]]) -> bool:
        """Whether the draft can have led to these hands, after all that I saw of it."""
        return all(len(first[seat] & cards) == count for cards, seat, count in self.drafted)

    @functools.cached_property
    def drafted(self) -> list[tuple[set[int], int, int]]:
        """Sets of cards, and how many of them a seat took in the draft."""
        view, players = self.view, int(self.view.players)
        if view.draft == DRAFTS.index("random"):
            return []
        style, drafted, left = draft_style(view), [], {*CARDS} - {*map(int, KINGS)}
        unseen: Counter[int] = Counter()
        for packet in range(int(view.deal_no) * players):
            way = -1 if view.draft == DRAFTS.index("alternate") and packet // players % 2 else 1
            steps = [int(TAKEN_AT[style, place]) - 1 for place in range(PACKET)]
            takers = [(packet + way * step) % players for step in steps]
            comes_back = players == 2 and style == 0
            groups: dict[int, set[int]] = {}  # cards that I can tell apart, by who took them
            counts: Counter[tuple[int, int]] = Counter()
            for place, card in enumerate(map(int, view.remembered[self.me, packet])):
                kept = not is_burned(style, place)
                if not card:
                    unseen[takers[place]] += kept
                    continue
                is_known = takers[place] == self.me or comes_back
                group = place if is_known else PACKET
                groups.setdefault(group, set()).add(card)
                counts[group, takers[place]] += kept
                left.discard(card)
            for group, cards in groups.items():
                drafted += [(cards, seat, counts[group, seat]) for seat in range(players)]
        left -= {int(card) for card in view.removed}
        return drafted + [(left, seat, unseen[seat]) for seat in range(players)]

    def follow(self, first: list[set[int]], exchanges: list[tuple[int, int]]) -> bool:
        hands, number = [set(hand) for hand in first], 0
        for place, event in enumerate(self.events):
            match event.kind:
                case "lay":
                    if not event.cards <= hands[event.seat]:
                        return False
                    hands[event.seat] -= event.cards
                case "pass":
                    if hands[event.seat] & event.cards:
                        return False
                case "check":
                    able = sum(bool(hand & event.cards) for hand in hands)
                    if not event.least <= able <= event.most:
                        return False
                case "exchange":
                    given, drawn = exchanges[number]
                    number += 1
                    drawn_from = event.seat if drawn == given else event.other
                    if given not in hands[event.seat] or drawn not in hands[drawn_from]:
                        return False
                    is_done = place + 1 < len(self.events) or self.phase != Phase.DRAW
                    if is_done and given != drawn:
                        hands[event.seat] = hands[event.seat] - {given} | {drawn}
                        hands[event.other] = hands[event.other] - {drawn} | {given}
        return True


def world_of(state: Any, me: int) -> World:
    """A world as the search writes it down."""
    players = range(int(state.players))
    hands = [frozenset(int(card) for card in state.hand[seat] if card) for seat in players]
    hidden = [
        tuple(int(card) for card in state.exchanged[state.giver[number] - 1, number])
        for number in range(state.exchange_no)
        if me + 1 not in (state.giver[number], state.receiver[number])
    ]
    return (*hands, *hidden, *(int(state.serves[seat]) for seat in players))


VARIANTS: list[dict[str, Any]] = [
    {"players": 2},
    {"players": 3},
    {"players": 4},
    {"players": 3, "end_check": "immediate"},
    {"players": 4, "end_check": "solo_finish", "draft": "alternate"},
    {"players": 4, "draft": "random", "show_unused_king": "on"},
    {"players": 3, "dead_family": "removed", "single_support": "on"},
    {"players": 2, "two_player_draft": "full"},
    {"players": 2, "draft": "random", "order": "cycle_weak_ace"},
    {"players": 3, "jack_draws": "after_gift"},
]


@pytest.mark.parametrize("knobs", VARIANTS, ids=lambda knobs: "-".join(map(str, knobs.values())))
def test_every_world_is_equally_likely(knobs: dict[str, Any]) -> None:
    game = brelan.game("cour-du-roi", **knobs)
    choice = random.Random(1)
    compared = 0
    for story in stories(game, choice):
        compared += compare(story, choice.randrange(game.players))
        if compared == ENOUGH:
            return
    raise AssertionError("too few positions are small enough")


def test_a_gift_that_may_have_been_drawn_back_unseen() -> None:
    game = brelan.game("cour-du-roi", players=3, jack_draws="after_gift", dead_family="removed")
    choice = random.Random(1)
    compared = 0
    for story in stories(game, choice):
        me = choice.randrange(game.players)
        search = Search(story.walk.view(me), me, story.events)
        if search.size() <= MOST_CANDIDATES and any(map(is_drawn_back, search.worlds())):
            compared += compare(story, me)
        if compared == ENOUGH:
            return
    raise AssertionError("too few positions are small enough")


def is_drawn_back(world: World) -> bool:
    """Whether a card that others exchanged was given and drawn back."""
    return any(isinstance(part, tuple) and part[0] == part[1] for part in world)


def stories(game: Game, choice: random.Random) -> Iterator[Story]:
    """Random matches, each seen at some of its plies once the draft is over."""
    for seed in range(40):
        story = Story(Walk(game, seed))
        while legal := story.walk.legal():
            if story.walk.state.first and choice.random() < 0.3:
                yield story
            story.play(choice.choice(legal))


def compare(story: Story, me: int) -> int:
    """Compare the worlds that a seat imagines with all that there are; 1 if that was possible."""
    walk, view = story.walk, story.walk.view(me)
    search = Search(view, me, story.events)
    if search.size() > MOST_CANDIDATES:
        return 0
    expected = Counter(search.worlds())
    assert set(expected.values()) == {1}
    assert world_of(walk.state, me) in expected, "the truth is thought impossible"
    is_compared = 1 < len(expected) <= MOST_WORLDS
    lucks = range(SAMPLES + 4 * len(expected) if is_compared else FEW_SAMPLES)
    samples = Counter(world_of(walk.imagine(me, luck), me) for luck in lucks)
    assert set(samples) <= set(expected), "an impossible world was imagined"
    assert not is_compared or surprise(expected, samples) < 5.5
    return int(is_compared)


def test_worlds_of_any_variant_look_the_same() -> None:
    choice = random.Random(1)
    for _ in range(25):
        game = random_game(choice)
        for walk in Walk(game, choice.getrandbits(60)).run(choice):
            me = choice.randrange(game.players)
            if choice.random() < 0.2:
                world = walk.imagine(me, choice.getrandbits(60))
                assert walk.view(me, world).tobytes() == walk.view(me).tobytes()
                assert cards_of(game, world) == cards_of(game, walk.state)
