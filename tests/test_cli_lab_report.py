"""`brelan lab` as a user runs it."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from brelan.kit.new import TEMPLATE
from cli_run import run_here

STUDY = (str(TEMPLATE), "--precision", "0.05", "--matches", "2000", "--level", "balanced")
SOON = 120.0  # seconds in which the first job is done, on a machine that is busy


def run(*arguments: str, home: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "brelan", "lab", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, stdin=subprocess.DEVNULL, cwd=home
    )


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, subprocess.CompletedProcess[str]]:
    home = tmp_path_factory.mktemp("lab")
    return home, run("report", *STUDY, "--lang", "en", "--workers", "1", home=home)


def test_a_report_says_how_long_it_takes_and_what_it_found(
    kept: tuple[Path, subprocess.CompletedProcess[str]],
) -> None:
    home, done = kept
    assert done.returncode == 0, done.stderr
    assert "balanced: about 2,000 matches, for ± 5.0%" in done.stderr
    assert "1 processes; kept in brelan-lab/template-game-2p-" in done.stderr
    *told, _, page = done.stdout.splitlines()
    assert "the King wins matches" in told[0]
    html = (home / page).read_text(encoding="utf-8")
    assert html.startswith(("<!doctype html>", "<!DOCTYPE html>"))
    assert "brelan lab report" in html


def test_what_was_played_is_read_again(
    kept: tuple[Path, subprocess.CompletedProcess[str]],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (folder,) = (kept[0] / "brelan-lab").iterdir()
    for source in (folder, folder / "report.json"):
        page = tmp_path / "page.html"
        asked = ("report", "--from", str(source), "--lang", "fr", "--json", "--output", str(page))
        done = run_here(capsys, "lab", *asked)
        assert done.returncode == 0, done.stderr
        figures = json.loads(done.stdout)
        assert figures["levels"][0]["matches"] <= 2000
        assert figures["command"].startswith("brelan lab report ")
        options = "--level balanced --precision 0.05 --matches 2000 --seed 1"
        assert figures["command"].endswith(options)
        assert "le Roi" in page.read_text(encoding="utf-8")


def test_the_same_command_goes_on_after_a_kill(
    kept: tuple[Path, subprocess.CompletedProcess[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    command = [sys.executable, "-m", "brelan", "lab", "report", *STUDY, "--workers", "1"]
    killed = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.DEVNULL)
    latest = time.monotonic() + SOON
    while not list(tmp_path.glob("brelan-lab/*/balanced/*/0*")):
        assert killed.poll() is None
        assert time.monotonic() < latest, "no job was done"
        time.sleep(0.01)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    monkeypatch.chdir(tmp_path)
    done = run_here(capsys, "lab", "report", *STUDY, "--json")
    assert done.returncode == 0, done.stderr
    (folder,) = (kept[0] / "brelan-lab").iterdir()
    levels = json.loads((folder / "report.json").read_text(encoding="utf-8"))["levels"]
    assert json.loads(done.stdout)["levels"] == levels


def test_what_is_not_allowed_is_said_in_one_line(
    kept: tuple[Path, subprocess.CompletedProcess[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (folder,) = (kept[0] / "brelan-lab").iterdir()
    damaged = tmp_path / "damaged"
    shutil.copytree(folder, damaged)
    (damaged / "balanced" / "play" / "000000" / "matches.parquet").write_bytes(b"PAR1")
    for arguments, said in {
        ("report",): "which game? there are: love-letter",
        ("report", "kings"): "unknown game 'kings'; there are: love-letter",
        ("report", "love-letter", "--set", "zz=1"): "unknown knob 'zz'; there are: players",
        ("report", "love-letter", "--level", "zz"): "there is no level 'zz' of love-letter",
        ("report", "love-letter", "--precision", "2"): "it may be a number between 0 and 1",
        ("report", "love-letter", "--matches", "0"): "it may be a whole number from 2 on",
        ("report", "love-letter", "--lang", "de"): "unknown language 'de'; there are: fr, en",
        ("report", "love-letter", "--from", "."): "leave out the game",
        ("report", "love-letter", "--results", str(folder)): "keeps another study",
        ("report", "--from", str(tmp_path / "zz")): "cannot be read; name the folder of a study",
        ("report", "--from", str(tmp_path)): "keeps no study",
        ("report", "--from", str(damaged)): "matches.parquet is damaged; remove the folder",
        ("report", "--from", str(TEMPLATE / "rules.py")): "is no report",
        ("repot",): "unknown command 'repot'; there are: report",
    }.items():
        done = run_here(capsys, "lab", *arguments)
        assert done.returncode == 2
        assert said in done.stderr
        assert done.stderr.count("\n") == 1
        assert not done.stdout


def test_scale_puts_the_ideal_beside_what_is_reached(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("scale", str(TEMPLATE), "--matches", "400", "--repeats", "1", "--json")
    done = run_here(capsys, "lab", *asked)
    assert done.returncode == 0, done.stderr
    one, two = json.loads(done.stdout)
    assert (one["workers"], one["speedup"], one["ideal"]) == (1, 1, 1)
    assert (two["workers"], two["ideal"]) == (2, 2)
    assert two["seconds"] > 0
