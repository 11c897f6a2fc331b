"""The commands that compute: sim, bench and check, as a user runs them."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from cli_run import run_here

FEW = ("--matches", "400", "--seed", "3")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "brelan", *arguments]
    return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)


def test_sim_prints_figures_with_intervals() -> None:
    done = run("sim", "love-letter", "eager", "careful", *FEW)
    assert done.returncode == 0, done.stderr
    assert "400 matches, seed 3" in done.stdout
    assert "eager " in done.stdout
    assert "95 % interval" in done.stdout
    assert "Playing 400 matches" in done.stderr


def test_sim_as_json_is_repeatable_on_any_number_of_threads(
    capsys: pytest.CaptureFixture[str],
) -> None:
    ask = ("sim", "love-letter", "eager", "careful", "random", "--json", *FEW)
    one, two = (run_here(capsys, *ask, "--threads", count) for count in "12")
    assert one.stdout == two.stdout
    figures = json.loads(one.stdout)
    assert figures["matches"] == 400
    assert [bot["bot"] for bot in figures["bots"]] == ["eager", "careful", "random"]
    assert sum(bot["wins"]["mean"] for bot in figures["bots"]) == pytest.approx(1)
    for bot in figures["bots"]:
        assert bot["wins"]["low"] < bot["wins"]["mean"] < bot["wins"]["high"]


def test_bench_measures_everything_in_turn() -> None:
    done = run("bench", "love-letter", "--repeats", "1", "--json")
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)
    asked = {"rounds, driver to reference", "rounds, simulate to driver"}
    assert asked <= set(figures["ratios"])
    tasks = {name.partition(", ")[2] for name in figures["rates"]}
    assert {"driver", "simulate", "imagine", "search", "reference"} <= tasks
    assert ("C" in tasks) == ("rounds, simulate to C" in figures["ratios"])
    assert all(rate["median"] > 0 for rate in figures["rates"].values())
    notes = " ".join(figures["notes"])
    assert "C plays the same matches" in notes or "The line of C is left out" in notes
    scaling = "two threads to one, by the clock"
    assert (scaling in figures["ratios"]) != (f"Left out: {scaling}" in notes)


def test_two_threads_are_measured_on_free_cores_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    import brelan
    from brelan.lab import bench

    used = iter(range(100))
    game = brelan.game("love-letter")
    monkeypatch.setattr(bench, "_used_by_others", lambda: 0.0)
    assert len(bench.two_threads_to_one(game, 1, 1000.0)) == 1
    monkeypatch.setattr(bench, "_used_by_others", lambda: float(next(used)))
    assert bench.two_threads_to_one(game, 1, 1000.0) == []
    assert next(used) == 2 * bench.TRIES


def test_bench_compiler_measures_fresh_processes() -> None:
    done = run("bench", "compiler", "love-letter", "--repeats", "1", "--json")
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)
    (game,) = figures["games"]
    cold, warm = (game["seconds"][start] for start in figures["goals"])
    assert set(cold) == set(warm) == {"total", "import", "front end", "LLVM", "load", "rest"}
    assert warm["LLVM"]["median"] == warm["front end"]["median"] == 0
    assert cold["LLVM"]["median"] > cold["front end"]["median"] > 0 < warm["load"]["median"]
    assert warm["total"]["median"] < cold["total"]["median"]
    assert set(game["rates"]) == {"matches, simulate", "simulations, search"}


@pytest.mark.parametrize(
    ("arguments", "allowed"),
    [
        (["sim"], "love-letter"),
        (["sim", "poker"], "love-letter"),
        (["sim", "love-letter", "eager", "genius"], "random, careful, shrewd, eager"),
        (["sim", "love-letter", "eager", "eager", "--players", "3"], "need 3 bots"),
        (["sim", "love-letter", "--matches", "0"], "from 1 on"),
        (["sim", "love-letter", "--matches", "many"], "from 1 on"),
        (["sim", "love-letter", "--seed", "-1"], "from 0 on"),
        (["sim", "love-letter", "--threads", "0"], "from 1 on"),
        (["sim", "love-letter", "--set", "spy_bonus=no"], "one_spy_in_play"),
        (["sim", "love-letter", "--set", "colour=no"], "spy_bonus"),
        (["sim", "love-letter", "--set", "spy_bonus"], "knob=value"),
        (["sim", "love-letter", "--preset", "first"], "published2019"),
        (["bench", "poker"], "love-letter"),
        (["bench", "love-letter", "art-of-war"], "one game at a time"),
        (["bench", "compiler", "poker"], "love-letter"),
        (["bench", "server", "poker"], "love-letter"),
        (["bench", "server", "--tables", "1,none"], "from 1 on"),
        (["bench", "--repeats", "0"], "from 1 on"),
        (["check"], "love-letter"),
        (["check", "poker"], "love-letter"),
        (["check", "./nowhere"], "has no __init__.py"),
    ],
)
def test_what_is_not_allowed_is_said_in_one_line(
    arguments: list[str], allowed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    done = run_here(capsys, *arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert allowed in done.stderr
    assert len([line for line in done.stderr.splitlines() if "brelan: " in line]) == 1
    assert "Traceback" not in done.stderr


def test_check_reports_what_is_wrong_and_goes_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from brelan.cli import check as command
    from brelan.suite import checks

    def fine(game: object, seed: int) -> None:
        """Nothing is wrong."""

    def broken(game: object, seed: int) -> None:
        """Something is wrong."""
        raise IndexError("out of bounds")

    monkeypatch.setattr(checks, "BY_PLAYERS", (broken, fine))
    monkeypatch.setattr(checks, "BY_VARIANTS", ())
    monkeypatch.setattr("brelan.cli.progress.prepared", lambda game, mode: None)
    monkeypatch.setattr("brelan.suite.golden.goldens", lambda game: [])
    assert command.check("love-letter", json_=True) == 1
    found = json.loads(capsys.readouterr().out)
    assert [bool(each["wrong"]) for each in found] == [False, *[True, False] * 5]
    assert found[1]["wrong"] == "IndexError: out of bounds"
    assert [each["players"] for each in found] == [None, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]
