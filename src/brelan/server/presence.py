"""Presence: at which seats somebody listens, in this process or in another one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from brelan.server.house import House


class Presence:
    """What the processes of a server tell each other of the sockets at their tables."""

    def __init__(self, house: House) -> None:
        self.house = house
        self._present: dict[str, dict[str, set[int]]] = {}  # by table and process

    def hear(self, name: str, kind: str, said: str) -> None:
        """Another process says which seats have sockets there, has just come, or is gone."""
        process, _, listed = said.partition(":")
        if kind == "hello":
            self.house.spawn(self._tell_all())
            return
        changed = [name] if kind == "seats" else list(self._present)
        for each in changed:
            known = self._present.setdefault(each, {})
            if kind == "seats" and listed:
                known[process] = {int(seat) for seat in listed.split(".")}
            elif process:
                known.pop(process, None)
            else:
                known.clear()
            if not known:
                del self._present[each]
            if (table := self.house.table_here(each)) is not None:
                table.note_presence()

    async def _tell_all(self) -> None:
        """Tell other processes at which seats somebody listens here."""
        for table in self.house.tables_here():
            if here := table.seats_here():
                await self._tell(table.id, here)

    def tell(self, table: str, seats: Iterable[int]) -> None:
        """Tell other processes, soon, which seats of a table have sockets here."""
        if not self.house.bus.is_alone and not self.house.is_closing:
            self.house.spawn(self._tell(table, seats))

    async def _tell(self, table: str, seats: Iterable[int]) -> None:
        bus, listed = self.house.bus, ".".join(map(str, sorted(seats)))
        await bus.tell(table, f"seats:{bus.me}:{listed}")

    def elsewhere(self, table: str) -> set[int]:
        """Return the seats of a table that have sockets in other processes."""
        return set().union(*self._present.get(table, {}).values())
