"""Machine code is made of the rules that Python calls, and holds those that they call."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from brelan.compiling import Unmade
from brelan.machine import Library
from brelan.rules import rule


@rule
def card_at(cards: Any, place: int) -> Any:
    return cards[place]


@rule
def told(cards: Any, place: int) -> Any:
    print("card", card_at(cards, place), np.int8(3))  # noqa: T201
    return card_at(cards, place)


@rule
def doubled(cards: Any, place: int) -> Any:
    return 2 * told(cards, place)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BRELAN_CACHE", str(tmp_path))
    return tmp_path


@pytest.mark.usefixtures("cache")
def test_rules_within_rules_run_when_they_are_made_and_when_they_are_loaded(
    capfd: pytest.CaptureFixture[str],
) -> None:
    cards = np.arange(5, 9)
    for loaded in (0, 1):
        entry: Any = Library("cards", "checked", {}, [])(doubled)
        assert entry(cards, 3) == 16
        with pytest.raises(IndexError):
            entry(cards, 4)
        assert sum(entry.stats.cache_hits.values()) == loaded
        assert capfd.readouterr().out == "card 8 3\n"


def test_only_what_python_calls_is_made(cache: Path) -> None:
    library = Library("cards", "compiled", {}, [])
    assert library(doubled)(np.arange(3), 1) == 2
    inner: Any = library._linked[card_at, False]
    (made,) = inner.overloads.values()
    assert isinstance(made.library, Unmade)
    kept = [file.name.split(".")[1].split("-")[0] for file in cache.rglob("*.nbi")]
    assert kept == ["doubled"]


def test_a_rule_may_be_called_by_rules_and_by_python(cache: Path) -> None:
    library = Library("cards", "compiled", {}, [])
    cards = np.arange(5)
    assert library(doubled)(cards, 2) == 4
    assert library(card_at)(cards, 2) == 2
    assert len(list(cache.rglob("*.nbi"))) == 2
