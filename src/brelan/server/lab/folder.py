"""The folder of a study on a server: what was asked for, what is known, signs between processes.

A comparison has one too. The process of the study writes it and any process of the server reads it,
so that a study is found again after a restart, by whatever process is asked.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from brelan.lab import compare
from brelan.lab.compare import Comparison
from brelan.lab.study.figures import StudyFigures, from_dict
from brelan.server.lab.messages import (
    NO_COMPARISON,
    NO_LOOK,
    ComparisonLook,
    ComparisonTold,
    Look,
    SideInfo,
    Status,
    StudyTold,
)

Kind = TypeVar("Kind")
ID = re.compile(r"[A-Za-z0-9_-]{16}")
BEGUN, LOOK, STATUS = "begun.json", "look.json", "status.json"
FIGURES, TOLD = "figures.json", "told.json"
TABLES = "tables"
STOP, ASKED, ALIVE = "stop", "asked", "alive"  # files that are signs
SILENT = 90.0  # seconds after which a process that gives no sign is believed dead


@dataclass(frozen=True)
class Asked:
    """What a guest has asked for: a study of one side, or a comparison of two."""

    guest: str
    game: str
    rules: int
    players: int
    sides: list[SideInfo]
    seed: int
    precision: float
    seconds: float  # that it may run
    bytes: int  # that its tables may have
    patience: float  # seconds after which nobody is believed to watch
    plan: dict[str, Any] | None  # of a study
    command: str

    @property
    def is_comparison(self) -> bool:
        """Whether two sides are compared."""
        return len(self.sides) > 1


class Folder:
    """The folder of one study."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def make(cls, path: Path, asked: Asked) -> Folder:
        """Make the folder of a study that is about to begin."""
        path.mkdir(parents=True, mode=0o700)
        folder = cls(path)
        folder.sign(ASKED)
        folder.sign(ALIVE)
        folder.write(BEGUN, asked)
        return folder

    @property
    def asked(self) -> Asked | None:
        """What was asked for; None: there is no such study."""
        return self._decoded(BEGUN, Asked)

    @property
    def look(self) -> Look:
        """What was known of a study at the last look."""
        return self._decoded(LOOK, Look) or NO_LOOK

    @property
    def compared(self) -> ComparisonLook:
        """What was known of a comparison at the last look."""
        return self._decoded(LOOK, ComparisonLook) or NO_COMPARISON

    @property
    def told(self) -> dict[str, StudyTold]:
        """What a study said at the last look, by language."""
        return self._decoded(TOLD, dict[str, StudyTold]) or {}

    @property
    def comparison_told(self) -> dict[str, ComparisonTold]:
        """What a comparison said at the last look, by language."""
        return self._decoded(TOLD, dict[str, ComparisonTold]) or {}

    @property
    def status(self) -> Status:
        """How it has ended, or that it runs."""
        plain = self._read(STATUS)
        if plain is not None:
            status: Status = plain["status"]
            return status
        return "running" if self.silence < SILENT else "killed"

    @property
    def figures(self) -> StudyFigures | None:
        """The figures of a study at the last look; None: there are none yet."""
        plain = self._read(FIGURES)
        return None if plain is None else from_dict(plain)

    @property
    def comparison(self) -> Comparison | None:
        """What a comparison had found at the last look; None: nothing yet."""
        plain = self._read(FIGURES)
        return None if plain is None else compare.from_dict(plain)

    @property
    def silence(self) -> float:
        """Seconds since its process has given a sign."""
        return self.since(ALIVE)

    def since(self, sign: str) -> float:
        """Return the seconds since a sign was given."""
        try:
            return time.time() - (self.path / sign).stat().st_mtime
        except OSError:
            return float("inf")

    def sign(self, name: str) -> None:
        """Give a sign to other processes; of a study that is gone, nothing happens."""
        with contextlib.suppress(OSError):
            (self.path / name).touch()

    def end(self, status: Status) -> None:
        """Note how it has ended, if that is not noted; its tables are not needed any more."""
        shutil.rmtree(self.path / TABLES, ignore_errors=True)
        if not (self.path / STATUS).exists():
            self.write(STATUS, {"status": status})

    def write(self, name: str, content: Any) -> None:
        """Write a file as JSON: whole, or not at all."""
        handle, unfinished = tempfile.mkstemp(prefix=".", dir=self.path)
        with os.fdopen(handle, "wb") as stream:
            stream.write(msgspec.json.encode(content))
        Path(unfinished).replace(self.path / name)

    def _decoded(self, name: str, kind: type[Kind]) -> Kind | None:
        """Return what a file holds, of a type; None: there is none such."""
        try:
            return msgspec.json.decode((self.path / name).read_bytes(), type=kind)
        except (OSError, msgspec.MsgspecError):
            return None

    def _read(self, name: str) -> dict[str, Any] | None:
        try:
            found: dict[str, Any] = json.loads((self.path / name).read_bytes())
        except (OSError, ValueError):
            return None
        return found


def studies(home: Path) -> Iterator[Folder]:
    """Yield the studies of a server, the oldest first."""
    found = [each for each in home.glob("*") if ID.fullmatch(each.name)]
    with contextlib.suppress(OSError):  # another process has removed one of them
        for path in sorted(found, key=lambda each: each.stat().st_mtime):
            yield Folder(path)
