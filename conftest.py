"""Which tests run one after another: those of one game, so that it is compiled once.

Tests of the search, the arena and the lab that name no game play Love Letter.

Compiling makes millions of objects that stay: looking for garbage less often saves time.
"""

from __future__ import annotations

import gc

import pytest

import brelan

PLAY_LOVE_LETTER = ("test_search", "test_arena", "test_cli_lab")

gc.set_threshold(100_000, 20, 20)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give every test of a game to the same worker (with `--dist loadgroup`)."""
    if not items or not items[0].config.pluginmanager.has_plugin("xdist"):
        return
    for item in items:
        usual = "love-letter" if item.path.stem in PLAY_LOVE_LETTER else ""
        named = (game for game in brelan.games() if game in item.nodeid.replace("_", "-"))
        if group := next(named, usual):
            item.add_marker(pytest.mark.xdist_group(group))
