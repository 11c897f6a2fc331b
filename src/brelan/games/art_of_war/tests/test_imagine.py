"""Imagining in Art of War: exactly uniform over the worlds that fit what a seat knows (§12)."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

import brelan
from brelan.engine.game import Game
from brelan.rules import TABLE, hooks
from brelan.suite.uniform import surprise
from brelan.suite.walk import Walk

from ..cards import MOVES, UNITS, Action, Card

SAMPLES = 1200

World = tuple[int, tuple[int, ...], tuple[int, ...], tuple[int, ...]]


def small_game(**knobs: Any) -> Game:
    """A game with few cards, so that all worlds can be counted."""
    few: dict[str, Any] = {"deck": "custom", "copies_S": 3, "copies_G": 2, "copies_A": 1}
    return brelan.game("art-of-war", **few, **knobs)


def world_of(state: Any, me: int) -> World:
    """What a seat does not see: the other's King, hand and deck, and the own deck."""
    other = 1 - me
    hand = tuple(int(count) for count in state.hand[other])
    return int(state.king[other]), hand, deck_of(state, other), deck_of(state, me)


def deck_of(state: Any, seat: int) -> tuple[int, ...]:
    return tuple(int(card) for card in state.pile[seat] if card)


def hidden_cards(view: Any, seat: int, me: int) -> list[int]:
    """List the cards of a seat's own deck that I cannot see anywhere."""
    left = Counter({int(card): int(view.unseen[seat, card]) for card in UNITS})
    if seat == me:
        left.subtract({int(c): int(view.hand[me, c] - view.known[me, c]) for c in UNITS})
    return sorted(left.elements())


def all_worlds(view: Any, me: int) -> Counter[World]:
    """Count the ways to deal the unseen cards, copy by copy; a King not seen is either one."""
    other, worlds = 1 - me, Counter[World]()
    seen = int(view.king_seen[other])
    size = int(view.pile_size[other])
    mine = list(itertools.permutations(hidden_cards(view, me, me)))
    for king in [seen] if seen else [int(Card.K1), int(Card.K2)]:
        for deal in itertools.permutations(hidden_cards(view, other, me)):
            hand = [int(count) for count in view.known[other]]
            hand[king] += not seen
            for card in deal[: len(deal) - size]:
                hand[card] += 1
            for own in mine:
                worlds[king, tuple(hand), deal[len(deal) - size :], own] += 1
    return worlds


def eager(walk: Walk, choice: random.Random) -> int:
    """A random move, often an attack or a swap, which tell something of hands."""
    legal = walk.legal()
    wanted = [number for number in legal if tells(walk.state, MOVES[number])]
    return choice.choice(wanted if wanted and choice.random() < 0.7 else legal)


def tells(state: Any, move: Any) -> bool:
    is_swap = move.action == Action.DEPLOY and state.unit[state.turn, move.slot]
    return bool(is_swap or move.action == Action.ATTACK)


def small_endgames(game: Game, wanted: int) -> Iterator[tuple[Walk, int]]:
    """Yield positions of random matches with few worlds, mostly such that tell something."""
    choice = random.Random(3)
    for seed in itertools.count():
        walk = Walk(game, seed)
        while walk.legal():
            me = choice.randrange(2)
            view = walk.view(me)
            hidden = [len(hidden_cards(view, seat, me)) for seat in (1 - me, me)]
            is_telling = bool(view.known[1 - me, : Card.K1].any()) or not view.king_seen[1 - me]
            is_small = sum(hidden) > 1 and math.prod(map(math.factorial, hidden)) <= 150
            if is_small and choice.random() < (0.5 if is_telling else 0.05):
                yield walk, me
                wanted -= 1
                if wanted == 0:
                    return
            walk.play(eager(walk, choice))


@pytest.mark.parametrize("king_deal", ["shuffle", "independent"])
def test_every_world_is_equally_likely(king_deal: str) -> None:
    known = kings = 0
    for walk, me in small_endgames(small_game(king_deal=king_deal), 12):
        view = walk.view(me)
        expected = all_worlds(view, me)
        assert world_of(walk.state, me) in expected
        samples = Counter(world_of(walk.imagine(me, luck), me) for luck in range(SAMPLES))
        assert set(samples) <= set(expected)
        assert surprise(expected, samples) < 5.5
        known += bool(view.known[1 - me, : Card.K1].any())
        kings += not view.king_seen[1 - me]
    assert known > 2
    assert (kings > 2) == (king_deal == "independent")


def deals(game: Game, cards: list[str]) -> Iterator[Walk]:
    """Yield every deal in which seat 0 begins with the same cards (§4), other Kings included."""
    kings, size = len(game.packs[0]), len(game.packs[1])
    mine, theirs = cards[kings : kings + size], cards[kings + size :]
    orders = {(*mine[:4], *rest) for rest in itertools.permutations(mine[4:])}
    for king in ("K1", "K2") if kings > 2 else (cards[1],):
        left = Counter(cards[:kings]) - Counter([cards[0], king])
        for own in sorted(orders):
            for other in sorted(set(itertools.permutations(theirs))):
                yield stacked(game, [cards[0], king, *left.elements(), *own, *other])


def stacked(game: Game, cards: list[str]) -> Walk:
    """Deal cards in this order."""
    walk = Walk(game, 0)
    walk.state = game.blank()
    walk.library(hooks.start)(walk.state, game.cards(cards), True)
    let_table_move(walk)
    return walk


def let_table_move(walk: Walk) -> None:
    while walk.state.turn == TABLE and (legal := walk.legal()):
        walk.play(legal[0])


FOLLOWED: list[dict[str, Any]] = [
    {"king_deal": "shuffle"},
    {"king_deal": "independent"},
    {"king_deal": "independent", "king_capture_ends": "off", "reserve": "on", "support": "on"},
    {"king_citizen": "off", "conscription": "two", "support": "on"},
]


@pytest.mark.parametrize("knobs", FOLLOWED)
def test_the_facts_are_all_that_can_be_known(knobs: dict[str, Any]) -> None:
    """Every possible deal is followed through the same moves, as long as seat 0 sees the same."""
    game = small_game(**knobs)
    compared = 0
    for seed in range(6):
        choice = random.Random(seed)
        packs = [[card.printed for card in pack] for pack in game.packs]
        cards = [str(card) for pack in packs for card in choice.sample(pack, len(pack))]
        truth = stacked(game, cards)
        others = [walk for walk in deals(game, cards) if look(walk) == look(truth)]
        while truth.legal():
            number = eager(truth, choice)
            others = [walk for walk in others if number in walk.legal()]
            for walk in (truth, *others):
                walk.play(number)
                let_table_move(walk)
            others = [walk for walk in others if look(walk) == look(truth)]
            worlds = {world_of(walk.state, 0) for walk in others}
            assert worlds == set(all_worlds(truth.view(0), 0))
            compared += 1
    assert compared > 40


def look(walk: Walk) -> bytes:
    """What seat 0 sees."""
    seen: bytes = walk.view(0).tobytes()
    return seen
