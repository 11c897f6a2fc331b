"""The process that analyses matches for a server, decision by decision, at a lower priority.

`python -m brelan.server.analyst` reads orders, a line of JSON each, and answers with as many. It
ends when nobody can send any more. What it computes, and the memory that it takes for that, holds
up no table.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import traceback
from collections import OrderedDict
from collections.abc import Iterator
from typing import Any

import msgspec

from brelan.analysis import Assessor, review
from brelan.engine.match import Match
from brelan.errors import Refused
from brelan.server import analysed, history
from brelan.server.messages import AnalysedDecision, AnalysisEnd, Exported, Text, encode

LEVEL = "expert"
NICE = 5  # how much less than the server this process is preferred
MOST_ASSESSORS = 2  # kept; each takes some tens of MB


class Order(msgspec.Struct):
    """Go one step on with an analysis; the first order brings its match."""

    job: int
    seat: int
    exported: Exported | None = None
    forgotten: list[int] = []  # analyses that nobody wants any more


class Found(msgspec.Struct):
    """What one step has brought: at first how many decisions there are, in the end the sum."""

    start: int = 0
    count: int = 0
    decision: AnalysedDecision | None = None
    names: dict[str, dict[str, Text]] = {}
    end: AnalysisEnd | None = None
    why: str | None = None  # it is refused
    failure: str | None = None  # it has failed: the traceback


class Job:
    """One analysis."""

    def __init__(self, match: Match, seat: int, steps: Iterator[Any]) -> None:
        self.match, self.seat, self.steps = match, seat, steps
        self.count = len(review.decision_plies(match, seat))
        self.reviewed: list[review.Decision] = []
        self.decisions: list[AnalysedDecision] = []

    def step(self) -> Found:
        """Analyse the next decision, or sum up."""
        decision = next(self.steps, None)
        if decision is None:
            whole = review.summary(self.match, self.seat, LEVEL, self.reviewed)
            return self._found(end=analysed.end(whole))
        self.reviewed.append(decision)
        self.decisions.append(analysed.decision(decision))
        return self._found(decision=self.decisions[-1])

    def begun(self) -> Found:
        """Return what is known before the first decision."""
        return self._found()

    def _found(self, **more: Any) -> Found:
        names = analysed.names(self.match.game, self.decisions)
        start = review.start_of(self.match, self.reviewed)
        return Found(start, self.count, names=names, **more)


class Analyst:
    """All analyses that are under way."""

    def __init__(self) -> None:
        self._jobs: dict[int, Job] = {}
        self._assessors: OrderedDict[str, Assessor] = OrderedDict()

    def answer(self, order: Order) -> Found:
        """Carry out an order."""
        for number in order.forgotten:
            self._jobs.pop(number, None)
        try:
            if order.exported is not None:
                self._jobs[order.job] = job = self._job(order.exported, order.seat)
                return job.begun()
            found = self._jobs[order.job].step()
        except Refused as error:
            return Found(why=str(error)[:200])
        except Exception:  # noqa: BLE001 - the other analyses go on
            return Found(failure=traceback.format_exc())
        if found.end is not None:
            del self._jobs[order.job]
        return found

    def _job(self, exported: Exported, seat: int) -> Job:
        match = history.replayed_file(exported)
        has_choice = bool(review.decision_plies(match, seat))
        assessor = self._assessor(match) if has_choice else None
        return Job(match, seat, review.review_steps(match, seat, LEVEL, assessor))

    def _assessor(self, match: Match) -> Assessor:
        """Return what assesses views of a variant; analyses share it, decision by decision."""
        variant = match.game.variant
        found = self._assessors.get(variant)
        if found is None:
            found = Assessor(match.game, LEVEL)
            found.prepare()
            self._assessors[variant] = found
            if len(self._assessors) > MOST_ASSESSORS:
                self._assessors.popitem(last=False)
        self._assessors.move_to_end(variant)
        return found


def main() -> None:
    """Answer orders until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # of a terminal; the server ends us
    if hasattr(os, "nice"):
        with contextlib.suppress(OSError):
            os.nice(NICE)
    analyst, answers = Analyst(), sys.stdout.buffer
    sys.stdout = sys.stderr  # whatever is printed is no answer
    for line in sys.stdin.buffer:
        found = analyst.answer(msgspec.json.decode(line, type=Order))
        try:
            answers.write(encode(found) + b"\n")
            answers.flush()
        except BrokenPipeError:  # the server was killed
            os._exit(0)


if __name__ == "__main__":
    main()
