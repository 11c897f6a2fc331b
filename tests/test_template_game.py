"""The template game in every room of the house, given by the path of its folder."""

from __future__ import annotations

import io
import subprocess
import sys

import pytest
from rich.console import Console

import brelan
from brelan.kit.new import TEMPLATE
from brelan.lab.arena import arena
from brelan.terminal.screen import Screen
from brelan.terminal.session import PlainFace, TerminalSession, face_of

GAME = brelan.game("template-game")


@pytest.mark.parametrize("name", ["novice", "club", "expert", "balanced", "honest", "random"])
def test_bots_play_it_and_matches_can_be_kept(name: str) -> None:
    for seed in range(10):
        match, bot = GAME.deal(seed=seed), brelan.bot(name, GAME, seed=seed)
        while match.turn is not None:
            match.play(bot.choose(match.view(match.turn)))
            assert brelan.load(match.save()).save() == match.save()
        assert match.result is not None
        assert sum(match.result.scores) == 0


@pytest.mark.parametrize("level", ["club", "expert"])
def test_the_search_finds_what_is_certain(level: str) -> None:
    """After a bet the King calls, and the Jack folds."""
    for card, best in (("K", "bet"), ("J", "pass")):
        for third in "JQK".replace(card, ""):
            other = "JQK".replace(card, "").replace(third, "")
            match = GAME.deal(cards=[other, card, third])
            match.play("bet")
            assert brelan.bot(level, GAME).choose(match.view(1)).notation == best


def test_simulation_and_arena_agree() -> None:
    balanced = brelan.simulate(GAME, ["balanced", "random"], matches=20_000).scores[0]
    assert balanced.low > 0
    met = arena(GAME, ["balanced", "random", "club"], 60, workers=2)
    assert len(met.rows) == 3 * 60
    assert met.faults == []


def test_at_the_terminal_its_places_are_listed() -> None:
    match = GAME.deal(cards=["Q", "K", "J"])
    assert isinstance(face_of(GAME), PlainFace)
    stream = io.StringIO()
    screen = Screen(GAME.folder.texts("en"), Console(file=stream, width=80))
    TerminalSession(match, 0, {1: brelan.bot("honest", GAME)}, screen, None)._show()
    assert "['Q', None]" in stream.getvalue()
    assert "1) Pass" in stream.getvalue()


def test_the_program_plays_it_by_its_path() -> None:
    def run(*arguments: str, typed: str = "") -> str:
        command = [sys.executable, "-m", "brelan", *arguments]
        done = subprocess.run(command, input=typed, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert " chip" in run("play", str(TEMPLATE), "--lang=en", "--seed=3", typed="1\n1\n")
    assert "§4" in run("rules", str(TEMPLATE), "--lang=fr")
    assert "bets" in run("sim", str(TEMPLATE), "--matches=200", "--preset=high_stakes")
    asked = ("balanced", "club", "--matches=10", "--workers=1")
    assert "balanced" in run("arena", str(TEMPLATE), *asked)
    assert "matches, driver to reference" in run("bench", str(TEMPLATE), "--repeats=1")
