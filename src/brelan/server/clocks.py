"""Clocks: how long each seat may still think, worked out from the times of the events.

A clock runs for the seat in turn if a person sits there; never for a bot. It goes on while nobody
is connected and while the server is down, for it follows from the log alone. Before the match has
begun it stands: a rematch begins a little after it was opened, so that people come. A move that is
taken back gives back neither the time that it took nor an increment; the others' time until then is
given back to them.
"""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from brelan.server.messages import Clock, Clocks
from brelan.server.takebacks import MOST


class Turn(NamedTuple):
    """A turn that is over: whose, what was left to each seat at its beginning, what it took."""

    seat: int | None
    left: list[float]
    spent: float


class Timer:
    """The clocks of one match. Times are seconds since 1970, as the events carry them."""

    def __init__(self, clock: Clock, players: int, started: float) -> None:
        self.clock = clock
        self.running: int | None = None  # the seat whose clock runs
        self._left = [clock.seconds] * players
        self._since = self._begun = started
        self._before = 0.0  # what the seat had spent on this turn when it took a move back
        self._turns: deque[Turn] = deque(maxlen=MOST + 1)  # the latest, which may be taken back

    def run(self, seat: int | None, at: float) -> None:
        """Stop the clock that runs, after a move; start that of a seat, if one is given."""
        if self.clock.kind == "none":
            self.running = seat
            return
        spent = self._spent(at)
        self._turns.append(Turn(self.running, list(self._left), spent))
        if self.running is not None and self.clock.kind == "total":
            self._left[self.running] += self.clock.increment - spent
        self._since, self.running, self._before = max(at, self._begun), seat, 0.0

    def take_back(self, seat: int | None, at: float) -> None:
        """Go on with the turn before: its time is spent, that of the turn since then is not."""
        if self.clock.kind == "none":
            self.running = seat
            return
        turn = self._turns.pop()
        self._left, self._before = turn.left, turn.spent
        self._since, self.running = max(at, self._begun), seat

    def deadline(self) -> float | None:
        """Return when the seat whose clock runs will have lost; None: never."""
        if self.running is None or self.clock.kind == "none":
            return None
        return self._since + self._allowed(self.running) - self._before

    def shown(self, now: float) -> Clocks | None:
        """Return what is left to each seat; None: there are no clocks.

        Before the match has begun more is left to the seat in turn, by the time until then.
        """
        if self.clock.kind == "none":
            return None
        left = [self._allowed(seat) for seat in range(len(self._left))]
        if self.running is not None:
            left[self.running] -= self._spent(now) - max(0.0, self._begun - now)
        return Clocks([max(0, round(1000 * seconds)) for seconds in left], self.running)

    def _spent(self, at: float) -> float:
        """Return what the seat in turn has spent on its turn. No clock ever runs backwards."""
        return self._before + max(0.0, at - self._since)

    def _allowed(self, seat: int) -> float:
        return self.clock.seconds if self.clock.kind == "per_move" else self._left[seat]
