"""Clocks: how long each seat may still think, worked out from the times of the events."""

from __future__ import annotations

from brelan.server.messages import Clock, Clocks


class Timer:
    """The clocks of one match. Times are seconds since 1970, as the events carry them."""

    def __init__(self, clock: Clock, players: int, started: float) -> None:
        self.clock = clock
        self._left = [clock.seconds] * players
        self._since = started
        self.running: int | None = None  # the seat whose clock runs

    def run(self, seat: int | None, at: float) -> None:
        """Stop the clock that runs, and start that of a seat."""
        if self.running is not None and self.clock.kind == "total":
            spent = max(0.0, at - self._since)
            self._left[self.running] += self.clock.increment - spent
        self._since, self.running = at, seat

    def deadline(self) -> float | None:
        """Return when the seat whose clock runs will have lost; None: never."""
        if self.running is None or self.clock.kind == "none":
            return None
        return self._since + self._allowed(self.running)

    def _allowed(self, seat: int) -> float:
        return self.clock.seconds if self.clock.kind == "per_move" else self._left[seat]

    def shown(self, now: float) -> Clocks | None:
        """Return what is left to each seat; None: there are no clocks."""
        if self.clock.kind == "none":
            return None
        left = [self._allowed(seat) for seat in range(len(self._left))]
        if self.running is not None:
            left[self.running] -= now - self._since
        return Clocks([max(0, round(1000 * seconds)) for seconds in left], self.running)
