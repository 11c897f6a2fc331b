"""The figures of a study: what a report shows, each number with its interval and its deals."""

from __future__ import annotations

import dataclasses
import math
import types as types_
from dataclasses import dataclass, field
from typing import Any, get_args, get_origin, get_type_hints

from brelan.knobs import Value

Names = dict[str, str]  # how something is called, by language


@dataclass(frozen=True)
class Figure:
    """A mean over independent deals, with an interval that holds at whatever moment one looks.

    `sd` is the standard deviation of the values of the deals; so `sd / sqrt(deals)` is the standard
    error. `null` is the value that would mean *no effect*; None: nothing is claimed. `span` are the
    bounds of the value of a deal, if they are known. A figure of no deals has no numbers (nan,
    written as null).
    """

    mean: float
    low: float
    high: float
    sd: float
    deals: int
    null: float | None = None
    span: tuple[float, float] | None = None

    @property
    def margin(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return self.sd / math.sqrt(self.deals) if self.deals else math.nan


# ---------------------------------------------------------------- fairness and length


@dataclass(frozen=True)
class SeatFigure:
    """One seat, or one place in the order of play (0 starts): its share of wins, its score."""

    number: int
    wins: Figure  # null: the fair share
    score: Figure


@dataclass(frozen=True)
class Fairness:
    """Who wins; a shared win counts in part, and so does a match that nobody wins."""

    seats: list[SeatFigure]
    order: list[SeatFigure]  # by the place in the order of play; the first one starts
    ties: Figure  # matches with several winners, or none


@dataclass(frozen=True)
class Length:
    """How long a match is."""

    decisions: Figure
    turns: Figure  # decisions of one seat that follow each other count once
    rounds: Figure | None  # None: the game does not count rounds
    minutes: Figure  # at a table of people, estimated: see `docs/lab.md`
    minutes_most: float  # nine matches in ten are shorter


# ---------------------------------------------------------------- tension


@dataclass(frozen=True)
class Moment:
    """How a match stands when a share of its decisions is over."""

    done: float  # 0 to 1
    winner: Figure  # the win chance of the seat that wins in the end
    leader: Figure  # the win chance of the seat whose chance is the highest


@dataclass(frozen=True)
class Tension:
    """Win chances over time, as rollouts in imagined worlds estimate them, on sampled matches."""

    curve: list[Moment]
    decided: Figure  # at which share of the match the winner's chance is high, to the end
    lead_changes: Figure  # in a match
    comebacks: Figure  # matches whose winner once had less than half of the fair share
    is_high: float  # the chance from which a match counts as decided


# ---------------------------------------------------------------- choices


@dataclass(frozen=True)
class Skill:
    """One stronger player among weaker ones, on paired deals."""

    stronger: str
    weaker: str
    wins: Figure  # of the stronger one; null: the fair share
    luck_share: Figure  # of the variance of results, what seat and deal explain
    skill_share: Figure  # of the same variance, what the difference of the players explains


@dataclass(frozen=True)
class Choices:
    """What there is to decide."""

    legal_moves: Figure  # for a decision
    forced: Figure  # share of decisions with one legal move
    gap: Figure  # between the best and the second best move, in win chance
    matters: Figure  # share of decisions in which the best move is ahead by `is_much`
    is_much: float
    skill: Skill | None  # None: there is no weaker player than `random`


# ---------------------------------------------------------------- cards, moves, rules


@dataclass(frozen=True)
class CardEvent:
    """Something that happens to a card: in which share of seats, and what those win."""

    times: Figure  # in a match, of all seats together
    share: float  # of the seats in all matches, those to whom it happens
    wins: Figure  # share of wins of the seats to whom it happens
    difference: Figure  # of that from what the same seats win otherwise; null: 0


@dataclass(frozen=True)
class CardFigure:
    """A kind of card."""

    card: int  # its number in the rules
    printed: str
    names: Names
    copies: int  # in all packs
    dealt: CardEvent | None  # among the cards that a seat has at its first decision
    held: CardEvent | None  # it was ever among the cards that only the seat sees
    played: CardEvent | None  # the seat laid it down, by a move of its own
    targeted: CardEvent | None  # the seat lost it by what another one did
    value: Figure | None  # win chance with it, against another card in its place; null: 0
    the: Names = field(default_factory=dict)  # its name with the article, where there is one


@dataclass(frozen=True)
class MoveFigure:
    """A kind of move: those that are said by the same text."""

    key: str  # of the text
    names: Names  # an example of the text
    times: Figure  # in a match
    share: float  # of all decisions
    bits: Figure | None  # what it tells another seat of the hidden cards


@dataclass(frozen=True)
class Unused:
    """Something of the rules that never came into play."""

    key: str  # §4.2, a knob, the key of a text
    names: Names  # the heading of the §, the name of the knob; the text


@dataclass(frozen=True)
class Rules:
    """What never came into play in some matches that were played and told in full."""

    matches: int
    sections: list[Unused]
    knobs: list[Unused]  # another value of it would have changed none of these matches
    texts: list[Unused]


@dataclass(frozen=True)
class Scores:
    """The scores at the end."""

    edges: list[float]  # of the bars of the histogram, one more than there are bars
    counts: list[list[int]]  # for each seat, how many matches end in each bar
    mean: Figure
    spread: Figure  # between the best and the last of a match
    lead: Figure  # between the best and the second
    correlation: float | None  # of score and winning; None: one of them never varies


@dataclass(frozen=True)
class MetricFigure:
    """What the game itself measures in a match."""

    name: str
    value: Figure


# ---------------------------------------------------------------- a level, a study


@dataclass(frozen=True)
class LevelFigures:
    """A study at one level of play: every seat is played by the same bot."""

    level: str
    matches: int
    deals: int
    precision: float  # asked for
    is_settled: bool  # every seat's share of wins is known to within it
    fairness: Fairness
    length: Length
    choices: Choices
    scores: Scores
    cards: list[CardFigure]
    metrics: list[MetricFigure]
    tension: Tension | None = None
    moves: list[MoveFigure] = field(default_factory=list)
    rules: Rules | None = None


@dataclass(frozen=True)
class StudyFigures:
    """All that a report says."""

    game: str
    names: Names  # of the game
    variant: str
    rules_version: int
    version: str  # of brelan
    players: int
    knobs: dict[str, Value]
    turned: dict[str, Value]  # those that are not at their default
    seed: int
    command: str  # which plays this study again
    levels: list[LevelFigures]

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as plain data, as JSON has them: what is not known is None."""
        plain = _plain(dataclasses.asdict(self))
        assert isinstance(plain, dict)
        return plain


def from_dict(plain: dict[str, Any]) -> StudyFigures:
    """Return the figures that `as_dict` wrote."""
    found = read(plain, StudyFigures)
    assert isinstance(found, StudyFigures)
    return found


def read(value: Any, kind: Any) -> Any:
    """Return a value of a type from plain data."""
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        types = get_type_hints(kind)
        given = {name: read(each, types[name]) for name, each in value.items() if name in types}
        return kind(**given)
    arguments = get_args(kind)
    if isinstance(kind, types_.UnionType):
        return None if value is None else read(value, arguments[0])
    if get_origin(kind) is list:
        return [read(each, arguments[0]) for each in value]
    if get_origin(kind) is tuple:
        return tuple(value)
    return math.nan if value is None and kind is float else value


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
