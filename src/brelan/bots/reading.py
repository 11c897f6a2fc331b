"""Reading the others: which worlds are likely, and whom the others are like, by what they did."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from brelan import verbs
from brelan.bots.deduction import deduce
from brelan.bots.following import follow
from brelan.bots.house import is_heavy, names
from brelan.bots.levels import Level
from brelan.bots.mind import CHARACTERS, mind
from brelan.bots.search import FEW, forget, ponder, tree
from brelan.bots.stretches import Stretch, after_table, deals, stretch, stretches
from brelan.table import Game, View
from brelan.words import MOST_SEATS, desk

READING = 0.25  # of all moves, how many may be spent on the last stretch of what has happened
PACE = 500_000  # about so many are made in a second
SITTING = 200_000  # moves made before it should read again
ATTEMPTS = 8000  # at reliving the last stretch of the match
EVIDENCE = 20_000  # moves to spend on each earlier stretch, to tell whom the others are like
DEDUCING = 200_000  # moves to spend on all that may have happened between two earlier deals
LATELY = 20  # earlier stretches that are looked at
WEIGHT = 0.5  # moves that could be made while one that was made is weighed
SHARED = 30.0  # of the worlds that were weighed, how many must share what chance there is
DOUBTED = 5.0  # worlds that each bot is granted, so that few of them prove little
DOUBT = 0.02  # how likely it stays at least that a seat is like any of the bots
MEMORIES = 5000  # stretches whose evidence is kept
UNKNOWN = np.zeros((MOST_SEATS, CHARACTERS))  # whom the others are like
NEVER = 1e-300  # a chance as good as none

Support = npt.NDArray[np.float64]  # for each seat and bot, how well it explains what was seen
Tells = Callable[[View, Stretch], Support]


class Reader:
    """A board, a desk, a tree and a mind of one's own."""

    def __init__(self, game: Game) -> None:
        machine, meanings = game.folder.machine("compiled"), game.folder.meanings
        self._light = [n for n, name in enumerate(names(game)) if not is_heavy(game, name)]
        self._weighs = meanings[verbs.credence] is not verbs.credence and len(self._light) > 1
        self._follows = meanings[verbs.uncover] is not verbs.uncover
        self._board = game.folder.layout.board(game.blank().tobytes())
        self._desk, self.tree = desk(), tree()
        self.mind = mind(game.folder.layout, self._follows)
        self.mind.model = self._light[-1]
        self._ponder = machine(ponder)
        if self._follows:
            self._deduce, self._follow = machine(deduce), machine(follow)
        self._evidence: dict[tuple[Stretch, int | None], Support] = {}

    def forget(self) -> None:
        """Begin a new tree."""
        forget(self.tree)

    def read(self, view: View, level: Level, luck: int) -> None:
        """Find out which worlds are likely; read again with other luck, and others are found."""
        self._desk.bots[:] = self._light[-1]  # as which it plays itself where its tree ends
        moves = min(level.moves, SITTING, PACE * level.seconds)
        if not level.reads:
            self._set_odds(UNKNOWN)
            self._begin(stretch(view, len(view.history), len(view.history)), luck)
        elif self._weighs:
            self._weigh(view, luck, READING * moves)
        elif not (self._follows and self._go_through(view, luck, moves)):
            self._relive(view, luck, READING * moves)
        self._look_back(view)

    def rehearse(self, view: View) -> None:
        """Do once what is seldom done, so that it is compiled."""
        if self._follows:
            self._begin(Stretch((view.record.tobytes(),), ()), luck=0)
            self._follow(*self._board, self._desk, self.mind, view.seat)

    def ponder(self, view: View, count: int, moves: int) -> int:
        """Simulate so often, or until so many moves were made; return how often it was."""
        paper = (self._desk, self.tree, self.mind)
        return int(self._ponder(*self._board, *paper, view.seat, count, moves))

    def _begin(self, stretch: Stretch, luck: int, attempts: int = 0, moves: float = 0.0) -> None:
        """Begin after a stretch of the match, which is to be relived so many times."""
        mind = self.mind
        self._desk.luck[0] = mind.luck[0] = luck % 2**64
        mind.plies, mind.attempts = len(stretch.moves), attempts
        mind.reading, mind.moved, mind.believed = math.ceil(moves), 0, 0
        for ply, record in enumerate(stretch.seen):
            mind.past[ply] = np.frombuffer(record, np.uint64)
        for ply, number in enumerate(stretch.moves):
            mind.moves[ply] = number

    def _look_back(self, view: View) -> None:
        """Relive or weigh worlds, as it was begun."""
        self.ponder(view, 0, 0)

    # ------------------------------------------------------------ which worlds are likely

    def _go_through(self, view: View, luck: int, moves: float) -> bool:
        """Go through what may have happened since the deal; False: nothing can be said of it."""
        *earlier, (first, last) = deals(view) or [(0, 0)]
        part = stretch(view, first, last)
        if first == 0 or len(part.moves) < last - first:
            return False  # the match was set up by hand, or it is too long
        self._set_odds(self._tell(view, earlier, self._explained))
        self._explain(view, part, luck, moves)
        self.mind.moved = 0  # what a level may spend it spends on the search
        return bool(self.mind.believed > 0)

    def _explain(self, view: View, part: Stretch, luck: int, moves: float) -> bool:
        """Find worlds that explain what happened after a deal; True: they are all there are."""
        if view.game.players == 2:
            self._begin(part, luck, moves=moves)
            self._deduce(*self._board, self._desk, self.mind, view.seat)
            if self.mind.believed > 0:
                return True
        self._begin(part, luck, moves=moves)
        self._follow(*self._board, self._desk, self.mind, view.seat)
        return False

    def _relive(self, view: View, luck: int, moves: float) -> None:
        """Relive the last stretch, in the light of what the earlier ones tell of the others."""
        *earlier, (first, last) = stretches(view)
        self._set_odds(self._tell(view, earlier, self._relived))
        for start in sorted({first, after_table(view, first)}):
            self._begin(stretch(view, start, last), luck, ATTEMPTS, moves)
            self._look_back(view)
            if self.mind.believed >= FEW:
                return

    def _weigh(self, view: View, luck: int, moves: float) -> None:
        """Imagine worlds, and keep those that explain what the others did."""
        mind = self.mind
        self._set_odds(UNKNOWN)
        self._begin(stretch(view, len(view.history), len(view.history)), luck, moves=moves)
        mind.toll = max(1, math.ceil(WEIGHT * len(view.history)))
        self._look_back(view)
        count = int(mind.believed)
        shares = np.cumsum(tempered(mind.credence[:count]))
        chosen = np.searchsorted(shares, shares[-1] * (np.arange(count) + 0.5) / count)
        mind.worlds[:count], mind.casts[:count] = mind.worlds[chosen], mind.casts[chosen]

    # ------------------------------------------------------------ whom the others are like

    def _tell(self, view: View, past: list[tuple[int, int]], tells: Tells) -> Support:
        """Return how well each bot explains earlier parts of a match, all together."""
        support = UNKNOWN
        for start, stop in past[-LATELY:]:
            part = stretch(view, start, stop)
            key = (part, view.seat)
            if key not in self._evidence:
                if len(self._evidence) >= MEMORIES:
                    self._evidence.clear()
                self._set_odds(UNKNOWN)
                self._evidence[key] = tells(view, part)
            support = support + self._evidence[key]
        return support

    def _relived(self, view: View, past: Stretch) -> Support:
        """Return how well each bot explains a stretch, when it is relived."""
        self._begin(past, past.luck, ATTEMPTS, EVIDENCE)
        self._look_back(view)
        return self._seen_in_worlds()

    def _explained(self, view: View, past: Stretch) -> Support:
        """Return how well each bot explains all that happened after a deal."""
        if not self._explain(view, past, past.luck, DEDUCING):
            return self._seen_in_worlds()
        chances = self.mind.chances[: self.mind.guessed].sum(axis=0)
        return np.tile(np.log(np.maximum(chances, NEVER)), (MOST_SEATS, 1))

    def _seen_in_worlds(self) -> Support:
        """Return in how many of the worlds that are believed in each bot is there."""
        casts = self.mind.casts[: self.mind.believed]
        kept = np.array([(casts == bot).sum(axis=0) for bot in range(CHARACTERS)]).T
        return np.asarray(np.log(kept + DOUBTED))

    def _set_odds(self, support: npt.NDArray[Any]) -> None:
        """Set how likely each seat is like each bot; if nothing is known, like any of them."""
        odds = np.exp(support - np.max(support, axis=-1, keepdims=True))
        odds[:, [bot for bot in range(CHARACTERS) if bot not in self._light]] = 0.0
        odds /= odds.sum(axis=-1, keepdims=True)
        odds[:, self._light] += DOUBT
        self.mind.odds[:] = odds / odds.sum(axis=-1, keepdims=True)


def tempered(credence: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return chances by credence, tempered until enough worlds share them."""
    low, high = 0.0, 1.0
    shifted = credence - credence.max()
    for _ in range(20):
        middle = (low + high) / 2
        chances = np.exp(middle * shifted)
        if chances.sum() ** 2 / (chances**2).sum() < SHARED:
            high = middle
        else:
            low = middle
    chances = np.exp(low * shifted)
    return np.asarray(chances / chances.sum())
