"""The suite that each game must pass, for all of them; Hypothesis searches for matches."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import brelan
from brelan.engine.game import Game
from brelan.suite import all_checks, golden, goldens, often
from brelan.suite.checks import ONCE, Check
from brelan.suite.walk import Walk, cards_of

GAMES = [brelan.game(name) for name in ("template-game", *brelan.games())]
CHECKS = [
    pytest.param(check, game, id=f"{game.id}-{game.players}-{check.__name__}")
    for each in GAMES
    for check, game in all_checks(each)
]
GOLDENS = [
    pytest.param(file, write, id=f"{game.id}-{file.stem}")
    for game in GAMES
    for file, write in goldens(game)
]


@pytest.mark.parametrize(("check", "game"), CHECKS)
def test_check(check: Check, game: Game) -> None:
    for seed in range(2026, 2026 + (1 if check in ONCE else often(1))):
        check(game, seed)


@pytest.mark.parametrize(("file", "write"), GOLDENS)
def test_golden(file: Any, write: Any) -> None:
    golden.compare(file, write)


@st.composite
def variants(draw: st.DrawFn) -> Game:
    """Any variant of any game."""
    game = draw(st.sampled_from(GAMES))
    knobs = {
        name: draw(st.sampled_from(knob.values[:8]))
        for name, knob in game.folder.knobs.items()
        if draw(st.booleans())
    }
    try:
        return Game(game.folder, game.folder.knobs.settle(knobs))
    except brelan.Refused:  # values that are not allowed together
        return game


@settings(max_examples=often(60), deadline=None, suppress_health_check=list(HealthCheck))
@given(variants(), st.integers(0, 2**64 - 1), st.lists(st.integers(0, 2**16), max_size=120))
def test_any_variant_any_moves(game: Game, luck: int, choices: list[int]) -> None:
    """Whatever is chosen: views suffice, cards are conserved, worlds look alike."""
    walk = Walk(game, luck)
    pack = sorted(game.pack)
    for choice in choices:
        legal = walk.legal()
        if not legal:
            break
        seat = walk.seat
        if seat is not None:
            assert walk.legal(walk.view(seat)) == legal
            reader = choice % game.players
            world = walk.imagine(reader, choice)
            assert walk.view(reader, world).tobytes() == walk.view(reader).tobytes()
        assert walk.is_fresh or sorted(cards_of(game, walk.state).elements()) == pack
        walk.play(legal[choice % len(legal)])


@settings(max_examples=often(80), deadline=None)
@given(st.sampled_from(GAMES), st.text(max_size=12) | st.integers())
def test_any_nonsense_is_refused(game: Game, nonsense: Any) -> None:
    match = game.deal(seed=3)
    before = match.save()
    if nonsense in [form for move in match.legal() for form in (move.id, move.notation)]:
        return
    with pytest.raises(brelan.IllegalMove, match="is not allowed now"):
        match.play(nonsense)
    assert match.save() == before


@settings(max_examples=often(150), deadline=None)
@given(st.sampled_from(GAMES), st.data())
def test_any_damage_to_a_saved_match_is_found(game: Game, data: st.DataObject) -> None:
    """A saved match with a character changed, removed or added, or cut short, is refused."""
    match = game.deal(seed=11)
    choice = random.Random(5)
    for _ in range(8):
        if match.turn is not None:
            match.play(choice.choice(match.legal()))
    text = match.save()
    place = data.draw(st.integers(0, len(text) - 3))
    damage = data.draw(st.sampled_from(["cut", "drop", "add", "change"]))
    letter = data.draw(st.sampled_from('0123456789abcdef":,{}[] nult'))
    damaged = {
        "cut": text[:place],
        "drop": text[:place] + text[place + 1 :],
        "add": text[:place] + letter + text[place:],
        "change": text[:place] + letter + text[place + 1 :],
    }[damage]
    try:
        loaded = brelan.load(damaged)
    except brelan.BadSave as error:
        assert "\n" not in str(error)
    else:
        assert loaded.save() == text  # only white space, or nothing, was changed


def test_a_folder_from_anywhere_is_a_game(tmp_path: Any) -> None:
    """A copy of a game with a rule changed is a game of its own, by its path."""
    import shutil

    source = GAMES[0].folder.path
    own = tmp_path / "my_game"
    shutil.copytree(source, own)
    rules = own / "rules.py"
    text = rules.read_text(encoding="utf-8")
    rules.write_text(text.replace("VERSION = 1", "VERSION = 2"), encoding="utf-8")
    game = brelan.game(str(own))
    assert (game.id, game.folder.version) == ("my-game", 2)
    match = game.deal(seed=1)
    while match.turn is not None:
        match.play(match.legal()[0])
    assert match.result is not None
    assert brelan.load(match.save()).result == match.result
    with pytest.raises(ValueError, match="has no __init__"):
        brelan.game(str(tmp_path))


def test_a_word_that_is_used_for_something_else_is_refused(tmp_path: Any) -> None:
    """It would be found when a bot first uses it, deep in the compiler."""
    import shutil

    own = tmp_path / "my_other_game"
    shutil.copytree(GAMES[0].folder.path, own)
    with (own / "bots.py").open("a", encoding="utf-8") as bots:
        bots.write("\n\ndef proven_move(view, scratch, hand):\n    return hand\n")
    with pytest.raises(
        ValueError,
        match=r"proven_move\(view, scratch, hand\) in bots.py, but .* proven_move\(view, scratch\)",
    ):
        brelan.game(str(own))


def test_the_suite_finds_a_secret_move_that_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that hid nothing of its moves would fail: told apart, or not even writable."""
    from brelan.suite.checks import views_hide_what_they_must

    for players in (2, 4):
        game = brelan.game("love-letter", players=players)
        views_hide_what_they_must(game, 2026)
        with monkeypatch.context() as patch:
            patch.setattr(game.folder.cards, "shown", lambda view, number, reader: number)
            with pytest.raises((AssertionError, ValueError)):
                views_hide_what_they_must(game, 2026)
