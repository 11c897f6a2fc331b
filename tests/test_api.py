"""The public API, as the design promises it."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import brelan
from brelan.suite.positions import position


def test_the_contract() -> None:
    assert brelan.games()[0] == "love-letter"
    game = brelan.game("love-letter", players=2, spy_bonus="off")
    assert game.players == 2
    assert game.knobs["spy_bonus"] == "off"
    assert game.variant == brelan.game("love-letter", spy_bonus="off").variant
    assert game.variant != brelan.game("love-letter").variant
    match = game.deal(seed=7)
    assert match.turn in (0, 1)
    move = match.legal()[0]
    assert isinstance(move.id, int)
    assert move.label("fr") != move.label("en")
    match.play(move)
    match.play(match.legal()[0].id)
    match.play(match.legal()[0].notation)
    view = match.view(0)
    assert json.loads(json.dumps(view.as_dict()))["tokens"] == [0, 0]
    assert isinstance(view.record, np.record)
    assert next(seen.notation for seen in view.history if seen.seat is not None) == move.notation
    assert match.result is None
    assert brelan.load(match.save()).save() == match.save()
    bot = brelan.bot("eager", game, seed=3)
    assert bot.choose(match.view(match.turn)) in match.legal()


@pytest.mark.parametrize(
    ("call", "allowed"),
    [
        (lambda: brelan.game("poker"), "love-letter"),
        (lambda: brelan.game("love-letter", colour="red"), "spy_bonus"),
        (lambda: brelan.game("love-letter", spy_bonus="maybe"), "one_spy_in_play"),
        (lambda: brelan.game("love-letter", players=7), "2, 3, 4, 5, 6"),
        (lambda: brelan.game("love-letter", players=True), "2, 3, 4, 5, 6"),
        (lambda: brelan.game("love-letter", tokens_to_win=0), "1 to 50"),
        (lambda: brelan.game("love-letter", preset="first"), "published2019"),
        (lambda: brelan.game("love-letter", players=5, deck="classic16"), "2, 3, 4 players"),
        (lambda: brelan.game("love-letter").deal(seed="xyz"), "64 hexadecimal digits"),
        (lambda: brelan.game("love-letter").deal(cards=[1, 2]), "these 21"),
        (lambda: brelan.game("love-letter").deal(seed=1).view(2), "seats are 0 to 1"),
        (lambda: brelan.game("love-letter").deal(seed=1).story(0, "de"), "fr, en"),
        (
            lambda: brelan.bot("genius", brelan.game("love-letter")),
            "random, careful, shrewd, eager",
        ),
        (lambda: brelan.simulate(brelan.game("love-letter"), ["eager"], 1), "need 2 bots"),
        (lambda: brelan.simulate(brelan.game("love-letter"), ["x", "y"], 1), "random, careful"),
        (lambda: brelan.simulate(brelan.game("love-letter"), ["eager", "eager"], 0), "1 or more"),
    ],
)
def test_what_is_not_allowed_is_said(call, allowed) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=allowed) as error:
        call()
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("seat", [True, False, np.True_, 1.0, "0", -1, 2, 98])
def test_only_seats_have_views_and_stories(seat) -> None:  # type: ignore[no-untyped-def]
    match = brelan.game("love-letter").deal(seed=7)
    match.view(1)
    for ask in (match.view, match.story, match.resign):
        with pytest.raises(brelan.Refused, match="seats are 0 to 1"):
            ask(seat)


@pytest.mark.parametrize("seed", [1.5, True, float("inf"), [], b"12"])
def test_only_whole_numbers_and_secrets_are_seeds(seed) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(brelan.Refused, match="64 hexadecimal digits"):
        brelan.game("love-letter").deal(seed=seed)


def test_numbers_of_numpy_are_numbers() -> None:
    game = brelan.game("love-letter")
    pack = np.array([2, 8, 0, 3, 2, 9, 4, 1, 1, 1, 1, 4, 3, 7, 1, 0, 6, 5, 5, 6, 1])
    match = game.deal(seed=np.int64(5), cards=pack)
    match.play(np.int16(match.legal()[0].id))
    match.resign(np.int64(0))
    assert brelan.load(match.save()).result == match.result
    assert match.view(0).turn is None
    assert match.view(0).legal() == []
    with pytest.raises(brelan.Refused, match="whose turn it is"):
        brelan.bot("eager", game).choose(match.view(0))
    for move in (True, 0.0, None):
        with pytest.raises(brelan.IllegalMove):
            game.deal(seed=1).play(move)


def test_random_does_not_choose_alike_in_every_match() -> None:
    game = brelan.game("love-letter")
    bot, places = brelan.bot("random", game), set()
    for seed in range(60):
        match = game.deal(seed=seed)
        legal = match.legal()
        if len(legal) == 10:
            places.add(legal.index(bot.choose(match.view(match.turn))))
    assert len(places) > 3


def test_a_deal_without_a_seed_is_secret_and_can_be_saved() -> None:
    game = brelan.game("love-letter")
    one, two = game.deal(), game.deal()
    assert one.seed != two.seed
    assert len(bytes.fromhex(str(one.seed))) == 32
    assert brelan.load(one.save()).view(0) == one.view(0)


def test_a_secret_move_shows_face_down_to_others() -> None:
    pack = [6, 8, 0, 3, 2, 9, 4, 1, 1, 1, 1, 4, 3, 7, 1, 0, 2, 5, 5, 6, 1]
    match = brelan.game("love-letter").deal(cards=pack)
    match.play("6")
    match.play(match.legal()[0])
    histories = [[move.notation for move in match.view(seat).history] for seat in (0, 1, None)]
    assert histories[0][-1] == "keep 4 under 1 1"
    assert histories[1][-1] == histories[2][-1] == "keep ?"
    assert "under" not in match.view(1).history[-1].label("en").replace("under the deck", "")


def test_simulation_is_repeatable_and_its_intervals_hold() -> None:
    game = brelan.game("love-letter")
    one = brelan.simulate(game, ["eager", "random"], matches=3000, seed=5, threads=1)
    two = brelan.simulate(game, ["eager", "random"], matches=3000, seed=5, threads=2)
    assert (one.results == two.results).all()
    assert one.wins[0].low < one.wins[0].mean < one.wins[0].high
    assert abs(one.wins[0].mean + one.wins[1].mean - 1) < 1e-9
    assert one.results["deal"].tolist()[:4] == [0, 0, 1, 1]
    assert one.results["seating"][:2].tolist() == [[0, 1], [1, 0]]


def test_paired_deals_of_equal_bots_are_even() -> None:
    """The same bot on both sides wins exactly half of each pair of matches."""
    game = brelan.game("love-letter", first_starter="seat0")
    summary = brelan.simulate(game, ["eager", "eager"], matches=1000)
    assert summary.wins[0].mean == pytest.approx(0.5)
    assert {0.5} == set(summary._by_deal(summary._by_bot("won")[:, 0]).tolist())


def test_a_bot_of_one_s_own_plays() -> None:
    class First:
        name = "first"

        def choose(self, view: brelan.View) -> brelan.Move:
            return view.legal()[0]

    game = brelan.game("love-letter")
    summary = brelan.simulate(game, [lambda game: First(), "random"], matches=6)
    assert summary.bots == ["first", "random"]
    assert summary.results["decisions"].min() > 0


def test_import_is_light() -> None:
    code = "import brelan, sys; print('numpy' in sys.modules, 'llvmlite' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


def test_a_match_needs_no_compiler() -> None:
    code = "import brelan, sys; m = brelan.game('love-letter').deal(seed=1); m.play(m.legal()[0])"
    code += "; print('llvmlite' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False"]


def test_a_move_of_another_game_or_of_another_moment_is_refused() -> None:
    match = brelan.game("love-letter").deal(seed=7)
    other = brelan.game("district-noir").deal(seed=7)
    strange = brelan.Move(other.game, other.view(0).record, match.legal()[0].id)
    before, earlier = match.save(), match.view(0).record
    with pytest.raises(brelan.IllegalMove, match="is not allowed now"):
        match.play(strange)
    assert match.save() == before
    match.play(match.legal()[0])
    assert match.turn == 1
    with pytest.raises(brelan.IllegalMove, match="is not allowed now"):
        match.play(brelan.Move(match.game, earlier, match.legal()[0].id))  # as if of seat 0


def test_a_chancellors_choice_of_an_earlier_hand_is_refused() -> None:
    """It has the number of a legal move, but another card goes under the deck."""
    game = brelan.game("love-letter")
    one, other = (
        position(game, rest="pile", turn=0, phase="choose_chancellor", hand=[5, 1], drew=[[0, low]])
        for low in (5, 2)
    )
    stale = next(move for move in one.legal() if str(move) == "keep 5 under 0 5")
    assert stale.id in {move.id for move in other.legal()}
    with pytest.raises(brelan.IllegalMove, match="keep 5 under 0 5 is not allowed now"):
        other.play(stale)


def saved_with(**changes: object) -> str:
    """A saved match with changes, whose digest is right again."""
    match = brelan.game("love-letter").deal(seed=7)
    content = {**json.loads(match.save()), **changes}
    said = {key: value for key, value in content.items() if key != "digest"}
    digest = hashlib.blake2b(json.dumps(said, sort_keys=True).encode(), digest_size=16)
    return json.dumps({**said, "digest": digest.hexdigest()})


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"seed": None}, "Expected `int | str`, got `null` - at `$.seed`"),
        ({"knobs": {"preset": "published2019"}}, "unknown knob 'preset'"),
        ({"surprise": 1}, "unknown field `surprise`"),
        ({"moves": {"1": "4"}}, "Expected `array`, got `object` - at `$.moves`"),
        ({"rules": True}, "Expected `int`, got `bool` - at `$.rules`"),
        ({"rules": 1.0}, "Expected `int`, got `float` - at `$.rules`"),
        ({"rules": 1.5}, "Expected `int`, got `float` - at `$.rules`"),
        ({"brelan": "1"}, "Expected `int`, got `str` - at `$.brelan`"),
        ({"brelan": 2}, "saved in format 2; this Brelan reads 1"),
        ({"bots": {"7": "random"}}, "seats a bot at '7'"),
    ],
    ids=str,
)
def test_a_save_that_does_not_fit_the_schema_is_refused(changes: Any, said: str) -> None:
    with pytest.raises(brelan.BadSave) as refused:
        brelan.load(saved_with(**changes))
    assert said in str(refused.value)


def test_what_is_no_save_at_all_is_refused_in_one_line() -> None:
    for nonsense in ("", "{}", "null", "[]", "{" * 100_000, '{"knobs":' * 5000, "[" * 10**6, None):
        with pytest.raises(brelan.BadSave, match="saved match") as refused:
            brelan.load(nonsense)  # type: ignore[arg-type]
        assert "\n" not in str(refused.value)
    huge = brelan.game("love-letter").deal(seed=2**200)
    assert brelan.load(huge.save()).save() == huge.save()


def test_a_match_of_earlier_rules_is_read_where_its_moves_mean_the_same() -> None:
    """District Noir reported points after a win by cities in version 1, and does not any more."""
    game = brelan.game("district-noir")
    kept = game.folder.path / "tests" / "matches"
    content = json.loads(next(kept.glob("*.json")).read_text(encoding="utf-8"))
    scores, winners, reason = content["result"]
    said = {**content, "rules": 1, "result": [[score + 1 for score in scores], winners, reason]}
    del said["digest"]
    digest = hashlib.blake2b(json.dumps(said, sort_keys=True).encode(), digest_size=16).hexdigest()
    match = brelan.load(json.dumps({**said, "digest": digest}))
    assert (match.result.scores, match.game.folder.version) == (scores, 2)
    said["rules"] = 3
    digest = hashlib.blake2b(json.dumps(said, sort_keys=True).encode(), digest_size=16).hexdigest()
    with pytest.raises(brelan.BadSave, match="played by version 3"):
        brelan.load(json.dumps({**said, "digest": digest}))
