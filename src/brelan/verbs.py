"""The generic words: one vocabulary for all games.

Each game's folder gives them their meaning. Called on a record, a word finds its meaning by the
record's type; in code that a `Machine` has linked for a game, it is that game's own rule.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

Meanings = Mapping[Callable[..., Any], Callable[..., Any]]

_meanings_by_record: dict[np.dtype[Any], Meanings] = {}


def give_meaning(record: np.dtype[Any], meanings: Meanings) -> None:
    """Let the words mean one game's rules on its records; no other game may use the same type."""
    if record in _meanings_by_record:
        raise ValueError("two games have states of the same record type; add a place to one")
    _meanings_by_record[record] = meanings


def _meaning(word: Callable[..., Any], record: Any) -> Callable[..., Any]:
    return _meanings_by_record[record.dtype][word]


def start(state: Any, cards: Any) -> None:
    """Set up a match; `cards` is a pack in an order given by hand, or empty."""
    _meaning(start, state)(state, cards)


def legal_moves(state: Any, desk: Any) -> None:
    """Write on the desk what the seat in turn may do: `desk.count` numbers in `desk.moves`."""
    _meaning(legal_moves, state)(state, desk)


def play(state: Any, number: int) -> None:
    """Make a move of the seat in turn, or of the table."""
    _meaning(play, state)(state, number)


def imagine(world: Any, seat: int, desk: Any) -> None:
    """Complete a seat's view, in place, into a world that fits all it knows, by the desk's luck."""
    _meaning(imagine, world)(world, seat, desk)


def score(state: Any, scores: Any, winners: Any) -> None:
    """Write each seat's score, and whether it has won."""
    _meaning(score, state)(state, scores, winners)


def choose(bot: int, view: Any, desk: Any) -> int:
    """Return which of the legal moves on the desk one of the game's own bots makes."""
    number: int = _meaning(choose, view)(bot, view, desk)
    return number


def measure(state: Any, number: int, desk: Any) -> None:
    """Add what a move has brought about to the metrics on the desk."""
    _meaning(measure, state)(state, number, desk)


WORDS: tuple[Callable[..., Any], ...] = (
    start,
    legal_moves,
    play,
    imagine,
    score,
    choose,
    measure,
)
