"""The pages about bots: their examples play, and the code they name exists."""

from __future__ import annotations

import importlib
import importlib.util
import re
import sys
from pathlib import Path

import pytest

import brelan
from brelan.bots.search.settings import LEVELS
from brelan.lab.arena import arena

DOCS = Path(__file__).parents[1] / "docs"
EXAMPLE = re.compile(r"```python\n# (\w+)\.py\n(.*?)```", re.DOTALL)
NAMED = re.compile(r"`([a-z]+)\.([A-Za-z_]+)(?:\.([a-z_]+))?`")
PACKAGES = ("brelan.bots", "brelan.bots.search", "brelan.bots.belief")


def test_the_examples_of_bots_play_love_letter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    examples = dict(EXAMPLE.findall((DOCS / "bots.md").read_text(encoding="utf-8")))
    assert set(examples) == {"mine", "program"}
    for name, code in examples.items():
        (tmp_path / f"{name}.py").write_text(code, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    program = f"{sys.executable} program.py"
    met = arena(brelan.game("love-letter"), ["mine:Mine", program, "random"], 2, workers=1)
    assert len(met.rows) == 6
    assert met.faults == []


def module_of(name: str) -> object | None:
    """The module of that name in the packages of the bots."""
    for package in PACKAGES:
        if importlib.util.find_spec(f"{package}.{name}"):
            return importlib.import_module(f"{package}.{name}")
    return None


def test_what_the_page_of_the_search_names_exists() -> None:
    text = (DOCS / "search.md").read_text(encoding="utf-8")
    found = 0
    for module_name, *path in NAMED.findall(text):
        if path[0] in ("py", "md"):
            continue
        named = module_of(module_name)
        assert named is not None, module_name
        for attribute in filter(None, path):
            assert hasattr(named, attribute), (module_name, *path)
            named = getattr(named, attribute)
        found += 1
    assert found > 25


@pytest.mark.parametrize("page", ["search", "bots", "glossary", "learned"])
def test_links_lead_somewhere(page: str) -> None:
    text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    for file, anchor in re.findall(r"\]\(([\w./-]+\.md)(?:#([\w-]+))?\)", text):
        target = (DOCS / file).read_text(encoding="utf-8")
        headings = [
            re.sub(r"[^\w -]", "", line.lstrip("# ")).lower().replace(" ", "-")
            for line in target.splitlines()
            if line.startswith("#")
        ]
        assert not anchor or anchor in headings, (file, anchor)


def test_levels_of_the_page_are_those_of_the_code() -> None:
    text = (DOCS / "search.md").read_text(encoding="utf-8")
    for name, level in LEVELS.items():
        belief = "yes" if level.belief else "no"
        assert f"| `{name}` | {level.steps:,} | {belief} | {level.temperature:g} |" in text
