"""The messages of the protocol, as types: what is not one of them is refused.

docs/protocol.md explains them; `brelan.server.schema` exports them as JSON Schema, for other
languages.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
import numpy as np
from msgspec import Meta

Name = Annotated[str, Meta(min_length=1, max_length=30)]
Id = Annotated[str, Meta(min_length=1, max_length=40, pattern=r"^[\w-]+$")]
Seat = Annotated[int, Meta(ge=0, lt=8)]
Ply = Annotated[int, Meta(ge=0, lt=2**31)]
Level = Annotated[str, Meta(min_length=1, max_length=60)]
REACTIONS = ("hello", "well_played", "thanks", "oops", "thinking", "good_game")


class Base(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, frozen=True):
    """A part of a message; unknown fields are refused."""


# ---------------------------------------------------------------- opening a table


class Clock(Base, frozen=True):
    """How long a seat may take: for each move, or in all with an increment for each move."""

    kind: Literal["none", "per_move", "total"] = "none"
    seconds: Annotated[float, Meta(ge=1, le=30 * 24 * 3600)] = 60.0
    increment: Annotated[float, Meta(ge=0, le=3600)] = 0.0


class Options(Base, frozen=True):
    """What may vary between tables, besides the rules."""

    clock: Clock = Clock()
    spectators: Literal["none", "public", "delayed"] = "public"
    delay: Annotated[int, Meta(ge=1, le=50)] = 10  # events that delayed spectators are behind
    hints: bool = False
    takeover: Level | None = None  # the bot that sits down where a clock has run out
    listed: bool = False  # in the lobby, while seats are open


class Sitting(Base, frozen=True):
    """Who is to sit at a seat."""

    kind: Literal["me", "open", "bot"]
    bot: Level | None = None  # for a bot, its name and level: club, expert, search:2s …
    name: Name | None = None  # for several seats of one guest: who sits at this one


class NewTable(Base, frozen=True):
    """A table to be opened. The first seat of mine is where I sit; several: on one device."""

    game: Id
    seats: Annotated[list[Sitting], Meta(min_length=1, max_length=8)]
    knobs: dict[str, int | str] = {}
    preset: str | None = None
    options: Options = Options()
    name: Name | None = None


class Join(Base, frozen=True):
    """Sit down at an open seat, by the link of an invitation or from the lobby."""

    invitation: str | None = None
    seat: Seat | None = None
    name: Name | None = None


class SetNonce(Base, frozen=True):
    """Add something of one's own to the luck of the match, until the cards are dealt."""

    seat: Seat
    nonce: Annotated[str, Meta(min_length=1, max_length=64)]


class SetName(Base, frozen=True):
    """Change one's name."""

    name: Name


# ---------------------------------------------------------------- at a table: what a client says


class Command(Base, frozen=True, tag_field="t"):
    """What a client asks for; the answer carries the same id."""

    id: Annotated[int, Meta(ge=0, lt=2**53)]


class Move(Command, frozen=True, tag="move"):
    """Make a move; `ply` is how many events the client knows of."""

    ply: Ply
    move: Annotated[int, Meta(ge=0, lt=2**15)]


class Resign(Command, frozen=True, tag="resign"):
    """Give the match up."""


class React(Command, frozen=True, tag="react"):
    """Show one of a few reactions."""

    reaction: Literal["hello", "well_played", "thanks", "oops", "thinking", "good_game"]


class Hint(Command, frozen=True, tag="hint"):
    """Ask what a bot would do in one's place, where the table allows it."""

    ply: Ply
    level: Literal["novice", "club", "expert"] = "club"


class Sync(Command, frozen=True, tag="sync"):
    """Ask for all that has happened from an event on."""

    since: Ply


class Ping(Command, frozen=True, tag="ping"):
    """Ask for an answer."""


Commands = Move | Resign | React | Hint | Sync | Ping


# ---------------------------------------------------------------- what the server says


class Text(Base, frozen=True, omit_defaults=False):
    """A text by its key, with arguments; a client has the texts of its language.

    An argument is a number, a string, or a `Text` of its own with a `kind` for `select`.
    """

    key: str
    args: dict[str, Any] = {}
    kind: str | None = None


class SeatInfo(Base, frozen=True, omit_defaults=False):
    """Who sits at a seat."""

    kind: Literal["open", "guest", "bot"]
    name: str
    bot: str | None = None
    connected: bool = False
    nonce: str | None = None


class Clocks(Base, frozen=True, omit_defaults=False):
    """The time that is left to each seat, in milliseconds, when this was sent."""

    left: list[int]
    running: int | None = None  # the seat whose clock runs


class Step(Base, frozen=True, omit_defaults=False):
    """One move as a reader sees it: who made it, which, what the reader sees then and is told."""

    seat: int | None  # None: the table
    move: int  # what is shown of it
    notation: str
    view: list[int]  # the numbers of all places that the reader sees, see the vocabulary
    story: list[Text]


class Choice(Base, frozen=True):
    """A legal move, and how it is written and said now, where that depends on the view."""

    move: int
    notation: str
    label: Text


class ResultInfo(Base, frozen=True, omit_defaults=False):
    """How the match ended."""

    scores: list[int]
    winners: list[int]
    reason: str


class Happened(Base, frozen=True, omit_defaults=False, tag_field="t", tag="event"):
    """An event, with the moves of the table that followed, as one reader sees all of it."""

    ply: int  # how many events there are now
    kind: Literal["start", "move", "resign", "timeout", "takeover"]
    seat: int | None
    steps: list[Step]
    turn: int | None
    legal: list[int]  # moves of the reader, if it is in turn
    words: list[Choice]  # how those are written and said that the vocabulary does not tell
    clocks: Clocks | None = None
    result: ResultInfo | None = None


class Snapshot(Base, frozen=True, omit_defaults=False, tag_field="t", tag="snapshot"):
    """How a match stands, as one reader sees it: all that is needed to go on from here."""

    ply: int
    view: list[int]
    story: list[Text]
    turn: int | None
    legal: list[int]
    words: list[Choice]
    clocks: Clocks | None = None
    result: ResultInfo | None = None


class TableInfo(Base, frozen=True, omit_defaults=False, tag_field="t", tag="table"):
    """A table as anybody at it may know it."""

    table: str
    game: str
    rules: int
    variant: str
    knobs: dict[str, int | str]
    options: Options
    status: Literal["waiting", "playing", "over", "expired"]
    seats: list[SeatInfo]
    commitment: str
    mine: list[int]  # the seats of whoever reads this
    ply: int  # how many events there are
    secret: str | None = None  # when the match is over
    rematch: str | None = None


class Reacted(Base, frozen=True, tag_field="t", tag="reaction"):
    """Somebody has reacted."""

    seat: int
    reaction: str


class Done(Base, frozen=True, tag_field="t", tag="done"):
    """What was asked for under this id is done; a move is durable."""

    id: int


class Hinted(Base, frozen=True, tag_field="t", tag="hint"):
    """What a bot would do."""

    id: int
    move: int


class Failed(Base, frozen=True, omit_defaults=False, tag_field="t", tag="error"):
    """What was asked for is refused: a code, and what it speaks of. Nothing has changed."""

    code: str
    args: dict[str, Any] = {}
    id: int | None = None


class Refusal(Exception):  # noqa: N818 - it is told to a client
    """Something that a client may not do: a code of the protocol, and what it speaks of."""

    def __init__(self, code: str, status: int = 400, **args: Any) -> None:
        super().__init__(code)
        self.code, self.status, self.args_ = code, status, args


def _plain(value: Any) -> Any:
    """Return what an argument of a text is, if it is none of Python's own numbers."""
    return int(value) if isinstance(value, np.integer) else str(value)


encode = msgspec.json.Encoder(enc_hook=_plain).encode  # an `i18n.Word` is sent by its fields
decode_command = msgspec.json.Decoder(Commands).decode
