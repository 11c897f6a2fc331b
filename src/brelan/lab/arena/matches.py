"""One match between any bots, built-in or external, with every fault recorded."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as NoAnswer
from dataclasses import dataclass
from typing import Any

from brelan.bots import Bot, LearnedBot, RuleBot, SearchBot
from brelan.bots.registry import close, fast_bot
from brelan.engine.game import Game
from brelan.engine.match import Match
from brelan.engine.view import Move, View
from brelan.rules import payoffs


@dataclass(frozen=True)
class MatchRecord:
    """How one match went: one bot sat at `seat`, among others that are all alike."""

    pairing: int
    deal: int
    seat: int
    won: float  # the one's share of the win
    scores: list[int]
    winners: list[int]  # nobody: a draw
    decisions: list[int]  # of the one, of the others
    seconds: list[float]  # that they took
    fault: str = ""  # who lost by not playing properly, and why

    @property
    def lead(self) -> int:
        """By how much the one's score is above the best of the others; below it, if negative."""
        others = (score for seat, score in enumerate(self.scores) if seat != self.seat)
        return self.scores[self.seat] - max(others)

    @property
    def key(self) -> tuple[int, int, int]:
        """Which match it is."""
        return self.deal, self.pairing, self.seat


class Fault(Exception):  # noqa: N818 - the bot's, not ours
    """A bot crashed, stalled or answered nonsense."""


class Table:
    """A table of this process, at which one bot sits among others."""

    def __init__(self, game: Game, names: Sequence[str], seed: int, move_time: float) -> None:
        self.game, self.names, self.seed, self.move_time = game, names, seed, move_time
        self._bots: dict[tuple[int, int], Bot] = {}

    def play(self, pairing: int, deal: int, luck: int, seat: int) -> MatchRecord:
        """Play a match in which the first bot sits at a seat, and the second at all others."""
        match = Match.simulated(self.game, luck)
        decisions, seconds, fault = [0, 0], [0.0, 0.0], ""
        while match.turn is not None:
            turn = match.turn
            side = int(turn != seat)
            view = match.view(turn)
            bot = self._bot(side, turn)
            begun = time.perf_counter()
            try:
                move = self._ask(bot, view)
            except Fault as error:
                fault = f"seat {turn}, {self.names[side]}: {error}"
                self._bots.pop((side, turn))
                match.resign(turn)
            else:
                match.play_unchecked(move.id)
            seconds[side] += time.perf_counter() - begun
            decisions[side] += 1
        assert match.result is not None
        winners = match.result.winners
        won = float(payoffs([other in winners for other in range(self.game.players)])[seat])
        scores = match.result.scores
        return MatchRecord(pairing, deal, seat, won, scores, winners, decisions, seconds, fault)

    def _ask(self, bot: Bot, view: View) -> Move:
        """Return the move of a bot; whatever else it does is its fault."""
        if isinstance(bot, RuleBot | SearchBot | LearnedBot):
            return bot.choose(view)
        answer = self._wait_for(bot, view)
        for move in view.legal():
            if answer in (move, move.id, move.notation) and not isinstance(answer, bool):
                return move
        raise Fault(f"answered {str(answer)[:80]!r}, which is no legal move")

    def _wait_for(self, bot: Bot, view: View) -> Any:
        """Return what a bot from outside answers in time; one that stalls is left behind."""
        waiting = ThreadPoolExecutor(1)
        try:
            return waiting.submit(bot.choose, view).result(self.move_time)
        except NoAnswer:
            close(bot)
            raise Fault(f"no answer within {self.move_time:g} s") from None
        except Exception as error:  # noqa: BLE001 - whatever a stranger's code may raise
            close(bot)
            raise Fault(f"{type(error).__name__}: {error}") from None
        finally:
            waiting.shutdown(wait=False)

    def _bot(self, side: int, seat: int) -> Bot:
        """Return the bot of a seat; each seat has one of its own."""
        if (side, seat) not in self._bots:
            self._bots[side, seat] = fast_bot(self.names[side], self.game, self.seed)
        return self._bots[side, seat]

    def close(self) -> None:
        """End the programs that play here."""
        for bot in list(self._bots.values()):
            close(bot)
