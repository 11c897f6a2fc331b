"""The OpenSpiel door: its own tests, its algorithms, and its bots at our tables."""

from __future__ import annotations

import random
import runpy
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import brelan
from brelan.engine.folder import open_folder
from brelan.kit.new import TEMPLATE
from brelan.lab.arena import arena
from brelan.suite import often

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: --extra openspiel")

from open_spiel.python import policy  # noqa: E402
from open_spiel.python.algorithms import (  # noqa: E402
    exploitability,
    generate_playthrough,
    outcome_sampling_mccfr,
)
from open_spiel.python.observation import make_observation  # noqa: E402

from brelan.envs import openspiel  # noqa: E402
from brelan.envs.openspiel.chance import is_listed  # noqa: E402

TOOLS = Path(__file__).parents[1] / "tools"
SEATS = {name: open_folder(name).knobs["players"].values for name in brelan.games()}
GAMES = [(name, players) for name, each in SEATS.items() for players in each]
KUHN = brelan.game("template-game", first_player="seat0")


def loaded(name: str, players: Any, **params: Any) -> Any:
    return pyspiel.load_game(openspiel.register(name), {"players": players, "recall": 4, **params})


def played(game: Any, seed: int, decisions: int | None = None) -> Any:
    """Return a state after so many random decisions, or at the end."""
    choice, state = random.Random(seed), game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            numbers, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(choice.choices(numbers, weights)[0])
        elif decisions == 0:
            break
        else:
            state.apply_action(choice.choice(state.legal_actions()))
            decisions = None if decisions is None else decisions - 1
    return state


# ---------------------------------------------------------------- its own tests


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_random_sim_test(name: str, players: int) -> None:
    game = loaded(name, players)
    assert game.get_type().chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
    is_smallest = players == SEATS[name][0]  # states of many moves take long to be written
    pyspiel.random_sim_test(game, num_sims=often(1), serialize=is_smallest, verbose=False)


def test_random_sim_test_with_sampled_chance() -> None:
    game = loaded("love-letter", 3, chance="sampled", rng_seed=1)
    assert game.get_type().chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC
    # A game in Python cannot tell OpenSpiel the state of its luck, so it is not serialized.
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)
    assert (
        played(loaded("love-letter", 3, chance="sampled", rng_seed=1), 4).returns()
        == played(loaded("love-letter", 3, chance="sampled", rng_seed=1), 4).returns()
    )


@pytest.mark.parametrize("name", brelan.games())
def test_a_playthrough_is_generated(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = f"{openspiel.register(name)}(recall=1)"
    text = generate_playthrough.playthrough(asked, [], seed=1)
    assert text.splitlines()[0] == f"game: {asked}"
    assert "IsTerminal() = True" in text
    for part in (
        "InformationStateString(1)",
        "ObservationTensor(0).hand",
        "PrivateObservationString(1)",
    ):
        assert part in text


def test_a_playthrough_is_repeatable() -> None:
    asked = f"{openspiel.register('template-game')}(bet=2)"
    text = generate_playthrough.playthrough(asked, [], seed=3)
    actions = [int(line[8:]) for line in text.splitlines() if line.startswith("action: ")]
    assert generate_playthrough.playthrough(asked, actions, seed=5) == text


# ---------------------------------------------------------------- chance


def test_every_deal_is_listed_with_its_probability() -> None:
    """Six deals of three cards, and who acts first: each is as likely as the others."""
    found: dict[str, float] = {}

    def walk(state: Any, probability: float) -> None:
        if not state.is_chance_node():
            found[str(state)] = probability
            return
        for number, chance in state.chance_outcomes():
            walk(state.child(number), probability * chance)

    walk(openspiel.load(brelan.game("template-game")).new_initial_state(), 1.0)
    assert len(found) == 12
    assert list(found.values()) == pytest.approx([1 / 12] * 12)


def test_a_shuffle_draws_faces_and_not_places() -> None:
    """The last card of 21, two of each face but for six Guards, drawn by face."""
    state = loaded("love-letter", 2, first_starter="seat0").new_initial_state()
    outcomes = dict(state.chance_outcomes())
    assert len(outcomes) == 10
    assert outcomes[2] == pytest.approx(6 / 21)
    assert state.action_to_string(2) == "draw 1"


def test_a_game_whose_luck_cannot_be_listed_is_sampled(tmp_path: Path) -> None:
    own = tmp_path / "lucky_poker"
    shutil.copytree(TEMPLATE, own)
    rules = (own / "rules.py").read_text(encoding="utf-8")
    changed = rules.replace("random_below(state.luck, 2)", "int(2 * random_unit(state.luck))")
    changed = changed.replace("random_below, rule", "random_unit, rule")
    assert changed.count("random_unit") == 2
    (own / "rules.py").write_text(changed, encoding="utf-8")
    game = brelan.game(str(own))
    assert is_listed(brelan.game("template-game").folder)
    assert not is_listed(game.folder)
    sampled = openspiel.load(game)
    assert sampled.get_type().chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC
    assert sampled.new_initial_state().chance_outcomes() == [(0, 1.0)]
    assert sorted(played(sampled, 2).returns()) == [-1.0, 1.0]
    with pytest.raises(
        brelan.Refused, match="draws luck that cannot be listed; use chance=sampled"
    ):
        openspiel.load(game, chance="explicit")


# ---------------------------------------------------------------- information


@pytest.mark.parametrize(("name", "players"), [("love-letter", 3), ("cour-du-roi", 2)])
def test_a_resampled_state_looks_the_same_and_tells_nothing_more(name: str, players: int) -> None:
    game = loaded(name, players)
    public = pyspiel.IIGObservationType(
        perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE
    )
    spectator = make_observation(game, public)
    differ = 0
    for seed in range(12):
        state = played(game, seed, decisions=seed)
        if state.is_terminal():
            continue
        seat, luck = state.current_player(), random.Random(seed)
        world = state.resample_from_infostate(seat, luck.random)
        for seen in ("information_state_string", "observation_string"):
            assert getattr(world, seen)(seat) == getattr(state, seen)(seat)
        for seen in ("information_state_tensor", "observation_tensor"):
            assert getattr(world, seen)(seat) == getattr(state, seen)(seat)
        assert world.legal_actions() == state.legal_actions()
        assert spectator.string_from(world, 0) == spectator.string_from(state, 0)
        assert world.history() == []  # the true one tells what was drawn
        differ += any(
            world.observation_string(other) != state.observation_string(other)
            for other in range(players)
        )
        while not world.is_terminal():
            world.apply_action(luck.choice(world.legal_actions()))
    assert differ > 6


def test_a_view_of_ours_becomes_a_state_with_the_same_information() -> None:
    game = loaded("love-letter", 2)
    for seed in range(4):
        state = played(game, seed, decisions=8)
        seat = max(state.current_player(), 0)
        view = state.view(seat)
        assert [move.id for move in view.legal()] == state.legal_actions(seat)
        again = game.state_of(view, luck=seed)
        assert again.information_state_string(seat) == state.information_state_string(seat)
        assert again.information_state_tensor(seat) == state.information_state_tensor(seat)


def test_observers_show_public_and_private_parts() -> None:
    game = openspiel.load(KUHN)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[-1])
    assert "hand=[J -]" in state.observation_string(0)
    assert "hand=[- Q]" in state.observation_string(1)
    none, single = pyspiel.PrivateInfoType.NONE, pyspiel.PrivateInfoType.SINGLE_PLAYER

    def kind(public: bool, private: Any) -> Any:
        return pyspiel.IIGObservationType(
            perfect_recall=False, public_info=public, private_info=private
        )

    kinds = {
        (public, private): make_observation(game, kind(public, private))
        for public in (True, False)
        for private in (none, single)
    }
    assert "hand" not in kinds[True, none].string_from(state, 0)
    assert kinds[False, single].string_from(state, 0) == "seat 0 | hand=[J -]"
    assert set(kinds[False, single].dict) == {"seat", "hand"}
    kinds[True, single].set_from(state, 1)
    assert kinds[True, single].dict["hand"].tolist() == [0, 1, 0]
    everything = kind(True, pyspiel.PrivateInfoType.ALL_PLAYERS)
    with pytest.raises(ValueError, match="one seat's private information is seen, or nobody's"):
        game.make_py_observer(everything)


# ---------------------------------------------------------------- algorithms


def test_our_kuhn_poker_is_theirs() -> None:
    ours, theirs = openspiel.load(KUHN, returns="score"), pyspiel.load_game("kuhn_poker")
    found = [
        exploitability.nash_conv(game, policy.UniformRandomPolicy(game)) for game in (ours, theirs)
    ]
    assert found[0] == pytest.approx(found[1]) == pytest.approx(11 / 12)


def test_external_sampling_solves_a_reduced_love_letter(tmp_path: Path) -> None:
    """`tools/mccfr.py` goes on for longer, with more cards."""
    tool = runpy.run_path(str(TOOLS / "mccfr.py"))
    game = tool["reduced"](tmp_path, [0, 0, 1, 2, 1, 0, 0, 0, 0, 0, 1])
    measured = tool["solve"](game, often(200))
    assert [done for done, _ in measured] == [0, 100, 200] or often(1) > 1
    assert measured[0][1] == pytest.approx(0.4267, abs=1e-3)
    assert measured[-1][1] < 0.2


def test_outcome_sampling_runs_on_the_full_game() -> None:
    np.random.seed(1)
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(loaded("love-letter", 2))
    for _ in range(2):
        solver.iteration()
    assert solver.average_policy() is not None


def test_their_bots_sit_in_our_arena(monkeypatch: pytest.MonkeyPatch) -> None:
    """ISMCTS searches in worlds that it imagines; it is not asked to be strong here."""
    game = brelan.game("template-game")
    bots = [f"brelan.envs.openspiel.bots:{name}" for name in ("ismcts", "uniform")]
    met = arena(game, [*bots, "balanced"], 2, workers=1)
    assert len(met.rows) == 6
    assert met.faults == []
    monkeypatch.setattr("brelan.envs.openspiel.bots.SIMULATIONS", 5)
    full = brelan.game("love-letter")
    match, bot = full.deal(seed=1), brelan.bot(bots[0], full)
    for _ in range(3):
        assert match.turn is not None
        match.play(bot.choose(match.view(match.turn)))


# ---------------------------------------------------------------- what is not allowed


@pytest.mark.parametrize(
    ("params", "why"),
    [
        ({"players": 9}, "players = 9 is not allowed; it may be: 2, 3, 4, 5, 6"),
        ({"spy_bonus": "maybe"}, "spy_bonus = maybe is not allowed; it may be: one_spy_in_play"),
        ({"chance": "fate"}, "chance = fate is not allowed; it may be: default, explicit, sampled"),
        ({"returns": "money"}, "returns = money is not allowed; it may be: win, score"),
    ],
)
def test_a_wrong_parameter_is_named_with_what_is_allowed(params: dict[str, Any], why: str) -> None:
    with pytest.raises(brelan.Refused, match=why):
        pyspiel.load_game("brelan_love_letter", params)


def test_an_unknown_parameter_is_refused_by_openspiel() -> None:
    with pytest.raises(pyspiel.SpielError, match="spybonus"):
        pyspiel.load_game("brelan_love_letter(spybonus=off)")


def test_an_illegal_action_is_refused_and_changes_nothing() -> None:
    state = played(openspiel.load(KUHN), 1, decisions=1)
    before = str(state)
    for action in (0, 99):
        with pytest.raises(brelan.Refused, match=f"{action} is not allowed now; allowed: 2, 3"):
            state.apply_action(action)
    assert str(state) == before
