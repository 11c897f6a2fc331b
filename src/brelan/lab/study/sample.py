"""Matches examined closely: win chances over time, what a decision matters, what a move tells.

The positions of some matches are searched and rolled out, and their moves are told in full.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from brelan import bots as house
from brelan.bots.search.searcher import Searcher
from brelan.bots.search.settings import Level
from brelan.engine.game import Game
from brelan.engine.match import Match
from brelan.lab.study.plan import default_level
from brelan.lab.study.retelling import Retelling
from brelan.lab.study.table import StudyTable
from brelan.lab.study.watch import choose_with_luck, count_agreeing, roll_out
from brelan.rules import new_scratch

Columns = dict[str, npt.NDArray[Any]]

MOMENTS = 10  # equal parts of a match, at whose ends it is examined
ROLLOUTS = 64  # for the win chance of each seat
WORLDS = 64  # in which another seat imagines the move
SEARCHED = 2  # decisions of a match that are searched, twice
LEVEL = Level(steps=40_000, belief=False)  # at which they are searched
TOLD = 20  # matches that are told in full


class Told(NamedTuple):
    """One decision of a match: what its move is called."""

    seat: int
    legal: int
    number: int
    key: str
    names: dict[str, str]


class Sampler:
    """A table at which matches are examined after they were played."""

    def __init__(self, table: StudyTable) -> None:
        self.table, self.game = table, table.game
        quick = table.bots[0] if table.is_quick else default_level(table.game)
        library = self.game.folder.library("compiled")
        self._roll_out = library(roll_out)
        self._count_agreeing, self._choose = library(count_agreeing), library(choose_with_luck)
        self._records = (
            *self.game.folder.layout.buffers(self.game.blank().tobytes()), new_scratch()
        )  # fmt: skip
        strongest = house.names(self.game).index(default_level(self.game))
        self._rollout_bots = np.full(8, strongest, np.int64)
        self._bots = np.full(8, house.names(self.game).index(quick), np.int64)
        self._searcher = Searcher(self.game)
        self._retelling = Retelling(Game(self.game.folder, self.game.knobs))

    def sample(self, deals: range, seed: int) -> dict[str, Columns]:
        """Play the matches of deals, each with one seating, and examine them."""
        rows = self.table.deals(deals, seed, sides=1)
        rows = np.ascontiguousarray(rows[rows["rotation"] == 0])
        _, scripts = self.table.play(rows)
        found: dict[str, list[Any]] = {"moments": [], "gaps": [], "moves": [], "used": []}
        for row, script in zip(rows, scripts, strict=True):
            numbers = script[: int(row["decisions"])].tolist()
            if int(row["decisions"]) <= len(script):
                self._examine(int(row["deal"]), int(row["luck"]), numbers, row["won"], found)
        return {
            name: _columns(COLUMNS[name], entries) for name, entries in found.items() if entries
        }

    def _examine(
        self, deal: int, luck: int, numbers: list[int], won: Any, found: dict[str, list[Any]]
    ) -> None:
        random = np.random.default_rng([deal, luck % 2**32])
        match = Match.simulated(self.game, luck)
        examined = {round(part / MOMENTS * (len(numbers) - 1)): part for part in range(MOMENTS + 1)}
        searched = set(random.choice(len(numbers), min(SEARCHED, len(numbers)), replace=False))
        told: list[Told] = []
        bits: dict[str, list[float]] = {}
        for place, number in enumerate(numbers):
            told.append(self._told(match, number))
            if place in examined:
                chances = self._chances(match, int(random.integers(2**62)))
                done = place / max(1, len(numbers) - 1)
                found["moments"] += [
                    (deal, examined[place], done, seat, chance, float(won[seat]))
                    for seat, chance in enumerate(chances)
                ]
            if place in searched and told[-1].legal > 1:
                found["gaps"].append((deal, place, *self._gap(match, random)))
            if place in examined or place in searched:
                key, worth = self._bits(match, random)
                bits.setdefault(key, []).append(worth)
            match.play_unchecked(number)
        times = Counter(each.key for each in told)
        names = {each.key: each.names for each in reversed(told)}
        for key in sorted({*times, *bits}):
            told_bits = bits.get(key, [])
            name = names.get(key, {"fr": key, "en": key})
            entry = (times[key], len(numbers), len(told_bits), float(sum(told_bits)))
            found["moves"].append((deal, key, name["fr"], name["en"], *entry))
        if deal < TOLD:
            found["used"] += [(deal, *used) for used in self._retelling.used(luck, numbers)]

    def _told(self, match: Match, number: int) -> Told:
        assert match.turn is not None
        record = match.record(match.turn)
        message = self.game.folder.story.label(record, number)
        names = {lang: self.game.folder.texts(lang)(*message) for lang in ("fr", "en")}
        return Told(match.turn, len(match.legal_numbers()), number, message[0], names)

    def _seen(self, match: Match, seat: int) -> npt.NDArray[np.uint64]:
        """Return the words of what a seat sees."""
        return np.frombuffer(match.record(seat).tobytes(), np.uint64).copy()

    def _chances(self, match: Match, luck: int) -> npt.NDArray[np.float64]:
        """Return each seat's win chance, as it can be estimated from what that seat sees."""
        chances = np.zeros(self.game.players)
        for seat in range(self.game.players):
            totals = np.zeros(self.game.players)
            self._roll_out(
                *self._records, self._seen(match, seat), seat, self._rollout_bots,
                np.uint64(luck + seat), ROLLOUTS, totals,
            )  # fmt: skip
            chances[seat] = totals[seat] / ROLLOUTS
        total = chances.sum()
        return chances / total if total else np.full(len(chances), 1 / len(chances))

    def _gap(self, match: Match, random: np.random.Generator) -> tuple[float, float]:
        """Return by how much the best move is ahead of the second, as two searches find it.

        The first search says which moves these are, and both measure them: the gap in the second
        one is not too large by chance.
        """
        assert match.turn is not None
        view = match.view(match.turn)
        lucks = random.integers(2**62, size=2)
        one, two = (self._searcher.search(view, LEVEL, int(luck)) for luck in lucks)
        ranked = sorted(one, key=lambda move: -one[move].lower_bound)
        best, second = ranked[:2]
        if not all(stats[move].visits for stats in (one, two) for move in (best, second)):
            return np.nan, np.nan
        gaps = [stats[best].value - stats[second].value for stats in (one, two)]
        return gaps[1], min(gaps)

    def _bits(self, match: Match, random: np.random.Generator) -> tuple[str, float]:
        """Return what kind of move is made, and how many bits it tells another seat.

        The mover's bot decides with the same luck in worlds that the other seat can imagine: if it
        makes the same move in a quarter of them, the move tells two bits.
        """
        assert match.turn is not None
        others = [seat for seat in range(self.game.players) if seat != match.turn]
        seat, luck = int(random.choice(others)), np.uint64(random.integers(2**62))
        _, _, raw, scratch = self._records
        raw.state[:] = self._seen(match, match.turn)  # a bot decides by what its seat sees
        scratch.bots[:] = self._bots
        number = int(self._choose(*self._records, luck))
        agreeing = self._count_agreeing(
            *self._records, self._seen(match, seat), seat, self._bots, number, luck, WORLDS
        )
        bits = -np.log2((1 + int(agreeing)) / (1 + WORLDS))
        return self.game.folder.story.label(match.record(match.turn), number)[0], float(bits)


COLUMNS = {
    "moments": ("deal", "moment", "done", "seat", "chance", "won"),
    "gaps": ("deal", "decision", "gap", "gap_least"),
    "moves": ("deal", "key", "fr", "en", "times", "decisions", "estimates", "bits"),
    "used": ("deal", "kind", "key"),
}


def _columns(names: tuple[str, ...], entries: list[Any]) -> Columns:
    return {
        name: np.array(values)
        for name, values in zip(names, zip(*entries, strict=True), strict=True)
    }
