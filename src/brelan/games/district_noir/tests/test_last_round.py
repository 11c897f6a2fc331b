"""The solver of the last round against brute force, on the reference engine."""

from __future__ import annotations

import copy
import itertools
import random
from typing import Any

import pytest

import brelan
from brelan.analysis import Assessor
from brelan.engine.match import Match

from ..analysis import solutions
from ..reference import Reference


def best(reference: Reference, seat: int) -> int:
    """The best that a seat can reach with open cards (plain minimax)."""
    if reference.turn is None:  # if it is played again, that is a new match
        return 1 if seat in reference.winners else -1 if reference.winners else 0
    values = [best(after(reference, action), seat) for action in reference.legal()]
    return max(values) if reference.turn == seat else min(values)


def after(reference: Reference, action: str) -> Reference:
    other = copy.deepcopy(reference)
    other.play(action)
    return other


def brute_force(match: Match, reference: Reference) -> dict[str, tuple[float, int]]:
    """The value of each move over all deals of the cards that the seat in turn does not see."""
    assert match.turn is not None
    me, other = match.turn, 1 - match.turn
    unseen = [*reference.players[other].hand, *reference.removed, *reference.pile]
    held = len(reference.players[other].hand)
    values: dict[str, list[int]] = {action: [] for action in reference.legal()}
    for chosen in itertools.combinations(range(len(unseen)), held):
        world = copy.deepcopy(reference)
        world.players[other].hand = [unseen[place] for place in chosen]
        world.removed = [card for place, card in enumerate(unseen) if place not in chosen]
        for action, found in values.items():
            found.append(best(after(world, action), me))
    return {action: (sum(found) / len(found), min(found)) for action, found in values.items()}


@pytest.mark.parametrize(
    "knobs",
    [
        {},
        {"final_tie": "second_player_wins", "score_tie": "draw"},
        {"final_tie": "replay", "take_size": 3, "removed": 2},
    ],
)
def test_the_solver_agrees_with_brute_force(knobs: dict[str, Any]) -> None:
    game = brelan.game("district-noir", **knobs)
    compared = 0
    for seed in range(4):
        choice = random.Random(seed)
        cards = [card.printed for card in choice.sample(game.pack, len(game.pack))]
        match, reference = game.deal(seed=seed, cards=cards), Reference(**knobs)
        reference.deal([str(card) for card in cards], 0)
        while match.turn is not None:
            record = match.view(match.turn).record
            if record.round_no == record.rounds and record.held.sum() <= 5:
                expected = brute_force(match, reference)
                for solved in solutions(match.view(match.turn)):
                    mean, worst = expected[solved.move.notation]
                    assert solved.expected == pytest.approx(mean)
                    assert solved.worst == worst
                compared += 1
            move = choice.choice(match.legal()).notation
            match.play(move)
            reference.play(move)
    assert compared >= 16


def test_the_view_is_left_as_it_was() -> None:
    match = brelan.game("district-noir").deal(seed=5)
    choice = random.Random(5)
    while match.view(None).record.round_no < 4:
        match.play(choice.choice(match.legal()))
    assert match.turn is not None
    before = match.view(match.turn)
    bot = brelan.bot("closer", match.game)
    assert bot.choose(match.view(match.turn)) in match.legal()
    solved = solutions(before)
    assert before == match.view(match.turn)
    assert [each.expected for each in solved] == sorted([e.expected for e in solved])[::-1]


def test_only_the_last_round_can_be_solved() -> None:
    match = brelan.game("district-noir").deal(seed=5)
    with pytest.raises(brelan.Refused, match="only a decision in the last round"):
        solutions(match.view(match.turn))


def test_the_analysis_is_the_solution() -> None:
    """In the last round win chances are those of the solver, without error."""
    game = brelan.game("district-noir")
    assessor, solved = Assessor(game, "200"), 0
    for seed in range(3):
        match, bot = game.deal(seed=seed), brelan.bot("greedy", game, seed=seed)
        while match.turn is not None:
            view = match.view(match.turn)
            is_last = view.record.round_no == view.record.rounds
            if is_last and len(view.legal()) > 1 and view.record.held[match.turn] <= 3:
                found = assessor.assess(view, view.legal()[-1].id)
                exact = {each.move.id: each.expected for each in solutions(view)}
                assert found.is_solved
                assert {each.move.id: 2 * each.chance - 1 for each in found.moves} == exact
                assert found.best.chance - found.loss == found.of(view.legal()[-1].id).chance
                solved += 1
            match.play(bot.choose(view))
    assert solved > 3
