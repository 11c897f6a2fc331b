"""How a match stands for a client: what it sees, what it may do, and what has happened."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from brelan import i18n
from brelan.client.words import Dictionary, message
from brelan.engine.folder import open_folder
from brelan.engine.game import Game
from brelan.engine.view import Move, View
from brelan.errors import Refused
from brelan.games import ids as games
from brelan.rules import TABLE
from brelan.server.messages import Asked, Clocks, ResultInfo, Step, TableInfo, Telling, Text

TextsOf = Callable[[str], i18n.Texts]  # of a language
WORD = np.dtype("<i2")


@dataclass(frozen=True)
class LegalMove:
    """A legal move: its number, its notation, and its label in words."""

    id: int
    notation: str
    row: dict[str, int]  # what it consists of
    message: i18n.Message = field(repr=False, compare=False)
    _texts: TextsOf = field(repr=False, compare=False)

    def label(self, lang: str = "en") -> str:
        """Return the move in words."""
        return self._texts(lang)(*self.message)

    def __str__(self) -> str:
        return self.notation


@dataclass(frozen=True)
class Record:
    """All that a reader has seen of a match: the first view, and every move since."""

    first: list[int]
    steps: tuple[Step, ...]

    @classmethod
    def of(cls, telling: Telling) -> Record:
        """Return what a reader was told over HTTP."""
        return cls(telling.first, tuple(telling.steps))


@dataclass(frozen=True)
class Position:
    """A match as it stands for a seat (None: a spectator), after `ply` events."""

    table: TableInfo
    seat: int | None
    ply: int
    words: list[int]  # the numbers of the view
    turn: int | None
    legal: list[LegalMove]  # empty if it is not this seat's turn
    told: tuple[Text, ...]  # all that this seat has been told
    clocks: Clocks | None
    result: ResultInfo | None
    dictionary: Dictionary = field(repr=False)
    texts: TextsOf = field(repr=False)
    asked: Asked | None = None  # what a seat asks the others for
    record: Record | None = field(default=None, repr=False)  # None: it was not asked for

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.result is not None

    @property
    def is_mine(self) -> bool:
        """Whether this seat must decide."""
        return bool(self.legal)

    def as_dict(self) -> dict[str, Any]:
        """Return the view as plain data, the same as `View.as_dict()`."""
        return self.dictionary.as_dict(self.words, self.seat, self.table.knobs)

    def story(self, lang: str = "en") -> list[str]:
        """Return what has happened, in sentences as this seat may read them."""
        texts = self.texts(lang)
        return [texts(*message(text)) for text in self.told]

    def move(self, meant: Any) -> LegalMove:
        """Return the legal move that is meant: by itself, by its number or its notation."""
        number = getattr(meant, "id", meant)
        for move in self.legal:
            if (number == move.id and not isinstance(number, bool)) or number == move.notation:
                return move
        allowed = ", ".join(move.notation for move in self.legal) or "nothing"
        raise Refused(f"{meant!r} is not allowed now; allowed: {allowed}")

    def view(self) -> View:
        """Return the view as bots of the house read it, with all that this seat has seen.

        It needs the rules that the server plays by: Refused, where another version is installed.
        """
        if self.record is None:
            raise Refused("this position was made without its record: connect with record=True")
        return view_of(self.table, self.seat, self.record, self.words, is_over=self.is_over)


def local_game(table: TableInfo) -> Game:
    """Return the variant of a table as it is installed here; Refused if it is not the same."""
    if table.game not in games():
        raise Refused(f"{table.game} is not installed here; there are: {', '.join(games())}")
    folder = open_folder(table.game)
    if folder.version != table.rules:
        raise Refused(
            f"the table plays {table.game} by version {table.rules} of its rules; "
            f"this Brelan has version {folder.version}"
        )
    found = Game(folder, folder.knobs.settle(table.knobs))
    if found.variant != table.variant:
        raise Refused(f"the table plays {table.variant}; this Brelan has {found.variant}")
    return found


def state_of(game: Game, words: list[int]) -> Any:
    """Return the record that the numbers of a view stand for."""
    numbers = np.array(words, WORD).tobytes()
    return np.frombuffer(bytes(8) + numbers, game.folder.layout.dtype)[0]


def view_of(
    table: TableInfo,
    seat: int | None,
    record: Record,
    words: list[int],
    *,
    is_over: bool = False,
    game: Game | None = None,
) -> View:
    """Return a view of the house from what was sent: the same as the server's own."""
    game = game or local_game(table)
    history, observations, seen = [], [], state_of(game, record.first)
    for step in record.steps:
        history.append(Move(game, seen, step.move))
        observations.append(seen.tobytes())
        seen = state_of(game, step.view)
    now = state_of(game, words)
    return View(
        game, seat, now, tuple(history), tuple(observations), is_over=is_over or now.turn == TABLE
    )
