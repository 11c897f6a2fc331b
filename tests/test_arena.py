"""The arena: bots of the house and from outside, faults, taking up again."""

from __future__ import annotations

import contextlib
import csv
import fcntl
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import brelan
from brelan.engine.view import View
from brelan.lab.arena import arena
from brelan.lab.arena.matches import Table
from brelan.lab.arena.standings import Pairing, Standings
from brelan.lab.arena.workers import luck_of_match
from brelan.lab.simulate import simulate

OWN = """
import fcntl, time

class Own:
    name = "own"
    def __init__(self, game):
        self.game = game
    def choose(self, view):
        return view.legal()[0]

class Crashing(Own):
    def choose(self, view):
        raise KeyError("my card")

class Stalling(Own):
    def choose(self, view):
        time.sleep(3)

class Brooding(Own):
    def close(self):
        pass
    def choose(self, view):
        self.close = "not now"
        with open("brooding", "a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            time.sleep(600)

class Talking(Own):
    def choose(self, view):
        return "I do not know"

def nothing(game):
    return None
"""

PROGRAM = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    assert asked["seat"] in range(asked["players"])
    print(json.dumps({"move": asked["legal"][-1]["move"]}), flush=True)
"""


@pytest.fixture
def outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with bots of one's own, in which one works."""
    (tmp_path / "own_bots.py").write_text(OWN, encoding="utf-8")
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    (tmp_path / "mute.py").write_text("raise SystemExit(7)", encoding="utf-8")
    (tmp_path / "babble.py").write_text("input(); print('[1, 2'); input()", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def table(one: str, others: str = "random", players: int = 2, move_time: float = 20.0) -> Table:
    return Table(brelan.game("love-letter", players=players), [one, others], 1, move_time)


def test_bots_of_rules_meet_as_in_a_simulation() -> None:
    """The same matches, counted in another way."""
    game = brelan.game("love-letter")
    met = arena(game, ["eager", "careful", "random"], 400, workers=1)
    assert len(met.rows) == 3 * 400
    assert [tuple(pairing) for pairing in met.win_rates] == [(0, 1), (0, 2), (1, 2)]
    assert met.ratings[0].mu > met.ratings[1].mu > met.ratings[2].mu
    alone = simulate(game, ["eager", "careful"], 4000).wins[0]
    assert abs(alone.mean - met.win_rates[met.pairings[0]].mean) < 0.08
    again = arena(game, ["eager", "careful", "random"], 400, workers=2)
    assert [row.scores for row in again.rows] == [row.scores for row in met.rows]


def test_with_more_seats_one_sits_among_others() -> None:
    game = brelan.game("love-letter", players=3)
    met = arena(game, ["eager", "random"], 300, workers=1)
    assert [tuple(pairing) for pairing in met.pairings] == [(0, 1), (1, 0)]
    assert met.win_rates[met.pairings[0]].low > met.fair > met.win_rates[met.pairings[1]].high
    for number in range(2):
        seats = [row.seat for row in met.rows if row.pairing == number]
        assert sorted(seats) == sorted([0, 1, 2] * 100)


def test_a_challenger_meets_the_others_and_they_do_not_meet() -> None:
    for players, met_by in ((2, [(0, 1), (1, 2)]), (3, [(1, 0), (1, 2)])):
        game, bots = brelan.game("love-letter", players=players), ["eager", "careful", "random"]
        met = arena(game, bots, 30, gauntlet="careful", workers=1)
        assert [tuple(pairing) for pairing in met.win_rates] == met_by
        assert len(met.rows) == 60
    with pytest.raises(brelan.Refused, match="'genius' is none of the bots: eager, careful"):
        arena(game, ["eager", "careful"], 2, gauntlet="genius")


def led(met: Standings, pairing: Pairing) -> float:
    """By how much a bot was ahead of the best other on average."""
    leads = []
    for row in met.rows:
        if met.pairings[row.pairing] == pairing:
            others = [*row.scores[: row.seat], *row.scores[row.seat + 1 :]]
            leads.append(row.scores[row.seat] - max(others))
    return sum(leads) / len(leads)


def test_bots_are_compared_against_the_same_one_on_the_same_deals() -> None:
    for players in (2, 3):
        game, bots = brelan.game("love-letter", players=players), ["careful", "random", "eager"]
        met = arena(game, bots, 600, opponent="random", workers=1)
        assert [tuple(pairing) for pairing in met.win_rates] == [(0, 1), (2, 1)]
        ((before, after, gain, lead),) = met.gains
        careful, seed = met.win_rates[before], met.win_rates[after]
        assert gain.mean == pytest.approx(seed.mean - careful.mean)
        assert 0 < gain.low < gain.mean < gain.high
        assert lead.mean == pytest.approx(led(met, after) - led(met, before))
        assert 0 < lead.low < lead.mean < lead.high
        (said,) = met.as_dict()["gains"]
        assert (said["beside"], said["lead"]["mean"]) == ("careful", lead.mean)
    one, other = "search:club+steps=500", "search:club+steps=500+temperature=0.15"  # no difference
    ((_, _, gain, _),) = (
        alike := arena(game, ["eager", one, other], 30, opponent="eager", workers=1)
    ).gains
    assert (gain.mean, gain.margin) == (0, 0)
    assert all(figure.margin > 0 for figure in alike.win_rates.values())
    assert arena(game, bots, 6, workers=1).gains == [], "they met different bots"
    with pytest.raises(brelan.Refused, match="opponent 'genius' is none of the bots"):
        arena(game, ["eager", "careful"], 2, opponent="genius")
    with pytest.raises(brelan.Refused, match="not both"):
        arena(game, ["eager", "careful"], 2, opponent="eager", gauntlet="eager")


def test_bots_of_all_kinds_meet_on_the_same_deals() -> None:
    """A pairing of rules is dealt the same cards as one with a bot that thinks."""
    game, bots = brelan.game("love-letter"), ["random", "eager", "search:club+steps=50"]
    met = arena(game, bots, 6, opponent="random", workers=1)
    for row in met.rows:
        at = table(bots[met.pairings[row.pairing].one])
        again = at.play(row.pairing, row.deal, luck_of_match(at.game, 1, row.deal), row.seat)
        assert (again.scores, again.decisions) == (row.scores, row.decisions)


def test_own_bots_play_in_the_arena(outside: Path) -> None:
    program = f"{sys.executable} program.py"
    met = arena(brelan.game("love-letter"), ["own_bots:Own", program], 4, workers=1)
    assert len(met.rows) == 4
    assert met.faults == []
    assert all(second > 0 for second in met.seconds)


@pytest.mark.parametrize(
    ("bot", "move_time", "reason"),
    [
        ("own_bots:Crashing", 20.0, "KeyError: 'my card'"),
        ("own_bots:Stalling", 0.2, "no answer within 0.2 s"),
        ("own_bots:Talking", 20.0, "answered 'I do not know', which is no legal move"),
        (f"{sys.executable} mute.py", 20.0, "the program ended with status 7"),
        (f"{sys.executable} babble.py", 20.0, "which is no legal move"),
    ],
)
def test_a_fault_loses_that_match_and_the_arena_goes_on(
    outside: Path, bot: str, move_time: float, reason: str
) -> None:
    at = table(bot, move_time=move_time)
    for deal in range(2):
        row = at.play(0, deal, 5 + deal, seat=0)
        assert reason in row.fault
        assert row.fault.startswith(f"seat 0, {bot}: ")
        assert (row.won, row.winners) == (0.0, [1])
    at.close()


def test_what_is_no_bot_is_refused_before_the_first_match(outside: Path) -> None:
    game = brelan.game("love-letter")
    for bots, said in (
        (["eager", "own_bots:Missing"], "no bot 'own_bots:Missing'"),
        (["eager", "nowhere:bot"], "no bot 'nowhere:bot'"),
        (["eager", "own_bots:nothing"], "no method choose"),
        (["eager", "./nothing_here"], "does not start"),
        (["eager", "search:soon"], "novice, club, expert"),
        (["eager", "genius"], "random, careful, shrewd, eager, learned, novice, club, expert"),
        (["eager", "eager"], "each named once"),
        (["eager"], "two bots or more"),
    ):
        with pytest.raises(brelan.Refused, match=said):
            arena(game, bots, 2)


def test_an_arena_is_taken_up_where_it_was_stopped(tmp_path: Path) -> None:
    game, bots, file = brelan.game("love-letter"), ["eager", "careful"], tmp_path / "kept.jsonl"
    whole = arena(game, bots, 2000, workers=1)
    arena(game, bots, 900, results=file, workers=1)
    text = file.read_text(encoding="utf-8")
    file.write_text(text[:-20], encoding="utf-8")  # stopped in the middle of a line
    taken_up = arena(game, bots, 2000, results=file, workers=1)
    assert [row.won for row in taken_up.rows] == [row.won for row in whole.rows]
    kept = file.read_text(encoding="utf-8").splitlines()
    assert len(kept) == 1 + 2000
    for bots, opponent in ((["eager", "random"], None), (["eager", "careful"], "eager")):
        other = "another pairings, and begins" if opponent else "another bots, and begins"
        with pytest.raises(brelan.Refused, match=f"not kept by this arena: it has {other}"):
            arena(game, bots, 10, results=file, opponent=opponent)
    assert file.read_text(encoding="utf-8").splitlines() == kept


def test_nobody_plays_on_when_the_arena_was_killed(outside: Path) -> None:
    """Nor does a bot that cannot be closed while it plays hold its worker."""
    run = "import brelan; from brelan.lab.arena import arena; bots = ['Brooding', 'Own']; "
    run += "bots = ['own_bots:' + bot for bot in bots]; "
    run += "arena(brelan.game('love-letter'), bots, 2, workers=1, move_time=600)"
    killed = subprocess.Popen([sys.executable, "-c", f"if __name__ == '__main__': {run}"])
    try:
        assert comes_to_be(lambda: is_held(outside / "brooding"))
    finally:
        killed.kill()
        killed.wait()
    assert comes_to_be(lambda: not is_held(outside / "brooding"))


def comes_to_be(fact: Callable[[], bool]) -> bool:
    """Wait until something is so; not for ever."""
    for _ in range(1200):
        if fact():
            return True
        time.sleep(0.05)
    return False


def is_held(file: Path) -> bool:
    """Whether a process that lives has locked a file."""
    with file.open("a") as lock, contextlib.suppress(BlockingIOError):
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return False
    return True


def test_an_arena_closes_when_it_knows_enough() -> None:
    game = brelan.game("love-letter")
    met = arena(game, ["eager", "random"], 100_000, precision=0.03, workers=1)
    assert len(met.rows) < 5000
    assert met.win_rates[met.pairings[0]].margin <= 0.03


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    from brelan.cli.arena import arena as command

    asked: dict[str, Any] = {"matches": "200", "workers": "1"}
    assert command("love-letter", "eager", "random", **asked, json_=True) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["matches"] == 200
    assert figures["pairings"][0]["low"] < figures["pairings"][0]["mean"]
    assert command("love-letter", "eager", "random", **asked, csv_=True) == 0
    (line,) = csv.DictReader(capsys.readouterr().out.splitlines())
    assert (line["bot"], line["others"], line["matches"]) == ("eager", "random", "200")
    assert float(line["mean"]) == figures["pairings"][0]["mean"]
    assert command("love-letter", "eager", "random", **asked) == 0
    shown = capsys.readouterr().out
    assert f"{figures['pairings'][0]['mean']:.1%}" in shown
    for asked["matches"] in ("200", "2"):
        assert command("love-letter", "eager", "random", "careful", **asked, opponent="random") == 0
        shown = capsys.readouterr().out
        assert "careful than eager, against random" in shown
        assert "nan" not in shown, "one deal says nothing of the interval"
    for bad in ({"precision": "0"}, {"move_time": "soon"}, {"matches": "0"}, {"workers": "no"}):
        with pytest.raises(brelan.Refused, match="not allowed"):
            command("love-letter", "eager", "random", **bad)
    with pytest.raises(brelan.Refused, match="novice, club, expert"):
        command("love-letter", "eager")


def test_own_bots_can_be_made_by_name(outside: Path) -> None:
    game = brelan.game("love-letter")
    match = game.deal(seed=2)
    assert match.turn is not None
    view = match.view(match.turn)
    assert brelan.bot("own_bots:Own", game).choose(view) == view.legal()[0]
    program = brelan.bot(f"{sys.executable} program.py", game)
    assert program.choose(view) == view.legal()[-1]
    program.close()  # type: ignore[attr-defined]


def test_a_program_is_told_nothing_hidden() -> None:
    """Two worlds that look the same to a seat are the same question."""
    from brelan.bots.external import question
    from brelan.suite.walk import Walk

    game = brelan.game("love-letter", players=3)
    walk = Walk(game, 3, "interpreted")
    while walk.seat is None:
        walk.play(walk.legal()[0])
    worlds = [walk.state, *(walk.imagine(walk.seat, luck) for luck in range(5))]
    assert len({np.asarray(world).tobytes() for world in worlds}) > 1
    views = [View(game, walk.seat, walk.view(walk.seat, world)) for world in worlds]
    assert len({json.dumps(question(view, view.legal())) for view in views}) == 1
