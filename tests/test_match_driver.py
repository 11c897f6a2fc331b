"""The driver: the same matches, whichever machine code plays them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import brelan
from brelan.compiler.library import Library, StillRead
from brelan.engine import match_driver
from brelan.engine.game import Game
from brelan.engine.match_driver import Driver, blank_results

NOTES = np.dtype([("count", np.int64), ("noted", np.int16, (4,)), ("marks", np.int64)])


def rule(function: Any) -> Any:
    function.__rule__ = True
    return function


@rule
def note(record, number):  # type: ignore[no-untyped-def]
    record.count += 1
    for place in range(4):
        if record.noted[place] < number:
            record.noted[place] += number
            record.marks += record.noted[place]


@rule
def note_and_tell(record, number):  # type: ignore[no-untyped-def]
    note(record, number)
    return record.marks


@pytest.mark.parametrize(("names", "kept"), [({"noted", "marks"}, 0), ({"marks"}, 12)])
def test_what_nobody_reads_is_left_out(names: set[str], kept: int) -> None:
    library = Library("notes", "compiled", {}, None, {NOTES: frozenset(names)})
    record = np.zeros(1, NOTES)[0]
    library(note)(record, 3)
    assert (record["count"], record["marks"], record["noted"].sum()) == (1, 0, kept)


def test_a_place_that_matters_cannot_be_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRELAN_CACHE", str(tmp_path))
    for _ in range(2):  # the second time it is known without compiling
        library = Library("notes", "compiled", {}, None, {NOTES: frozenset({"marks"})})
        with pytest.raises(StillRead, match="note_and_tell depends on a place"):
            library(note_and_tell)(np.zeros(1, NOTES)[0], 3)


@pytest.mark.parametrize("name", list(brelan.games()))
def test_code_made_for_a_variant_plays_the_same_matches(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At random, which leaves out what seats remember, and with bots, for its knobs alone."""
    game = brelan.game(name)
    monkeypatch.setattr(match_driver, "WORTH_SPECIALISING", 1)
    for bot in (0, 1):
        bots = [bot] * game.players
        played = []
        for driver in (Driver(game, bots, matches=1), general(game, bots)):
            results = blank_results(game, 60)
            driver.set_up(results, 0, seed=2)
            driver.play(results)
            played.append(results.tobytes())
        assert played[0] == played[1]


def general(game: Game, bots: list[int]) -> Driver:
    """A driver of the library for all variants, with bounds checks."""
    return Driver(game, bots, "checked")


def test_bots_in_python_play_the_deals_of_those_in_machine_code() -> None:
    """The same seed deals the same cards, however bots are asked."""
    game = brelan.game("district-noir")

    class First:
        name = "first"

        def choose(self, view: brelan.View) -> brelan.Move:
            return view.legal()[0]

    compiled = brelan.simulate(game, ["random", "random"], matches=20, seed=5).results
    python = brelan.simulate(game, [lambda _: First()] * 2, matches=20, seed=5).results
    for field in ("deal", "rotation", "luck", "seating"):
        assert (compiled[field] == python[field]).all()
    again = brelan.simulate(game, ["random", "random"], matches=20, seed=6).results
    assert (again["luck"] != compiled["luck"]).all()


def test_bots_have_luck_of_their_own_in_each_rotation() -> None:
    results = brelan.simulate(
        brelan.game("love-letter"), ["random", "random"], matches=200, seed=1
    ).results
    pairs = results["decisions"].reshape(-1, 2)
    assert (pairs[:, 0] != pairs[:, 1]).mean() > 0.5
    assert (results["luck"].reshape(-1, 2)[:, 0] == results["luck"].reshape(-1, 2)[:, 1]).all()
