"""The bot `learned`, and how it is trained: gradient, returns, self-play, weights and errors."""

from __future__ import annotations

import asyncio
import dataclasses
import re
import runpy
from pathlib import Path

import numpy as np
import pytest

import brelan
from brelan.bots.learned import LearnedBot
from brelan.bots.learned.bot import FILE
from brelan.bots.learned.network import layers, load, log_softmax, new_weights, save
from brelan.bots.learned.sight import Sight
from brelan.server.thinking import Thinkers, _code, check_bot

pytest.importorskip("gymnasium")
from brelan.envs.learning import train as training
from brelan.envs.learning.figure import drawn as figure
from brelan.envs.learning.ppo import Adam, Batch, gradient
from brelan.envs.learning.self_play import SelfPlay, drawn, entries_in_use, returns

GAME = brelan.game("love-letter", players=2)
ENTRIES = np.arange(60)
ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "learned.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
TINY = {"matches": 8, "steps": 12, "hidden": (8, 6)}


def test_a_view_is_the_same_from_both_seats() -> None:
    """A position and its mirror image have equal inputs, and outputs that mean the same."""
    sight = Sight(GAME)
    tensor = np.arange(sight.encoder.size)
    mine, theirs = (
        sight.encoder.part(tensor[sight.columns[seat]], "tokens").tolist() for seat in (0, 1)
    )
    assert mine == theirs[::-1]
    moves = GAME.folder.cards.MOVES
    for one, other in sight.moves.T.tolist():
        assert moves[one].card == moves[other].card
        assert moves[one].name == moves[other].name
        assert {int(moves[one].target), int(moves[other].target)} in ({0, 1}, {99})
    for seed in range(20):
        match = GAME.deal(seed=seed)
        seat = match.turn
        assert seat is not None
        inputs = sight.encoder.encode(match.view(seat))[sight.columns[seat]]
        assert sight.encoder.part(inputs, "turn").tolist() == [1, 0]
        assert {move.id for move in match.legal()} <= set(sight.moves[seat].tolist())


def _batch(draw: np.random.Generator, rows: int = 12) -> Batch:
    masks = draw.random((rows, 5)) < 0.6
    actions = draw.integers(5, size=rows)
    masks[np.arange(rows), actions] = True
    numbers = draw.standard_normal((3, rows))
    logs = np.log(draw.uniform(0.1, 0.9, rows))
    return Batch(draw.standard_normal((rows, 7)), masks, actions, logs, numbers[1], numbers[2])


def test_the_gradient_is_that_of_the_loss() -> None:
    """Against central differences, with numbers of 64 bits."""
    draw = np.random.default_rng(3)
    batch = _batch(draw)
    weights = {k: each.astype(float) for k, each in new_weights(7, 5, (6, 4), 1).items()}
    for name in ("b1", "b2"):  # at 0 a unit that sees nothing is at its kink
        weights[name] += draw.uniform(0.1, 0.5, weights[name].shape)
    weights["wp"] *= 100
    _, slopes = gradient(weights, batch)
    for name, each in weights.items():
        for place in np.ndindex(each.shape):
            kept, losses = each[place], []
            for moved in (1e-6, -1e-6):
                each[place] = kept + moved
                losses.append(gradient(weights, batch)[0])
            each[place] = kept
            found = (losses[0] - losses[1]) / 2e-6
            assert slopes[name][place] == pytest.approx(found, abs=1e-6), (name, place)


def test_steps_make_what_paid_likelier() -> None:
    draw = np.random.default_rng(4)
    batch = _batch(draw)
    weights = new_weights(7, 5, (6, 4), 1)
    batch = dataclasses.replace(batch, advantages=np.ones(12), inputs=batch.inputs.astype("f4"))
    adam, rows = Adam(weights), np.arange(12)

    def likely() -> float:
        logs = log_softmax(layers(weights, batch.inputs)[2], batch.masks)
        return float(logs[rows, batch.actions].mean())

    before = likely()
    for _ in range(30):
        adam.step(weights, gradient(weights, batch, entropy=0.0)[1], 0.01)
    assert likely() > before


def test_returns_follow_each_seat_to_the_end_of_its_round() -> None:
    """Three decisions of a round that seat 0 wins, then one of a round that goes on."""
    values = np.array([[0.1], [0.2], [0.3], [0.4]], np.float32)
    seats, pays = np.array([[0], [1], [0], [1]]), np.array([[0], [0], [1], [0]], np.float32)
    ends = pays == 1
    found = returns(values, seats, pays, ends, np.array([0]), np.array([0.5], np.float32))[:, 0]
    assert found[2] == 1  # its last decision of the round
    assert found[1] == -1  # what is won by one is lost by the other
    assert found[0] == pytest.approx(0.1 * 0.3 + 0.9 * 1)
    assert found[3] == -0.5  # what the other seat expects next


def test_moves_are_drawn_as_often_as_they_are_likely() -> None:
    odds = np.array([0.5, 0.3, 0.2, 0.0])
    with np.errstate(divide="ignore"):
        logs = np.tile(np.log(odds), (20_000, 1)).astype(np.float32)
    shares = np.bincount(drawn(logs, np.random.default_rng(1)), minlength=4) / 20_000
    assert shares == pytest.approx(odds, abs=0.02)
    assert shares[3] == 0


def test_self_play_keeps_legal_decisions_and_pays_rounds() -> None:
    sight = Sight(GAME, ENTRIES)
    weights = new_weights(*sight.shape, (8, 6), 2)
    field = SelfPlay(sight, 32, 0.25, 5)
    batch = field.play(weights, weights, 40)
    rows = np.arange(len(batch.actions))
    assert batch.masks[rows, batch.actions].all()
    assert batch.inputs.shape == (len(rows), 60)
    assert 32 * 40 * 0.7 < len(rows) < 32 * 40  # not those of earlier selves
    logs = log_softmax(layers(weights, batch.inputs)[2], batch.masks)
    assert batch.logs == pytest.approx(logs[rows, batch.actions], abs=1e-5)
    assert (np.abs(batch.targets) > 0.5).any()


def test_a_seed_gives_the_same_training_and_another_one_another() -> None:
    sight = Sight(GAME, ENTRIES)
    one, same, other = (training.train(sight, 2, seed, None, **TINY) for seed in (1, 1, 2))
    assert all((one[name] == same[name]).all() for name in one)
    assert not all((one[name] == other[name]).all() for name in one)
    share = training.share_won(sight, one, "random", 16, 1)
    assert 0 <= share <= 1
    assert share == training.share_won(sight, one, "random", 16, 1)


def test_entries_in_use_leave_out_what_never_changes() -> None:
    used, sight = entries_in_use(GAME, 1, matches=16, steps=60), Sight(GAME)
    assert 100 < len(used) < sight.encoder.size
    assert not {0, 1} & set(used.tolist())  # the reader always comes first
    assert 1 + sight.encoder.slices["hand"].at in used


def test_weights_are_kept_for_their_layout_alone(tmp_path: Path) -> None:
    sight, file = Sight(GAME, ENTRIES), tmp_path / "new.npz"
    weights = new_weights(*sight.shape, (8, 6), 2)
    save(file, sight, ENTRIES, weights, np.array([[1, 0.5, 0.5], [2, 0.6, 0.4]]))
    read, used = load(file, sight.layout)
    assert (used == ENTRIES).all()
    assert all(np.abs(read[name] - weights[name]).max() < 1e-2 for name in weights)
    with pytest.raises(brelan.Refused, match="another layout of the tensor; train anew"):
        load(file, Sight(brelan.game("love-letter", players=3)).layout)
    match = GAME.deal(seed=1)
    assert match.turn is not None
    own = LearnedBot(GAME, 3, file)
    assert own.choose(match.view(match.turn)) in match.legal()


def test_it_plays_legal_moves_that_follow_from_seed_and_view() -> None:
    bots, moves = [brelan.bot("learned", GAME, seed=seed) for seed in (1, 1, 2)], []
    match = GAME.deal(seed=7)
    while match.turn is not None:
        view = match.view(match.turn)
        answers = [bot.choose(view) for bot in bots]
        assert set(answers) <= set(match.legal())
        assert answers[0] == answers[1]
        moves.append(answers)
        match.play(answers[0])
    assert any(one != other for one, _, other in moves)
    with pytest.raises(brelan.Refused, match="whose turn it is"):
        bots[0].choose(match.view(0))


def test_it_sits_at_a_table_of_the_server() -> None:
    """It decides on a thread, and is not taken for a bot of rules that needs machine code."""
    match = GAME.deal(seed=3)
    assert match.turn is not None
    view = match.view(match.turn)
    assert check_bot("learned", GAME) == "learned"

    async def decided() -> int:
        thinkers = Thinkers(1)
        try:
            return await thinkers.decide("table", "learned", view, "seed")
        finally:
            thinkers.close()

    assert asyncio.run(decided()) in [move.id for move in match.legal()]
    assert _code(GAME, "learned") != _code(GAME, "careful")
    with pytest.raises(brelan.Refused, match="unknown bot 'learned'"):
        check_bot("learned", brelan.game("love-letter", players=3))


def test_it_wins_against_rules() -> None:
    """Far more than half against `careful`, more than half against `eager`."""
    weights, used = load(GAME.folder.path / FILE, Sight(GAME).layout)
    sight = Sight(GAME, used)
    assert training.share_won(sight, weights, "careful", 400, 3) > 0.7
    assert training.share_won(sight, weights, "eager", 1500, 3) > 0.5


def test_where_it_was_not_trained_it_is_refused() -> None:
    assert "learned" in brelan.bots.all_names(GAME)
    for game, said in (
        (brelan.game("love-letter", players=3), "plays love-letter/1:2p, .* not love-letter/1:3p"),
        (brelan.game("love-letter", spy_bonus="off"), "not love-letter/1:2p,spy_bonus=off"),
        (brelan.game("district-noir"), "district-noir has no bot 'learned'"),
    ):
        assert "learned" not in brelan.bots.all_names(game)
        with pytest.raises(brelan.Refused, match=said) as error:
            brelan.bot("learned", game)
        assert "\n" not in str(error.value)


def test_the_figure_shows_both_curves() -> None:
    shown = figure(np.array([[1, 0.3, 0.1], [10, 0.7, 0.5]]), ("careful", "eager"))
    assert shown.count("<polyline") == shown.count("<polygon") == 2
    assert "against careful" in shown
    assert "against eager" in shown
    assert "nan" not in shown


@pytest.mark.parametrize("block", BLOCKS, ids=range(1, len(BLOCKS) + 1))
def test_a_step_of_the_page_runs(block: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(block, "learned.md", "exec"), {})  # noqa: S102 - the page is ours
    shown = capsys.readouterr().out
    assert shown.strip()
    assert "nan" not in shown


def test_the_command_of_the_page_trains_and_draws(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(training.train, "__kwdefaults__", TINY)
    tool = runpy.run_path(str(ROOT / "tools" / "learn.py"))["main"]
    tool("--iterations", "1", "--out", str(tmp_path / "mine.npz"))
    assert "1 iterations" in capsys.readouterr().out
    tool("--figure", str(tmp_path / "mine.svg"), "--out", str(tmp_path / "mine.npz"))
    assert "against eager" in (tmp_path / "mine.svg").read_text(encoding="utf-8")
    with pytest.raises(SystemExit):
        tool("--iterations", "0")
    assert "1 to 120" in capsys.readouterr().err
