"""Beliefs that need no chance: how likely a move is, and which hands are (§6.3, §10)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

import brelan
from brelan.bots.belief.exact import enumerate_worlds
from brelan.bots.belief.history import deals, segment
from brelan.bots.belief.particles import particle_filter
from brelan.bots.belief.tracker import NO_EVIDENCE, BeliefTracker
from brelan.engine.match import Match
from brelan.engine.view import View
from brelan.games.love_letter.bots import BOTS
from brelan.games.love_letter.cards import MOVES, Card
from brelan.games.love_letter.state import Reason
from brelan.rules import hooks, new_scratch

BUDGET = 200_000  # steps of inference


def match_after(plies: int, seed: int, bot: str = "random", **knobs: Any) -> Match:
    """A match some moves of a bot on."""
    game = brelan.game("love-letter", **knobs)
    match, mover = game.deal(seed=seed), brelan.bot(bot, game, seed=seed)
    for _ in range(plies):
        if match.turn is not None:
            match.play(mover.choose(match.view(match.turn)))
    return match


@pytest.mark.parametrize(
    "knobs",
    [{}, {"bot_mode": "stochastic"}, {"prince_vs_handmaid": "may_fizzle"}, {"players": 3}],
    ids=str,
)
def test_10_a_bot_makes_each_move_as_often_as_is_said(knobs: dict[str, Any]) -> None:
    often, cards = 600, set()
    for seed in range(24):
        match = match_after(1 + seed % 9, seed, **knobs)
        if match.turn is None:
            continue
        library, scratch = match.game.folder.library("compiled"), new_scratch(seed)
        record = match.view(match.turn).record
        choose, move_probability = library(hooks.choose), library(hooks.move_probability)
        for bot in range(len(BOTS)):
            said = {}
            for move in match.legal():
                library(hooks.legal_moves)(record, scratch)
                said[move.id] = move_probability(bot, record.copy(), move.id, scratch)
            assert sum(said.values()) == pytest.approx(1)
            made: Counter[int] = Counter()
            for _ in range(often):
                library(hooks.legal_moves)(record, scratch)
                made[int(choose(bot, record.copy(), scratch))] += 1
            for number, odds in said.items():
                margin = 4.5 * np.sqrt(odds * (1 - odds) / often) + 3 / often
                assert abs(made[number] / often - odds) <= margin, (seed, bot, number)
            cards |= {Card(int(MOVES[number].card)) for number in made}
    assert cards >= {Card.GUARD, Card.PRIEST, Card.PRINCE, Card.CHANCELLOR, Card.HANDMAID}


def tracking(view: View, luck: int = 7) -> BeliefTracker:
    """A tracker that begins with the last deal, and knows nothing of the others."""
    tracker = BeliefTracker(view.game)
    tracker.set_posterior(NO_EVIDENCE)
    tracker.scratch.bots[:] = len(BOTS)
    tracker.observe(segment(view, *deals(view)[-1]), luck)
    return tracker


def enumerated(view: View) -> dict[tuple[int, int], float]:
    """How likely the other has each hand and is like each bot, when all ways are gone through."""
    tracker, seat = tracking(view), view.seat
    assert seat is not None
    tracker.exact_enumeration(seat, BUDGET)
    found: Counter[tuple[int, int]] = Counter()
    for hypothesis in range(tracker.belief.hypothesis_count):
        world = tracker.belief.hypotheses[hypothesis].view(view.game.folder.layout.dtype)[0]
        for bot in range(len(BOTS) + 1):
            found[int(world.hand[1 - seat]), bot] += tracker.belief.joint[hypothesis, bot]
    total = sum(found.values())
    return {key: odds / total for key, odds in found.items()}


def found_in_worlds(view: View, tracker: BeliefTracker, other: int) -> Counter[tuple[int, int]]:
    """How often another seat has each hand and is like each bot, in worlds that are believed in."""
    layout, worlds = (
        view.game.folder.layout,
        tracker.belief.particles[: tracker.belief.particle_count],
    )
    for world in worlds:
        assert layout.view(world.tobytes(), view.seat).tobytes() == view.record.tobytes()
    casts = tracker.belief.models[: tracker.belief.particle_count]
    assert (casts[:, view.seat] == len(BOTS)).all(), "the one who thinks is like the strongest bot"
    return Counter(
        (int(world.hand[other]), int(cast[other]))
        for world, cast in zip(worlds.view(layout.dtype)[:, 0], casts, strict=True)
    )


def rejected(view: View, other: int) -> Counter[tuple[int, int]]:
    """The same in worlds sampled by rejection from the deal on: few of very many attempts."""
    tracker = tracking(view)
    tracker.rejection_sampling(view.seat, 10**7, BUDGET)
    return found_in_worlds(view, tracker, other)


def filtered(view: View, other: int) -> Counter[tuple[int, int]]:
    """The same in worlds that were drawn again after every move, four times from the deal on."""
    found: Counter[tuple[int, int]] = Counter()
    for luck in range(4):
        tracker = tracking(view, luck)
        tracker.particle_filter(view.seat, BUDGET)
        found += found_in_worlds(view, tracker, other)
    return found


def views(bot: str, plies: Sequence[int], count: int, players: int = 2) -> Iterator[View]:
    """What the seat in turn sees after some moves, if somebody moved since the deal."""
    for seed in range(count):
        match = match_after(plies[seed % len(plies)], seed, bot, players=players)
        if match.turn is not None and match.view(match.turn).history[-1].seat is not None:
            yield match.view(match.turn)


def differ(found: Counter[Any], odds: Mapping[Any, float], often: float) -> list[Any]:
    """Which keys were found more or less often than chance explains, of so many free draws."""
    return [
        (key, found[key] / found.total(), odds[key])
        for key in odds
        if abs(found[key] / found.total() - odds[key])
        > 4.5 * np.sqrt(odds[key] * (1 - odds[key]) / often) + 4 / often
    ]


def by_bot(found: Mapping[tuple[int, int], float], total: float) -> list[float]:
    """How likely the other is like each bot, whatever its hand."""
    return [
        sum(odds for (_, like), odds in found.items() if like == bot) / total
        for bot in range(len(BOTS) + 1)
    ]


def test_6_3_exact_beliefs_are_those_of_rejection_sampling() -> None:
    looked_at, unsure = 0, 0
    for view in views("random", range(2, 7), 60):
        assert view.seat is not None
        believed, found = enumerated(view), rejected(view, 1 - view.seat)
        if found.total() < 300:
            continue
        looked_at += 1
        unsure += max(believed.values()) < 0.5
        assert set(found) <= {key for key, odds in believed.items() if odds > 0}
        assert differ(found, believed, found.total()) == []
    assert looked_at > 10
    assert unsure > 7


def test_6_3_particles_are_as_likely() -> None:
    gaps = []
    for view in views("random", range(2, 9), 60):
        assert view.seat is not None
        believed, found = enumerated(view), filtered(view, 1 - view.seat)
        assert set(found) <= {key for key, odds in believed.items() if odds > 0}
        assert differ(found, believed, min(found.total() / 4, 100)) == []  # few are free
        gaps.append(np.subtract(by_bot(found, found.total()), by_bot(believed, 1)))
    error = np.std(gaps, axis=0) / np.sqrt(len(gaps))
    assert len(gaps) > 30
    assert (np.abs(np.mean(gaps, axis=0)) <= 4 * error + 1e-9).all(), "no bot is found too often"


@pytest.mark.parametrize("players", [3, 4])
def test_6_3_and_so_they_are_with_more_players(players: int) -> None:
    looked_at = 0
    for view in views("eager", [1, players - 1, players], 30, players):
        assert view.seat is not None
        other = view.history[-1].seat
        assert other is not None
        if other == view.seat or not view.record.in_round[other]:
            continue
        found, again = filtered(view, other), rejected(view, other)
        if again.total() < 100:
            continue
        looked_at += 1
        odds = {key: again[key] / again.total() for key in found | again}
        assert differ(found, odds, min(found.total() / 4, 100, again.total() / 2)) == []
    assert looked_at > 5


@pytest.mark.parametrize(
    "knobs",
    [
        {"deck": "classic16"},
        {"reveal_after_knockout": "all", "face_up_set_aside": 0},
        {"next_starter": "random", "reveal_after_knockout": "winner_hand"},
        {"next_starter": "loser", "players": 3},
    ],
    ids=str,
)
def test_6_3_every_deal_can_be_explained_whatever_the_options(knobs: dict[str, Any]) -> None:
    reasons, explained = set(), []
    for seed in range(7):
        match = match_after(40, seed, "careful", **knobs)
        for seat in range(match.game.players):
            view = match.view(seat)
            for first, last in deals(view)[:-1]:
                tracker = BeliefTracker(view.game)
                tracker.set_posterior(NO_EVIDENCE)
                tracker.infer_since_deal(view, segment(view, first, last), 7, BUDGET)
                explained.append(tracker.belief.particle_count > 0)
                ended = np.frombuffer(view.observations[last], match.game.folder.layout.dtype)[0]
                reasons.add(int(ended.reason))
    assert len(explained) > 10
    assert np.mean(explained) >= (1 if match.game.players == 2 else 0.8)  # none may live on
    assert {Reason.KNOCKOUT, Reason.SHOWDOWN} <= reasons


@pytest.mark.parametrize("players", [2, 3])
def test_what_was_thought_before_changes_nothing(
    players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where a round holds too much to go through it all, and worlds are followed instead."""
    monkeypatch.setattr("brelan.bots.belief.tracker.PAST_DEAL_BUDGET", 300)
    game = brelan.game("love-letter", players=players)
    match, mover, old = game.deal(seed=5), brelan.bot("eager", game, seed=5), BeliefTracker(game)
    budget, compared = 750, 0
    for ply in range(60):
        if match.turn is None:
            break
        view = match.view(match.turn)
        if match.turn == 0:
            old.update(view, budget, luck=7)
            if ply > 20 and len(view.legal()) > 1 and compared < 8:
                new = BeliefTracker(game)
                new.update(view, budget, luck=7)
                assert (new.belief.model_posterior == old.belief.model_posterior).all()
                believed = slice(int(new.belief.particle_count))
                assert new.belief.particle_count == old.belief.particle_count
                assert (new.belief.particles[believed] == old.belief.particles[believed]).all()
                compared += 1
        match.play(mover.choose(view))
    assert compared > 4


@pytest.mark.parametrize("rule", [enumerate_worlds, particle_filter])
def test_machine_code_writes_nowhere_else(rule: Any) -> None:
    """With bounds checked the same is found."""
    for view in views("eager", [5, 8], 6):
        plain, checked = tracking(view), tracking(view)
        library = view.game.folder.library("compiled"), view.game.folder.library("checked")
        for tracker, run in zip((plain, checked), library, strict=True):
            run(rule)(*tracker.buffers, tracker.scratch, tracker.belief, view.seat, BUDGET)
        assert plain.belief.particle_count == checked.belief.particle_count > 0
        assert (plain.belief.particles == checked.belief.particles).all()


@pytest.mark.parametrize(
    "knobs",
    [
        {},
        {"deck": "classic16", "face_up_set_aside": 0},
        {"players": 3, "prince_vs_handmaid": "may_fizzle"},
        {"players": 6, "reveal_after_knockout": "all"},
    ],
    ids=str,
)
def test_6_3_what_is_dealt_anew_nobody_has_looked_at(knobs: dict[str, Any]) -> None:
    """Every seat sees the same as before, and what lies under the deck stays there."""
    tucked = changed = 0
    for seed in range(30):
        match = match_after(3 + seed % 20, seed, **knobs)
        game, layout, true = match.game, match.game.folder.layout, match._state
        world = true.copy()
        game.hooks.deal_unseen(world, new_scratch(seed))
        for seat in (*range(game.players), None):
            seen = [layout.view(state.tobytes(), seat).tobytes() for state in (world, true)]
            assert seen[0] == seen[1]
        cards = [[int(state.burned), *state.pile.tolist()] for state in (world, true)]
        assert Counter(cards[0]) == Counter(cards[1])
        assert (world.pile[true.packed :] == true.pile[true.packed :]).all()
        tucked += true.top + true.deck_size > true.packed
        changed += cards[0] != cards[1]
        world.pile[:], world.burned = true.pile, true.burned
        assert world.tobytes() == true.tobytes()
    assert changed > 15
    assert tucked > 0 or knobs.get("deck") == "classic16"  # which has no Chancellor
