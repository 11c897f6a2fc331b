"""Imagining in Love Letter: exactly uniform over the worlds that fit what a seat knows (§6)."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

import brelan
from brelan.suite.uniform import surprise
from brelan.suite.walk import Walk
from brelan.testing import position

from ..cards import COPIES, SEATS
from ..state import DRAWN

SAMPLES = 2000
MOST_UNSEEN = 7

World = tuple[int, ...]


def hidden_places(view: Any, me: int) -> list[tuple[Any, ...]]:
    """Name the places that hold a card which a seat does not see, but knows to lie there."""
    places: list[tuple[Any, ...]] = []
    for seat in range(view.players):
        if seat != me and view.in_round[seat] and not view.revealed[seat]:
            places.append(("hand", seat))
            drawn = view.drew_size if view.turn == seat else 0
            places += [("drew", seat, slot) for slot in range(drawn)]
    places += [("burned",)] if view.burned_left else []
    return places + [("pile", place) for place in range(view.top, view.top + view.deck_size)]


def card_at(state: Any, place: tuple[Any, ...]) -> int:
    name, *index = place
    return int(state[name][tuple(index)]) if index else int(state[name])


def world_of(state: Any, places: list[tuple[Any, ...]]) -> World:
    return tuple(card_at(state, place) for place in places)


def unseen_cards(view: Any, me: int) -> list[int]:
    """List the cards of the pack that lie neither face up nor in the seat's own hand."""
    left = Counter({card: int(count) for card, count in enumerate(COPIES[view.deck])})
    left.subtract(int(card) for card in view.face_up if card)
    for seat in range(view.players):
        left.subtract(int(card) for card in view.area[seat] if card)
    left.subtract(int(card) for card in view.revealed if card)
    left.subtract([int(view.burned_shown)] if view.burned_shown else [])
    left.subtract(int(card) for card in (view.hand[me], *view.drew[me]) if card)
    return sorted(left.elements())


def agrees(view: Any, me: int, places: list[tuple[Any, ...]], world: World) -> bool:
    """Whether a world agrees with every fact that the seat's own row holds."""
    at = dict(zip(places, world, strict=True))
    where: list[int] = []  # cards in the places where a lost card may be
    for place, card in at.items():
        match place:
            case ("hand", seat):
                if view.known[me, seat] not in (0, card) or view.not_held[me, seat] >> card & 1:
                    return False
                tied = view.same_hand[seat]
                if tied:
                    other = view.hand[me] if tied - 1 == me else at[("hand", tied - 1)]
                    if other != card:
                        return False
                where += [card] if view.among[me] >> seat & 1 else []
            case ("drew", seat, slot):
                if view.known_drew[me, slot] not in (0, card):
                    return False
                where += [card] if view.among[me] >> (DRAWN + slot) & 1 else []
            case ("pile", spot) if spot >= view.packed:
                tucked = spot - view.packed
                if view.tucked_known[me, tucked] not in (0, card):
                    return False
                where += [card] if view.among[me] >> (SEATS + tucked) & 1 else []
    return Counter(int(card) for card in view.lost[me] if card) <= Counter(where)


def all_worlds(view: Any, me: int) -> Counter[World]:
    """Enumerate every deal of the unseen cards, copies counted, that agrees with the facts."""
    places = hidden_places(view, me)
    cards = unseen_cards(view, me)
    assert len(cards) == len(places)
    worlds: Counter[World] = Counter()
    for deal in itertools.permutations(cards):
        worlds[deal] += 1
    return Counter({deal: n for deal, n in worlds.items() if agrees(view, me, places, deal)})


def small_endgames(players: int, wanted: int) -> Iterator[tuple[Walk, int]]:
    """Yield positions of random matches with few unseen cards and something to know."""
    game = brelan.game("love-letter", players=players)
    choice = random.Random(players)
    for seed in itertools.count():
        for walk in Walk(game, seed).run(choice):
            me = choice.randrange(players)
            view = walk.view(me)
            if 2 < len(hidden_places(view, me)) <= MOST_UNSEEN and has_facts(view, me):
                yield walk, me
                wanted -= 1
                if wanted == 0:
                    return


def has_facts(view: Any, me: int) -> bool:
    return bool(
        view.known[me].any()
        or view.not_held[me].any()
        or view.tucked_known[me].any()
        or view.known_drew[me].any()
        or view.lost[me].any()
        or view.same_hand.any()
    )


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_every_world_is_equally_likely(players: int) -> None:
    kinds: Counter[str] = Counter()
    for walk, me in small_endgames(players, 30):
        view = walk.view(me)
        places = hidden_places(view, me)
        expected = all_worlds(view, me)
        assert world_of(walk.state, places) in expected, "the truth is thought impossible"
        samples = Counter(world_of(walk.imagine(me, luck), places) for luck in range(SAMPLES))
        assert set(samples) <= set(expected), "an impossible world was imagined"
        if len(expected) <= SAMPLES // 8:
            assert set(samples) == set(expected) or len(expected) > SAMPLES // 20
            assert surprise(expected, samples) < 5.5
            kinds["tested"] += 1
        kinds["known"] += bool(view.known[me].any())
        kinds["not"] += bool(view.not_held[me].any())
        kinds["tucked"] += bool(view.tucked_known[me].any())
        kinds["lost"] += bool(view.lost[me].any())
    assert kinds["tested"] >= 5
    assert min(kinds[kind] for kind in ("known", "not", "tucked", "lost")) > 0


def deals(match_state: Any, me: int, walk: Walk) -> Iterator[Any]:
    """Yield every state that looks to a seat like this one, when it knows nothing more."""
    view = walk.view(me)
    places = hidden_places(view, me)
    for deal in set(itertools.permutations(world_of(match_state, places))):
        state = match_state.copy()
        for (name, *index), card in zip(places, deal, strict=True):
            if index:
                state[name][tuple(index)] = card
            else:
                state[name] = card
        yield state


def reachable(walk: Walk, starts: list[Any], me: int, number: int, view: bytes) -> list[Any]:
    """Return the states that a move leads to, where the seat sees the same as in truth."""
    seen = walk.game.shown(walk.state, number, me)
    ends: dict[bytes, Any] = {}
    for start in starts:
        other = Walk(walk.game, 0)
        other.state = start
        for candidate in other.legal():
            if walk.game.shown(start, candidate, me) == seen:
                other.state = start.copy()
                other.play(candidate)
                if other.view(me).tobytes() == view:
                    ends[other.state.tobytes()] = other.state
    return list(ends.values())


@pytest.mark.parametrize(("players", "rounds"), [(2, 14), (3, 9), (4, 12)])
def test_facts_are_all_that_can_be_known(players: int, rounds: int) -> None:
    """Follow every possible deal through the same events: the facts leave just those open."""
    game = brelan.game("love-letter", players=players)
    choice = random.Random(5)
    compared = 0
    for _ in range(rounds):
        pack = choice.sample([0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 8, 9], 8)
        hands, (drawn, burned, *pile) = pack[:players], pack[players:]
        match = position(
            game, rest=None, turn=0, hand=hands, drew=[[drawn]], pile=pile, burned=burned
        )
        state = match._state
        gone = Counter(int(c) for c in range(1, 11) for _ in range(COPIES[0, c]))
        gone.subtract(card + 1 for card in pack)
        for card, count in gone.items():
            state.out[card] += count  # the other cards lie face up somewhere
        walk = Walk(game, 0)
        walk.state, me = state, choice.randrange(players)
        starts = list(deals(state, me, walk))
        while walk.seat is not None:
            number = choice.choice(walk.legal())
            before = walk.state.copy()
            walk.play(number)
            if walk.seat is None:
                break
            view = walk.view(me)
            after, walk.state = walk.state, before
            starts = reachable(walk, starts, me, number, view.tobytes())
            walk.state = after
            hidden = hidden_places(view, me)
            worlds = {world_of(start, hidden) for start in starts}
            cards = world_of(walk.state, hidden)
            allowed = {w for w in set(itertools.permutations(cards)) if agrees(view, me, hidden, w)}
            assert worlds <= allowed, "a fact rules out a world that is possible"
            assert worlds == allowed, "the facts leave open a world that is not"
            compared += 1
    assert compared > 20


def test_two_baron_ties_that_share_a_seat_leave_no_stale_fact() -> None:
    pack = [1, 1, 1, 5, 6, 3, 3, 4, 0, 7, 8, 2, 0, 1, 1, 1, 2, 4, 5, 6, 9]
    match = brelan.game("love-letter", players=4).deal(seed=1, cards=pack)
    for move in ("3>2", "3>0", "4", "5>0"):
        match.play(move)
    assert match.view(3).as_dict()["same_hand"] == [None] * 4


def test_a_tie_tells_whoever_knows_one_hand_of_the_other() -> None:
    pack = [2, 1, 1, 5, 6, 8, 3, 4, 0, 7, 9, 3, 0, 1, 1, 1, 1, 2, 4, 5, 6]
    match = brelan.game("love-letter", players=4).deal(seed=1, cards=pack)
    for move in ("2>1", "3>2", "4"):
        match.play(move)
    assert match.view(0).as_dict()["known"][0] == [None, 1, 1, None]


def test_a_king_carries_a_tie_along_and_facts_reach_both_hands() -> None:
    game = brelan.game("love-letter", players=4)
    hands = [1, 7, 1, 1]
    match = position(game, rest="pile", turn=0, hand=hands, drew=[[3]], pile=[4, 5, 2])
    for move in ("3>3", "7>3", "1>1:5"):
        match.play(move)
    view = match.view(2).as_dict()
    assert view["same_hand"] == [1, 0, None, None]
    assert view["not_held"][2][:2] == [[5], [5]]
    assert match.view(1).as_dict()["known"][1] == [1, None, None, 4]


def test_a_card_just_drawn_is_not_the_one_lost_sight_of() -> None:
    pack = [2, 4, 9, 3, 3, 8, 0, 6, 1, 1, 0, 7, 1, 1, 1, 1, 2, 4, 5, 5, 6]
    game = brelan.game("love-letter")
    match = game.deal(seed=1, cards=pack)
    for move in ("2", "6", "keep 1 under 4 1", "0"):
        match.play(move)
    walk = Walk(game, 0)
    walk.state = match._state
    for luck in range(300):
        world = walk.imagine(0, luck)
        bottom = int(world.top + world.deck_size)
        assert 5 in (world.hand[1], *world.pile[bottom - 2 : bottom])
