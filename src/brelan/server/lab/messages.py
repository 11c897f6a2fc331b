"""The messages of the lab, as types; docs/protocol.md explains them."""

from __future__ import annotations

from typing import Literal

from msgspec import field

from brelan.server.messages import Base, Id, Level, Said

Status = Literal[
    "running", "settled", "stopped", "time", "disk", "abandoned", "shut_down", "killed", "failed"
]


class NewStudy(Base, frozen=True):
    """A variant to be studied; `players` is a knob like the others."""

    game: Id
    knobs: dict[str, int | str] = field(default_factory=dict)
    preset: str | None = None
    level: Level | None = None  # who plays every seat; otherwise the game's strongest own bot


class Begun(Said, frozen=True):
    """A study runs; its id is the secret of its link."""

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


NO_LOOK = Look(0, 0, 0, 0.0, 0, [], [], None, None, None, None, None)


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
