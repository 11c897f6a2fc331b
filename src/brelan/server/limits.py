"""Limits: how often somebody may do something, by a bucket of tokens."""

from __future__ import annotations

import time
from collections import OrderedDict

MOST_KNOWN = 10_000  # of whom a limit remembers the latest


class Bucket:
    """So many a second, and a number at once after a rest."""

    __slots__ = ("_at", "_rate", "_size", "_tokens")

    def __init__(self, rate: float, size: float) -> None:
        self._rate, self._size, self._tokens = rate, size, size
        self._at = time.monotonic()

    def take(self) -> bool:
        """Whether one more is allowed now; it counts then."""
        now = time.monotonic()
        self._tokens = min(self._size, self._tokens + (now - self._at) * self._rate)
        self._at = now
        if self._tokens < 1.0:
            return False
        self._tokens -= 1.0
        return True


class Limit:
    """A bucket for each of those who are told apart."""

    def __init__(self, rate: float, size: float) -> None:
        self._rate, self._size = rate, size
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, who: str) -> bool:
        """Whether one more is allowed to somebody now."""
        bucket = self._buckets.get(who)
        if bucket is None:
            bucket = self._buckets[who] = Bucket(self._rate, self._size)
            if len(self._buckets) > MOST_KNOWN:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(who)
        return bucket.take()
