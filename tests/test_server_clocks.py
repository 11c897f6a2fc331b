"""Clocks: what is left to each seat, by the times of events alone."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from brelan.server import upkeep
from brelan.server.app import make_app
from brelan.server.clocks import Timer
from brelan.server.database import open_store
from brelan.server.house import House
from brelan.server.identity import Signer
from brelan.server.messages import Clock, NewTable, Options, Refusal, Sitting
from brelan.server.settings import Settings
from brelan.server.storage import Event
from brelan.server.storage import tables as stored
from brelan.server.tables import Table

DAY = 24 * 3600.0


def left(timer: Timer, now: float) -> tuple[list[int], int | None]:
    shown = timer.shown(now)
    assert shown is not None
    return shown.left, shown.running


def test_without_a_clock_nothing_is_told() -> None:
    timer = Timer(Clock(), 2, 0)
    timer.run(0, 0)
    timer.run(1, 1e9)
    assert (timer.deadline(), timer.shown(2e9)) == (None, None)


def test_a_clock_per_move_begins_anew_with_each() -> None:
    timer = Timer(Clock("per_move", 3 * DAY), 2, 100)
    timer.run(0, 100)
    assert timer.deadline() == 100 + 3 * DAY
    assert left(timer, 100 + DAY) == ([round(2000 * DAY), round(3000 * DAY)], 0)
    timer.run(1, 100 + DAY)
    assert timer.deadline() == 100 + 4 * DAY
    assert left(timer, 100 + 9 * DAY) == ([round(3000 * DAY), 0], 1)


def test_a_total_clock_adds_an_increment_to_each_move() -> None:
    timer = Timer(Clock("total", 60, 5), 3, 0)
    timer.run(2, 0)
    timer.run(0, 20)
    assert left(timer, 30) == ([50_000, 60_000, 45_000], 0)
    timer.run(0, 30)  # the same seat again
    assert left(timer, 31) == ([54_000, 60_000, 45_000], 0)
    assert timer.deadline() == 85
    timer.run(None, 40)  # a bot, or the end
    assert (timer.deadline(), left(timer, 1000)) == (None, ([50_000, 60_000, 45_000], None))


def test_a_clock_does_not_run_backwards() -> None:
    """The clocks of two processes may differ."""
    timer = Timer(Clock("total", 60), 2, 0)
    timer.run(0, 50)
    timer.run(1, 45)
    assert left(timer, 44) == ([60_000, 60_000], 1)


@pytest.mark.parametrize("kind", ["per_move", "total"])
def test_a_move_taken_back_has_cost_its_time(kind: Any) -> None:
    timer = Timer(Clock(kind, 60, 10 if kind == "total" else 0), 2, 0)
    timer.run(0, 0)
    timer.run(1, 25)
    timer.take_back(0, 55)  # the others have thought for 30 seconds about it
    assert left(timer, 55) == ([35_000, 60_000], 0)
    assert timer.deadline() == 90
    timer.run(1, 65)
    mine = 60_000 if kind == "per_move" else 35_000  # 35 seconds were spent, 10 are added
    assert left(timer, 65) == ([mine, 60_000], 1)
    timer.take_back(0, 70)
    timer.take_back(0, 70) if timer._turns[-1].seat == 0 else None
    assert left(timer, 70)[0][0] == 25_000


# ---------------------------------------------------------------- at tables


class Clockwork:
    """A house whose time the test turns."""

    def __init__(self, house: House) -> None:
        self.house, self.time = house, 5_000_000.0
        house.now = lambda: self.time  # type: ignore[method-assign]

    async def open(self, clock: Clock, seats: str = "mm", **options: Any) -> Table:
        kinds = {"m": Sitting("me"), "r": Sitting("bot", "random")}
        wanted = NewTable(
            "love-letter", [kinds[each] for each in seats], options=Options(clock, **options)
        )
        name, _ = await self.house.open("guest", "Ana", wanted)
        return await self.house.table(name)

    async def move(self, table: Table) -> int:
        assert table.match is not None
        turn = table.match.turn
        assert turn is not None
        await table.move(turn, table.ply, table.match.legal_numbers()[0])
        return turn

    async def again(self, table: Table) -> Table:
        table.close()
        self.house._tables.pop(table.id, None)
        return await self.house.table(table.id)


def at(path: Path, test: Any) -> None:
    async def run() -> None:
        settings = Settings(database=f"sqlite:///{path / 'x.db'}")
        store, keys = await open_store(settings)
        house: House = make_app(settings, Signer(keys), store).state.house
        try:
            async with asyncio.timeout(30):
                await test(Clockwork(house))
        finally:
            await house.close()

    asyncio.run(run())


def test_clocks_are_the_same_after_a_restart(tmp_path: Path) -> None:
    async def test(work: Clockwork) -> None:
        table = await work.open(Clock("total", 300, 2))
        for seconds in (10, 3, 40, 8):
            work.time += seconds
            await work.move(table)
        work.time += 7
        shown = table._clocks(0)
        assert shown == table._clocks(1) == table._clocks(None)
        assert shown.running == table.match.turn  # type: ignore[union-attr]
        assert sum(shown.left) == 1000 * (2 * 300 + 4 * 2 - 61 - 7)
        assert (await work.again(table))._clocks(0) == shown

    at(tmp_path, test)


def test_who_runs_out_of_time_loses(tmp_path: Path) -> None:
    async def test(work: Clockwork) -> None:
        table = await work.open(Clock("per_move", 60))
        await work.move(table)
        late = table.match.turn  # type: ignore[union-attr]  # the mover, where a round just ended
        work.time += 59
        await table.attendant.run_out()
        assert not table.is_over
        work.time += 2
        with pytest.raises(Refusal) as refused:
            await work.move(table)
        assert refused.value.code == "too_late"
        await table.attendant.run_out()
        assert table.log[-1].kind == "timeout"
        for each in (table, await work.again(table)):
            assert each.match is not None
            assert each.match.result is not None
            assert each.match.result.reason == "timeout"
            assert each.match.result.winners == [1 - (late or 0)]

    at(tmp_path, test)


def test_no_clock_runs_for_bots(tmp_path: Path) -> None:
    async def test(work: Clockwork) -> None:
        table = await work.open(Clock("total", 60), "mr")
        while table.match is not None and table.match.turn != 0:
            assert table._clocks(None).running is None
            assert not table.has_clock
            await asyncio.sleep(0.01)
        assert table._clocks(None).running == 0
        work.time += 5
        assert table._clocks(None).left == [55_000, 60_000]

    at(tmp_path, test)


def test_a_bot_takes_over_and_its_clock_stands(tmp_path: Path) -> None:
    async def test(work: Clockwork) -> None:
        table = await work.open(Clock("total", 60), takeover="random")
        gone = table.match.turn  # type: ignore[union-attr]
        assert gone is not None
        work.time += 61
        await table.attendant.run_out()
        await table.attendant.run_out()  # it is known already
        assert [event.kind for event in table.log][:1] == ["takeover"]
        while table.match is not None and table.match.turn == gone:
            await asyncio.sleep(0.01)
        table.close()
        assert table.seats[gone]["kind"] == "bot"
        shown = table._clocks(0)
        loaded = await work.again(table)
        assert loaded._clocks(0) == shown
        assert shown.left[gone] == 0

    at(tmp_path, test)


def test_a_takeover_that_was_only_logged_counts(tmp_path: Path) -> None:
    """The log says who sits there: a process may die before it notes it anywhere else."""

    async def test(work: Clockwork) -> None:
        table = await work.open(Clock("per_move", 60), takeover="random")
        gone = table.match.turn  # type: ignore[union-attr]
        assert gone is not None
        await work.house.store.append(Event(table.id, 0, "takeover", gone, None, work.time + 60))
        loaded = await work.again(table)
        await work.house.refresh(loaded)
        assert loaded.seats[gone]["kind"] == "bot"

    at(tmp_path, test)


def test_clocks_at_tables_that_nobody_looks_at_run_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(work: Clockwork) -> None:
        house = work.house
        monkeypatch.setattr(upkeep, "IDLE", 0.0)
        monkeypatch.setattr(upkeep, "PAGE", 2)
        many = [await work.open(Clock("per_move", 60)) for _ in range(5)]
        plain = await work.open(Clock())
        for table in (*many, plain):
            table.touched -= 1
        await house.upkeep.drop_idle()
        assert (house.loaded, house.upkeep.timed) == (0, 5)
        await house.upkeep.watch_clocks()
        assert house.loaded == 0  # their deadlines are known
        mover = many[0].match.turn  # type: ignore[union-attr]
        number = many[0].match.legal_numbers()[0]  # type: ignore[union-attr]
        await house.store.append(Event(many[0].id, 0, "move", mover or 0, number, work.time + 50))
        await house.upkeep.watch_clocks()  # another process has gone on: it is looked at again
        assert list(house._tables) == [many[0].id]
        work.time += 61
        await house.upkeep.watch_clocks()
        while sum(table.is_over for table in house._tables.values()) < 4:
            await asyncio.sleep(0.02)
        assert not house._tables[many[0].id].is_over
        ended = sa.select(stored.c.id).where(stored.c.status == "over")
        while len(await house.store.fetch(ended)) < 4:
            await asyncio.sleep(0.02)
        assert plain.id not in house._tables
        fresh = House(house.settings, house.store)  # a process that has just started
        fresh.now = house.now  # type: ignore[method-assign]
        await fresh.upkeep.watch_clocks()
        assert list(fresh._tables) == [many[0].id]
        fresh._tables[many[0].id].close()
        fresh.thinkers.close()

    at(tmp_path, test)


def test_a_damaged_table_does_not_stop_the_watch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(work: Clockwork) -> None:
        house = work.house
        tables = [await work.open(Clock("per_move", 60)) for _ in range(3)]
        for table in tables:
            table.close()
        house._tables.clear()
        load = house._load

        async def damaged(name: str) -> Table:
            if name == tables[1].id:
                raise Refusal("other_rules", 410)
            return await load(name)

        monkeypatch.setattr(house, "_load", damaged)
        await house.upkeep.watch_clocks()
        await house.upkeep.watch_clocks()
        assert set(house._tables) == {tables[0].id, tables[2].id}

    at(tmp_path, test)
