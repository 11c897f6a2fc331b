"""What a seat sees of a match, and the moves it may make."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from brelan.engine.numbers import whole_number
from brelan.i18n import Message
from brelan.rules import TABLE, as_dict

if TYPE_CHECKING:
    from brelan.engine.game import Game


class Move:
    """A move: its id for bots, its notation for logs, its label for people.

    It is described from the view it was made in, when somebody asks.
    """

    def __init__(self, game: Game, record: Any, number: int) -> None:
        self.id = number
        self.seat = None if record.turn == TABLE else int(record.turn)  # None: the table
        self._folder = game.folder
        self._record = record

    @functools.cached_property
    def notation(self) -> str:
        """The move as it is written down."""
        notation: str = self._folder.cards.notation(self._record, self.id)
        return notation

    @functools.cached_property
    def message(self) -> Message:
        """The key of the text that says the move, and its facts."""
        message: Message = self._folder.story.label(self._record, self.id)
        return message

    def label(self, lang: str = "en") -> str:
        """Return the move in words."""
        return self._folder.texts(lang)(*self.message)

    def is_meant_by(self, given: object) -> bool:
        """Whether somebody means this move: by a Move of this seat, an id or a notation."""
        if isinstance(given, Move):
            return given == self and given.seat == self.seat
        number = whole_number(given)
        return self.id == number if number is not None else self.notation == given

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Move)
            and self.id == other.id
            and self._folder is other._folder
            and self.notation == other.notation
        )

    def __hash__(self) -> int:
        return hash(self.id)

    def __repr__(self) -> str:
        return f"<Move {self.id}: {self.notation}>"

    def __str__(self) -> str:
        return self.notation


class View:
    """What a seat sees of a match (seat None: a spectator), and all it has seen so far."""

    def __init__(
        self,
        game: Game,
        seat: int | None,
        record: Any,
        history: tuple[Move, ...] = (),
        observations: tuple[bytes, ...] = (),
        *,
        is_over: bool = False,
    ) -> None:
        self.game = game
        self.seat = seat
        self.record = record
        self.history = history  # every move so far, as this seat saw it made
        self.observations = observations  # what this seat saw before each of them
        self.is_over = is_over

    @property
    def turn(self) -> int | None:
        """The seat that must decide, or None."""
        return None if self.is_over or self.record.turn == TABLE else int(self.record.turn)

    def legal(self) -> list[Move]:
        """Return what this seat may do now; nothing if it is not its turn."""
        if self.seat is None or self.turn != self.seat:
            return []
        return self.game.legal(self.record)

    def as_dict(self) -> dict[str, Any]:
        """Return the view as plain data, in the rulebook's own numbers; hidden is None."""
        return as_dict(self.record, self.seat, self.game.folder.layout, self.game.folder.knobs)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, View)
            and (self.game.variant, self.seat) == (other.game.variant, other.seat)
            and self.record.tobytes() == other.record.tobytes()
            and (self.history, self.observations) == (other.history, other.observations)
        )

    __hash__ = None  # type: ignore[assignment]
