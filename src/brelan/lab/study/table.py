"""A table of a study: bots play matches on given deals, and are watched in machine code."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from brelan import bots as house
from brelan.bots.registry import fast_bot
from brelan.compiler.warmup import Progress, warm_up
from brelan.engine.driver import MAX_DECISIONS, luck_of_bots, luck_of_deal
from brelan.engine.game import Game
from brelan.engine.match import Match
from brelan.engine.match_driver import luck_of_seed
from brelan.errors import Refused
from brelan.lab.study.cells import cells_of
from brelan.lab.study.watch import DEALT, watch_matches
from brelan.rules import new_scratch, record_type

Rows = npt.NDArray[Any]
Scripts = npt.NDArray[np.int16]
Events = npt.NDArray[np.int16]
ROOM = 256  # decisions of a match that are kept, at first


def row_type(game: Game) -> np.dtype[Any]:
    """Return the type of a row: the match to be played, and how it went."""
    players, metrics = game.players, len(game.folder.metrics.METRICS)
    fields: list[Any] = [("luck", "u8"), ("won", "f8", (players,)), ("bits", "f8")]
    fields += [(name, "i8") for name in ("deal", "decisions", "turns", "legal", "forced", "rounds")]
    fields += [(name, "i8") for name in ("starter", "starter_cell", "starter_base", "round_cell")]
    fields += [(name, "i4", (players,)) for name in ("seating", "scores", "winners")]
    fields += [("rotation", "i4"), ("scripted", "i4"), ("metrics", "f8", (metrics,))]
    return record_type(fields)


class StudyTable:
    """Bots play at it, by their numbers in a list; `seating` says who sits at which seat."""

    def __init__(self, game: Game, bots: Sequence[str]) -> None:
        self.game = Game(game.folder, game.knobs, mode="compiled")
        self.bots = list(bots)
        self.cells = cells_of(game)
        known = house.names(game)
        self.is_quick = all(bot in known for bot in bots)
        self._numbers = np.array([known.index(b) if b in known else 0 for b in bots], np.int64)
        self._library = game.folder.library("compiled")
        self._luck_of_deal = game.folder.library("interpreted")(luck_of_deal)
        self._luck_of_bots = game.folder.library("interpreted")(luck_of_bots)
        self._watch = self._library(watch_matches)
        self._pack = np.array([game.pack], np.int16)
        self._records = (*game.folder.layout.buffers(game.blank().tobytes()), new_scratch())
        self._counts = np.zeros((2, game.players, 2, self.cells.kinds), np.int64)
        self._searchers: dict[int, Any] = {}

    def prepare(self, progress: Progress | None = None) -> None:
        """Compile what it needs, or load it."""
        rows = np.zeros(1, row_type(self.game))
        events, script = self._blank(1), np.zeros((1, ROOM), np.int16)
        calls = [(self._watch, self._arguments(self._pack, rows, script, events, False))]
        warm_up(calls, progress)
        for number, bot in enumerate(self.bots):
            if bot not in house.names(self.game):
                self._searcher(number).prepare(progress)

    def deals(self, deals: Iterable[int], seed: int, sides: int) -> Rows:
        """Return rows for deals, each with every rotation of the seats.

        With one side all seats have the first bot; with two, the first bot sits at one seat, and
        the second at all others.
        """
        numbers = list(deals)
        players = self.game.players
        rows = np.zeros(len(numbers) * players, row_type(self.game))
        rows["deal"] = np.repeat(np.array(numbers, np.int64), players)
        rows["rotation"] = np.tile(np.arange(players), len(numbers))
        word = luck_of_seed(seed)
        lucks = [int(self._luck_of_deal(word, deal)) for deal in numbers]
        rows["luck"] = np.repeat(np.array(lucks, np.uint64), players)
        if sides == 2:
            rows["seating"] = rows["rotation"][:, None] != np.arange(players)
        return rows

    def play(
        self, rows: Rows, packs: npt.NDArray[np.int16] | None = None, *, stop: bool = False
    ) -> tuple[Events, Scripts]:
        """Play the match of each row; return what happened to cards, and the decisions.

        `packs` are the cards of each match in an order given by hand. With `stop` each match ends
        at its first decision.
        """
        rows["starter"], rows["starter_cell"] = -1, self.cells.starter
        rows["starter_base"], rows["round_cell"] = self.cells.starter_base, self.cells.round_no
        scripts = np.zeros((len(rows), ROOM), np.int16)
        if not self.is_quick and not stop:
            scripts = self._search(rows, packs)
            rows["scripted"] = 1
        events = self._blank(len(rows))
        given = self._pack if packs is None else packs
        self._watch(*self._arguments(given, rows, scripts, events, stop))
        if len(rows) and rows["decisions"].max() >= MAX_DECISIONS:
            raise Refused(f"a match of {self.game.variant} does not end: {MAX_DECISIONS} decisions")
        return events, scripts

    def _arguments(self, packs: Any, rows: Any, scripts: Any, events: Any, stop: bool) -> Any:
        cells, counts = self.cells.cards, self._counts
        return (*self._records, packs, self._numbers, rows, scripts, cells, counts, events, stop)

    def _blank(self, matches: int) -> Events:
        return np.zeros((matches, self.game.players, self.cells.kinds, 4), np.int16)

    def _search(self, rows: Rows, packs: npt.NDArray[np.int16] | None) -> Scripts:
        """Let bots that search play each match; return their decisions."""
        played = [
            self._decisions(row, None if packs is None else packs[number])
            for number, row in enumerate(rows)
        ]
        scripts = np.zeros((len(rows), max(ROOM, *map(len, played))), np.int16)
        for script, numbers in zip(scripts, played, strict=True):
            script[: len(numbers)] = numbers
        return scripts

    def _decisions(self, row: Any, pack: npt.NDArray[np.int16] | None) -> list[int]:
        match = Match.simulated(self.game, int(row["luck"]), pack)
        seed = int(self._luck_of_bots(np.uint64(row["luck"]), int(row["rotation"])))
        numbers: list[int] = []
        while match.turn is not None:
            bot = self._searcher(int(row["seating"][match.turn]))
            bot.seed = seed
            numbers.append(bot.choose(match.view(match.turn)).id)
            match.play_unchecked(numbers[-1])
        return numbers

    def _searcher(self, number: int) -> Any:
        """Return the bot of a number, as it plays move by move."""
        if number not in self._searchers:
            self._searchers[number] = fast_bot(self.bots[number], self.game, seed=0)
        return self._searchers[number]

    @functools.cached_property
    def dealt_places(self) -> dict[int, int]:
        """Which places in an order of cards, given by hand, a seat has at its first decision.

        Found by trying: another card in such a place is another card of that seat.
        """
        pack = self._pack[0]
        others = {
            place: other
            for begin, end in self.spans
            for place in range(begin, end)
            for other in [o for o in range(begin, end) if pack[o] != pack[place]][:1]
        }
        packs = np.repeat(self._pack, 2 + len(others), axis=0)
        for row, (place, other) in enumerate(others.items()):
            packs[row, place] = pack[other]
        rows = np.zeros(len(packs), row_type(self.game))
        rows["luck"] = 1
        events, _ = self.play(rows, packs, stop=True)
        dealt = events[:, :, :, DEALT]
        differs = (dealt != dealt[-1]).any(axis=2)
        return {
            place: int(differs[row].argmax())
            for row, place in enumerate(others)
            if differs[row].any()
        }

    @functools.cached_property
    def owners(self) -> npt.NDArray[np.int64]:
        """The seat that has each place in an order of cards at its first decision, or -1."""
        owners = np.full(len(self.game.pack), -1, np.int64)
        owners[list(self.dealt_places)] = list(self.dealt_places.values())
        return owners

    @functools.cached_property
    def spans(self) -> list[tuple[int, int]]:
        """Where each pack begins and ends among all cards."""
        ends = np.cumsum([len(pack) for pack in self.game.packs]).tolist()
        return list(zip([0, *ends], ends, strict=False))
