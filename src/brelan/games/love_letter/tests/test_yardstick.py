"""The yardstick in C plays the driver's matches."""

from __future__ import annotations

import pytest

import brelan
from brelan.games.love_letter import benches


def test_c_plays_the_same_matches_as_the_driver() -> None:
    program = benches.built()
    if isinstance(program, str):
        pytest.skip(f"THE C YARDSTICK IS NOT CHECKED AGAINST THE DRIVER: {program}")
    game = brelan.game("love-letter")
    for seed in (1, 2):
        played = benches.run(program, seed, 2001)
        assert played["checksum"] == benches.checksum_of(game, seed, 2001)
    assert played["matches"] == 2001
    assert benches.run(program, 3, 2001)["checksum"] != played["checksum"]
    assert "2,000 compared" in benches.check(game, 1)
    assert list(benches.tasks(game, 1)) == ["C"]


def test_without_a_compiler_the_line_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    monkeypatch.setattr(benches, "built", benches.built.__wrapped__)
    game = brelan.game("love-letter")
    assert benches.tasks(game, 1) == {}
    assert benches.check(game, 1) == (
        "The line of C is left out: there is no C compiler (no-such-compiler) here."
    )


def test_a_yardstick_that_differs_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benches, "built", lambda: benches.SOURCE)
    monkeypatch.setattr(benches, "run", lambda *_: {"checksum": "0"})
    with pytest.raises(brelan.Refused, match="C does not play the driver's matches"):
        benches.check(brelan.game("love-letter"), 1)
