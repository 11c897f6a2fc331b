"""Which tests run one after another: those of one game, so that it is compiled once.

Compiling makes millions of objects that stay: looking for garbage less often saves time.
"""

from __future__ import annotations

import gc

import pytest

import brelan

gc.set_threshold(100_000, 20, 20)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give every test of a game to the same worker (with `--dist loadgroup`)."""
    if not items or not items[0].config.pluginmanager.has_plugin("xdist"):
        return
    for item in items:
        for game in brelan.games():
            if game in item.nodeid or game.replace("-", "_") in item.nodeid:
                item.add_marker(pytest.mark.xdist_group(game))
