"""`brelan check`: one page that says what holds of a game, where it fails, and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from brelan.cli.check import check
from brelan.kit.new import write_game
from brelan.suite import checks
from brelan.suite.report import ABOUT, ADVICE, TOPICS

FAULTS = [
    (
        "imagine.py",
        "world.hand[1 - me] = unseen[0]",
        "world.hand[me] = unseen[0]",
        "secrecy",
        ("imagine.py, line 13: AssertionError: seat", "imagine.py must fill hidden places only"),
    ),
    (
        "story.py",
        '"card": card_word(int(after.hand[reader]))',
        '"card": card_word(int(after.hand[reader]) + 3)',
        "replay",
        ("story.py, line 21: ValueError: 4 is not a valid Card",),
    ),
    (
        "rules.py",
        "state.chips[seat] = 1\n",
        "state.chips[seat] = 2\n",
        "rules",
        ("tests/playthroughs/2-players.txt is as it was.", "brelan check GAME --rewrite"),
    ),
    (
        "texts.fr.toml",
        'fold = "Se coucher"',
        'fold = "Se coucher !"',
        "texts",
        (
            "texts.fr.toml, line 21: AssertionError: move.fold: a no-break space",
            "mend texts.fr.toml",
        ),
    ),
    (
        "texts.en.toml",
        'call = "Call"\n',
        "",
        "texts",
        ("texts.fr.toml, line 22: AssertionError: in one language only", "write the text in"),
    ),
    (
        "reference.py",
        'rng.choice(["pass", "bet"])',
        'rng.choice(["bet"])',
        "rules",
        ("decisions on average, and", "reference.py and rules.py play different games"),
    ),
]


def page(folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    status = check(str(folder))
    return status, " ".join(capsys.readouterr().out.split())


def test_a_game_of_which_everything_holds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, said = page(write_game("whole-poker", tmp_path), capsys)
    assert status == 0
    assert "✗" not in said
    for topic in TOPICS:
        assert f"✓ {topic} ✓" in said
    assert "random matches for a second of the processor" in said
    assert "times the reference engine; a state takes 48 bytes" in said
    assert "checks hold." in said


@pytest.mark.parametrize(("file", "old", "new", "topic", "parts"), FAULTS)
def test_what_is_wrong_is_said_with_its_line_and_what_to_do(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    file: str,
    old: str,
    new: str,
    topic: str,
    parts: tuple[str, ...],
) -> None:
    folder = write_game(f"faulty-{Path(file).stem.partition('.')[0]}-{len(old)}", tmp_path)
    text = (folder / file).read_text(encoding="utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new), encoding="utf-8")
    monkeypatch.setenv("COLUMNS", "100")
    status, said = page(folder, capsys)
    assert status == 1
    for part in parts:
        assert part in said
    assert topic in said.rpartition("checks fail: ")[2] or topic == "rules"


def test_rules_that_do_not_compile_are_said_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_game("mistyped-poker", tmp_path)
    text = (folder / "rules.py").read_text(encoding="utf-8")
    changed = text.replace("state.chips[seat] = 1\n", "state.chip[seat] = 1\n")
    (folder / "rules.py").write_text(changed, encoding="utf-8")
    status, said = page(folder, capsys)
    assert status == 1
    assert "deal (rules.py, line 35): there is no place 'chip'; there are: luck, players" in said
    assert "The rules do not compile; nothing else was run: speed" in said


def test_every_check_has_a_topic_and_an_advice() -> None:
    names = {each.__name__ for each in (*checks.BY_PLAYERS, *checks.BY_VARIANTS)}
    assert names == set(ADVICE)
    assert names >= set(ABOUT)
    assert {topic for topic, _ in ADVICE.values()} <= set(TOPICS)
