"""The search: what it may see, what it believes, its levels."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest

import brelan
from brelan.bots import SearchBot, names
from brelan.bots.levels import Level
from brelan.bots.thinker import Thinker, stretches
from brelan.table import Match, View
from brelan.testing import position


def after(players: int, moves: int, seed: int) -> Match:
    """A match of Love Letter between the seed's bots, some moves on."""
    game = brelan.game("love-letter", players=players)
    match, bot = game.deal(seed=seed), brelan.bot("seed", game)
    for _ in range(moves):
        assert match.turn is not None
        match.play(bot.choose(match.view(match.turn)))
    return match


def test_equal_views_get_equal_moves_under_the_same_seed() -> None:
    """Also after reliving: the view, its past and the seed are all there is."""
    match = after(2, 4, seed=3)
    assert match.turn is not None
    view = match.view(match.turn)
    same = View(match.game, view.seat, view.record.copy(), view.history, view.past)
    moves = [SearchBot(match.game, "300", seed=5).choose(each) for each in (view, same)]
    assert moves[0] == moves[1]
    tries = [SearchBot(match.game, "300", seed=seed).think(view) for seed in (5, 5, *range(10))]
    assert tries[0] == tries[1]
    assert any(other != tries[0] for other in tries), "a seed makes no difference"
    assert sum(tries[0].values()) == 300


def test_threads_grow_trees_of_their_own() -> None:
    match = after(2, 2, seed=4)
    assert match.turn is not None
    view = match.view(match.turn)
    one, two = (SearchBot(match.game, "500", threads=threads).think(view) for threads in (1, 2))
    assert list(one) == list(two) == [move.id for move in view.legal()]
    assert sum(two.values()) == 2 * sum(one.values())


def test_it_names_the_card_it_knows() -> None:
    """A Guard against a hand that was seen is the surest move there is."""
    game = brelan.game("love-letter", tokens_to_win=1)
    known = [[None, 8], [None, None]]
    match = position(game, rest="pile", turn=0, hand=[1, 8], drew=[[5]], known=known)
    bot = SearchBot(game, "2000")
    assert bot.choose(match.view(0)).notation == "1:8"


def test_relived_worlds_look_the_same_and_follow_the_bot() -> None:
    """A hand with which the seed's bot would have moved otherwise is believed less."""
    told = 0
    for seed in range(40):
        match = after(2, 3, seed)
        if match.turn is None or match.view(None).record.round_no > 1:
            continue
        seat, view = match.turn, match.view(match.turn)
        bot = SearchBot(match.game, "10")
        bot.think(view)
        mind = bot._thinkers[0]._mind
        if mind.relived < 100:
            continue
        layout = match.game.folder.layout
        worlds = [mind.worlds[place].tobytes() for place in range(mind.relived)]
        assert {layout.view(world, seat).tobytes() for world in worlds} == {view.record.tobytes()}
        hands = Counter(int(np.frombuffer(w, layout.dtype)[0].hand[1 - seat]) for w in worlds)
        fits = Counter(_imagined_hands(view, 2000))
        assert set(hands) <= set(fits)
        believed = np.array([hands[card] / mind.relived for card in fits])
        uniform = np.array([fits[card] / 2000 for card in fits])
        told += abs(believed - uniform).max() > 0.07  # by chance it differs by 0.02
    assert told > 5, "the others' moves say nothing"


def test_what_was_relived_is_searched() -> None:
    """Reading is done once, and what it found is there when the search begins."""
    match = after(2, 3, seed=3)
    assert match.turn is not None
    thinker = Thinker(match.game)
    counts = []
    for moves in (4_000, 40_000):
        thinker.think(match.view(match.turn), Level(moves=moves), luck=7)
        counts.append(int(thinker._mind.relived))
        assert moves <= thinker._mind.moved < moves + 200
    assert 0 < counts[0] < counts[1]


def test_a_match_tells_whom_the_others_are_like() -> None:
    """After some rounds a random player is told from the seed's bot."""
    game = brelan.game("love-letter")
    believed = {}
    for name in ("random", "seed"):
        match, bots = game.deal(seed=3), [brelan.bot("seed", game), brelan.bot(name, game, seed=3)]
        while len(match.view(None).history) < 50 or match.turn != 0:
            assert match.turn is not None
            match.play(bots[match.turn].choose(match.view(match.turn)))
        thinker = Thinker(game)
        thinker.think(match.view(0), Level(simulations=1), luck=7)
        believed[name] = thinker._mind.odds[1, : len(names(game))].copy()
        assert sum(believed[name]) == pytest.approx(1)
    assert believed["seed"][-1] > 0.7
    assert believed["random"][-1] < 0.2


def test_stretches_begin_with_an_own_decision_and_end_with_the_next() -> None:
    for players, moves in ((2, 9), (3, 14)):
        match = after(players, moves, seed=8)
        assert match.turn is not None
        view = match.view(match.turn)
        cut = stretches(view)
        assert cut[-1][1] == len(view.history)
        assert all(one[1] <= two[0] for one, two in itertools.pairwise(cut))
        for start, stop in cut:
            seats = {move.seat for move in view.history[start:stop]} - {None, view.seat}
            assert seats, "nobody else moved in it"
            assert start == cut[0][0] or view.history[start].seat == view.seat


def test_a_match_that_nobody_has_moved_in_is_one_empty_stretch() -> None:
    match = after(2, 0, seed=8)
    assert match.turn is not None
    now = len(match.view(match.turn).history)
    assert stretches(match.view(match.turn)) == [(now, now)]


def test_what_a_game_can_prove_is_played() -> None:
    """In the last round of District Noir, `expert` plays as the solver does; `club` need not."""
    game = brelan.game("district-noir")
    match, closer, expert = game.deal(seed=4), brelan.bot("closer", game), SearchBot(game, "20")
    solved = 0
    while match.turn is not None:
        view = match.view(match.turn)
        found = expert._surest(view)
        if found is not None and len(view.legal()) > 1:
            assert found == expert.choose(view)
            assert found.id in [move.id for move in view.legal()]
            solved += 1
        match.play(closer.choose(view))
    assert solved > 3


def _imagined_hands(view: View, count: int) -> list[int]:
    from brelan import verbs
    from brelan.words import desk

    assert view.seat is not None
    imagine, paper = view.game.folder.machine("compiled")(verbs.imagine), desk(7)
    hands = []
    for _ in range(count):
        world = view.record.copy()
        imagine(world, view.seat, paper)
        hands.append(int(world.hand[1 - view.seat]))
    return hands


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
    with pytest.raises(brelan.Refused, match="has no levels"):
        brelan.bot("seed", game, level="club")


def test_seconds_are_kept() -> None:
    match = after(2, 0, seed=1)
    assert match.turn is not None
    bot = brelan.bot("search:0.05s", match.game)
    assert bot.choose(match.view(match.turn)) in match.legal()


def test_it_plays_whole_matches_and_wins() -> None:
    """Enough of them that a search which does not work would be noticed."""
    game = brelan.game("love-letter", tokens_to_win=1)
    wins = brelan.simulate(game, ["search:400", "random"], 120, seed=2).wins[0]
    assert wins.mean > 0.6
