"""Walking through a match move by move, on the bare rules in any mode."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from brelan.engine.game import Game
from brelan.errors import Refused
from brelan.knobs import Value
from brelan.rules import TABLE, Cards, hooks, new_scratch

ATTEMPTS = 1000  # at finding knobs that go together with one
PATIENCE = 20_000  # decisions after which a match with unusual knobs is given up


class Walk:
    """A match on the bare rules: its state can be looked at, copied and imagined."""

    def __init__(self, game: Game, seed: int, mode: str = "checked") -> None:
        self.game, self.layout = game, game.folder.layout
        self.library = game.folder.library(mode)
        self.state = game.blank()
        self.state.luck[0] = seed
        self.moves = 0
        self.library(hooks.start)(self.state, np.array(game.pack, np.int16), False)

    @property
    def is_fresh(self) -> bool:
        """Whether nothing has been dealt yet."""
        return self.moves == 0

    @property
    def seat(self) -> int | None:
        """The seat in turn; None is the table."""
        return None if self.state.turn == TABLE else int(self.state.turn)

    def legal(self, record: Any = None) -> list[int]:
        """Return the numbers of the legal moves, of the state or of another record."""
        scratch = new_scratch()
        self.library(hooks.legal_moves)(self.state if record is None else record, scratch)
        return [int(number) for number in scratch.moves[: scratch.count]]

    def play(self, number: int) -> None:
        """Make a move."""
        self.library(hooks.play)(self.state, number)
        self.moves += 1

    def view(self, seat: int | None, record: Any = None) -> Any:
        """Return the state, or another record, as a seat sees it."""
        return self.layout.view((self.state if record is None else record).tobytes(), seat)

    def imagine(self, seat: int, luck: int) -> Any:
        """Return a world that a seat can imagine now."""
        world = self.view(seat)
        self.library(hooks.imagine)(world, seat, new_scratch(luck))
        return world

    def run(self, choice: random.Random) -> Iterator[Walk]:
        """Play random moves to the end, stopping before each, the table's included."""
        for decisions in itertools.count():
            yield self
            legal = self.legal()
            if not legal:
                return
            if decisions > PATIENCE:
                raise AssertionError(f"a match of {self.game.variant} does not end")
            self.play(choice.choice(legal))


def cards_of(game: Game, state: Any) -> Counter[Cards]:
    """Count the cards that lie anywhere in a state."""
    found: Counter[Cards] = Counter()
    for name, place in game.folder.layout.places.items():
        found.update(place.cards(state[name]))
    return found


def variants(game: Game, choice: random.Random) -> Iterator[Game]:
    """Yield the game, then each value of each knob once, the others at random."""
    yield game
    for name, knob in game.folder.knobs.items():
        values = (
            knob.values
            if len(knob.values) <= 6
            else (knob.values[0], knob.values[2], knob.values[-1])
        )
        for value in values:
            for _ in range(ATTEMPTS):
                knobs = dict(_random_knobs(game, choice, share=choice.random() / 2))
                knobs[name] = value
                try:
                    variant = Game(game.folder, game.folder.knobs.settle(knobs))
                except Refused:
                    continue  # not allowed together: try others
                yield variant
                break
            else:
                raise AssertionError(f"{name} = {value} is never allowed")


def _random_knobs(game: Game, choice: random.Random, share: float) -> Iterator[tuple[str, Value]]:
    for name, knob in game.folder.knobs.items():
        if choice.random() < share:
            yield name, choice.choice(knob.values[:6])
