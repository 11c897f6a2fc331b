"""The check against the reference engine, which was written from the rulebook alone."""

from __future__ import annotations

import importlib
import math

from brelan.engine.game import Game
from brelan.engine.match_driver import RANDOM, Driver, blank_results

MATCHES, REFERENCE_MATCHES = 5000, 200
SIGMAS = 5.0  # which chance goes beyond in less than one of a million checks


def matches_are_as_long_as_in_the_reference(game: Game, seed: int) -> None:
    """Random matches have as many decisions as in the reference engine, on average."""
    package = game.folder.rules.__package__
    reference = importlib.import_module(f"{package}.reference")
    results = blank_results(game, MATCHES)
    driver = Driver(game, [RANDOM] * game.players)
    driver.set_up(results, 0, seed)
    driver.play(results)
    decisions = results["decisions"]
    found = reference.random_matches(REFERENCE_MATCHES, seed)
    mean = found["decisions"] / found["matches"]
    spread = float(decisions.std()) * math.sqrt(1 / MATCHES + 1 / found["matches"])
    away = abs(mean - float(decisions.mean()))
    assert away <= SIGMAS * max(spread, 1e-9), (
        f"{decisions.mean():.2f} decisions on average, and {mean:.2f} in the reference engine"
    )
