"""The file of a search: what was played, a line for each job, so that it goes on after a crash."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from brelan.errors import Refused
from brelan.lab.tune.plan import Job, TunePlan
from brelan.lab.tune.sums import Sums


class Kept:
    """The results of the jobs that are done, in memory and in a file of JSON lines."""

    def __init__(self, plan: TunePlan, file: Path | None) -> None:
        self.plan, self.file = plan, file
        self.done: dict[Job, dict[str, Sums]] = {}
        if file is None:
            return
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            if file.exists():
                self._read(file)
            else:
                self._write(plan.as_dict())
        except OSError as error:
            raise Refused(f"{file} cannot be used: {error.strerror}") from None

    def add(self, job: Job, sums: dict[str, Sums]) -> None:
        """Keep what a job gave."""
        self.done[job] = sums
        if self.file is not None:
            self._write([*job, sums])

    def _write(self, entry: Any) -> None:
        assert self.file is not None
        with self.file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry, ensure_ascii=False) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def _read(self, path: Path) -> None:
        """Read all lines; the last one may have been cut off, and is then taken away."""
        whole, newline, rest = path.read_bytes().rpartition(b"\n")
        lines = whole.split(b"\n") if newline else []
        try:
            if lines and json.loads(lines[0]) != json.loads(json.dumps(self.plan.as_dict())):
                raise Refused(f"{path} is of another search; name another file with --results")
            for line in lines[1:]:
                stage, level, values, batch, sums = json.loads(line)
                job = Job(stage, level, tuple(values), batch)
                self.done[job] = {name: Sums(*each) for name, each in sums.items()}
        except (ValueError, TypeError, AttributeError) as error:
            if isinstance(error, Refused):
                raise
            raise Refused(f"{path} is damaged; remove it, and the search begins anew") from None
        if rest or not lines:
            with path.open("r+b") as file:
                file.truncate(len(whole) + len(newline))
        if not lines:
            self._write(self.plan.as_dict())
