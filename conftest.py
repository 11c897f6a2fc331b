"""The tiers of the tests: `--fast` for every save, all of them, `--long` for a night.

The fast tier leaves out what takes seconds. The long tier plays a hundred times as many matches:
Hypothesis examples and numbers of matches are given by `brelan.suite.often`, and a test with a
parameter `matches` plays a hundred times as many. A test that takes ten minutes hangs, and fails;
in the long tier there is no limit.
"""

from __future__ import annotations

import importlib.util
import os
import re

import pytest

SLOW = re.compile(
    r"tests/test_(search|analysis|arena|sixth_game|wheel|client|protocol)\.py"
    r"|tests/test_lab_(study|defects|cluster)\.py"
    r"|tests/test_server_(durability|input|load|processes|secrecy)\.py"
    r"|games/\w+/tests/test_(reference|analysis|belief|imagine|shrewd|last_round|options)\.py"
    r"|tests/test_cli_page\.py::test_(it_serves|without_a_browser|a_port)"
    r"|tests/test_web_\w+\.py|tests/test_envs_openspiel\.py|test_kit_new\.py::test_it_is_played"
    r"|test_quality\.py::test_(types|client|tool\[imports)"
    r"|test_docs\.py::test_(the_tools|strength)"
    r"|tests/test_(gymnasium|pettingzoo|text|bench_environments|environments_page)\.py"
    r"|test_compiler_fuzz\.py|test_cli_lab\.py::test_(bench|what_is_not_allowed_is_said)"
    r"|test_template_game\.py::test_the_program"
    r"|test_every_game\.py::test_any_"
    r"|test_every_game\.py::test_check\[.*-(3|4|5|6)-"  # with more players than two
    r"|test_every_game\.py::test_check\[.*-(matches_end|bots_\w+|search_\w+|modes_agree|saving_\w+)"
)

# The doors of the environments, each with its library: without it, nothing can be imported there.
DOORS = {
    "gymnasium": "gymnasium",
    "learning": "gymnasium",
    "openspiel": "pyspiel",
    "pettingzoo": "pettingzoo",
}
collect_ignore = [
    f"src/brelan/envs/{door}"
    for door, library in DOORS.items()
    if importlib.util.find_spec(library) is None
]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the tiers."""
    parser.addoption("--fast", action="store_true", help="leave out what takes seconds")
    parser.addoption("--long", action="store_true", help="play a hundred times as many matches")


def pytest_configure(config: pytest.Config) -> None:
    """Let `often` know, here and in all processes that are started from here."""
    if config.getoption("--long"):
        os.environ["BRELAN_LONG"] = "1"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is not in the tier, or play more of it."""
    if config.getoption("--fast"):
        slow = [item for item in items if SLOW.search(item.nodeid)]
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if item not in slow]
    if os.environ.get("BRELAN_LONG"):
        from brelan.suite import often

        for item in items:
            item.add_marker(pytest.mark.timeout(0))  # no limit
            params = item.callspec.params if hasattr(item, "callspec") else {}
            if "matches" in params:
                params["matches"] = often(params["matches"])
