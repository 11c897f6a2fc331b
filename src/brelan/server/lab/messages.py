"""The messages of the lab, as types; docs/protocol.md explains them."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, field

from brelan.server.messages import Base, Id, Level, Said

Status = Literal[
    "running", "settled", "stopped", "all_played", "time", "disk", "abandoned", "shut_down",
    "killed", "failed",
]  # fmt: skip


class NewStudy(Base, frozen=True):
    """A variant to be studied; `players` is a knob like the others."""

    game: Id
    knobs: dict[str, int | str] = field(default_factory=dict)
    preset: str | None = None
    level: Level | None = None  # who plays every seat; otherwise the game's strongest own bot


class NewSide(Base, frozen=True):
    """One of two variants that are compared."""

    knobs: dict[str, int | str] = field(default_factory=dict)
    level: Level | None = None  # who plays every seat; otherwise the game's strongest own bot


class NewComparison(Base, frozen=True):
    """Two variants to be compared on the same deals, or two bots."""

    game: Id
    a: NewSide
    b: NewSide
    players: int | None = None  # otherwise as many as are usual


class Begun(Said, frozen=True):
    """A study runs, or a comparison; its id is the secret of its link."""

    study: str


class LabInfo(Said, frozen=True):
    """Whether a study may be begun here, and how long one may run."""

    is_open: bool
    why: Literal["closed", "not_installed"] | None  # why not
    seconds: float
    places: int  # how many studies may run at once
    running: int


class Interval(Said, frozen=True):
    """A mean over independent deals, and the bounds of its interval; null: not known yet."""

    mean: float | None
    low: float | None
    high: float | None


class Look(Said, frozen=True):
    """What is known of a study when its process has looked last."""

    number: int  # how many looks there were
    done: int  # how much is done, of how much: in parts that take about as long
    total: int
    seconds: float  # since it began
    matches: int
    seats: list[Interval]  # the share of wins of each seat
    order: list[Interval]  # of each place in the order of play; the first one starts
    ties: Interval | None
    minutes: Interval | None  # of a match between people, estimated
    decisions: Interval | None
    forced: Interval | None  # share of decisions with one legal move
    luck: Interval | None  # share of the result that seat and deal explain
    score: Interval | None  # of a seat
    lead: Interval | None  # of the best score over the second


NO_LOOK = Look(0, 0, 0, 0.0, 0, [], [], None, None, None, None, None, None, None)


class StudyInfo(Said, frozen=True):
    """A study: what is played, and how far it is."""

    study: str
    game: str
    rules: int
    variant: str
    players: int
    knobs: dict[str, int | str]
    turned: dict[str, int | str]  # those that are not as usual
    level: str
    precision: float  # it ends when every share of wins is known to within it
    most: float  # seconds that it may run
    status: Status
    mine: bool  # whether this guest has begun it, and may stop it
    look: Look


class StudyTold(Said, frozen=True):
    """What a report says first, in one language. Figures stand between `**`."""

    headline: str
    sentences: list[str]


# ---------------------------------------------------------------- two variants on the same deals


class SideInfo(Said, frozen=True):
    """One side of a comparison."""

    variant: str
    knobs: dict[str, int | str]
    turned: dict[str, int | str]  # those that are not as usual
    level: str


class ChangeLook(Said, frozen=True):
    """A figure of both sides; `number` is a seat's or a place's, or the name of a metric."""

    key: str
    number: int | str | None
    share: bool  # whether it is a share, and not a number of something
    sure: bool  # whether it has changed, as far as one can know; corrected for all figures
    fairer: bool | None  # whether it came nearer to what is fair; null where nothing is
    a: float | None
    b: float | None
    difference: Interval  # b - a, on the same deals


class DuelLook(Said, frozen=True):
    """One bot of the side b among bots of the side a, on the same deals from every seat."""

    wins: Interval
    sure: bool


class ComparisonLook(Said, frozen=True):
    """What is known of a comparison when its process has looked last."""

    number: int  # how many looks there were
    done: int  # deals, of so many as are expected
    total: int
    seconds: float  # since it began
    matches: int  # of each side
    changes: list[ChangeLook]
    duel: DuelLook | None  # where only the bots differ


NO_COMPARISON = ComparisonLook(0, 0, 0, 0.0, 0, [], None)


class ComparisonInfo(Said, frozen=True):
    """A comparison: what is played, and how far it is."""

    study: str
    game: str
    rules: int
    players: int
    a: SideInfo
    b: SideInfo
    precision: float  # it ends when the difference of every share of wins is known to within it
    most: float  # seconds that it may run
    status: Status
    mine: bool  # whether this guest has begun it, and may stop it
    look: ComparisonLook


class ComparisonTold(Said, frozen=True):
    """What a comparison says first, in one language, and how its figures are called.

    Figures stand between `**`. The names are by key, and behind a colon the number, if there is
    one.
    """

    headline: str
    sentences: list[str]
    names: dict[str, str]


# ---------------------------------------------------------------- what people play, and say of it


LIKED = (1, 2, 3, 4, 5)  # how a match was, from dull to gripping
LENGTHS = ("short", "right", "long")


class SurveyAnswer(Base, frozen=True):
    """What a person says of a match that they played: how it was, and how long it felt."""

    liked: Annotated[int, Meta(ge=1, le=5)]  # from dull to gripping
    length: Literal["short", "right", "long"]


class SurveyInfo(Said, frozen=True):
    """Whether whoever asks may answer the two questions on a match: once, when it is over."""

    is_open: bool


class PeopleInfo(Said, frozen=True):
    """The matches of a variant that people have played to their end here, all together.

    They are told by `least` at once, answers when as many people have given them. Who wins is that
    of matches without bots; the rest, of all. Where too few are known a figure is null.
    """

    finished: int  # that are known, with bots or without
    left: int  # that are not measured yet: ask again
    least: int
    matches: int  # of which the figures are
    alone: int  # of them, without bots; of which seats, order and ties are
    seats: list[Interval]  # the share of wins of each seat
    order: list[Interval]  # of each place in the order of play; the first one starts
    ties: Interval | None
    minutes: Interval | None  # by the clock, but for pauses of more than three minutes
    decisions: Interval | None
    forced: Interval | None  # share of decisions with one legal move
    score: Interval | None  # of a seat
    lead: Interval | None  # of the best score over the second
    answers: int
    liked: list[int]  # how many found it 1 (dull) to 5 (gripping)
    length: list[int]  # how many found it too short, right, too long
