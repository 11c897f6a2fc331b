"""`brelan bench environments`: every door that is installed, beside the bare engine."""

from __future__ import annotations

import json
import sys

import pytest

from brelan.cli import app
from brelan.envs import bench

pytest.importorskip("pettingzoo")


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("brelan.lab.bench.SECONDS", 0.01)


def _run(*arguments: str) -> None:
    with pytest.raises(SystemExit) as ended:
        app(["bench", "environments", *arguments])
    assert ended.value.code == 0


def test_all_doors_are_measured(capsys: pytest.CaptureFixture[str]) -> None:
    _run("template-game", "--repeats", "2", "--json")
    (found,) = json.loads(capsys.readouterr().out)["games"]
    doors = {name.split(",")[0] for name in found["rates"]}
    assert {"bare engine", "PettingZoo", "Gymnasium"} <= doors
    assert all(rate["low"] > 0 for rate in found["rates"].values())
    assert any(name.startswith("time of a step, PettingZoo") for name in found["ratios"])


def test_a_door_that_is_missing_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in [name for name in sys.modules if name.startswith("brelan.envs.pettingzoo")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pettingzoo", None)  # as if it were not installed
    monkeypatch.setattr(bench, "DOORS", ("pettingzoo",))
    _run("template-game", "--repeats", "1")
    assert "Left out: pettingzoo; to have it: pip install 'brelan[pettingzoo]'." in (
        capsys.readouterr().out.replace("\n", " ").replace("  ", " ")
    )
