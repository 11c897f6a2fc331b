"""The ledger of an arena: a file with a line for each finished match, from which it resumes."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any, TextIO

from brelan.engine.game import Game
from brelan.errors import Refused
from brelan.lab.arena.matches import MatchRecord
from brelan.lab.arena.standings import Pairing
from brelan.lab.arena.workers import Job


class Ledger:
    """The matches kept in a file, if there is one; what does not belong to the arena is refused."""

    def __init__(
        self, game: Game, bots: list[str], seed: int, path: Path | None, pairings: list[Pairing]
    ) -> None:
        self.game, self.path = game, path
        self.head = {"arena": 2, "variant": game.variant, "bots": bots, "seed": seed}
        self.head["pairings"] = [list(pairing) for pairing in pairings]
        self.rows = list(self._read())
        self._held = {row.key for row in self.rows}
        self._file: TextIO | None = None

    def _read(self) -> Iterable[MatchRecord]:
        if self.path is None or not self.path.exists():
            return
        first, *lines = self.path.read_text(encoding="utf-8").splitlines() or [""]
        head = _parsed(first)
        if head != self.head:
            known = head if isinstance(head, dict) else {}
            other = ", ".join(name for name in self.head if known.get(name) != self.head[name])
            raise Refused(
                f"{self.path} is not kept by this arena: it has another {other}, and begins "
                f"{first[:120]!r}"
            )
        for line in lines:
            row = _parsed(line)
            if row is None:
                return  # cut short when the arena was stopped
            yield MatchRecord(**row)

    def missing(self, job: Job) -> Job:
        """Return what is left to play of a job."""
        seats = range(self.game.players)
        left = (
            deal
            for deal in job.deals
            if not all((deal, job.pairing, seat) in self._held for seat in seats)
        )
        return Job(job.pairing, tuple(left))

    def add(self, rows: Iterable[MatchRecord]) -> None:
        """Write matches down that are not here yet."""
        if self._file is not None:
            new = [row for row in rows if row.key not in self._held]
            self._file.writelines(json.dumps(asdict(row)) + "\n" for row in new)
            self._file.flush()

    def __enter__(self) -> Ledger:
        if self.path is not None:
            self._file = self.path.open("w", encoding="utf-8")
            self._file.write(json.dumps(self.head) + "\n")
            self._file.writelines(json.dumps(asdict(row)) + "\n" for row in self.rows)
            self._file.flush()
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()


def _parsed(line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return None
