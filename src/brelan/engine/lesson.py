"""First matches that teach a game by playing it: `lesson.toml` in the folder of the game.

A lesson is a match of a prepared deal. Each of its steps says something, in both languages, and
may be a move: the learner is asked for it, the others make theirs. The file has

- `seat`, the learner's; `names` of all seats; `seed`, and `cards` in the order of `Game.deal`;
  `[knobs]` that are not as usual;
- `[[step]]`: `fr` and `en`; optional `move`, a notation, made by the seat in turn; `section` of
  the rulebook; `lit`, names of what the text points at.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from brelan.engine.folder import GameFolder
from brelan.engine.game import Game
from brelan.errors import Refused

Words = Annotated[str, Meta(min_length=1)]


class LessonStep(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """What is said, and the move that is made then, by notation."""

    fr: Words
    en: Words
    move: str | None = None
    section: str | None = None
    lit: list[str] = []


class LessonFile(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A lesson as it is written."""

    names: list[str]
    step: list[LessonStep]
    seat: int = 0
    seed: int = 1
    cards: list[int | str] | None = None
    knobs: dict[str, int | str] = {}

    def game(self, folder: GameFolder) -> Game:
        """Return the variant that is taught."""
        return Game(folder, folder.knobs.settle(self.knobs))


def read_lesson(folder: GameFolder) -> LessonFile | None:
    """Return the lesson of a game, if it has one; one that cannot be read is refused."""
    file = folder.path / "lesson.toml"
    if not file.exists():
        return None
    try:
        lesson = msgspec.toml.decode(file.read_bytes(), type=LessonFile)
    except msgspec.MsgspecError as error:
        raise Refused(f"{file.name} of {folder.id}: {error}") from None
    if len(lesson.names) != lesson.game(folder).players or lesson.seat >= len(lesson.names):
        raise Refused(f"{file.name} of {folder.id}: `names` must name each seat, the learner's too")
    return lesson
