"""A new game: what `brelan new` writes is a game everywhere, wherever it lies."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import brelan
from brelan.engine.folder import open_folder
from brelan.games import SHELVES
from brelan.kit.new import TEMPLATE, write_game
from brelan.suite import all_checks, goldens
from brelan.suite.golden import compare
from browser_fixture import DESK, SMALL_PHONE, Browse, findings


def run(*arguments: str, cwd: Path, typed: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "brelan", *arguments]
    return subprocess.run(
        command, cwd=cwd, input=typed, capture_output=True, text=True, check=False
    )


def said(*arguments: str, cwd: Path, typed: str = "") -> str:
    done = run(*arguments, cwd=cwd, typed=typed)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_it_holds_what_the_template_holds_under_its_own_name(tmp_path: Path) -> None:
    folder = write_game("small-poker", tmp_path / "mine")
    assert folder == tmp_path / "mine" / "small_poker"
    assert [each.name for each in (tmp_path / "mine").iterdir()] == ["small_poker"]
    files = {file.relative_to(TEMPLATE) for file in TEMPLATE.rglob("*.*") if file.suffix != ".pyc"}
    assert {file.relative_to(folder) for file in folder.rglob("*.*")} == files
    for file in files:
        text = (folder / file).read_text(encoding="utf-8")
        assert not any(word in text.lower() for word in ("template", "kuhn poker", "poker de kuhn"))
    game = brelan.game(str(folder))
    assert game.id == "small-poker"
    assert [game.folder.texts(lang)("game.name") for lang in ("fr", "en")] == ["Small poker"] * 2


def test_it_passes_every_check_as_it_is(tmp_path: Path) -> None:
    game = brelan.game(str(write_game("checked-poker", tmp_path)))
    for check, table in all_checks(game):
        check(table, 1)
    written = list(goldens(game))
    assert len(written) == 2
    for file, write in written:
        compare(file, write)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("My Game", "letters and digits, all small, with - between words, such as my-game"),
        ("../escape", "letters and digits, all small"),
        ("7-cards", "letters and digits, all small"),
        ("two--dashes", "letters and digits, all small"),
        ("", "letters and digits, all small"),
        ("x" * 41, "up to 40 letters"),
        ("class", "'class' is a reserved word; give the game another name, such as my-class"),
        ("compiler", "'compiler' is a reserved word"),
        ("con", "'con' is a reserved word"),
        ("random", "'random' is a module of Python"),
        ("numpy", "'numpy' is a module of Python"),
        ("love-letter", "there is a game 'love-letter' already; give yours another name"),
        ("love_letter", "there is a game 'love-letter' already"),
        ("there", "there exists; give the game another name, or another --folder"),
    ],
)
def test_a_name_that_cannot_be_is_refused_and_nothing_written(
    tmp_path: Path, name: str, why: str
) -> None:
    (tmp_path / "there").mkdir()
    with pytest.raises(brelan.Refused, match=why) as refused:
        write_game(name, tmp_path)
    assert "\n" not in str(refused.value)
    assert [each.name for each in tmp_path.rglob("*")] == ["there"]


def test_where_nothing_can_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(brelan.Refused, match=r"cannot write .*; name another --folder"):
        write_game("my-game", tmp_path / "file")


# ---------------------------------------------------------------- where it is found


def test_games_on_a_shelf_are_known_by_their_id(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = brelan.games()
    shelf, single = tmp_path / "shelf", write_game("single-poker", tmp_path)
    for name in ("second-poker", "first-poker"):
        write_game(name, shelf)
    (shelf / "notes").mkdir()  # which is no game
    monkeypatch.setenv(SHELVES, os.pathsep.join([str(shelf), str(single), str(shelf)]))
    assert brelan.games() == [*before, "first-poker", "second-poker", "single-poker"]
    match = brelan.game("second-poker").deal(seed=1)
    assert brelan.game(str(shelf / "second_poker")).folder is match.game.folder
    match.play("bet")
    assert brelan.load(match.save()).save() == match.save()


@pytest.mark.parametrize(
    ("folder", "why"),
    [
        (None, "No such file or directory; name folders that hold games, separated by"),
        ("love_letter", r"love_letter, but 'love-letter' is the game in .*love_letter"),
        ("My_Game", r"My_Game: the folder of a game has a name of small letters and digits"),
    ],
)
def test_a_shelf_with_what_cannot_be_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str | None, why: str
) -> None:
    shelf = tmp_path / "shelf"
    if folder is not None:
        shelf.mkdir()
        write_game("some-poker", shelf).rename(shelf / folder)
    monkeypatch.setenv(SHELVES, str(shelf))
    with pytest.raises(brelan.Refused, match=why):
        brelan.games()


def test_a_folder_here_is_opened_by_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_game("here-poker", tmp_path)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(brelan.Refused, match=r"the folder here is opened as \./here_poker$"):
        brelan.game("here-poker")
    game = brelan.game("./here_poker")
    assert brelan.game("here_poker/").folder is game.folder is brelan.game("here-poker").folder


def test_what_is_wrong_with_its_code_is_said_in_one_line(tmp_path: Path) -> None:
    folder = write_game("broken-poker", tmp_path)
    story = (folder / "story.py").read_text(encoding="utf-8")
    last = story.count("\n") + 1
    for line, why in (("oops(", "SyntaxError"), ("NOTHING = nowhere", "NameError")):
        (folder / "story.py").write_text(f"{story}{line}\n", encoding="utf-8")
        with pytest.raises(brelan.Refused, match=rf"broken-poker cannot be opened: .*{why}") as no:
            brelan.game(str(folder))
        assert f"story.py, line {last}: " in str(no.value)
        assert "\n" not in str(no.value)
    (folder / "story.py").write_text(story, encoding="utf-8")
    assert brelan.game(str(folder)).deal(seed=1).turn is not None  # mended, it opens


# ---------------------------------------------------------------- by the program


def test_the_program_writes_it_and_plays_it(tmp_path: Path) -> None:
    told = said("new", "new-poker", "--lang=fr", cwd=tmp_path)
    assert "./new_poker est un jeu" in told
    assert "brelan check ./new_poker" in told
    refused = run("new", "new-poker", cwd=tmp_path)
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert (
        said("--games", ".", "games", "--lang=en", cwd=tmp_path)
        .splitlines()[-1]
        .startswith("new-poker  New poker.")
    )
    assert " chip" in said(
        "--games=.", "play", "new-poker", "--lang=en", cwd=tmp_path, typed="1\n1\n"
    )
    asked = ("balanced", "honest", "--matches=10", "--workers=1")
    assert "balanced" in said("--games", ".", "arena", "new-poker", *asked, cwd=tmp_path)
    for wrong in ("--games", "--games=nowhere"):
        refused = run(wrong, cwd=tmp_path)
        assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)


# ---------------------------------------------------------------- in the browser


def test_it_is_played_in_the_browser_at_the_plain_table(
    browse: Browse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from server_processes import Process
    from web_play import LIT, OVER, open_table, play_to_the_end

    write_game("browser-poker", tmp_path)
    monkeypatch.setenv(SHELVES, str(tmp_path))
    server = Process(f"sqlite:///{tmp_path / 'house.db'}", tmp_path).start()
    try:
        for device, how in ((DESK, "click"), (SMALL_PHONE, "tap")):
            page = browse(device, home=server.url).open()
            page.get_by_text("Browser poker").first.wait_for()
            found = open_table(page, server.url, "browser-poker", ["balanced"])
            page.goto(f"{server.url}/#table={found['table']}")
            page.locator(f".felt {LIT}").first.wait_for()
            assert findings(page) == []
            assert play_to_the_end(page, how) >= 1
            assert page.locator(OVER).inner_text() != ""
    finally:
        server.close()


def test_a_server_does_not_start_with_a_shelf_that_cannot_be(tmp_path: Path) -> None:
    folder = write_game("odd-poker", tmp_path)
    (folder / "story.py").unlink()
    done = run(f"--games={tmp_path}", "serve", "--port=0", cwd=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "odd_poker is not the folder of a game: it has no story.py" in done.stderr
    assert open_folder("template-game").id == "template-game"


# ---------------------------------------------------------------- in every environment


def test_it_is_an_environment_of_every_library(tmp_path: Path) -> None:
    """On a shelf it is registered when a library's door is imported, without a line of code."""
    for library in ("pettingzoo", "gymnasium", "pyspiel"):
        pytest.importorskip(library, reason=f"{library} is not installed: --all-extras")
    write_game("trained-poker", tmp_path)
    program = """
import gymnasium, pettingzoo, pyspiel
import brelan, brelan.envs.gymnasium, brelan.envs.openspiel, brelan.envs.pettingzoo
from brelan.envs import text
from pettingzoo.test import api_test

api_test(pettingzoo.make("aec", "brelan/trained_poker_v1"), num_cycles=30)
env = gymnasium.make("brelan/TrainedPoker-v1", opponent="balanced")
observation, info = env.reset(seed=1)
env.step(int(env.unwrapped.action_masks().argmax()))
envs = gymnasium.make_vec("brelan/TrainedPoker-v1", num_envs=8, opponent="random")
envs.reset(seed=1)
pyspiel.random_sim_test(pyspiel.load_game("brelan_trained_poker"), 3, True, False)
game = brelan.game("trained-poker")
view = game.deal(seed=1).view(game.deal(seed=1).turn)
assert "1. pass" in text.prompt(view)
"""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        env=os.environ | {SHELVES: str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
