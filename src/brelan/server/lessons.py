"""Lessons as they are sent: the prepared match, step by step, as the learner sees it."""

from __future__ import annotations

import functools

from brelan import games
from brelan.engine.folder import open_folder
from brelan.engine.lesson import LessonStep, read_lesson
from brelan.engine.match import Match
from brelan.errors import Refused
from brelan.server import readers
from brelan.server.messages import Lesson, LessonPart, Refusal
from brelan.server.wire import words_of


def lesson(name: str) -> Lesson:
    """Return the lesson of a game."""
    if name not in games():
        raise Refusal("no_such_game", 404, games=list(games()))
    found = _lesson(name)
    if found is None:
        raise Refusal("no_such_page", 404)
    return found


@functools.cache
def _lesson(name: str) -> Lesson | None:
    folder = open_folder(name)
    file = read_lesson(folder)
    if file is None:
        return None
    match = file.game(folder).deal(file.seed, file.cards)
    dealt, seat = match.transitions(), file.seat
    first = dealt[0].before if dealt else match.record(seat).tobytes()
    return Lesson(
        game=folder.id,
        rules=folder.version,
        knobs=match.game.knobs,
        seat=seat,
        names=file.names,
        first=words_of(folder.layout.view(first, seat)),
        dealt=[readers.step(match.game, each, seat) for each in dealt],
        parts=[_part(match, step, seat, place) for place, step in enumerate(file.step, 1)],
    )


def _part(match: Match, step: LessonStep, seat: int, place: int) -> LessonPart:
    """Return one step of a lesson, and make its move."""
    turn = match.turn
    legal, words = readers.choices(match, seat)
    number: int | None = None
    moved = []
    if step.move is not None:
        found = (
            [move for move in match.legal() if str(move) == step.move] if turn is not None else []
        )
        if not found:
            raise Refused(
                f"step {place} of the lesson of {match.game.id}: {step.move!r} is not allowed; "
                f"there are: {', '.join(map(str, match.legal())) if turn is not None else 'none'}"
            )
        number = found[0].id
        moved = match.advance(number)
    return LessonPart(
        say={"fr": step.fr, "en": step.en},
        section=step.section,
        lit=step.lit,
        turn=turn,
        legal=legal,
        words=words,
        move=number if turn == seat else None,
        steps=[readers.step(match.game, each, seat) for each in moved],
        result=readers.result(match),
    )
