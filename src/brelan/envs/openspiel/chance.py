"""Explicit chance: the rules run as Python, and each draw of theirs is a choice with probabilities.

The library of a game is linked once more with other rules in place of those that draw luck. They
follow a script of outcomes; where it ends, `Awaited` says what may be drawn next. A shuffle draws
one card after another, by its face, so that no node has more outcomes than there are faces.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import FunctionType
from typing import Any, NamedTuple

from brelan.compiler.library import Library
from brelan.compiler.source import is_rule
from brelan.engine.folder import GameFolder
from brelan.rules import hooks as rule_hooks
from brelan.rules import luck as luck_rules
from brelan.rules import rule
from brelan.rules.hooks import Hooks


class Outcome(NamedTuple):
    """One thing that may be drawn: its number, and how likely it is."""

    number: int
    probability: float


class Awaited(Exception):  # noqa: N818 - it says what is wanted
    """The script has ended: one of these outcomes is drawn next. `is_card`: they are cards."""

    def __init__(self, outcomes: list[Outcome], is_card: bool) -> None:
        super().__init__("the next outcome is not known yet")
        self.outcomes, self.is_card = outcomes, is_card


class Script(threading.local):
    """The outcomes that the rules draw, one after another."""

    def __init__(self) -> None:
        self._outcomes: Sequence[int] = ()
        self._next = 0

    def follow(self, outcomes: Sequence[int]) -> None:
        """Draw these outcomes from now on."""
        self._outcomes, self._next = outcomes, 0

    def draw(self, weights: Mapping[int, float], *, is_card: bool = False) -> int:
        """Return the next outcome of the script; one that is certain is not asked for."""
        if len(weights) == 1:
            return next(iter(weights))
        if self._next == len(self._outcomes):
            whole = sum(weights.values())
            outcomes = [Outcome(number, weights[number] / whole) for number in sorted(weights)]
            raise Awaited(outcomes, is_card)
        self._next += 1
        return self._outcomes[self._next - 1]


SCRIPT = Script()


@rule
def random_below(luck: Any, number: int) -> int:
    """Draw a number from 0 to number - 1."""
    return SCRIPT.draw(dict.fromkeys(range(number), 1.0))


@rule
def weighted_index(luck: Any, weights: Any, count: int) -> int:
    """Draw a number from 0 to count - 1, each as likely as it weighs."""
    found = {number: float(weights[number]) for number in range(count)}
    return SCRIPT.draw({number: weight for number, weight in found.items() if weight > 0})


@rule
def shuffle(luck: Any, cards: Any, count: int) -> None:
    """Shuffle the first `count` cards of a row."""
    shuffle_from(luck, cards, 0, count)


@rule
def shuffle_from(luck: Any, cards: Any, first: int, count: int) -> None:
    """Draw the last card of a row first, of those from `first` on, then the one before it."""
    row = cards[first:count].tolist()
    faces = Counter(row)
    for last in range(len(row) - 1, 0, -1):
        drawn = SCRIPT.draw(faces, is_card=True)
        place = row.index(drawn)
        row[place], row[last] = row[last], row[place]
        faces[drawn] -= 1
        if not faces[drawn]:
            del faces[drawn]
    cards[first:count] = row


DRAWS: dict[Callable[..., Any], Callable[..., Any]] = {
    luck_rules.random_below: random_below,
    luck_rules.weighted_index: weighted_index,
    luck_rules.shuffle: shuffle,
    luck_rules.shuffle_from: shuffle_from,
}
BARE = (luck_rules.next_luck, luck_rules.random_unit)  # of which no outcomes can be listed


def scripted_hooks(folder: GameFolder) -> Hooks:
    """Return a game's hooks as Python, whose luck follows `SCRIPT`."""
    return Hooks(Library(folder.id, "interpreted", {**folder.implementations, **DRAWS}))


def is_listed(folder: GameFolder) -> bool:
    """Whether all that the rules of a game draw can be listed with probabilities."""
    begin = [folder.implementations[hook] for hook in (rule_hooks.start, rule_hooks.play)]
    return not any(each in BARE for each in _reached(begin))


def _reached(begin: Sequence[Callable[..., Any]]) -> Iterator[Callable[..., Any]]:
    """Yield the rules that some rules call, but for what `DRAWS` replaces."""
    found, todo = set(begin), list(begin)
    while todo:
        function = todo.pop()
        yield function
        if not isinstance(function, FunctionType):
            continue
        for name in function.__code__.co_names:
            called = function.__globals__.get(name)
            if callable(called) and is_rule(called) and called not in DRAWS and called not in found:
                found.add(called)
                todo.append(called)
