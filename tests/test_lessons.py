"""The first match of each game teaches it to its end."""

from __future__ import annotations

import re

import pytest

import brelan
from brelan import i18n
from brelan.engine.folder import open_folder
from brelan.engine.lesson import read_lesson
from brelan.server import lessons

TAUGHT = [name for name in brelan.games() if (open_folder(name).path / "lesson.toml").exists()]


def test_the_games_of_the_house_are_taught() -> None:
    assert set(TAUGHT) == set(brelan.games())


@pytest.mark.parametrize("name", TAUGHT)
def test_a_lesson_is_a_match_to_its_end(name: str) -> None:
    lesson = lessons.lesson(name)
    asked = [part for part in lesson.parts if part.move is not None]
    assert len(asked) >= 5
    assert all(part.turn == lesson.seat and part.move in part.legal for part in asked)
    assert lesson.parts[-1].result is not None
    assert lesson.parts[-1].move is None  # the last words come after the last move


@pytest.mark.parametrize("name", TAUGHT)
def test_a_lesson_names_sections_that_there_are(name: str) -> None:
    folder = open_folder(name)
    file = read_lesson(folder)
    assert file is not None
    for lang in i18n.LANGUAGES:
        headings = set(re.findall(r"^#+ §?(\d+(?:\.\d+)*)", folder.rulebook(lang), re.MULTILINE))
        assert {step.section for step in file.step if step.section} <= headings
