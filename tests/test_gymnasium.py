"""The Gymnasium door: one match against bots, and many in machine code."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import brelan
from brelan.engine.driver import luck_of_deal
from brelan.engine.match import Match
from brelan.suite import often

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402

import brelan.envs.gymnasium as door  # noqa: E402

GAMES = ("template-game", *brelan.games())
VARIANTS = [
    pytest.param(name, players, id=f"{name}-{players}")
    for name in GAMES
    for players in brelan.game(name).folder.knobs["players"].values
]
FEWEST_AND_MOST = [
    pytest.param(name, players, id=f"{name}-{players}")
    for name in GAMES
    for players in sorted({brelan.game(name).folder.knobs["players"].values[n] for n in (0, -1)})
]
door.register("template-game")


@pytest.mark.parametrize(("name", "players"), VARIANTS)
def test_their_checker(name: str, players: int) -> None:
    made = gymnasium.make(_id(name), players=players, opponent="random")
    check_env(made.unwrapped)


def _id(name: str) -> str:
    return door.environment_id(brelan.game(name).folder)


def test_ids() -> None:
    assert _id("love-letter") == "brelan/LoveLetter-v1"
    assert _id("cour-du-roi") == "brelan/CourDuRoi-v1"


@pytest.mark.parametrize("opponent", ["club", "careful"])
def test_a_match_against_a_bot(opponent: str) -> None:
    env = gymnasium.make("brelan/LoveLetter-v1", opponent=opponent, tokens_to_win=1)
    choice, rewards = random.Random(2), []
    for seed in range(3):
        _, info = env.reset(seed=seed)
        is_over = False
        while not is_over:
            legal = np.flatnonzero(info["action_mask"])
            assert (env.unwrapped.action_masks() == info["action_mask"]).all()
            seen, reward, is_over, is_late, info = env.step(choice.choice(legal.tolist()))
            assert seen in env.observation_space
            assert not is_late
        result = env.unwrapped.match.result
        expected = 0 if len(result.winners) != 1 else 1 if result.winners == [info["seat"]] else -1
        assert reward == expected
        rewards.append(reward)
    env.close()


def test_the_seed_says_the_match_and_the_seat() -> None:
    first, second = (gymnasium.make("brelan/LoveLetter-v1", players=4) for _ in range(2))
    seats = set()
    for seed in range(8):
        seen = [env.reset(seed=seed) for env in (first, second)]
        assert (seen[0][0] == seen[1][0]).all()
        seats.add(seen[0][1]["seat"])
    assert len(seats) > 1
    assert gymnasium.make("brelan/LoveLetter-v1", seat=1).reset()[1]["seat"] == 1


def test_opponents_sit_in_order() -> None:
    class Noting:
        def __init__(self, name: str) -> None:
            self.name, self.seats = name, set[int]()

        def choose(self, view: brelan.View) -> Any:
            assert view.seat is not None
            self.seats.add(view.seat)
            return view.legal()[0]

    bots = [Noting("one"), Noting("two")]
    makers = [lambda game: bots[0], lambda game: bots[1]]
    env = door.MatchEnv("love-letter", makers, players=3, seat=2)
    _, info = env.reset(seed=3)
    for _ in range(10):
        _, _, is_over, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
        if is_over:
            break
    assert [bot.seats for bot in bots] == [{0}, {1}]


def test_illegal_actions() -> None:
    env = door.MatchEnv("template-game", seat=0)
    env.reset(seed=1)
    for bad in (4, -1, 0.5, "2", np.array([2, 3])):
        with pytest.raises(gymnasium.error.InvalidAction, match="an action is 0 to 3"):
            env.step(bad)
    _, reward, is_over, _, info = env.step(0)  # to deal is the table's
    assert (reward, is_over, info["illegal"]) == (-1.0, True, True)
    assert not info["action_mask"].any()
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(2)
    strict = door.MatchEnv("template-game", seat=0, illegal="error")
    with pytest.raises(gymnasium.error.ResetNeeded):
        strict.step(2)
    strict.reset(seed=1)
    for _ in range(2):
        with pytest.raises(gymnasium.error.InvalidAction, match="seat 0 may play: 2, 3"):
            strict.step(0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"opponent": "nobody"},
            "unknown bot 'nobody' for love-letter; there are: random, careful",
        ),
        ({"opponent": ["random", "random"]}, "one bot, or a list of 1, not of 2"),
        ({"seat": 2}, "seats are 0 to 1"),
        ({"render_mode": "svg"}, "there are: human, ansi, rgb_array"),
        ({"illegal": "ignore"}, "illegal is 'loss' or 'error', not 'ignore'"),
        ({"lang": "de"}, "there are: fr, en"),
        ({"players": 9}, "players = 9 is not allowed"),
    ],
)
def test_what_is_not_allowed_is_said(options: dict[str, Any], message: str) -> None:
    with pytest.raises(brelan.Refused, match=message):
        gymnasium.make("brelan/LoveLetter-v1", **options)


# ---------------------------------------------------------------- many matches at once


def _vector(name: str, num_envs: int, **options: Any) -> Any:
    return door.MatchVectorEnv(name, num_envs, **{"mode": "checked", **options})


@pytest.mark.parametrize(("name", "players"), FEWEST_AND_MOST)
def test_every_match_is_that_of_the_engine(name: str, players: int) -> None:
    """Observations, masks and rewards are those of matches that the engine plays interpreted."""
    envs = _vector(name, 2, opponent="self", players=players)
    seen, infos = envs.reset(seed=4)
    game, choice = brelan.game(name, players=players), random.Random(4)
    luck = game.folder.library("interpreted")(luck_of_deal)

    def dealt(deal: int) -> Match:
        return Match.simulated(game, int(luck(envs._settings.seed[0], deal)))

    matches, next_deals = [dealt(0), dealt(1)], [2, 3]
    rewards, over = np.zeros(2), np.zeros(2, bool)
    for _ in range(often(25)):
        actions = np.zeros(2, np.int64)
        for number, match in enumerate(matches):
            mask = infos["action_mask"][number]
            if match.turn is None:
                assert over[number]
                assert rewards[number] == infos["rewards"][number, infos["seat"][number]]
                assert not mask.any()
                matches[number] = dealt(next_deals[number])
                next_deals[number] += 2
                continue
            assert not over[number]
            view = match.view(match.turn)
            assert infos["seat"][number] == match.turn
            assert np.flatnonzero(mask).tolist() == sorted(match.legal_numbers())
            assert seen[number].tobytes() == envs.encoder.encode(view).tobytes()
            actions[number] = choice.choice(match.legal_numbers())
            match.play_unchecked(int(actions[number]))
        seen, rewards, over, late, infos = envs.step(actions)
        assert not late.any()
        assert not infos["illegal"].any()


@pytest.mark.parametrize("opponent", ["random", "balanced"])
def test_bots_play_alike_in_machine_code_and_as_python(opponent: str) -> None:
    arrays = []
    for mode in ("checked", "interpreted"):
        envs = _vector("template-game", 5, opponent=opponent, mode=mode, threads=1)
        seen, infos = envs.reset(seed=7)
        run = [seen.copy(), infos["action_mask"].copy()]
        for _ in range(12):
            seen, rewards, over, _, infos = envs.step(envs.random_actions())
            run += [seen.copy(), rewards, over, infos["seat"], infos["rewards"]]
        arrays.append(b"".join(each.tobytes() for each in run))
    assert arrays[0] == arrays[1]


def test_the_number_of_threads_changes_nothing() -> None:
    runs = []
    for threads in (1, 3):
        envs = _vector("love-letter", 200, opponent="careful", threads=threads)
        assert len(envs._workers) == threads
        envs.reset(seed=5)
        for _ in range(6):
            seen, rewards, *_ = envs.step(envs.random_actions())
        runs.append(seen.tobytes() + rewards.tobytes())
        envs.close()
    assert runs[0] == runs[1]


def test_a_list_of_opponents_sits_after_the_learner() -> None:
    names = brelan.bots.names(brelan.game("love-letter"))
    envs = _vector("love-letter", 1, players=3, seat=1, opponent=["eager", "careful"])
    seated = [names[number] for number in envs._settings.bots[:3]]
    assert (seated[2], seated[0]) == ("eager", "careful")


def test_rewards_against_a_bot_and_dealing_anew() -> None:
    envs = _vector("template-game", 64, opponent="random")
    envs.reset(seed=1)
    was_over, count = np.zeros(64, bool), 0
    for _ in range(20):
        _, rewards, over, _, infos = envs.step(envs.random_actions())
        assert not over[was_over].any() or (infos["action_mask"][was_over & over] == 0).all()
        assert (rewards[~over] == 0).all()
        assert set(rewards[over]) <= {1.0, -1.0}
        assert (infos["rewards"].sum(axis=1) == 0).all()
        count += int(over.sum())
        was_over = over
    assert count > 100
    assert (envs._matches["plays"] == envs._matches["deal"] % 2).all()


def test_arrays_of_the_caller_are_written_in_place() -> None:
    envs = _vector("template-game", 3)
    mine, masks = np.ones((3, envs.encoder.size), np.float32), np.ones((3, 4), np.int8)
    envs.write_into(mine, masks)
    seen, infos = envs.reset(seed=1)
    assert seen is mine
    assert infos["action_mask"] is masks
    assert masks.sum() == 6
    again, *_ = envs.step(envs.random_actions())
    assert again is mine
    for bad in (mine[:2], mine.astype(np.float64), np.ones((6, mine.shape[1]), np.float32)[::2]):
        with pytest.raises(brelan.Refused, match=r"observations are one contiguous array of \(3, "):
            envs.write_into(bad)
    copying = _vector("template-game", 3, copy=True)
    kept, _ = copying.reset(seed=1)
    assert copying.step(copying.random_actions())[0] is not kept


def test_illegal_actions_among_many() -> None:
    envs = _vector("template-game", 3, opponent="self")
    with pytest.raises(gymnasium.error.ResetNeeded):
        envs.step(np.zeros(3, int))
    seen, _ = envs.reset(seed=2)
    before = seen.copy()
    for bad in (np.array([2, 4, 2]), np.array([-1, 2, 2]), np.array([2.0, 2, 2]), np.array([2])):
        with pytest.raises(gymnasium.error.InvalidAction):
            envs.step(bad)
    assert (seen == before).all()
    _, rewards, over, _, infos = envs.step(np.array([2, 0, 3]))
    assert infos["illegal"].tolist() == [False, True, False]
    assert (rewards[1], over[1]) == (-1.0, True)


def test_long_matches_are_truncated() -> None:
    envs = _vector("love-letter", 4, max_episode_steps=3)
    envs.reset(seed=1)
    for step in range(1, 5):
        _, _, over, late, _ = envs.step(envs.random_actions())
        assert not over.any()
        assert late.all() == (step == 3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"opponent": "club"},
            "no bot 'club' plays in machine code; there are: self, random",
        ),
        ({"opponent": "self", "seat": 0}, "the learner plays every seat; leave out seat"),
        ({"opponent": ["random"]}, "a list of opponents needs seat=…, and 1 names"),
        ({"num_envs": 0}, "num_envs is 1 or more"),
        ({"threads": -1}, "threads is 1 or more"),
        ({"seat": 5}, "seats are 0 to 1"),
    ],
)
def test_what_is_not_allowed_of_many_is_said(options: dict[str, Any], message: str) -> None:
    with pytest.raises(brelan.Refused, match=message):
        gymnasium.make_vec("brelan/LoveLetter-v1", **options)


def test_it_is_a_vector_environment_of_theirs() -> None:
    envs = gymnasium.make_vec("brelan/TemplateGame-v1", num_envs=4, mode="checked")
    assert envs.observation_space.shape == (4, 24)
    seen, _ = envs.reset(seed=3)
    assert seen in envs.observation_space
    assert envs.action_space.sample().shape == (4,)
    wrapped = gymnasium.wrappers.vector.RecordEpisodeStatistics(envs)
    wrapped.reset(seed=3)
    for _ in range(5):
        wrapped.step(envs.random_actions())
    assert wrapped.episode_count > 0
