"""The analysis of positions with two cards left at most, against their enumeration.

The enumeration plays every deal of the unseen cards and every move on the reference engine. The
other seat plays as the analysis says: like the strongest quick bot, with random moves now and then.
"""

from __future__ import annotations

import copy
import itertools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import brelan
from brelan.analysis.assessor import Assessor
from brelan.bots.belief.opponents import EPSILON
from brelan.engine.view import View
from brelan.rules import new_scratch
from brelan.suite import often

from ..bots import BOTS
from ..cards import COPIES, Card
from ..reference import Reference, Seat

LEVEL = "expert+belief=off"  # every deal that fits the view is equally likely
GAME = brelan.game("love-letter", deck="classic16")  # without the Chancellor nothing is put back
HOOKS = GAME.folder.hooks("compiled")
STRONGEST = len(BOTS) - 1

Worlds = list[tuple[float, Any, Reference]]  # each with its probability, on both engines


def views(most: int) -> Iterator[View]:
    """Views of decisions with at most so many cards left, which nobody has lost sight of."""
    for seed in itertools.count():
        match, bot = GAME.deal(seed=seed), brelan.bot("careful", GAME, seed=seed)
        while match.turn is not None:
            view = match.view(match.turn)
            me, other = match.turn, 1 - match.turn
            is_late = 0 < view.record.deck_size <= most and not view.record.known[me, other]
            if is_late and len(view.legal()) > 2 and not view.record.among[me]:
                yield view
                break
            match.play(bot.choose(view))


def worlds(view: View) -> Worlds:
    """Return every deal of the unseen cards that fits a view, on both engines."""
    record, me = view.record, view.seat
    assert me is not None
    other = 1 - me
    unseen = [
        card
        for card in range(1, len(Card))
        for _ in range(COPIES[record.deck, card] - record.out[card])
    ]
    for card in (record.hand[me], record.drew[me, 0]):
        unseen.remove(int(card))
    found: dict[tuple[int, ...], int] = {}
    for order in itertools.permutations(unseen):
        found[order] = found.get(order, 0) + 1
    fitting: Worlds = []
    for order, ways in found.items():
        hand, burned, *pile = order
        if record.not_held[me, other] >> hand & 1:
            continue
        state = record.copy()
        state.hand[other], state.burned = hand, burned
        state.pile[record.top : record.top + record.deck_size] = pile
        fitting.append((float(ways), state, reference_of(state)))
    total = sum(ways for ways, _, _ in fitting)
    return [(ways / total, state, reference) for ways, state, reference in fitting]


def reference_of(state: Any) -> Reference:
    """Return the same position on the reference engine."""
    knobs: dict[str, Any] = GAME.knobs
    reference = Reference(**knobs)
    reference.tokens = [int(tokens) for tokens in state.tokens[:2]]
    reference.round_no, reference.starter = int(state.round_no), int(state.starter)
    reference.turn, reference.phase = int(state.turn), "choose_play"
    reference.burned = int(state.burned) - 1
    reference.face_up = [int(card) - 1 for card in state.face_up if card]
    first = int(state.top)
    reference.deck = [int(card) - 1 for card in state.pile[first : first + state.deck_size]]
    ways = ("", "played", "prince_discard", "knockout")
    for seat in range(2):
        held = [state.hand[seat]] + ([state.drew[seat, 0]] if seat == state.turn else [])
        area = [
            (int(card) - 1, ways[int(how)])
            for card, how in zip(state.area[seat], state.area_how[seat], strict=True)
            if card
        ]
        reference.seats[seat] = Seat([int(card) - 1 for card in held], area)
        reference.seats[seat].protected = bool(state.protected[seat])
    return reference


def after(world: tuple[float, Any, Reference], number: int) -> tuple[float, Any, Reference]:
    """Return a world after a move, made on both engines."""
    chance, state, reference = world
    now, other = state.copy(), copy.deepcopy(reference)
    other.play(GAME.folder.cards.notation(state, number))
    HOOKS.play(now, number)
    return chance, now, other


def legal(record: Any) -> list[int]:
    scratch = new_scratch()
    HOOKS.legal_moves(record, scratch)
    return [int(number) for number in scratch.moves[: scratch.count]]


def value(found: Worlds, me: int) -> float:
    """The sum of the values of worlds to a seat, which plays as well as it can from now on.

    It chooses the same move in worlds that it cannot tell apart.
    """
    total, mine = 0.0, dict[bytes, Worlds]()
    left = list(found)
    while left:
        chance, state, reference = left.pop()
        if reference.turn is None:  # the round is over
            total += chance * race(reference.tokens, reference.match_winners, me)
        elif reference.turn == me:
            seen = GAME.folder.layout.view(state.tobytes(), me).tobytes()
            mine.setdefault(seen, []).append((chance, state, reference))
        else:
            left += replies((chance, state, reference))
    for group in mine.values():
        numbers = legal(group[0][1])
        total += max(value([after(each, number) for each in group], me) for number in numbers)
    return total


def replies(world: tuple[float, Any, Reference]) -> Worlds:
    """Return a world after each move of the other seat, as likely as that makes it."""
    chance, state, reference = world
    view = GAME.folder.layout.view(state.tobytes(), int(state.turn))
    numbers, found = legal(view), []
    for number in numbers:
        scratch = new_scratch()
        HOOKS.legal_moves(view, scratch)
        likely = HOOKS.move_probability(STRONGEST, view.copy(), number, scratch)
        if len(numbers) == 1:
            likely = 1.0
        share = (1 - EPSILON / 1000) * likely + EPSILON / 1000 / len(numbers)
        found.append(after((chance * share, state, reference), number))
    return found


def race(tokens: list[int], winners: list[int] | None, me: int) -> float:
    """The chance to win the match by tossing a coin for each round."""
    if winners:
        return (me in winners) / len(winners)
    mine, theirs = (max(6 - tokens[seat], 1) for seat in (me, 1 - me))
    return sum(math.comb(mine - 1 + lost, lost) * 0.5 ** (mine + lost) for lost in range(theirs))


@pytest.mark.parametrize("most", [1, 2])
def test_the_end_of_a_round_is_what_enumeration_says(most: int) -> None:
    assessor = Assessor(GAME, LEVEL)
    for view in itertools.islice(views(most), often(2)):
        assert view.seat is not None
        dealt = worlds(view)
        exact = {
            move.id: value([after(world, move.id) for world in dealt], view.seat)
            for move in view.legal()
        }
        found = assessor.assess(view)
        for each in found.moves:
            margin = 4 * each.error + 0.002
            assert each.chance == pytest.approx(exact[each.move.id], abs=margin), each.move
        best = max(exact.values())
        assert exact[found.best.move.id] >= best - 4 * found.best.error - 0.002


def test_worlds_are_those_that_the_rules_imagine() -> None:
    """The enumeration deals what `imagine` deals, as often."""
    view = next(views(1))
    assert view.seat is not None
    dealt = {state.hand[1 - view.seat]: 0.0 for _, state, _ in worlds(view)}
    for chance, state, _ in worlds(view):
        dealt[state.hand[1 - view.seat]] += chance
    assessor = Assessor(GAME, LEVEL)
    assessor.update_belief(view)
    hands = assessor.worlds(view, 4000)["hand"][:, 1 - view.seat]
    for hand, chance in dealt.items():
        assert np.mean(hands == hand) == pytest.approx(chance, abs=0.04)
