"""The search: what it may see, what it believes, its levels."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import brelan
from brelan.bots import SearchBot, names
from brelan.bots.belief.history import segments
from brelan.bots.belief.importance import tempered
from brelan.bots.belief.tracker import BeliefTracker
from brelan.bots.search.rollout import load_world
from brelan.bots.search.searcher import MIN_IMPROVEMENT, Searcher
from brelan.bots.search.settings import LEVELS, Level, parse_level
from brelan.bots.search.stats import MoveStats, combined
from brelan.bots.search.tree import reopen, root_stats
from brelan.engine.match import Match
from brelan.engine.view import View
from brelan.testing import position


def after(players: int, moves: int, seed: int) -> Match:
    """A match of Love Letter after some moves of `eager`."""
    game = brelan.game("love-letter", players=players)
    match, bot = game.deal(seed=seed), brelan.bot("eager", game)
    for _ in range(moves):
        assert match.turn is not None
        match.play(bot.choose(match.view(match.turn)))
    return match


def test_equal_views_get_equal_moves_under_the_same_seed() -> None:
    """Also where the past is evidence: the view, its history and the seed are the only input."""
    match = after(2, 4, seed=3)
    assert match.turn is not None
    view = match.view(match.turn)
    same = View(match.game, view.seat, view.record.copy(), view.history, view.observations)
    moves = [SearchBot(match.game, "300", seed=5).choose(each) for each in (view, same)]
    assert moves[0] == moves[1]
    stats = [SearchBot(match.game, "300", seed=seed).search(view) for seed in (5, 5, *range(10))]
    assert stats[0] == stats[1]
    assert any(other != stats[0] for other in stats), "a seed makes no difference"
    assert sum(stat.visits for stat in stats[0].values()) == 300


def test_each_thread_builds_its_own_tree() -> None:
    match = after(2, 2, seed=4)
    assert match.turn is not None
    view = match.view(match.turn)
    one, two = (SearchBot(match.game, f"500+threads={n}").search(view) for n in (1, 2))
    assert list(one) == list(two) == [move.id for move in view.legal()]
    assert [sum(stat.visits for stat in each.values()) for each in (one, two)] == [500, 1000]


def test_sequential_halving_at_the_root() -> None:
    """Each round simulates half as many moves; the one with the highest lower bound is chosen."""
    match = after(2, 0, seed=1)
    assert match.turn is not None
    view, bot = match.view(match.turn), SearchBot(match.game, "4000")
    stats = bot.search(view)
    parts = math.ceil(math.log2(len(stats)))
    assert parts >= 3, "too few moves to see it"
    visits = sorted((stat.visits for stat in stats.values()), reverse=True)
    assert sum(visits) == 4000
    assert visits[0] - visits[1] <= 1, "the last two are simulated equally often"
    shares = [4000 / parts / math.ceil(len(stats) / 2**part) for part in range(parts)]
    assert visits[0] == pytest.approx(sum(shares), abs=parts)
    assert visits[-1] == pytest.approx(shares[0], abs=1)
    best = max(stats, key=lambda move: stats[move].lower_bound)
    assert bot.choose(view).id == best


def test_moves_are_simulated_with_common_random_numbers() -> None:
    """Guards that name a card the opponent does not hold are equal, and so are their statistics.

    The order in which they are simulated does not matter: none learns from another.
    """
    game = brelan.game("love-letter", tokens_to_win=1)
    known = [[None, 8], [None, None]]
    match = position(game, rest="pile", turn=0, hand=[1, 8], drew=[[5]], known=known)
    view = match.view(0)
    missing = [move.id for move in view.legal() if move.notation in ("1:2", "1:3", "1:4")]
    assert len(missing) == 3
    compared = 0
    for seed in range(20):
        stats = SearchBot(game, "4000+belief=off", seed=seed).search(view)
        for one, two in itertools.combinations((stats[move] for move in missing), 2):
            if one.visits == two.visits:
                assert one == two
                compared += 1
    assert compared > 10


def test_the_standard_error_of_a_move() -> None:
    results = [0.0, 1.0, 1.0, 0.5]
    one, two = (
        combined(MoveStats(1, value, value**2) for value in part)
        for part in (results, results * 25)
    )
    assert one.value == two.value == np.mean(results)
    assert one.std == pytest.approx(np.std(results))
    assert two.standard_error == pytest.approx(np.std(results) / 10, rel=0.05)
    assert one.lower_bound < two.lower_bound < two.value
    assert MoveStats(0, 0.0, 0.0).lower_bound < MoveStats(1, 0.0, 0.0).lower_bound < one.lower_bound


def test_it_names_the_card_it_knows() -> None:
    """A Guard against a hand that was seen has the highest value; a timed search stops early."""
    game = brelan.game("love-letter", tokens_to_win=1)
    known = [[None, 8], [None, None]]
    match = position(game, rest="pile", turn=0, hand=[1, 8], drew=[[5]], known=known)
    for level in ("2000", "20s"):
        bot = SearchBot(game, level)
        assert bot.choose(match.view(0)).notation == "1:8"
        assert bot._searchers[0].steps < 300_000


@pytest.mark.parametrize("players", [2, 3])
def test_particles_fit_the_view_and_the_opponents_moves(players: int) -> None:
    """A hand with which `eager` would have moved otherwise is less likely.

    With two players by exact enumeration, with three by the particle filter.
    """
    informative = 0
    for seed in range(40):
        match = after(players, players + 1, seed)
        if match.turn is None or match.view(None).record.round_no > 1:
            continue
        seat, view = match.turn, match.view(match.turn)
        bot = SearchBot(match.game, "10")
        bot.search(view)
        belief = bot._searchers[0].tracker.belief
        if belief.particle_count < 100:
            continue
        layout = match.game.folder.layout
        worlds = [belief.particles[place].tobytes() for place in range(belief.particle_count)]
        assert {layout.view(world, seat).tobytes() for world in worlds} == {view.record.tobytes()}
        other = (seat + 1) % players
        hands = Counter(int(np.frombuffer(w, layout.dtype)[0].hand[other]) for w in worlds)
        fits = Counter(_imagined_hands(view, other, 2000))
        assert set(hands) <= set(fits)
        believed = np.array([hands[card] / belief.particle_count for card in fits])
        uniform = np.array([fits[card] / 2000 for card in fits])
        informative += abs(believed - uniform).max() > 0.07  # by chance it differs by 0.02
    assert informative > 5, "the opponents' moves are no evidence"


@pytest.mark.parametrize("game", ["district-noir"])
def test_the_budget_covers_belief_and_search(game: str) -> None:
    """A larger budget finds more particles; both together use the steps of the level."""
    match = brelan.game(game).deal(seed=3)
    mover = brelan.bot("careful", match.game)
    for _ in range(5):
        assert match.turn is not None
        match.play(mover.choose(match.view(match.turn)))
    assert match.turn is not None
    searcher = Searcher(match.game)
    counts = []
    for moves in (4_000, 40_000):
        searcher.search(match.view(match.turn), Level(steps=moves), luck=7)
        counts.append(int(searcher.tracker.belief.particle_count))
        assert moves <= searcher.steps < moves + 200
    assert 0 < counts[0] < counts[1]


def test_unseen_cards_are_dealt_anew_in_each_simulation() -> None:
    """Otherwise a large tree would learn the order of the cards in each particle."""
    match = after(2, 4, seed=3)
    assert match.turn is not None
    view, layout = match.view(match.turn), match.game.folder.layout
    tracker = BeliefTracker(match.game)
    tracker.update(view, Level(steps=20_000).belief_budget, luck=7)
    assert tracker.belief.particle_count > 500
    tracker.belief.particles[:] = tracker.belief.particles[0]  # all particles are the same
    hand = int(tracker.belief.particles[0].view(layout.dtype)[0].hand[1 - view.seat])
    state, _, raw = tracker.buffers
    hands, piles = [], set()
    for _ in range(200):
        load = match.game.folder.library("compiled")(load_world)
        load(state, raw, tracker.scratch, tracker.belief, view.seat)
        assert layout.view(raw.state.tobytes(), view.seat).tobytes() == view.record.tobytes()
        hands.append(int(state.hand[1 - view.seat]))
        piles.add(tuple(state.pile[state.top : state.top + state.deck_size]))
    assert hands.count(hand) > 180, "few worlds are fresh determinizations"
    assert len(piles) > 180


def test_each_batch_begins_with_a_new_belief(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The particles change, the tree stays; all batches together use the steps of the level."""
    monkeypatch.setattr("brelan.bots.search.searcher.BATCH", 10_000)
    monkeypatch.setattr("brelan.bots.search.settings.BATCH", 10_000)
    batches, simulated = [], []
    update, run_simulations = BeliefTracker.update, Searcher.run_simulations

    def updates(tracker: BeliefTracker, view: View, budget: float, luck: int) -> int:
        steps = update(tracker, view, budget, luck)
        batches.append((luck, tracker.belief.particles[: tracker.belief.particle_count].tobytes()))
        return steps

    def runs(searcher: Searcher, *arguments: Any) -> int:
        simulated.append(run_simulations(searcher, *arguments))
        return simulated[-1]

    monkeypatch.setattr(BeliefTracker, "update", updates)
    monkeypatch.setattr(Searcher, "run_simulations", runs)
    match = brelan.game("district-noir").deal(seed=3)
    mover, searcher = brelan.bot("careful", match.game), Searcher(match.game)
    for _ in range(5):
        assert match.turn is not None
        match.play(mover.choose(match.view(match.turn)))
    assert match.turn is not None
    before: dict[int, MoveStats] = {}
    for _ in range(2):  # an earlier search changes nothing
        batches.clear()
        simulated.clear()
        stats = searcher.search(match.view(match.turn), Level(steps=45_000), luck=7)
        assert 45_000 <= searcher.steps < 45_200
        assert len({luck for luck, _ in batches}) == len({w for _, w in batches}) > 3
        assert sum(stat.visits for stat in stats.values()) == sum(simulated) > 100
        before = before or stats
        assert stats == before


def test_a_longer_search_repeats_the_batches_of_a_shorter_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("brelan.bots.search.searcher.BATCH", 10_000)
    monkeypatch.setattr("brelan.bots.search.settings.BATCH", 10_000)
    batches: list[dict[int, MoveStats]] = []
    run_batch = Searcher._run_batch

    def runs_batch(searcher: Searcher, *arguments: Any) -> None:
        run_batch(searcher, *arguments)
        batches.append(root_stats(searcher.tree))

    monkeypatch.setattr(Searcher, "_run_batch", runs_batch)
    match = after(2, 2, seed=12)
    assert match.turn is not None
    searcher, found = Searcher(match.game), []
    for level in (Level(steps=40_000), Level(steps=80_000), Level(seconds=20.0)):
        batches.clear()
        stats = searcher.search(match.view(match.turn), level, luck=7)
        assert stats == batches[-1]
        found.append(list(batches))
    less, more, seconds = found
    assert 2 < len(less) < len(more)
    shared = len(less) - 1  # the last batch of a level that counts steps may be longer
    assert more[:shared] == less[:shared]
    shared = min(len(more) - 1, len(seconds))
    assert shared > 1
    assert seconds[:shared] == more[:shared]


@pytest.mark.parametrize(
    ("stats", "reopened"),
    [
        ([(10_000, 0.60), (10_000, 0.50)], [0]),
        ([(5_000, 0.60), (5_000, 0.59)], [0, 1]),  # it may be better
        ([(500_000, 0.502), (500_000, 0.501)], [0]),  # but not by enough
        ([(5_000, 0.502), (5_000, 0.501)], [0, 1]),  # and perhaps by more
        ([(5_000, 0.50), (5_000, 0.60), (5_000, 0.59)], [1, 2]),
        ([(10_000, 0.60), (10_000, 0.50), (0, 0.0)], [0, 2]),  # no visits
        ([(10_000, 0.60)], [0]),
    ],
)
def test_moves_whose_value_is_uncertain_are_reopened(
    stats: list[tuple[int, float]], reopened: list[int]
) -> None:
    tree = Searcher(brelan.game("love-letter")).tree
    tree.edge_count[0] = len(stats)
    for edge, (visits, value) in enumerate(stats):  # of results that are 0 or 1
        tree.visits[edge] = visits
        tree.value_sum[edge] = tree.value_sq_sum[edge] = visits * value
    assert reopen(tree, MIN_IMPROVEMENT, fallback=0) == (len(reopened) > 1)
    assert tree.candidates[: tree.candidate_count].tolist() == reopened
    if len(stats) > 1:  # a level that does not count seconds uses all its steps
        assert reopen(tree, MIN_IMPROVEMENT, fallback=1)
        assert tree.candidate_count == max(2, len(reopened))


def test_expected_improvement_is_what_exact_knowledge_would_gain() -> None:
    """By hand: two moves of equal value; the standard error of their difference is 0.01."""
    one = MoveStats(5_000, 2_500.0, 2_500.0)
    assert math.hypot(one.standard_error, one.standard_error) == pytest.approx(0.01, rel=0.01)
    assert one.expected_improvement(one) == pytest.approx(0.01 / math.sqrt(2 * math.pi), rel=0.01)
    worse = [MoveStats(5_000, total, total) for total in (2_450.0, 2_400.0, 2_300.0)]
    gains = [one.expected_improvement(other) for other in (one, *worse)]
    assert gains == sorted(gains, reverse=True)
    luck = np.random.default_rng(1).normal(-0.02, 0.01, 10**6)
    assert one.expected_improvement(worse[1]) == pytest.approx(np.maximum(luck, 0).mean(), rel=0.05)


def test_the_posterior_finds_the_opponents_model() -> None:
    """After some rounds `random` is told from `eager`."""
    game = brelan.game("love-letter")
    posterior = {}
    for name in ("random", "eager"):
        match, bots = game.deal(seed=3), [brelan.bot("eager", game), brelan.bot(name, game, seed=3)]
        while len(match.view(None).history) < 50 or match.turn != 0:
            assert match.turn is not None
            match.play(bots[match.turn].choose(match.view(match.turn)))
        searcher = Searcher(game)
        searcher.search(match.view(0), Level(simulations=1), luck=7)
        posterior[name] = searcher.tracker.belief.model_posterior[1, : len(names(game))].copy()
        assert sum(posterior[name]) == pytest.approx(1)
    assert posterior["eager"][-1] > 0.7
    assert posterior["random"][-1] < 0.2


def test_segments_reach_from_one_own_decision_to_the_next() -> None:
    for players, moves in ((2, 9), (3, 14)):
        match = after(players, moves, seed=8)
        assert match.turn is not None
        view = match.view(match.turn)
        cut = segments(view)
        assert cut[-1][1] == len(view.history)
        assert all(one[1] <= two[0] for one, two in itertools.pairwise(cut))
        for start, stop in cut:
            seats = {move.seat for move in view.history[start:stop]} - {None, view.seat}
            assert seats, "nobody else moved in it"
            assert start == cut[0][0] or view.history[start].seat == view.seat


def test_a_match_without_moves_is_one_empty_segment() -> None:
    match = after(2, 0, seed=8)
    assert match.turn is not None
    now = len(match.view(match.turn).history)
    assert segments(match.view(match.turn)) == [(now, now)]


def test_what_district_noir_can_prove_is_played() -> None:
    """In the last round of District Noir, `expert` plays as the solver does; `club` need not."""
    game = brelan.game("district-noir")
    match, closer, expert = game.deal(seed=4), brelan.bot("closer", game), SearchBot(game, "20")
    solved = 0
    while match.turn is not None:
        view = match.view(match.turn)
        found = expert._proven_move(view)
        if found is not None and len(view.legal()) > 1:
            assert found == expert.choose(view)
            assert found.id in [move.id for move in view.legal()]
            solved += 1
        match.play(closer.choose(view))
    assert solved > 3


def _imagined_hands(view: View, other: int, count: int) -> list[int]:
    from brelan.rules import hooks, new_scratch

    assert view.seat is not None
    imagine, scratch = view.game.folder.library("compiled")(hooks.imagine), new_scratch(7)
    hands = []
    for _ in range(count):
        world = view.record.copy()
        imagine(world, view.seat, scratch)
        hands.append(int(world.hand[other]))
    return hands


def test_weights_are_tempered_to_a_minimal_effective_sample_size() -> None:
    rng = np.random.default_rng(1)
    for log_evidence in (rng.normal(0, 20, 300), rng.normal(0, 0.1, 300), np.zeros(300)):
        weight = tempered(log_evidence)
        assert weight.sum() ** 2 / (weight**2).sum() > 29
        assert (np.argsort(weight) == np.argsort(log_evidence)).all() or np.ptp(log_evidence) == 0
    weak = rng.normal(0, 0.1, 300)
    exact = np.exp(weak) / np.exp(weak).sum()
    assert np.allclose(tempered(weak), exact, rtol=1e-4), "weak evidence needs no tempering"


def test_levels() -> None:
    game = brelan.game("love-letter")
    for level in ("novice", "club", "expert"):
        assert brelan.bot("search", game, level=level).name == level
        assert brelan.bot(level, game).name == level
    assert brelan.bot("search", game).name == "expert"
    assert brelan.bot("search:700", game).name == "search:700"
    for level in ("grandmaster", "0", "-5", "0s", "1e9", "1.5"):
        with pytest.raises(brelan.Refused, match="novice, club, expert, a number of simulations"):
            brelan.bot("search", game, level=level)
    assert brelan.bot("search:expert+belief=off", game).level == replace(
        LEVELS["expert"], belief=False
    )
    varied = parse_level("2s+steps=300+temperature=0.5+belief=on")
    assert varied == Level(steps=300, seconds=2.0, temperature=0.5)
    for level in (
        "expert+belief=maybe", "club+steps=0", "club+steps=1_000", "club+steps=" + 400 * "9", "٣s",
        "club+temperature=-1", "club+temperature=nan", "club+sight=all", "club+steps=5+steps=7",
        "club+threads=0", "club+threads=65",
    ):  # fmt: skip
        with pytest.raises(brelan.Refused, match=r"steps=N, temperature=X .* belief=off"):
            brelan.bot("search", game, level=level)
    with pytest.raises(brelan.Refused, match="has no levels"):
        brelan.bot("eager", game, level="club")


@pytest.mark.parametrize("game", ["love-letter", "cour-du-roi"])
def test_the_smallest_budget_is_enough_for_a_move(game: str) -> None:
    """Also late in a match, where the history is long."""
    match = brelan.game(game).deal(seed=3)
    for ply in range(24):
        if match.turn is None:
            break
        view = match.view(match.turn)
        if ply in (0, 1, 22, 23):
            for level in ("1", "0.001s", "expert+steps=1", "club+steps=1", "1+temperature=2"):
                assert brelan.bot("search", match.game, level=level).choose(view) in view.legal()
        match.play(view.legal()[-1])


@pytest.mark.parametrize("seconds", [0.15, 1.0, 2.75])
def test_seconds_are_kept(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """By a clock that advances by 0.01 s for each call of simulations, and not otherwise."""
    now, reopened = [0.0], []
    run_simulations = Searcher.run_simulations

    def runs(searcher: Searcher, *arguments: Any) -> int:
        now[0] += 0.01
        return run_simulations(searcher, *arguments)

    def reopens(*arguments: Any, **options: Any) -> bool:
        reopened.append(now[0])
        return reopen(*arguments, **options)

    monkeypatch.setattr("brelan.bots.search.searcher.time.perf_counter", lambda: now[0])
    no_improvement = "brelan.bots.search.searcher.MIN_IMPROVEMENT"
    monkeypatch.setattr(no_improvement, -1.0)  # all moves stay in question
    monkeypatch.setattr(Searcher, "run_simulations", runs)
    monkeypatch.setattr("brelan.bots.search.searcher.reopen", reopens)
    match = after(2, 3, seed=5)
    assert match.turn is not None
    searcher = Searcher(match.game)
    stats = searcher.search(match.view(match.turn), Level(seconds=seconds), luck=7)
    assert seconds <= now[0] < seconds + 0.01
    assert min(stat.visits for stat in stats.values()) > 0
    assert len(reopened) > seconds - 1.0


def test_simulations_are_counted_over_all_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("brelan.bots.search.searcher.BATCH", 10_000)
    monkeypatch.setattr("brelan.bots.search.settings.BATCH", 10_000)
    match = after(2, 3, seed=5)
    assert match.turn is not None
    searcher = Searcher(match.game)
    stats = searcher.search(match.view(match.turn), Level(simulations=9_000), luck=7)
    assert searcher.steps > 2 * 10_000, "there was only one batch"
    assert sum(stat.visits for stat in stats.values()) == searcher.simulations == 9_000


def test_it_plays_whole_matches_and_wins() -> None:
    """Enough matches to notice a search that does not work."""
    game = brelan.game("love-letter", tokens_to_win=1)
    wins = brelan.simulate(game, ["search:400", "random"], 120, seed=2).wins[0]
    assert wins.mean > 0.6
