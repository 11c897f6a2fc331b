"""Whole matches between bots in machine code, for each thread on records of its own."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from brelan.compiler.library import Library, StillRead
from brelan.compiler.warmup import Progress, warm_up
from brelan.engine.driver import (
    MAX_DECISIONS,
    RANDOM,
    decide,
    decide_at_random,
    play_matches,
    set_up_deals,
)
from brelan.engine.folder import GameFolder
from brelan.engine.game import Game
from brelan.errors import Refused
from brelan.rules import MAX_SEATS, new_scratch, record_type

Results = npt.NDArray[Any]
WORTH_SPECIALISING = 1_000_000  # matches for which machine code is made for one variant alone


def blank_results(game: Game, matches: int) -> Results:
    """Return a row for each match: its deal, luck and seating, and how it went.

    `seating` says which bot sits at each seat, by its place in a list; `won` is each seat's share
    of the win. The metrics of the game follow, by name.
    """
    return np.zeros(matches, _row_type(game, named=True))


def _row_type(game: Game, *, named: bool) -> np.dtype[Any]:
    """Return the type of a row of results; its metrics by name, or as a row for the driver."""
    metrics, players = game.folder.metrics.METRICS, game.players
    fields: list[Any] = [
        ("deal", "i8"),
        ("luck", "u8"),
        ("decisions", "i8"),
        ("won", "f8", players),
    ]
    fields += [(name, "i4", players) for name in ("seating", "scores", "winners")]
    fields.append(("rotation", "i4"))
    last = [(name, "f8") for name in metrics] if named else [("metrics", "f8", (len(metrics),))]
    return np.dtype(fields + last, align=True) if named else record_type(fields + last)


class Driver:
    """A table of its own on which bots play whole matches; one for each thread.

    `bots` are the numbers of those that play: 0 is `random`, the game's own follow. Where many
    matches are to be played, machine code is made for this variant alone; where all bots are
    random, what the seats remember is left out too, for nobody reads it.
    """

    def __init__(
        self,
        game: Game,
        bots: Sequence[int] = range(MAX_SEATS),
        mode: str = "compiled",
        matches: int = 0,
    ) -> None:
        self.game, self.mode = game, mode
        self.bots = np.array(bots, np.int64)
        self._cards = np.array(game.pack, np.int16)
        self._row_type = _row_type(game, named=False)
        self._records = (*game.folder.layout.buffers(game.blank().tobytes()), new_scratch())
        self._play_matches, self._set_up = self._linked(matches)

    def _linked(self, matches: int) -> tuple[Any, Any]:
        """Return the rules that it calls, from the library that suits it best."""
        library = self.game.folder.library(self.mode)
        if self.mode == "compiled" and not self.bots.any():
            library = _specialised(self.game, True)
            try:
                warm_up([(library(play_matches), self._arguments(blank_results(self.game, 1)))])
            except StillRead:
                library = _specialised(self.game, False)
        elif self.mode == "compiled" and matches >= WORTH_SPECIALISING:
            library = _specialised(self.game, False)
        return library(play_matches), self.game.folder.library(self.mode)(set_up_deals)

    def _arguments(self, results: Results) -> tuple[Any, ...]:
        return (*self._records, self._cards, self.bots, results.view(self._row_type))

    def prepare(self, progress: Progress | None = None) -> None:
        """Compile what it needs, or load it, before the first match."""
        results = blank_results(self.game, 1)
        calls = [(self._set_up, (results.view(self._row_type), 0, np.uint64(0)))]
        warm_up([*calls, (self._play_matches, self._arguments(results))], progress)

    def set_up(self, results: Results, first: int, seed: int) -> None:
        """Give rows their deals and seatings, the first being the match of a number."""
        self._set_up(results.view(self._row_type), first, luck_of_seed(seed))

    def play(self, results: Results) -> None:
        """Play the match of each row, which has its luck and seating."""
        self._play_matches(*self._arguments(results))
        if len(results) and results["decisions"].max() >= MAX_DECISIONS:
            raise Refused(f"a match of {self.game.variant} does not end: {MAX_DECISIONS} decisions")


@functools.lru_cache(maxsize=64)
def _library(folder: GameFolder, knobs: tuple[tuple[str, int], ...], at_random: bool) -> Library:
    layout, hooks, unread = folder.layout, dict(folder.implementations), frozenset[str]()
    if at_random:
        hooks[decide] = decide_at_random
        unread = frozenset(name for name, place in layout.places.items() if place.memory)
    return Library(
        folder.id, "compiled", hooks, {layout.dtype: dict(knobs)}, {layout.dtype: unread}
    )


def _specialised(game: Game, at_random: bool) -> Library:
    """Return a library of the rules for the knobs of one variant."""
    knobs = game.folder.knobs
    numbers = tuple((name, knobs[name].number(value)) for name, value in game.knobs.items())
    return _library(game.folder, numbers, at_random)


def luck_of_seed(seed: int) -> np.uint64:
    """Return the luck from which that of all deals follows."""
    digest = hashlib.blake2b(f"brelan deals {seed}".encode(), digest_size=8).digest()
    return np.uint64(int.from_bytes(digest, "little"))


__all__ = ["RANDOM", "Driver", "Results", "blank_results", "luck_of_seed"]
