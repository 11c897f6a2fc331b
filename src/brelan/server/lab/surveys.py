"""The survey after a match: two questions with fixed answers, once for each person and match."""

from __future__ import annotations

import time
from collections import Counter
from typing import NamedTuple

import sqlalchemy as sa

from brelan.server.lab.messages import LENGTHS, LIKED, SurveyAnswer, SurveyInfo
from brelan.server.messages import Refusal
from brelan.server.storage import Store, surveys, tables
from brelan.server.tables import Table


class Answers(NamedTuple):
    """How many have answered what, of all matches of a variant."""

    answers: int
    liked: list[int]
    length: list[int]


def asked_seat(table: Table, guest: str | None) -> int:
    """Return the seat for which a guest may answer: the first of theirs, on whatever device.

    Of a match that goes on from another one nobody is asked: it was not played from its deal.
    """
    mine = [each["seat"] for each in table.seats if guest and each["guest"] == guest]
    if not mine:
        raise Refusal("not_your_seat", 403)
    if table.beginning is not None:
        raise Refusal("not_asked", 409)
    if not table.is_over:
        raise Refusal("match_not_over", 409)
    return int(mine[0])


class Surveys:
    """The answers that are kept."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def info(self, table: Table, guest: str | None) -> SurveyInfo:
        """Return whether a guest is asked: they sat there, it is over, they have not answered."""
        try:
            seat = asked_seat(table, guest)
        except Refusal:
            return SurveyInfo(False)
        return SurveyInfo(not await self._has_answered(table.id, seat))

    async def answer(self, table: Table, guest: str | None, answer: SurveyAnswer) -> SurveyInfo:
        """Keep what a guest answers; Refusal: they may not, or have answered before."""
        seat = asked_seat(table, guest)
        row = {"table_id": table.id, "seat": seat, "liked": answer.liked, "length": answer.length}
        if not await self.store.insert_new(surveys, row | {"at": time.time()}):
            raise Refusal("already_answered", 409)
        return SurveyInfo(False)

    async def _has_answered(self, table: str, seat: int) -> bool:
        here = (surveys.c.table_id == table) & (surveys.c.seat == seat)
        return await self.store.fetch_one(sa.select(surveys.c.seat).where(here)) is not None

    async def of(self, variant: str, least: int) -> Answers:
        """Return how many have answered what about a variant, the earliest answers.

        They are told by so many at once that nobody can see a single one arrive.
        """
        wanted = sa.select(surveys.c.liked, surveys.c.length).join(
            tables, tables.c.id == surveys.c.table_id
        )
        ordered = wanted.where(tables.c.variant == variant).order_by(
            surveys.c.at, surveys.c.table_id, surveys.c.seat
        )
        rows = await self.store.fetch(ordered)
        told = rows[: len(rows) - len(rows) % least]
        liked, length = Counter(r["liked"] for r in told), Counter(r["length"] for r in told)
        return Answers(
            len(told), [liked[number] for number in LIKED], [length[name] for name in LENGTHS]
        )
