"""Taking moves back: when it is allowed, and what of a log stands.

A log is never cut. An event `takeback` undoes the latest move that stands, so whoever replays a
log leaves out what was taken back: `standing` says what is left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Protocol, TypeVar

import numpy as np

from brelan.engine.game import Game
from brelan.engine.match import Transition
from brelan.errors import BadSave
from brelan.rules import Cards, Layout, new_scratch

WORLDS = 12  # in which a move is tried, before it may be taken back
LUCK = 7  # of the move there: it changes if some of it is used
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


def reveals(game: Game, moved: Transition) -> bool:
    """Whether a move used chance, or showed anybody a card or anything about cards.

    Whoever made it learns the answer, which therefore follows from what that seat has seen: from
    its own views, and from what the move does in worlds that it can imagine. It errs on the side of
    yes: then a move cannot be taken back.
    """
    layout, hooks = game.folder.layout, game.folder.hooks("interpreted")
    seat = int(layout.view(moved.before, None).turn)
    before, after = layout.view(moved.before, seat), layout.view(moved.after, seat)
    if _shows(layout, before.tobytes(), after.tobytes(), seat):
        return True
    for number in range(WORLDS):
        world = before.copy()
        hooks.imagine(world, seat, new_scratch(number))
        world.luck[0] = LUCK
        was = world.tobytes()
        hooks.play(world, moved.number)
        if int(world.luck[0]) != LUCK:
            return True
        now = world.tobytes()
        if any(_shows(layout, was, now, reader) for reader in (None, *range(game.players))):
            return True
    return False


def _shows(layout: Layout, was: bytes, now: bytes, reader: int | None) -> bool:
    """Whether a move shows something to a reader, by the states before and after it.

    It does if what the reader remembers changes, if it sees more of some kind of card, or if a card
    comes into sight somewhere while one leaves a place out of sight.
    """
    before, after = (layout.view(state, reader) for state in (was, now))
    were, are = (np.frombuffer(state, layout.dtype)[0] for state in (was, now))
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
