"""What seats ask each other for: a move taken back, a draw. All other people must agree."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec

from brelan.server.messages import Asked, AskedKind, Refusal
from brelan.server.storage import Event
from brelan.server.takebacks import MOST, reveals, standing

if TYPE_CHECKING:
    from brelan.server.tables import Table


class Questions:
    """What one seat of a table asks the others for, and who has agreed."""

    __slots__ = ("_has_asked", "asked", "table")

    def __init__(self, table: Table) -> None:
        self.table = table
        self.asked: Asked | None = None  # what is asked for now
        self._has_asked: set[tuple[int, str]] = set()  # since the latest move

    def apply(self, event: Event) -> None:
        """Let an event ask something, answer what is asked, or end it."""
        if event.kind in ("asked", "offered"):
            kind: AskedKind = "takeback" if event.kind == "asked" else "draw"
            self.asked = Asked(kind, event.seat, [])
            self._has_asked.add((event.seat, kind))
        elif event.kind == "agreed":
            if self.asked is not None:
                agreed = [*self.asked.agreed, event.seat]
                self.asked = msgspec.structs.replace(self.asked, agreed=agreed)
        else:
            self.asked = None
            if event.kind != "refused":
                self._has_asked.clear()

    async def take_back(self, seat: int, ply: int) -> None:
        """Take a seat's latest move back, or ask the other people whether it may be."""
        async with self.table.lock:
            match = self.table.playing(seat)
            if ply != self.table.ply:
                raise Refusal("behind", 409, ply=self.table.ply)
            left = standing(self.table.log)
            if not left or left[-1].kind != "move" or left[-1].seat != seat:
                raise Refusal("no_takeback", 409, why="not_your_move")
            if sum(event.kind == "takeback" for event in self.table.log) >= MOST:
                raise Refusal("no_takeback", 409, why="too_many")
            moved = match.transitions(self.table.begins[left[-1].ply])
            match.release()
            if len(moved) != 1 or await asyncio.to_thread(reveals, self.table.game, moved[0]):
                raise Refusal("no_takeback", 409, why="revealed")
            await self._ask(seat, "takeback", "asked")

    async def offer_draw(self, seat: int, ply: int) -> None:
        """Offer the other people a draw; bots play on."""
        async with self.table.lock:
            self.table.playing(seat)
            if not getattr(self.table.game.folder.rules, "DRAWS_BY_AGREEMENT", False):
                raise Refusal("no_draws", 409)
            if ply != self.table.ply:
                raise Refusal("behind", 409, ply=self.table.ply)
            if any(each["kind"] == "bot" for each in self.table.seats):
                raise Refusal("bots_play_on", 409)
            await self._ask(seat, "draw", "offered")

    async def answer(self, seat: int, ply: int, *, agrees: bool) -> None:
        """Agree to what is asked, or refuse it. When all people have agreed, it happens."""
        async with self.table.lock:
            self.table.playing(seat)
            if ply != self.table.ply:
                raise Refusal("behind", 409, ply=self.table.ply)
            if self.asked is None or seat not in self._silent(self.asked):
                raise Refusal("nothing_asked", 409)
            if not agrees:
                await self.table.add(self.table.event("refused", seat))
            elif len(self._silent(self.asked)) > 1:
                await self.table.add(self.table.event("agreed", seat))
            else:
                await self.table.add(self.table.event(self.asked.kind, self.asked.seat))

    async def _ask(self, seat: int, kind: AskedKind, event: str) -> None:
        """Ask all other people; if there are none, it happens at once."""
        if self.asked is not None or (seat, kind) in self._has_asked:
            raise Refusal("already_asked", 409)
        others = self._silent(Asked(kind, seat, []))
        await self.table.add(self.table.event(event if others else kind, seat))

    def _silent(self, asked: Asked) -> list[int]:
        """Return the seats of people who have yet to answer; who asks sits at them or not."""
        asker = self.table.seats[asked.seat]["guest"]
        return [
            seat["seat"]
            for seat in self.table.seats
            if seat["kind"] == "guest" and seat["guest"] != asker
            if seat["seat"] not in asked.agreed
        ]
