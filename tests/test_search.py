"""The search: what it may see, what it believes, its levels."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

import brelan
from brelan.bots import SearchBot, names
from brelan.bots.belief.history import segments
from brelan.bots.belief.importance import tempered
from brelan.bots.belief.tracker import BeliefTracker
from brelan.bots.search.rollout import load_world
from brelan.bots.search.searcher import Searcher
from brelan.bots.search.settings import LEVELS, Level, level_of
from brelan.bots.search.stats import MoveStats, combined
from brelan.engine.match import Match
from brelan.engine.view import View
from brelan.testing import position


def after(players: int, moves: int, seed: int) -> Match:
    """A match of Love Letter between `eager`s, some moves on."""
    game = brelan.game("love-letter", players=players)
    match, bot = game.deal(seed=seed), brelan.bot("eager", game)
    for _ in range(moves):
        assert match.turn is not None
        match.play(bot.choose(match.view(match.turn)))
    return match


def test_equal_views_get_equal_moves_under_the_same_seed() -> None:
    """Also after rejection sampling: the view, its observations and the seed are all there is."""
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


def test_threads_grow_trees_of_their_own() -> None:
    match = after(2, 2, seed=4)
    assert match.turn is not None
    view = match.view(match.turn)
    one, two = (SearchBot(match.game, f"500+threads={n}").search(view) for n in (1, 2))
    assert list(one) == list(two) == [move.id for move in view.legal()]
    assert [sum(stat.visits for stat in each.values()) for each in (one, two)] == [500, 1000]


def test_the_worse_half_is_left_out_again_and_again() -> None:
    """Each part of the thinking is shared by half as many moves; the surest of all is chosen."""
    match = after(2, 0, seed=1)
    assert match.turn is not None
    view, bot = match.view(match.turn), SearchBot(match.game, "4000")
    stats = bot.search(view)
    parts = math.ceil(math.log2(len(stats)))
    assert parts >= 3, "too few moves to see it"
    tries = sorted((stat.visits for stat in stats.values()), reverse=True)
    assert sum(tries) == 4000
    assert tries[0] - tries[1] <= 1, "the last two are tried alike"
    shares = [4000 / parts / math.ceil(len(stats) / 2**part) for part in range(parts)]
    assert tries[0] == pytest.approx(sum(shares), abs=parts)
    assert tries[-1] == pytest.approx(shares[0], abs=1)
    best = max(stats, key=lambda move: stats[move].lower_bound)
    assert bot.choose(view).id == best


def test_moves_are_tried_in_the_same_worlds() -> None:
    """Guards that name cards the other does not hold do the same, and just the same comes out.

    It does not matter which of them was tried first: none learns from what came of another.
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


def test_a_value_has_a_standard_error() -> None:
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
    """A Guard against a hand that was seen is the surest move there is; nobody thinks long then."""
    game = brelan.game("love-letter", tokens_to_win=1)
    known = [[None, 8], [None, None]]
    match = position(game, rest="pile", turn=0, hand=[1, 8], drew=[[5]], known=known)
    for level in ("2000", "20s"):
        bot = SearchBot(game, level)
        assert bot.choose(match.view(0)).notation == "1:8"
        assert bot._searchers[0].steps < 300_000


@pytest.mark.parametrize("players", [2, 3])
def test_believed_worlds_look_the_same_and_follow_the_bot(players: int) -> None:
    """A hand with which `eager` would have moved otherwise is believed less.

    With two players all that may have happened is gone through, with three worlds are followed.
    """
    told = 0
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
        told += abs(believed - uniform).max() > 0.07  # by chance it differs by 0.02
    assert told > 5, "the others' moves say nothing"


@pytest.mark.parametrize("game", ["district-noir"])
def test_particles_are_searched(game: str) -> None:
    """Reading is done once, and what it found is there when the search begins."""
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


def test_what_nobody_has_looked_at_is_dealt_anew() -> None:
    """Else a tree that is grown long learns by heart how the cards lie in the worlds it has."""
    match = after(2, 4, seed=3)
    assert match.turn is not None
    view, layout = match.view(match.turn), match.game.folder.layout
    tracker = BeliefTracker(match.game)
    tracker.update(view, Level(steps=20_000), luck=7)
    assert tracker.belief.particle_count > 500
    tracker.belief.particles[:] = tracker.belief.particles[0]  # all believed worlds are one
    hand = int(tracker.belief.particles[0].view(layout.dtype)[0].hand[1 - view.seat])
    state, _, raw = tracker.buffers
    hands, piles = [], set()
    for _ in range(200):
        enter = match.game.folder.library("compiled")(load_world)
        enter(state, raw, tracker.scratch, tracker.belief, view.seat)
        assert layout.view(raw.state.tobytes(), view.seat).tobytes() == view.record.tobytes()
        hands.append(int(state.hand[1 - view.seat]))
        piles.add(tuple(state.pile[state.top : state.top + state.deck_size]))
    assert hands.count(hand) > 180, "few worlds merely fit"
    assert len(piles) > 180


def test_who_thinks_long_updates_its_belief_in_district_noir(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The worlds are others then, with the same tree; all of it together is what was asked for."""
    monkeypatch.setattr("brelan.bots.search.searcher.BATCH", 10_000)
    monkeypatch.setattr("brelan.bots.belief.tracker.BATCH", 10_000)
    batches, simulated = [], []
    update, run_simulations = BeliefTracker.update, Searcher.run_simulations

    def updates(tracker: BeliefTracker, view: View, level: Level, luck: int) -> None:
        update(tracker, view, level, luck)
        batches.append((luck, tracker.belief.particles[: tracker.belief.particle_count].tobytes()))

    def runs(searcher: Searcher, view: View, count: int, moves: int) -> int:
        simulated.append(run_simulations(searcher, view, count, moves))
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
    for _ in range(2):  # what was thought before changes nothing
        batches.clear()
        simulated.clear()
        stats = searcher.search(match.view(match.turn), Level(steps=45_000), luck=7)
        assert 45_000 <= searcher.steps < 45_200
        assert len({luck for luck, _ in batches}) == len({w for _, w in batches}) > 3
        assert sum(stat.visits for stat in stats.values()) == sum(simulated) > 100
        before = before or stats
        assert stats == before


def test_thinking_longer_is_the_same_and_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is thought after some batches does not depend on how many more there may be."""
    monkeypatch.setattr("brelan.bots.search.searcher.BATCH", 10_000)
    monkeypatch.setattr("brelan.bots.belief.tracker.BATCH", 10_000)
    batches: list[dict[int, MoveStats]] = []
    run_batch = Searcher._run_batch

    def runs_batch(searcher: Searcher, view: View, level: Level, end: float) -> None:
        run_batch(searcher, view, level, end)
        batches.append(searcher._stats())

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
    shared = len(less) - 1  # the last batch of a level that counts moves may be longer
    assert more[:shared] == less[:shared]
    shared = min(len(more) - 1, len(seconds))
    assert shared > 1
    assert seconds[:shared] == more[:shared]


@pytest.mark.parametrize(
    ("stats", "taken_up"),
    [
        ([(10_000, 0.60), (10_000, 0.50)], [0]),
        ([(5_000, 0.60), (5_000, 0.59)], [0, 1]),  # it may be better
        ([(500_000, 0.502), (500_000, 0.501)], [0]),  # by a hair
        ([(5_000, 0.502), (5_000, 0.501)], [0, 1]),  # by how much is not known
        ([(5_000, 0.50), (5_000, 0.60), (5_000, 0.59)], [1, 2]),
        ([(10_000, 0.60), (10_000, 0.50), (0, 0.0)], [0, 2]),  # nobody knows
        ([(10_000, 0.60)], [0]),
    ],
)
def test_seconds_are_spent_where_they_may_be_worth_something(
    stats: list[tuple[int, float]], taken_up: list[int]
) -> None:
    searcher = Searcher(brelan.game("love-letter"))
    tree = searcher.tree
    tree.count[0] = len(stats)
    for edge, (tries, worth) in enumerate(stats):  # of results that are 0 or 1
        tree.visits[edge] = tries
        tree.value_sum[edge] = tree.value_sq_sum[edge] = tries * worth
    assert searcher._reopen(Level(seconds=1.0)) == (len(taken_up) > 1)
    assert tree.candidates[: tree.candidate_count].tolist() == taken_up
    if len(stats) > 1:  # a level that does not count seconds goes on all the same
        assert searcher._reopen(Level(steps=10**6))
        assert tree.candidate_count == max(2, len(taken_up))


def test_expected_improvement_is_what_knowing_better_would_gain() -> None:
    """By hand: two moves that seem alike, with an error of their difference of 0.01."""
    one = MoveStats(5_000, 2_500.0, 2_500.0)
    assert math.hypot(one.standard_error, one.standard_error) == pytest.approx(0.01, rel=0.01)
    assert one.expected_improvement(one) == pytest.approx(0.01 / math.sqrt(2 * math.pi), rel=0.01)
    worse = [MoveStats(5_000, gains, gains) for gains in (2_450.0, 2_400.0, 2_300.0)]
    doubts = [one.expected_improvement(other) for other in (one, *worse)]
    assert doubts == sorted(doubts, reverse=True)
    luck = np.random.default_rng(1).normal(-0.02, 0.01, 10**6)
    assert one.expected_improvement(worse[1]) == pytest.approx(np.maximum(luck, 0).mean(), rel=0.05)


def test_a_match_tells_whom_the_others_are_like() -> None:
    """After some rounds a random player is told from `eager`."""
    game = brelan.game("love-letter")
    believed = {}
    for name in ("random", "eager"):
        match, bots = game.deal(seed=3), [brelan.bot("eager", game), brelan.bot(name, game, seed=3)]
        while len(match.view(None).history) < 50 or match.turn != 0:
            assert match.turn is not None
            match.play(bots[match.turn].choose(match.view(match.turn)))
        searcher = Searcher(game)
        searcher.search(match.view(0), Level(simulations=1), luck=7)
        believed[name] = searcher.tracker.belief.model_posterior[1, : len(names(game))].copy()
        assert sum(believed[name]) == pytest.approx(1)
    assert believed["eager"][-1] > 0.7
    assert believed["random"][-1] < 0.2


def test_segments_begin_with_an_own_decision_and_end_with_the_next() -> None:
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


def test_a_match_that_nobody_has_moved_in_is_one_empty_segment() -> None:
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
        found = expert._proven(view)
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


def test_chances_are_tempered_until_enough_worlds_share_them() -> None:
    rng = np.random.default_rng(1)
    for log_evidence in (rng.normal(0, 20, 300), rng.normal(0, 0.1, 300), np.zeros(300)):
        chances = tempered(log_evidence)
        shared = chances.sum() ** 2 / (chances**2).sum()
        assert shared > 29
        assert (np.argsort(chances) == np.argsort(log_evidence)).all() or np.ptp(log_evidence) == 0
    little = rng.normal(0, 0.1, 300)
    said = np.exp(little) / np.exp(little).sum()
    assert np.allclose(tempered(little), said, rtol=1e-4), "what little is said counts in full"


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
    varied = level_of("2s+steps=300+temperature=0.5+belief=on")
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
def test_the_least_thinking_is_enough_for_a_move(game: str) -> None:
    """Also late in a match, when there is more to read than may be thought."""
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
    """By a clock that goes on while it ponders only: a hundredth of a second each time."""
    now, reopened = [0.0], []
    run_simulations, reopen = Searcher.run_simulations, Searcher._reopen

    def runs(searcher: Searcher, view: View, count: int, moves: int) -> int:
        now[0] += 0.01 if count else 0.0
        return run_simulations(searcher, view, count, moves)

    def reopens(searcher: Searcher, level: Level) -> bool:
        reopened.append(now[0])
        return reopen(searcher, level)

    monkeypatch.setattr("brelan.bots.search.searcher.time.perf_counter", lambda: now[0])
    no_improvement = "brelan.bots.search.searcher.MIN_IMPROVEMENT"
    monkeypatch.setattr(no_improvement, -1.0)  # nothing is ever known well enough
    monkeypatch.setattr(Searcher, "run_simulations", runs)
    monkeypatch.setattr(Searcher, "_reopen", reopens)
    match = after(2, 3, seed=5)
    assert match.turn is not None
    searcher = Searcher(match.game)
    stats = searcher.search(match.view(match.turn), Level(seconds=seconds), luck=7)
    assert seconds <= now[0] < seconds + 0.01
    assert min(stat.visits for stat in stats.values()) > 0
    assert len(reopened) > seconds - 1.0


def test_simulations_are_kept_in_all_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("brelan.bots.search.searcher.BATCH", 10_000)
    monkeypatch.setattr("brelan.bots.belief.tracker.BATCH", 10_000)
    match = after(2, 3, seed=5)
    assert match.turn is not None
    searcher = Searcher(match.game)
    stats = searcher.search(match.view(match.turn), Level(simulations=9_000), luck=7)
    assert searcher.steps > 2 * 10_000, "there was one batch only"
    assert sum(stat.visits for stat in stats.values()) == searcher.done == 9_000


def test_it_plays_whole_matches_and_wins() -> None:
    """Enough of them that a search which does not work would be noticed."""
    game = brelan.game("love-letter", tokens_to_win=1)
    wins = brelan.simulate(game, ["search:400", "random"], 120, seed=2).wins[0]
    assert wins.mean > 0.6
