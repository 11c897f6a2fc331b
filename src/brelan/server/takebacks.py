"""Taking moves back: when it is allowed, and what of a log stands.

A log is never cut. An event `takeback` undoes the latest move that stands, so whoever replays a
log leaves out what was taken back: `standing` says what is left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Protocol, TypeVar

import numpy as np

from brelan.engine.match import Match, Transition
from brelan.errors import BadSave
from brelan.rules import Cards, Layout

MOST = 50  # moves that may be taken back in one match: each stays in the log
CHANGING = frozenset(("move", "resign", "timeout", "takeover", "draw"))
TALK = frozenset(("asked", "offered", "agreed", "refused"))


class Logged(Protocol):
    """An event of a log, as far as taking back is concerned."""

    @property
    def kind(self) -> str:
        """What happened."""

    @property
    def seat(self) -> int:
        """Who did it."""


E = TypeVar("E", bound=Logged)


def standing(log: Sequence[E]) -> list[E]:
    """Return the events that change a match, but for moves that were taken back.

    A log in which something else is taken back than the seat's own latest move is damaged.
    """
    left: list[E] = []
    for event in log:
        if event.kind == "takeback":
            if not left or left[-1].kind != "move" or left[-1].seat != event.seat:
                raise BadSave("something was taken back that is no move of the same seat")
            left.pop()
        elif event.kind in CHANGING:
            left.append(event)
    return left


def reveals(match: Match, moved: Transition, ply: int) -> bool:
    """Whether a move used chance, or showed anybody a card or anything about cards.

    It errs on the side of yes: then a move cannot be taken back.
    """
    layout = match.game.folder.layout
    after = np.frombuffer(moved.after, layout.dtype)[0]
    if int(after.luck[0]) != match.luck_of(ply + 1):
        return True
    return any(_shows(layout, moved, reader) for reader in (None, *range(match.game.players)))


def _shows(layout: Layout, moved: Transition, reader: int | None) -> bool:
    """Whether a move shows something to a reader.

    It does if what the reader remembers changes, if it sees more of some kind of card, or if a card
    comes into sight somewhere while one leaves a place out of sight.
    """
    before, after = (layout.view(state, reader) for state in (moved.before, moved.after))
    were, are = (np.frombuffer(state, layout.dtype)[0] for state in (moved.before, moved.after))
    more: Counter[Cards] = Counter()
    appears = leaves = False
    for name, place in layout.places.items():
        if place.memory and not np.array_equal(before[name], after[name]):
            return True
        seen, now_seen = Counter(place.cards(before[name])), Counter(place.cards(after[name]))
        hidden = Counter(place.cards(were[name])) - seen
        still_hidden = Counter(place.cards(are[name])) - now_seen
        more.update(now_seen)
        more.subtract(seen)
        appears |= bool(now_seen - seen)
        leaves |= bool(hidden - still_hidden)
    return any(count > 0 for count in more.values()) or (appears and leaves)
