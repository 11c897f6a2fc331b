"""Games of one's own: a folder anywhere is opened by its path, and refused if it cannot be one."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import brelan
from brelan.kit.new import TEMPLATE

BELIEF = """
from brelan.rules import rule

@rule
def move_probability(bot, view, number, scratch):
    return 0.5

@rule
def reveal_seen(world, view, seat, scratch):
    return 1.0

@rule
def deal_unseen(world, scratch):
    world.luck[0] = scratch.luck[0]
"""


def copied(folder: Path) -> Path:
    """A folder of one's own, copied from the template, with a file on what choices tell."""
    shutil.copytree(TEMPLATE, folder, ignore=shutil.ignore_patterns("tests"))
    (folder / "belief.py").write_text(BELIEF, encoding="utf-8")
    return folder


def test_a_folder_anywhere_is_a_game(tmp_path: Path) -> None:
    folder = copied(tmp_path / "my_poker")
    game = brelan.game(str(folder))
    match, bot = game.deal(seed=4), brelan.bot("balanced", game)
    while match.turn is not None:
        match.play(bot.choose(match.view(match.turn)))
    assert match.result is not None
    assert game.id == "my-poker"
    assert brelan.game("my-poker").folder is game.folder


@pytest.mark.parametrize(
    ("name", "file", "old", "new", "said"),
    [
        (
            "no_play",
            "rules.py",
            "def play(",
            "def plays(",
            "no-play does not implement the hook 'play'",
        ),
        (
            "odd_word",
            "belief.py",
            "def deal_unseen(world, scratch)",
            "def deal_unseen(world)",
            r"odd-word defines deal_unseen\(world\) in belief.py, but the hook is "
            r"deal_unseen\(world, scratch\)",
        ),
        (
            "half_said",
            "belief.py",
            "def deal_unseen(",
            "def deal_it(",
            "half-said does not implement 'deal_unseen': move_probability, reveal_seen, "
            "deal_unseen go together",
        ),
    ],
)
def test_a_game_must_implement_its_hooks(
    tmp_path: Path, name: str, file: str, old: str, new: str, said: str
) -> None:
    part = copied(tmp_path / name) / file
    text = part.read_text(encoding="utf-8")
    assert old in text
    part.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(brelan.Refused, match=said):
        brelan.game(str(part.parent))


def test_a_folder_that_is_no_game_is_refused(tmp_path: Path) -> None:
    folder = copied(tmp_path / "half")
    (folder / "story.py").unlink()
    with pytest.raises(brelan.Refused, match=r"is not the folder of a game: it has no story\.py"):
        brelan.game(str(folder))
    with pytest.raises(brelan.Refused, match="there is a game 'template-game' already"):
        brelan.game(str(copied(tmp_path / "template_game")))
