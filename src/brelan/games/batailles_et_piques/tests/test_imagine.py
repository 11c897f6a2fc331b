"""Imagining in Batailles et piques: exactly uniform over the worlds that fit what a seat knows."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import brelan
from brelan.engine.game import Game
from brelan.rules import hooks, new_scratch
from brelan.suite.uniform import surprise
from brelan.suite.walk import Walk
from brelan.testing import position

from .. import reference as slow
from ..cards import Card
from ..state import Phase

NAME = "batailles-et-piques"
SAMPLES = 1200
MOST_LIVING = 7
MOST_WORLDS = 250

Army = tuple[tuple[int, ...], ...]  # the cards in the slots, in the hand, in the draw pile
World = tuple[Army, ...]  # of each seat in turn


def small_game(army: dict[str, int], **knobs: Any) -> Game:
    """A game with few cards: those that are named, so many copies each."""
    copies = {f"copies_{value}": 0 for value in slow.VALUES} | {"kings": 0, "mines": 0}
    return brelan.game(NAME, **(copies | army | knobs))


PLAIN = {"copies_1": 1, "copies_4": 1, "copies_6": 1, "copies_9": 1, "kings": 1, "mines": 1}
COPIES = {"copies_2": 1, "copies_5": 3, "copies_8": 1, "kings": 1, "mines": 2}
GAMES = {
    "plain": small_game(PLAIN, hand_size=3),
    "copies": small_game(COPIES, hand_size=4, slacker=4),
    "slots": small_game(PLAIN | {"mines": 2}, hand_size=4, slots=3, slacker=4, mine_explodes="on"),
    "hands": small_game(PLAIN | {"kings": 3}, hand_size=3, slacker=3, peek_scope="hand_card"),
    "early": small_game(PLAIN | {"kings": 2}, hand_size=3, peek_timing="before_refill"),
}


def army_of(state: Any, seat: int) -> Army:
    """Where the cards of a player lie; those of a hand in no order."""
    hand = [int(card) for card in Card for _ in range(int(state.hand[seat, card]))]
    pile = [int(card) for card in state.pile[seat] if card]
    return tuple(int(card) for card in state.in_play[seat]), tuple(hand), tuple(pile)


def world_of(state: Any) -> World:
    return tuple(army_of(state, seat) for seat in range(state.players))


# ---------------------------------------------------------------- the worlds that fit a view


def armies(view: Any, me: int, seat: int) -> Counter[Army]:
    """Every deal of a player's living cards that agrees with what I know, copies counted."""
    living = [int(card) for card in Card for _ in range(int(view.living[seat, card]))]
    taken = int(view.filled[seat] | view.placed[seat])
    slots = [slot for slot in range(3) if taken >> slot & 1]
    held = int(view.held[seat])
    found: Counter[Army] = Counter()
    for deal in itertools.permutations(living):
        in_play = dict(zip(slots, deal, strict=False))
        hand, pile = deal[len(slots) : len(slots) + held], deal[len(slots) + held :]
        if agrees(view, me, seat, in_play, hand):
            row = tuple(in_play.get(slot, 0) for slot in range(3))
            found[row, tuple(sorted(hand)), pile] += 1
    return found


def agrees(view: Any, me: int, seat: int, in_play: dict[int, int], hand: tuple[int, ...]) -> bool:
    """Whether the cards of a player may lie so, as far as a seat knows."""
    if list(in_play.values()).count(Card.MINE) > 1:
        return False
    if seat == me:
        own = tuple(in_play.get(slot, 0) for slot in range(3)) == tuple(view.in_play[me])
        return own and Counter(hand) == Counter(dict(enumerate(map(int, view.hand[me]))))
    for slot, card in in_play.items():
        is_new = int(view.placed[seat]) >> slot & 1
        if view.known[me, seat, slot] not in (0, card):
            return False
        if not is_new and not int(view.can_be[seat, slot]) >> card & 1:
            return False
    facts = [
        (int(card), int(slots) | int(view.placed[seat]))
        for card, slots in zip(view.hand_holds[me, seat], view.unless_in[me, seat], strict=True)
        if card
    ]
    return can_all_be_found(facts, in_play, list(hand))


def can_all_be_found(
    facts: list[tuple[int, int]], in_play: dict[int, int], hand: list[int]
) -> bool:
    """Whether each card known of a hand is there or in one of its slots, and no card for two."""
    if not facts:
        return True
    (card, slots), *others = facts
    if card in hand and can_all_be_found(others, in_play, _without(hand, card)):
        return True
    return any(
        can_all_be_found(others, {s: c for s, c in in_play.items() if s != slot}, hand)
        for slot, found in in_play.items()
        if found == card and slots >> slot & 1
    )


def _without(hand: list[int], card: int) -> list[int]:
    place = hand.index(card)
    return hand[:place] + hand[place + 1 :]


def fits_combat(view: Any, world: World, warfare: slow.Warfare) -> bool:
    """Whether a combat of others, not yet over, would go as everybody sees it go."""
    sides = []
    for seat, slots in ((view.attacker, view.attacking), (view.defender, view.attacked)):
        cards = world[seat - 1][0]
        sides.append([(slot, Card(cards[slot]).printed) for slot in range(3) if slots >> slot & 1])
    attackers, defenders = ([card for _, card in side] for side in sides)
    outcomes = slow.combat(attackers, defenders, warfare)
    if view.phase == Phase.KILL:
        return len(outcomes) > 1
    dying = slow.Outcome(
        *(
            tuple(place for place, (slot, _) in enumerate(side) if dead >> slot & 1)
            for side, dead in zip(sides, map(int, view.dying), strict=True)
        )
    )
    return dying in outcomes and (len(outcomes) > 1) == bool(view.was_choice)


def all_worlds(view: Any, me: int, warfare: slow.Warfare) -> Counter[World]:
    """Every world that fits a view, with the number of deals that lead to it."""
    found = [armies(view, me, seat) for seat in range(view.players)]
    worlds: Counter[World] = Counter()
    is_fight = view.phase in (Phase.KILL, Phase.BURY) and 1 + me not in (
        view.attacker,
        view.defender,
    )
    for world in itertools.product(*found):
        if not is_fight or fits_combat(view, world, warfare):
            ways = 1
            for army, counted in zip(world, found, strict=True):
                ways *= counted[army]
            worlds[world] = ways
    return worlds


def is_small(view: Any, me: int) -> bool:
    """Whether there are few enough worlds to list them."""
    cards = view.living.sum(axis=1)
    if cards.max() > MOST_LIVING:
        return False
    hidden = [int(cards[seat]) for seat in range(view.players) if seat != me]
    return sum(hidden) <= 11 and int(view.pile_size[me]) <= 2


# ---------------------------------------------------------------- uniformity


def positions(game: Game, seed: int) -> Iterator[tuple[Walk, int]]:
    """Yield positions of random matches with few hidden cards."""
    choice = random.Random(seed)
    for number in itertools.count():
        for walk in Walk(game, number).run(choice):
            me = choice.randrange(game.players)
            view = walk.view(me)
            is_rare = view.phase in (Phase.KILL, Phase.BURY, Phase.REFILL)
            is_wanted = choice.random() < (0.5 if is_rare or view.hand_holds[me].any() else 0.1)
            if not walk.is_fresh and is_small(view, me) and is_wanted:
                yield walk, me


def imagined(walk: Walk, me: int) -> Counter[World]:
    """Imagine many worlds."""
    states: Counter[bytes] = Counter()
    for luck in range(SAMPLES):
        world = walk.imagine(me, luck)
        world.luck[0] = 0
        states[world.tobytes()] += 1
    found: Counter[World] = Counter()
    for state, count in states.items():
        found[world_of(np.frombuffer(state, walk.layout.dtype).view(np.recarray)[0])] += count
    return found


@pytest.mark.parametrize("name", list(GAMES))
def test_every_world_is_equally_likely(name: str) -> None:
    game, kinds = GAMES[name], Counter[str]()
    knobs: dict[str, Any] = game.knobs
    warfare = slow.Reference(**knobs).warfare
    for walk, me in itertools.islice(positions(game, 5), 28):
        view = walk.view(me)
        expected = all_worlds(view, me, warfare)
        assert world_of(walk.state) in expected, "the truth is thought impossible"
        if not 1 < len(expected) <= MOST_WORLDS:
            continue
        samples = imagined(walk, me)
        assert set(samples) <= set(expected), "an impossible world was imagined"
        assert surprise(expected, samples) < 5.5
        kinds["tested"] += 1
        kinds["known"] += bool(view.known[me].any())
        kinds["hand"] += bool(view.hand_holds[me].any())
        kinds["placed"] += bool(view.placed.any())
        kinds["fight"] += view.phase in (Phase.KILL, Phase.BURY)
    assert kinds["tested"] > 10
    assert min(kinds[kind] for kind in ("known", "placed", "fight")) > 0, kinds
    assert kinds["hand"] > 0 or name == "slots"  # where hands are empty when cards are few


def test_the_others_know_what_all_can_tell_that_they_know() -> None:
    """Cards they have seen, and a card that everybody saw before a Slacker took it back."""
    game = brelan.game(NAME, public_survivors="on")
    slots = [[10, 8], [9, 12], [3, 7]]
    match = position(game, rest="pile", turn=0, in_play=slots, hand=[[2], [5]])
    for move in ("L>1R", "place 2", "slack R 5", "L>0R"):
        match.play(move)
    world = match.view(0).record.copy()
    game.folder.library("interpreted")(hooks.imagine)(world, 0, new_scratch(1))
    assert [int(card) for card in world.hand_holds[2, 1]] == [Card.TWELVE, 0, 0, 0, 0, 0]
    assert world.known[2, 0, 1] == Card.EIGHT


# ---------------------------------------------------------------- facts and perfect memory


class Follower:
    """All worlds that a seat with a perfect memory holds possible, followed through a match."""

    def __init__(self, walk: Walk, me: int, starts: list[Any]) -> None:
        self.walk, self.me, self.states = walk, me, starts
        self.legal_moves, self.play = (
            walk.library(word) for word in (hooks.legal_moves, hooks.play)
        )

    def move(self, number: int) -> None:
        """Make a move in truth, and in each world all moves that look to the seat like it."""
        game, me = self.walk.game, self.me
        seen = game.shown(self.walk.view(me), number, me)
        self.walk.play(number)
        sight = self.walk.view(me).tobytes()
        after: dict[bytes, Any] = {}
        for state in self.states:
            scratch = new_scratch()
            self.legal_moves(state, scratch)
            for candidate in scratch.moves[: scratch.count]:
                if game.shown(state, int(candidate), me) == seen:
                    world = state.copy()
                    self.play(world, int(candidate))
                    if self.walk.view(me, world).tobytes() == sight:
                        after[world.tobytes()] = world
        self.states = list(after.values())


def all_starts(state: Any, me: int) -> Iterator[Any]:
    """Yield every state that looks to a seat like this one, at the first turn."""
    found = [armies(state, me, seat) for seat in range(state.players)]
    for world in itertools.product(*found):
        other = state.copy()
        for seat, (in_play, hand, pile) in enumerate(world):
            other.in_play[seat] = in_play
            other.hand[seat] = np.bincount(hand, minlength=len(Card))
            other.pile[seat] = 0
            other.pile[seat, state.army_size - len(pile) : state.army_size] = pile
        yield other


@pytest.mark.parametrize(
    "army",
    [
        {"copies_2": 1, "copies_4": 1, "copies_9": 1, "kings": 1, "mines": 1},
        {"copies_3": 1, "copies_5": 2, "copies_8": 1, "mines": 1},
    ],
)
def test_facts_are_never_wrong_and_seldom_less_than_can_be_known(army: dict[str, int]) -> None:
    """Follow every possible deal through the same events: the facts leave at least those open."""
    game = small_game(army, hand_size=3, slacker=1)
    knobs: dict[str, Any] = game.knobs
    warfare = slow.Reference(**knobs).warfare
    choice, compared, exact = random.Random(2), 0, 0
    for seed in range(4):
        walk = Walk(game, seed)
        while walk.state.turn_no == 0:
            walk.play(choice.choice(walk.legal()))
        me = choice.randrange(3)
        follower = Follower(walk, me, list(all_starts(walk.state, me)))
        while legal := walk.legal():
            follower.move(choice.choice(legal))
            worlds = {world_of(state) for state in follower.states}
            allowed = set(all_worlds(walk.view(me), me, warfare))
            assert world_of(walk.state) in worlds
            assert worlds <= allowed, "a fact rules out a world that is possible"
            compared += 1
            exact += worlds == allowed
    assert compared > 50
    assert exact > 0.85 * compared
