"""Imagining in District Noir: exactly uniform over the worlds that fit what a seat knows (§6)."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from typing import Any

import pytest

import brelan
from brelan.rules import TABLE
from brelan.suite.uniform import surprise
from brelan.suite.walk import Walk

from ..cards import CITIES, Card
from ..state import Reason

SAMPLES = 2000

World = tuple[tuple[int, ...], ...]


def world_of(state: Any, me: int) -> World:
    """What a seat does not see, places of a hand and of the cards set aside in any order."""
    other = 1 - me
    hand = tuple(sorted(int(card) for card in state.hand[other] if card))
    aside = tuple(sorted(int(card) for card in state.aside if card))
    return hand, aside, tuple(int(card) for card in state.pile if card)


def unseen_cards(view: Any, me: int) -> list[int]:
    """List the cards of the pack that the seat cannot see anywhere."""
    left = Counter({int(card): int(view.copies[card]) for card in list(Card)[1:]})
    left.subtract(int(card) for card in (*view.row, *view.hand[me]) if card)
    for card in list(Card)[1:]:
        left[int(card)] -= int(view.collection[:, card].sum())
    return sorted(left.elements())


def all_worlds(view: Any, me: int) -> Counter[World]:
    """Count the ways to deal the unseen cards, copy by copy, for each world that fits."""
    cards = unseen_cards(view, me)
    other, held, aside = 1 - me, int(view.held[1 - me]), int(view.aside_size)
    worlds: Counter[World] = Counter()
    for deal in itertools.permutations(cards):
        hand = deal[:held]
        has = {*hand, *(int(city) for city in CITIES if view.collection[other, city])}
        has_won = view.reason == Reason.CITIES and view.winner == 1 + other
        if (not has_won or {*map(int, CITIES)} <= has) and not any(
            cities and all(city in hand for city in CITIES if cities >> city & 1)
            for cities in map(int, view.never_all[other])
        ):
            rest = deal[held:]
            worlds[(tuple(sorted(hand)), tuple(sorted(rest[:aside])), rest[aside:])] += 1
    return worlds


@pytest.mark.parametrize("city_win", ["collected", "hand_or_collected"])
def test_every_world_is_equally_likely(city_win: str) -> None:
    knobs: dict[str, Any] = {
        "deck": "custom", "rounds": 2, "hand_size": 3, "removed": 1, "initial_row": 1,
        "city_win": city_win,
        "copies_S5": 2, "copies_S6": 2, "copies_S7": 2, "copies_S8": 1, "copies_A2": 1,
        "copies_A3": 0, "copies_A4": 0, "copies_T1": 2, "copies_T2": 1, "copies_T3": 0,
    }  # fmt: skip
    game = brelan.game("district-noir", **knobs)
    choice = random.Random(3)
    tested = facts = 0
    for seed in range(60):
        for walk in Walk(game, seed).run(choice):
            me = choice.randrange(2)
            view = walk.view(me)
            if walk.state.turn == TABLE or not 3 <= len(unseen_cards(view, me)) <= 7:
                continue
            if choice.random() > 0.06:
                continue
            expected = all_worlds(view, me)
            assert world_of(walk.state, me) in expected
            if not 2 <= len(expected) <= 300:
                continue
            samples = Counter(world_of(walk.imagine(me, luck), me) for luck in range(SAMPLES))
            assert set(samples) <= set(expected)
            assert surprise(expected, samples) < 5.5
            tested += 1
            facts += bool(view.never_all[1 - me].any())
    assert tested > 5
    assert (facts > 1) == (city_win == "hand_or_collected")


def test_a_hand_that_did_not_win_lacks_a_city() -> None:
    """The facts are all that can be known: deals are followed through the same actions."""
    knobs: dict[str, Any] = {
        "deck": "custom", "rounds": 1, "hand_size": 3, "removed": 1, "initial_row": 0,
        "city_win": "hand_or_collected", "take_size": 2, "reveal_at_end": "off",
        "copies_S5": 1, "copies_S6": 1, "copies_S7": 0, "copies_S8": 0, "copies_A2": 1,
        "copies_A3": 0, "copies_A4": 0, "copies_T1": 1, "copies_T2": 0, "copies_T3": 0,
    }  # fmt: skip
    game = brelan.game("district-noir", **knobs)
    pack = [card.printed for card in game.pack]
    compared = wins = 0
    for seed in range(40):
        choice = random.Random(seed)
        aside, *dealt = choice.sample(pack, len(pack))
        mine, hidden = dealt[:3], [aside, *dealt[3:]]
        truth = game.deal(seed=seed, cards=[aside, *dealt])
        orders = itertools.permutations(hidden)
        others = [game.deal(seed=seed, cards=[first, *mine, *rest]) for first, *rest in orders]
        others = [deal for deal in others if same_view(deal, truth)]
        while truth.turn is not None:
            move = choice.choice(truth.legal()).notation
            others = [d for d in others if move in [m.notation for m in d.legal()]]
            for match in (truth, *others):
                match.play(move)
            others = [deal for deal in others if same_view(deal, truth)]
            view = truth.view(0).record
            worlds = {world_of(deal._state, 0) for deal in others}
            assert worlds == set(all_worlds(view, 0))
            compared += 1
            wins += truth.result is not None and truth.result.reason == "cities"
    assert compared > 60
    assert wins > 0


def same_view(one: Any, two: Any) -> bool:
    """Whether seat 0 sees the same, the order of its hand aside."""
    views = [match.view(0).as_dict() for match in (one, two)]
    for view in views:
        view["hand"] = [sorted(hand or []) for hand in view["hand"]]
    return bool(views[0] == views[1])
