"""The messages of the protocol, as types: what a client says is one of them, or is refused.

docs/protocol.md explains them; `brelan.server.schema` exports them as JSON Schema, for other
languages. This module imports nothing of the server, so that clients share it.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
import numpy as np
from msgspec import Meta

# No control characters (PostgreSQL cannot store NUL), no line breaks, nothing that turns the
# direction of writing. `$` alone would let a line break stand at the end.
PLAIN = r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]+$(?!\n)"
Name = Annotated[str, Meta(min_length=1, max_length=30, pattern=PLAIN)]
Id = Annotated[str, Meta(min_length=1, max_length=40, pattern=r"^[\w-]+$(?!\n)")]
Seat = Annotated[int, Meta(ge=0, lt=8)]
Ply = Annotated[int, Meta(ge=0, lt=2**31)]
Level = Annotated[str, Meta(min_length=1, max_length=60)]
Nonce = Annotated[str, Meta(min_length=1, max_length=64, pattern=PLAIN)]
REACTIONS = ("hello", "well_played", "thanks", "oops", "thinking", "good_game")


class Base(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, frozen=True):
    """A part of what a client says; unknown fields are refused."""


class Said(Base, frozen=True, omit_defaults=False, forbid_unknown_fields=False):
    """A part of what the server says, with all its fields; a client passes over unknown ones."""


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


class Branch(Base, frozen=True):
    """Play a match that is over otherwise, from a decision of one of its seats, against bots."""

    seat: Seat
    ply: Ply  # the decision: the number of the step that was its move
    move: Annotated[int, Meta(ge=0, lt=2**15)] | None = None  # made at once
    as_dealt: bool = False  # the hidden cards lie as they lay; else they are drawn again
    bot: Level | None = None  # who sits where other people sat; None: `club`
    name: Name | None = None


class Join(Base, frozen=True):
    """Sit down at an open seat, by the link of an invitation or from the lobby."""

    invitation: str | None = None
    seat: Seat | None = None
    name: Name | None = None
    nonce: Nonce | None = None  # added to the luck, as SetNonce does


class SetNonce(Base, frozen=True):
    """Add something of one's own to the luck of the match, until the cards are dealt."""

    seat: Seat
    nonce: Nonce


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


class TakeBack(Command, frozen=True, tag="takeback"):
    """Take one's latest move back, if nothing was shown since; other people are asked first."""

    ply: Ply


class Draw(Command, frozen=True, tag="draw"):
    """Offer a draw, in a game that knows draws by agreement."""

    ply: Ply


class Agree(Command, frozen=True, tag="agree"):
    """Agree to what is asked."""

    ply: Ply


class Refuse(Command, frozen=True, tag="refuse"):
    """Refuse what is asked."""

    ply: Ply


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


Commands = Move | Resign | TakeBack | Draw | Agree | Refuse | React | Hint | Sync | Ping


# ---------------------------------------------------------------- what the server says


class Text(Said, frozen=True):
    """A text by its key, with arguments; a client has the texts of its language.

    An argument is a number, a string, or a `Text` of its own with a `kind` for `select`.
    """

    key: str
    args: dict[str, Any] = {}
    kind: str | None = None


class SeatInfo(Said, frozen=True):
    """Who sits at a seat."""

    kind: Literal["open", "guest", "bot"]
    name: str
    bot: str | None = None
    connected: bool = False
    nonce: str | None = None


class Clocks(Said, frozen=True):
    """The time that is left to each seat, in milliseconds, when this was sent."""

    left: list[int]
    running: int | None = None  # the seat whose clock runs


class Step(Said, frozen=True):
    """One move as a reader sees it: who made it, which, what the reader sees then and is told."""

    seat: int | None  # None: the table
    move: int  # what is shown of it
    notation: str
    view: list[int]  # the numbers of all places that the reader sees, see the vocabulary
    story: list[Text]


class Choice(Said, frozen=True):
    """A legal move, and how it is written and said now, where that depends on the view."""

    move: int
    notation: str
    label: Text


class ResultInfo(Said, frozen=True):
    """How the match ended."""

    scores: list[int]
    winners: list[int]
    reason: str


AskedKind = Literal["takeback", "draw"]


class Asked(Said, frozen=True):
    """What a seat asks all other people for, until they have answered or somebody moves."""

    kind: AskedKind
    seat: int
    agreed: list[int]  # the seats that have agreed so far


EventKind = Literal[
    "start", "move", "resign", "timeout", "takeover",
    "asked", "offered", "agreed", "refused", "takeback", "draw",
]  # fmt: skip


class Happened(Said, frozen=True, tag_field="t", tag="event"):
    """An event, with the moves of the table that followed, as one reader sees all of it.

    After a `takeback` follows a snapshot: what was taken back is not there any more.
    """

    ply: int  # how many events there are now
    kind: EventKind
    seat: int | None
    steps: list[Step]
    turn: int | None
    legal: list[int]  # moves of the reader, if it is in turn
    words: list[Choice]  # how those are written and said that the vocabulary does not tell
    clocks: Clocks | None = None
    result: ResultInfo | None = None
    first: list[int] | None = None  # at the start: what the reader sees before the first step


class Snapshot(Said, frozen=True, tag_field="t", tag="snapshot"):
    """How a match stands, as one reader sees it: all that is needed to go on from here."""

    ply: int
    view: list[int]
    story: list[Text]
    turn: int | None
    legal: list[int]
    words: list[Choice]
    clocks: Clocks | None = None
    result: ResultInfo | None = None
    asked: Asked | None = None


class Origin(Said, frozen=True):
    """The decision of another match that a match goes on from: it was not dealt for this table."""

    table: str | None  # None: it is told to the seats only, until the match is over
    seat: int
    ply: int  # the number of the step that was its move there
    as_dealt: bool  # hidden cards lay as they lay there; else they were drawn again


class TableInfo(Said, frozen=True, tag_field="t", tag="table"):
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
    seat: int | None = None  # on a socket: the seat that it is of; None: a spectator
    seal: str | None = None  # of the deal, when the cards are dealt
    secret: str | None = None  # when the match is over
    rematch: str | None = None
    origin: Origin | None = None  # None: the match begins with a deal


class Reacted(Said, frozen=True, tag_field="t", tag="reaction"):
    """Somebody has reacted."""

    seat: int
    reaction: str


class Done(Said, frozen=True, tag_field="t", tag="done"):
    """What was asked for under this id is done; a move is durable."""

    id: int


class Hinted(Said, frozen=True, tag_field="t", tag="hint"):
    """What a bot would do, and what it expects of that."""

    id: int
    move: int
    value: float | None = (
        None  # mostly the share of the win; None: the move is the only or a sure one
    )
    other: int | None = None  # the best of the other moves
    other_value: float | None = None


class Failed(Said, frozen=True, tag_field="t", tag="error"):
    """What was asked for is refused: a code, and what it speaks of. Nothing has changed."""

    code: str
    args: dict[str, Any] = {}
    id: int | None = None


Messages = Happened | Snapshot | TableInfo | Reacted | Done | Hinted | Failed


# ---------------------------------------------------------------- answers over HTTP


class Opened(Said, frozen=True):
    """A table was opened. `links` holds the secrets of its links: `seat 0`, `invitation 1` …"""

    table: str
    links: dict[str, str]


class Seated(Said, frozen=True, omit_defaults=True):
    """A seat at a table, and the secret of the personal link to it, where that was made now."""

    table: str
    seat: int
    key: str | None = None


class Following(Said, frozen=True):
    """The table of the rematch."""

    table: str


class ListedSeat(Said, frozen=True):
    """Who sits at a seat of a table in a list."""

    kind: Literal["open", "guest", "bot"]
    name: str
    bot: str | None = None


class Listed(Said, frozen=True):
    """A table in a list. Times are seconds since 1970."""

    table: str
    game: str
    rules: int
    knobs: dict[str, int | str]
    status: Literal["waiting", "playing", "over", "expired"]
    seats: list[ListedSeat]
    mine: list[int]  # the seats of whoever reads this
    created: float
    ended: float | None
    result: ResultInfo | None
    rematch: str | None
    turn: int | None = None  # the seat in turn, in a list of one's own running matches
    origin: Origin | None = None


class Me(Said, frozen=True):
    """Who asks (None: nobody whom the server knows), and the tables at which they sit or sat."""

    name: str | None
    tables: list[Listed]


class Named(Said, frozen=True):
    """The name of whoever asks, from now on."""

    name: str


class KnobInfo(Said, frozen=True):
    """One thing of the rules that may vary."""

    name: str
    section: str  # of the rulebook
    values: list[int | str]
    default: int | str
    by_players: dict[str, int | str]  # other defaults, by the number of players
    only_for: dict[str, list[int]]  # values that are for some numbers of players only


class GameInfo(Said, frozen=True):
    """A game, and what a table may be opened with."""

    id: str
    rules: int
    players: list[int]
    default_players: int
    knobs: list[KnobInfo]
    presets: dict[str, dict[str, int | str]]
    bots: list[str]
    draws: bool  # whether players may agree on a draw
    reactions: list[str]
    compiled: bool  # whether its rules run as machine code by now
    prepared: float  # how much of the machine code of its rules and bots is made, 0 to 1


class PlaceInfo(Said, frozen=True):
    """A place: where it begins in a view, in numbers of 16 bits, and what it holds."""

    name: str
    at: int
    shape: list[int]
    seat_axes: list[int]  # the axes of the shape that have an entry for each seat
    wide: bool  # each entry takes four numbers, the lowest first
    held: Literal["number", "one", "set", "counts", "seat"]
    of: str | None  # the enumeration of what is held
    sight: Literal["everyone", "owner"]
    sized_by: str | None  # the place that says how long its rows are
    knob: bool


class Member(Said, frozen=True, omit_defaults=True):
    """What a number of an enumeration stands for; for a card, what is printed on it."""

    number: int
    name: str
    printed: int | str | None = None


class Worded(Said, frozen=True):
    """How a move is written and said."""

    notation: str
    label: Text


class Vocabulary(Said, frozen=True):
    """What the numbers of a variant mean, the same for all its matches under these rules."""

    variant: str
    rules: int
    places: list[PlaceInfo]
    enumerations: dict[str, list[Member]]
    columns: list[str]  # of the table of moves
    moves: list[list[int]]  # move n is row n
    wordings: list[list[Worded | None]]  # by seat and move; None: it follows from the view


class Telling(Said, frozen=True):
    """A match as one reader saw it: a view before the first move, and all moves."""

    seat: int | None  # None: spectators
    first: list[int]
    steps: list[Step]


class Told(Said, frozen=True):
    """A match told again, as one reader saw it or as each seat did."""

    table: TableInfo
    readers: list[Telling]
    resigned: int | None
    result: ResultInfo | None


class LessonPart(Said, frozen=True):
    """A step of a lesson: what is said, in each language, and the move that is made then."""

    say: dict[str, str]
    section: str | None  # of the rulebook
    lit: list[str]  # what the text points at, as the page of the game names it
    turn: int | None
    legal: list[int]  # what the learner might play by the rules
    words: list[Choice]
    move: int | None  # what the learner is asked to play; None: nothing
    steps: list[Step]  # what happens then, by the learner’s move or by others’
    result: ResultInfo | None


class Lesson(Said, frozen=True):
    """A prepared match that teaches a game, as the learner sees it."""

    game: str
    rules: int
    knobs: dict[str, int | str]
    seat: int  # the learner's
    names: list[str]
    first: list[int]  # what is seen before the first step
    dealt: list[Step]
    parts: list[LessonPart]


class AnalysedMove(Said, frozen=True):
    """A legal move of a decision, and what it was worth."""

    move: int
    notation: str
    label: Text
    chance: int
    error: int  # the standard error of the chance; 0: it was solved


class CardChance(Said, frozen=True):
    """How likely a card lies somewhere."""

    card: int  # `Analysis.names` says what it is called
    chance: int


class SlotBelief(Said, frozen=True):
    """What may lie in one slot of a place, the likeliest cards first."""

    slot: int
    cards: list[CardChance]


class Belief(Said, frozen=True):
    """What was to be believed of a place that the seat did not see."""

    place: str
    seat: int | None  # None: it is nobody's
    slots: list[SlotBelief]
    holds: list[CardChance]  # how likely at least one such card lies there


class Observed(Said, frozen=True):
    """A move of another seat that changed what was to be believed of a place."""

    ply: int
    told: list[Text]
    place: str
    seat: int | None
    card: int
    before: int
    after: int


class Why(Said, frozen=True):
    """An event that the best move brings about more often than the move made."""

    event: Text
    better: int
    made: int


class AnalysedDecision(Said, frozen=True):
    """A decision of the seat, from its view alone; all chances are thousandths."""

    ply: int  # the number of the step that was its move, from 0 on
    luck: int  # since the last decision: the deal, the draws, the others' choices
    chance: int  # before the move: that of the best one
    made: int
    best: int
    loss: int  # 0 where the difference is within the error
    loss_error: int
    verdict: Literal["best", "good", "inaccuracy", "mistake"]
    solved: bool
    legal: int  # how many moves there were
    moves: list[AnalysedMove]  # the best first: some of them, and the move made
    belief: list[Belief]
    observed: list[Observed]
    why: Why | None


class Moment(Said, frozen=True):
    """A step worth looking at."""

    ply: int
    kind: Literal["choice", "luck"]
    points: int
    told: list[Text]  # of luck: what happened


class AnalysisEnd(Said, frozen=True):
    """What an analysis says of the whole match."""

    last_luck: int  # after the last decision
    given_up: int  # by resigning
    chance: int  # start + luck - losses - given_up: the result
    score: int | None  # 100: nothing was lost; 0: as much as random moves lose
    guesses: int  # cards that were named
    share: float | None  # of what a perfect reader would have hit with them
    truth: float | None  # the mean probability of the true hidden cards, by belief
    counting: float | None  # the same for who only counts cards
    moments: list[Moment]


class Analysis(Said, frozen=True):
    """The analysis of a match that is over, from one seat's views: as much as there is so far."""

    table: str
    seat: int
    level: str
    state: Literal["preparing", "working", "done"]
    start: int  # the chance before the deal, or in the position that it begins in; thousandths
    count: int | None  # decisions in all; None: not known yet
    decisions: list[AnalysedDecision]  # from the one on that was asked for
    names: dict[str, dict[str, Text]]  # of cards, by place and number
    end: AnalysisEnd | None  # when it is done


class Checked(Said, frozen=True, omit_defaults=True):
    """What an exported match says, after all of it was worked out again; or what is wrong."""

    verified: bool
    why: str | None = None
    game: str | None = None
    rules: int | None = None
    variant: str | None = None
    knobs: dict[str, int | str] | None = None
    names: list[str] | None = None
    commitment: str | None = None
    nonces: dict[str, str] | None = None  # by seat: is yours among them?
    plies: int | None = None
    resigned: int | None = None
    result: ResultInfo | None = None
    origin: Origin | None = None  # its cards were not dealt for it
    readers: list[Telling] | None = None  # for /api/replay: as each seat saw it


class LoggedEvent(Base, frozen=True, omit_defaults=False):
    """An event of a log, as it is exported."""

    kind: str
    seat: int
    number: int | None = None


class Exported(Base, frozen=True, omit_defaults=False, kw_only=True):
    """A match that is over as one file, with all that is needed to check it."""

    brelan_match: int
    table: str
    game: str
    rules: int
    knobs: dict[str, int | str]
    names: list[str]
    commitment: str
    secret: str
    nonces: dict[str, str]
    seal: str = ""
    events: list[LoggedEvent]
    result: tuple[list[int], list[int], str]
    beginning: Beginning | msgspec.UnsetType = msgspec.UNSET  # unset: it begins with a deal


class Beginning(Base, frozen=True, omit_defaults=False):
    """How a match begins that goes on from a decision of another one."""

    source: Exported  # the other match
    seat: Seat  # whose decision it was
    ply: Ply
    as_dealt: bool
    position: dict[str, list[int]] | None  # what places hold, if hidden cards were drawn again


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
decode_message = msgspec.json.Decoder(Messages).decode
