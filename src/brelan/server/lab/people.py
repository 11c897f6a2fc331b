"""The matches that people played of a variant, all together: beside those of a study.

A match is measured when somebody asks for its variant for the first time, a few at once, and what
it gives is kept. No figure is of one match, and no answer of one person leaves the server.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
import sqlalchemy as sa

from brelan.errors import Refused
from brelan.lab import sequences
from brelan.lab.study.intervals import ANYTHING, COUNT, SHARE, mean_of
from brelan.lab.study.plan import FEWEST_DEALS
from brelan.server.house import House
from brelan.server.lab.messages import Interval, PeopleInfo
from brelan.server.lab.played import Played, as_text, from_text, measured
from brelan.server.lab.surveys import Surveys
from brelan.server.messages import Refusal
from brelan.server.storage import played, tables

log = logging.getLogger("brelan.lab")
LEAST = 5  # matches, and answers, that are told together
AT_ONCE = 10  # matches that are measured for one question
Some = TypeVar("Some")


class People:
    """What people played."""

    def __init__(self, house: House, surveys: Surveys, heavy: asyncio.Semaphore) -> None:
        self.house, self.store, self.surveys, self._heavy = house, house.store, surveys, heavy

    async def of(self, variant: str) -> PeopleInfo:
        """Return what is known of the matches of a variant that people have played."""
        over = sa.select(tables.c.id, played.c.table_id, played.c.content).outerjoin(
            played, played.c.table_id == tables.c.id
        )
        here = (tables.c.variant == variant) & (tables.c.status == "over")
        rows = await self.store.fetch(over.where(here).order_by(tables.c.ended, tables.c.id))
        new = [row["id"] for row in rows if row["table_id"] is None]
        for name in new[:AT_ONCE]:
            await self._measure(name)
        if new:
            rows = await self.store.fetch(over.where(here).order_by(tables.c.ended, tables.c.id))
        kept = [row["content"] for row in rows if row["content"] is not None]
        async with self._heavy:  # of thousands of matches it takes a part of a second
            figures = await asyncio.to_thread(_figures, kept)
        answers = await self.surveys.of(variant, LEAST)
        return PeopleInfo(
            finished=len(kept),
            left=max(0, len(new) - AT_ONCE),
            least=LEAST,
            **figures,
            answers=answers.answers,
            liked=answers.liked,
            length=answers.length,
        )

    async def _measure(self, name: str) -> None:
        """Measure a match, on a thread, and keep what it gives."""
        stored = await self.store.table(name)
        if stored is None:
            return
        found: Played | None = None
        try:
            game = self.house.game(
                stored.row["game"], stored.row["rules"], json.loads(stored.row["knobs"])
            )
            async with self._heavy:
                found = await asyncio.to_thread(measured, game, stored)
        except (Refusal, Refused) as error:  # of other rules, of a game that is gone, or damaged
            log.info("table %s is not measured: %s", name, error)
        await self.store.insert_new(played, {"table_id": name, "content": as_text(found)})


def _figures(kept: Sequence[str]) -> dict[str, Any]:
    """Return the figures of matches: who wins of those without bots, the rest of all.

    Those that would make less than `LEAST` more wait, of the matches without bots too.
    """
    told = [from_text(content) for content in _whole(kept)]
    players = len(told[0].won) if told else 1
    alone = _whole([each for each in told if each.people == players])
    won = np.array([each.won for each in alone]).reshape(-1, players)
    order = np.array([np.roll(each.won, -each.starter) for each in alone]).reshape(-1, players)
    ranked = np.sort(np.array([each.scores for each in told]).reshape(-1, players), axis=1)
    seats = range(players) if alone else ()
    return {
        "matches": len(told),
        "alone": len(alone),
        "seats": [_interval(won[:, seat], SHARE) for seat in seats],
        "order": [_interval(order[:, place], SHARE) for place in seats],
        "ties": _interval(won.max(axis=1) < 1, SHARE) if alone else None,
        "minutes": _of(told, [each.minutes for each in told]),
        "decisions": _of(told, [each.decisions for each in told]),
        "forced": _of(told, [each.forced / max(1, each.decisions) for each in told], SHARE),
        "score": _of(told, ranked.mean(axis=1), ANYTHING),
        "lead": _of(told, ranked[:, -1] - ranked[:, -2]) if players > 1 else None,
    }


def _whole(found: Sequence[Some]) -> Sequence[Some]:
    """Return so many of them that whoever asks again never sees one alone added."""
    return found[: len(found) - len(found) % LEAST]


def _of(
    told: Sequence[Played], values: Any, bounds: tuple[float, float] = COUNT
) -> Interval | None:
    return _interval(values, bounds) if told else None


def _interval(values: Any, bounds: tuple[float, float]) -> Interval:
    """Return a mean over matches; without known bounds the interval needs a number of them."""
    array = np.asarray(values, np.float64)
    if bounds == SHARE:
        return Interval(float(array.mean()), *sequences.of_shares(array))
    found = mean_of(array, bounds)
    if found.deals < FEWEST_DEALS:
        return Interval(found.mean, None, None)
    return Interval(found.mean, found.low, found.high)
