"""docs/new-game.md, followed as it is written: a new game, its blocks applied, and all holds."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import brelan
from brelan.cli.check import check
from brelan.kit.new import write_game

DOC = Path(__file__).parents[1] / "docs" / "new-game.md"
HUNK = re.compile(r"^@@ .*$", re.MULTILINE)


def blocks(section: str) -> str:
    """Return the blocks of a section, one after another."""
    text = DOC.read_text(encoding="utf-8")
    found = re.search(rf"^## {section}.*?(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert found is not None
    return "".join(re.findall(r"```diff\n(.*?)```", found[0], re.DOTALL))


def apply(patch: str, folder: Path) -> None:
    """Change files as a patch says; its context must be there, once."""
    for part in re.split(r"^--- ", patch, flags=re.MULTILINE)[1:]:
        names, _, hunks = part.partition("\n@@ ")
        file = folder / names.split("\n")[0]
        text = file.read_text(encoding="utf-8")
        for hunk in HUNK.split(f"\n@@ {hunks}")[1:]:
            lines = hunk.removeprefix("\n").splitlines()
            old = "".join(f"{line[1:]}\n" for line in lines if not line.startswith("+"))
            new = "".join(f"{line[1:]}\n" for line in lines if not line.startswith("-"))
            assert text.count(old) == 1, f"{file.name}: {old}"
            text = text.replace(old, new)
        file.write_text(text, encoding="utf-8")


def test_the_page_leads_to_a_game_of_which_everything_holds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    folder = write_game("third-card", tmp_path)
    apply(blocks("2"), folder)
    halfway = folder.rename(tmp_path / "third_card_halfway")
    assert check(str(halfway)) == 1
    said = " ".join(capsys.readouterr().out.split())
    shown = re.search(r"^✗ rules\n.*?(?=```)", DOC.read_text(encoding="utf-8"), re.M | re.S)
    assert shown is not None
    for line in shown[0].splitlines():
        assert " ".join(line.split()) in said
    folder = halfway.rename(folder)
    apply(blocks("3"), folder)
    assert check(str(folder), rewrite=True) == 0
    assert check(str(folder)) == 0
    match = brelan.game("third-card").deal(cards=["K", "J", "Q"])
    match.play("look")
    assert match.story(0, "en")[-2:] == ["You look at the third card.", "It is the Queen."]
    assert match.story(1, "en")[-1] == "Seat 0 looks at the third card."
