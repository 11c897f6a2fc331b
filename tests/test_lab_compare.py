"""Comparisons: what changed between two variants or two bots, and what did not."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from brelan import i18n
from brelan.cli import main
from brelan.errors import Refused
from brelan.kit.new import TEMPLATE
from brelan.lab.compare import Comparison, compare, data, html, side
from brelan.lab.compare.changes import changes
from brelan.lab.compare.tell import FOLDER, ChangeTeller
from brelan.suite import often
from cli_run import run_here

GAME = "template-game"


@cache
def played(a: tuple[str, ...], b: tuple[str, ...], seed: int = 1, threads: int = 1) -> Comparison:
    sides = side(GAME, a), side(GAME, b, option="--b")
    return compare(*sides, seed, precision=0.03, threads=threads, command="brelan lab compare")


def said(found: Comparison, lang: str = "en") -> list[str]:
    return [each.text for each in ChangeTeller(found, lang).sentences()]


def change(found: Comparison, key: str, number: int | str | None = None) -> Any:
    return next(c for c in found.changes if (c.key, c.number) == (key, number))


def test_what_a_knob_changes_is_found_with_its_direction() -> None:
    found = played(("level=honest",), ("level=honest", "bet=2"))
    assert found.is_settled
    spread = change(found, "spread")  # the stakes are higher
    assert spread.is_significant
    assert spread.difference.low > 0
    assert spread.difference.mean == pytest.approx(spread.b.mean - spread.a.mean)
    assert any(text.startswith("From best to last there are") for text in said(found))
    settings = found.turned
    assert settings == ({}, {"bet": "2"})


def test_the_same_on_both_sides_is_no_change() -> None:
    found = played((), ())
    assert found.significant == []
    assert all(c.difference.mean == 0 for c in found.changes)
    assert said(found)[0].startswith("Nothing has changed for sure")
    assert ChangeTeller(found, "fr").headline() == "Rien n’a changé à coup sûr."


def test_two_bots_meet_each_other() -> None:
    found = played(("level=honest",), ("level=balanced",))
    assert found.duel is not None
    assert found.duel.wins.low <= 0.5 + 1 / 72 <= found.duel.wins.high  # as it is worked out
    assert said(found)[0].startswith("One balanced among honest wins")
    assert found.levels == ("honest", "balanced")
    assert played((), ("bet=2",)).duel is None  # two variants have no common table


def test_a_known_change_of_a_real_game_comes_first() -> None:
    """Whoever plays last wins 83 % of La cour du Roi between greedy bots; a ladder helps."""
    sides = (
        side("cour-du-roi", ["level=greedy"]),
        side("cour-du-roi", ["order=ladder", "level=greedy"]),
    )
    found = compare(*sides, matches=2000)
    first = said(found)[0]
    assert first.startswith("Whoever plays last wins 6")
    assert first.endswith("points, nearer to what is fair.")
    assert change(found, "order", 1).difference.high < -0.1
    assert ChangeTeller(found, "en").headline() == "Nearer to fair."


def test_whoever_stops_it_gets_what_is_known_by_then() -> None:
    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    found = compare(side(GAME), side(GAME, ["bet=2"]), precision=0.0001, progress=stop)
    assert found.is_stopped
    assert not found.is_settled
    assert found.deals == 250
    assert said(found)


def test_the_figures_do_not_depend_on_the_threads() -> None:
    one, two = (played((), ("bet=2",), 5, threads) for threads in (1, 2))
    assert one == two


def test_false_alarms_are_as_rare_as_stated() -> None:
    """Figures whose difference is chance alone: in few families is any one significant."""
    chance = np.random.default_rng(2)
    families, alarms = often(60), 0
    for _ in range(families):
        names = [f"seat:{number}" for number in range(6)] + ["decisions", "score"]
        a, b = ({name: chance.random(400) for name in names} for _ in "ab")
        found, _ = changes(a, b, players=6)
        alarms += any(each.is_significant for each in found)
    assert alarms <= 0.05 * families + 4 * (0.05 * 0.95 * families) ** 0.5


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
def test_the_page_says_it_first_and_how_to_do_it_again(lang: str) -> None:
    found = played((), ("bet=2",))
    page = html(found, lang)
    for sentence in ChangeTeller(found, lang).sentences():
        assert sentence.text.split(" ")[0] in page
    assert page.index('<ol class="said"') < page.index('<table class="dots')
    assert "brelan lab compare" in page
    assert "<script" not in page
    assert "nan" not in page.partition("</style>")[2]


def test_data_is_json() -> None:
    plain = json.loads(json.dumps(data(played((), ("bet=2",))), allow_nan=False))
    assert plain["turned"] == [{}, {"bet": "2"}]
    assert plain["sentences"]["fr"]
    assert {"key", "a", "b", "difference", "adjusted"} <= set(plain["changes"][0])


def test_both_languages_have_all_texts() -> None:
    french, english = (i18n.load(FOLDER, lang).entries for lang in ("fr", "en"))
    assert french.keys() == english.keys()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (("colour=red",), "unknown knob 'colour'; there are: players, bet, first_player"),
        (("bet=9",), "bet = 9 is not allowed; it may be: 1, 2"),
        (("bet",), "--a bet: write it as --a knob=value"),
        (("level=master",), "there is no level 'master' of template-game; there are: "),
    ],
)
def test_what_is_not_allowed_is_said(settings: tuple[str, ...], message: str) -> None:
    with pytest.raises(Refused, match=message.replace("(", r"\(")):
        side(GAME, settings)


def test_sides_have_the_same_number_of_players() -> None:
    two, three = side("love-letter", ["players=2"]), side("love-letter", ["players=3"])
    with pytest.raises(Refused, match="the same number of players"):
        compare(two, three)


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "brelan", "lab", "compare", *arguments]
    return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)


def test_the_command_tells_in_the_terminal_and_writes_a_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "what.html"
    asked = ("--a", "bet=1", "--b", "bet=2", "--precision", "0.05", "--lang", "en")
    done = run(str(TEMPLATE), *asked, "--level", "honest", "--output", str(page))
    assert done.returncode == 0, done.stderr
    assert "b: bet = 2, played by honest" in done.stdout
    assert "From best to last there are" in done.stdout
    again = shlex.split(done.stdout.strip().splitlines()[-1])
    assert again[:3] == ["brelan", "lab", "compare"]
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    plain = json.loads(run_here(capsys, *again[1:], "--json").stdout)
    assert plain["sentences"]["en"][0] in " ".join(done.stdout.split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "brelan: which game? there are: "),
        (("love-letter", "--a", "colour=red"), "brelan: unknown knob 'colour'; there are: "),
        (("love-letter", "--b", "x"), "brelan: --b x: write it as --b knob=value"),
        (("love-letter", "--precision", "2"), "brelan: --precision 2 is not allowed; it may be "),
        (("love-letter", "--b", "players=3"), "brelan: both sides need the same number of players"),
    ],
)
def test_the_command_says_what_is_allowed(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["lab", "compare", *arguments])
    out, err = capsys.readouterr()
    assert err.splitlines()[-1].startswith(message)
    assert not out
