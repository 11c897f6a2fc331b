"""What a reader is sent of a match: each byte from that reader's own view."""

from __future__ import annotations

from brelan import i18n
from brelan.engine.game import Game
from brelan.engine.match import Match, Transition
from brelan.engine.vocabulary import Wording, wordings
from brelan.rules import TABLE
from brelan.server.messages import Choice, ResultInfo, Step, Text
from brelan.server.wire import text, words_of

Reader = int | None  # a seat, or a spectator


def step(game: Game, transition: Transition, reader: Reader) -> Step:
    """Return one move as a reader sees it made, and what the reader is told of it."""
    layout, folder = game.folder.layout, game.folder
    before = layout.view(transition.before, reader)
    after = layout.view(transition.after, reader)
    number = game.shown(before, transition.number, reader)
    return Step(
        seat=None if before.turn == TABLE else int(before.turn),
        move=number,
        notation=wordings(game).notation(before, number),
        view=words_of(after),
        story=[text(message) for message in folder.story.tell(before, number, after, reader)],
    )


def story(match: Match, reader: Reader) -> list[Text]:
    """Return all that a reader has been told."""
    told = [text(message) for message in match.tell(reader)]
    if match.resigned is not None:
        told.append(text(("table.resigned", {"who": i18n.seat_word(match.resigned, reader)})))
    return told


def choices(match: Match, reader: Reader) -> tuple[list[int], list[Choice]]:
    """Return the legal moves of a reader, and the wording of those where it follows from the view.

    Both are empty if it is not the reader's turn.
    """
    if reader is None or match.turn != reader:
        return [], []
    known, view = wordings(match.game), match.record(reader)
    legal = match.legal_numbers()
    worded = [
        _choice(number, known.in_view(view, number))
        for number in legal
        if known.wording(number, reader) is None
    ]
    return legal, worded


def _choice(number: int, wording: Wording) -> Choice:
    return Choice(number, wording.notation, text(wording.label))


def result(match: Match) -> ResultInfo | None:
    """Return how the match ended, if it has."""
    found = match.result
    return None if found is None else ResultInfo(found.scores, found.winners, found.reason)
