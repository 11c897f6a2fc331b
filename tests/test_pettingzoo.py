"""The PettingZoo door against PettingZoo's own tests, for all games and numbers of players."""

from __future__ import annotations

import itertools
import random
import runpy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import brelan
from brelan.engine.folder import open_folder
from brelan.suite import often

pettingzoo = pytest.importorskip("pettingzoo")

from gymnasium import spaces  # noqa: E402
from pettingzoo import test as theirs  # noqa: E402
from pettingzoo.utils.conversions import parallel_to_aec_wrapper  # noqa: E402

import brelan.envs.pettingzoo as door  # noqa: E402

GAMES = ("template-game", *brelan.games())
VARIANTS = [
    pytest.param(name, players, id=f"{name}-{players}")
    for name in GAMES
    for players in brelan.game(name).folder.knobs["players"].values
]
EVERY_VARIANT = pytest.mark.parametrize(("name", "players"), VARIANTS)
EVERY_GAME = pytest.mark.parametrize("name", GAMES)

# What `api_test` says of every environment with an action mask that it does not know by name.
MASKED = [
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be",
    "ignore:Action mask numpy array is all zeros",
]


@pytest.mark.filterwarnings(*MASKED)
@EVERY_VARIANT
def test_api(name: str, players: int) -> None:
    theirs.api_test(door.env(name, players=players), num_cycles=often(30))


@EVERY_VARIANT
def test_seeds(name: str, players: int) -> None:
    theirs.seed_test(lambda: door.env(name, players=players), num_cycles=often(20))


class Sampling:
    """A parallel environment with action spaces that sample legal actions without a mask."""

    def __init__(self, env: Any) -> None:
        self.env = env

    def __getattr__(self, name: str) -> Any:
        return getattr(self.env, name)

    def action_space(self, agent: str) -> Any:
        mask = self.env.aec.observe(agent)["action_mask"]
        space = spaces.Discrete(len(mask))
        return SimpleNamespace(sample=lambda: space.sample(mask) if mask.any() else 0)


@pytest.mark.parametrize(("name", "players"), VARIANTS[1:])  # the template ends after three moves
def test_max_cycles(name: str, players: int) -> None:
    def parallel(max_cycles: int) -> Any:
        return Sampling(door.parallel_env(name, players=players, max_cycles=max_cycles))

    def aec(max_cycles: int) -> Any:
        return parallel_to_aec_wrapper(parallel(max_cycles))

    theirs.max_cycles_test(SimpleNamespace(parallel_env=parallel, env=aec))


@EVERY_GAME
def test_render(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    theirs.render_test(lambda render_mode: door.env(name, render_mode=render_mode))
    assert brelan.game(name).folder.texts("en")("game.name") in capsys.readouterr().out


@EVERY_GAME
def test_benchmark(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = itertools.count()
    monkeypatch.setattr("time.time", lambda: next(clock))  # five rounds in place of five seconds
    theirs.performance_benchmark(door.env(name))


# ---------------------------------------------------------------- what they do not look at


def _play(env: Any, seed: int, choice: random.Random) -> list[Any]:
    """Play a match at random; return the agents and their observations."""
    env.reset(seed=seed)
    seen = []
    for agent in env.agent_iter():
        observation, _, termination, truncation, _ = env.last()
        seen.append((agent, observation))
        legal = np.flatnonzero(observation["action_mask"]).tolist()
        env.step(None if termination or truncation else choice.choice(legal))
    return seen


@EVERY_VARIANT
def test_a_match_is_that_of_the_engine(name: str, players: int) -> None:
    env = door.env(name, players=players)
    seen = _play(env, 5, random.Random(5))
    game = brelan.game(name, players=players)
    match, choice = game.deal(seed=5), random.Random(5)
    encoder = env.unwrapped.encoder
    for agent, observation in seen:
        if match.turn is None:
            assert not observation["action_mask"].any()
            continue
        assert agent == f"player_{match.turn}"
        view = match.view(match.turn)
        assert observation["observation"].tobytes() == encoder.encode(view).tobytes()
        legal = sorted(move.id for move in match.legal())
        assert np.flatnonzero(observation["action_mask"]).tolist() == legal
        match.play(choice.choice(legal))
    assert env.unwrapped.match.result == match.result
    assert env.unwrapped.match.save() == match.save()


def test_rewards_are_the_winners_and_add_up_to_0() -> None:
    env = door.env("love-letter", players=3)
    for seed in range(5):
        env.reset(seed=seed)
        choice = random.Random(seed)
        total = dict.fromkeys(env.possible_agents, 0.0)
        for agent in env.agent_iter():
            observation, reward, termination, _, _ = env.last()
            total[agent] += reward
            legal = np.flatnonzero(observation["action_mask"]).tolist()
            env.step(None if termination else choice.choice(legal))
        winners = env.unwrapped.match.result.winners
        if len(winners) == 1:
            assert total.pop(f"player_{winners[0]}") == 1
            assert set(total.values()) == {-0.5}
        assert sum(total.values()) == pytest.approx(-1 if len(winners) == 1 else 0)


def test_an_illegal_action_ends_the_match() -> None:
    env = door.env("template-game")
    env.reset(seed=1)
    agent = env.agent_selection
    other = next(each for each in env.agents if each != agent)
    env.step(0)  # to deal is the table's
    assert env.terminations == {agent: True, other: True}
    assert env.rewards == {agent: -1.0, other: 0}
    env.reset(seed=1)
    with pytest.raises(AssertionError, match="action is not in action space"):
        env.step(4)
    raw = door.raw_env("template-game")
    raw.reset(seed=1)
    with pytest.raises(brelan.IllegalMove, match=rf"0 is not allowed now; {agent} may play: 2, 3"):
        raw.step(0)
    assert raw.agent_selection == agent


def test_a_seat_that_acted_often_enough_truncates_the_match() -> None:
    env = door.env("district-noir", max_cycles=3)
    seen = _play(env, 1, random.Random(1))
    assert [agent for agent, _ in seen].count("player_0") == 4  # with the step of a dead agent
    assert env.unwrapped.match.result is None


def test_a_reset_without_a_seed_follows_from_the_one_before() -> None:
    env, saves = door.env("template-game"), []
    for _ in range(2):
        env.reset(seed=3)
        assert env.unwrapped.match.seed == 3
        env.reset()
        saves.append(env.unwrapped.match.save())
    assert saves[0] == saves[1]
    env.reset(options={"cards": ["Q", "K", "J"]})
    assert env.unwrapped.match.view(1).as_dict()["hand"] == [None, "K"]


def test_ids_and_names() -> None:
    assert set(door.names()) >= {"love_letter_v1", "template_game_v1"}
    made = pettingzoo.make("aec", "brelan/love_letter_v1", players=3, spy_bonus="off")
    assert str(made) == "love_letter_v1"
    assert made.unwrapped.game.knobs["spy_bonus"] == "off"
    assert len(door.love_letter_v1.env(players=4).possible_agents) == 4
    assert door.register("template-game") == "brelan/template_game_v1"
    assert pettingzoo.make("parallel", "brelan/template_game_v1").possible_agents
    with pytest.raises(AttributeError, match="no environment 'love_letter_v9'; there are: love"):
        door.love_letter_v9  # noqa: B018


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"render_mode": "svg"}, "there are: human, ansi, rgb_array"),
        ({"players": 7}, "players = 7 is not allowed; it may be: 2, 3, 4, 5, 6"),
        ({"lang": "de"}, "there are: fr, en"),
        ({"seen_by": 2}, "seen_by is 'turn', 'spectator' or a seat, not 2"),
        ({"max_cycles": 0}, "max_cycles is 1 or more"),
        ({"colour": "red"}, "unknown knob 'colour'"),
    ],
)
def test_what_is_not_allowed_is_said(options: dict[str, Any], message: str) -> None:
    with pytest.raises(brelan.Refused, match=message):
        door.env("love-letter", **options)


def test_the_pages_of_the_games_are_as_the_tool_writes_them() -> None:
    tool = runpy.run_path(str(Path(__file__).parents[1] / "tools" / "environments.py"))
    pages = [open_folder(name).path / tool["PAGE"] for name in brelan.games()]
    written = [page for page in pages if page.exists()]
    assert len(written) >= 5
    for page in written:
        game = page.parent.name.replace("_", "-")
        assert page.read_text(encoding="utf-8") == tool["page"](open_folder(game)), game
        assert page.with_name(tool["PICTURE"]).read_bytes().startswith(b"\x89PNG")


def test_a_picture_shows_what_its_reader_sees() -> None:
    pictures = {}
    for cards in (["Q", "K", "J"], ["Q", "J", "K"]):
        for seen_by in (0, 1, "spectator"):
            env = door.env("template-game", render_mode="rgb_array", seen_by=seen_by)
            env.reset(options={"cards": cards})
            pictures[seen_by, cards[1]] = env.render().tobytes()
    assert pictures[0, "K"] == pictures[0, "J"]
    assert pictures["spectator", "K"] == pictures["spectator", "J"]
    assert pictures[1, "K"] != pictures[1, "J"]
