"""What the choices of the others say of a world (§11)."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import brelan
from brelan.bots.search.searcher import Searcher
from brelan.bots.search.settings import Level
from brelan.engine.game import Game
from brelan.engine.match import Match
from brelan.games.cour_du_roi.state import Phase
from brelan.rules import hooks, new_scratch
from brelan.suite.walk import Walk

OPEN = ("court", "held", "opens", "yields")


def weighed(game: Game, state: Any, seat: int) -> tuple[Any, Any]:
    """A world after it was weighed, with bounds checked, and what it says of each player."""
    world, scratch = state.copy(), new_scratch(7)
    game.folder.library("checked")(hooks.log_evidence)(world, seat, scratch)
    return world, scratch.values[: game.players].copy()


def played(players: int, bot: str, seed: int, turns: int) -> Match:
    """A match between bots that are all alike, some turns after the draft."""
    game = brelan.game("cour-du-roi", players=players)
    match, one = game.deal(seed=seed), brelan.bot(bot, game, seed=seed)
    one.library = game.folder.library("compiled")  # type: ignore[attr-defined]
    while match.turn is not None:
        record = match.view(None).record
        if record.log_size >= turns and record.phase == Phase.PLAY:
            break
        match.play(one.choose(match.view(match.turn)))
    return match


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize(
    "knobs",
    [
        {},
        {"draft": "random"},
        {"draft": "alternate", "powers_optional": "on"},
        {"dead_family": "removed", "end_check": "immediate", "jack_draws": "after_gift"},
        {"single_support": "on", "order": "ladder", "two_player_draft": "full"},
        {"queen_needs_support": "on", "order": "cycle_weak_ace", "end_check": "solo_finish"},
    ],
)
def test_a_game_is_gone_through_again_to_where_it_stands(
    players: int, knobs: dict[str, Any]
) -> None:
    """Wound back and played again, every card lies where it lay: in the true world, and others."""
    game = brelan.game("cour-du-roi", players=players, **knobs)
    walk, choice = Walk(game, 5, "checked"), random.Random(5)
    moments = 0
    for _ in walk.run(choice):
        if walk.seat is None or choice.random() > 0.25:
            continue
        for state in (walk.state, walk.imagine(walk.seat, choice.getrandbits(60))):
            world, values = weighed(game, state, walk.seat)
            assert values[walk.seat] == 0.0
            assert np.isfinite(values).all()
            for name in OPEN:
                assert (world[name] == state[name]).all(), name
            for seat in range(players):
                assert sorted(world.hand[seat]) == sorted(state.hand[seat])
            size = state.discard_size
            assert world.discard_size == size
            assert (world.discard[:size] == state.discard[:size]).all()
            moments += state.log_size > 0
    assert moments > 5


def test_who_plays_well_is_told_from_who_plays_at_random() -> None:
    for bot, sign in (("greedy", 1), ("random", -1)):
        for seed in range(4):
            match = played(4, bot, seed, turns=24)
            _, values = weighed(match.game, match._state, 0)
            assert (sign * values[1:] > 0).all(), (bot, values)


@pytest.mark.parametrize(("players", "at_least"), [(3, 0.45), (4, 0.55)])
def test_families_are_guessed_better_than_by_chance(players: int, at_least: float) -> None:
    """One in three would be right by chance; these are the worlds that the search believes in."""
    right = []
    for seed in range(10):
        match = played(players, "greedy", seed, turns=5 * players)
        assert match.turn is not None
        searcher, layout = Searcher(match.game), match.game.folder.layout
        searcher.search(match.view(match.turn), Level(steps=20_000), luck=seed)
        assert searcher.tracker.belief.particle_count > 50
        others = [seat for seat in range(players) if seat != match.turn]
        for place in range(searcher.tracker.belief.particle_count):
            world = np.frombuffer(searcher.tracker.belief.particles[place].tobytes(), layout.dtype)[
                0
            ]
            right.append(np.mean(world.serves[others] == match._state.serves[others]))
    assert np.mean(right) > at_least
