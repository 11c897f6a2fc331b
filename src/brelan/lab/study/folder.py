"""The folder of a study: its plan, and the tables of each job that is done, as Parquet files.

A job's tables appear in its folder all at once: a study that is killed finds whole jobs or none.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from brelan.errors import Refused
from brelan.lab.study.plan import FORMAT, Job, Plan

if TYPE_CHECKING:
    import polars

PLAN = "study.json"


class StudyFolder:
    """A folder that keeps a study; one that keeps another study, or anything else, is refused."""

    def __init__(self, path: Path, plan: Plan) -> None:
        self.path, self.plan = path, plan
        if path.exists() and not path.is_dir():
            raise Refused(f"{path} is a file; a study is kept in a folder")
        if (path / PLAN).exists():
            kept = read_plan(path)
            if kept != plan:
                ours, theirs = plan.as_dict(), kept.as_dict()
                other = ", ".join(name for name in ours if ours[name] != theirs.get(name))
                raise Refused(f"{path} keeps another study: it has another {other}")
        elif path.exists() and any(path.iterdir()):
            raise Refused(f"{path} is not empty, and keeps no study; name another folder")
        else:
            path.mkdir(parents=True, exist_ok=True)
            _write(path / PLAN, (json.dumps(plan.as_dict(), indent=2) + "\n").encode())

    @classmethod
    def open(cls, path: Path) -> StudyFolder:
        """Open the folder of a study that was begun before."""
        return cls(path, read_plan(path))

    def has(self, job: Job) -> bool:
        """Whether a job is done."""
        return self._folder(job).is_dir()

    def add(self, job: Job, tables: dict[str, bytes]) -> None:
        """Keep the tables of a job; if another process was first, they are the same."""
        home = self._folder(job)
        home.parent.mkdir(parents=True, exist_ok=True)
        unfinished = Path(tempfile.mkdtemp(prefix=".", dir=home.parent))
        try:
            for name, content in tables.items():
                _write(unfinished / f"{name}.parquet", content)
            unfinished.chmod(0o755)
            with contextlib.suppress(OSError):  # it is there already
                unfinished.rename(home)
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)

    def table(
        self, level: str, kind: str, name: str, batches: int | None = None
    ) -> polars.DataFrame:
        """Return a table of all jobs of a kind, or of the first ones, in their order.

        It has neither rows nor columns where nothing is kept.
        """
        import polars

        folders = sorted((self.path / _safe(level) / kind).glob("[0-9]*"))[:batches]
        files = [file for folder in folders if (file := folder / f"{name}.parquet").exists()]
        tables = [table for table in map(_read, files) if table.height]
        return polars.concat(tables) if tables else polars.DataFrame()

    def read(self, job: Job, name: str) -> polars.DataFrame:
        """Return one table of a job that is done."""
        return _read(self._folder(job) / f"{name}.parquet")

    def _folder(self, job: Job) -> Path:
        return self.path / _safe(job.level) / job.kind / job.name


def read_plan(path: Path) -> Plan:
    """Return the plan of the study that a folder keeps."""
    if not (path / PLAN).is_file():
        raise Refused(f"{path} keeps no study: there is no {PLAN} in it")
    try:
        plain = json.loads((path / PLAN).read_text(encoding="utf-8"))
        if plain["format"] != FORMAT:
            raise Refused(f"{path / PLAN} has the format {plain['format']}, not {FORMAT}")
        return Plan.from_dict(plain)
    except (ValueError, TypeError, KeyError, AttributeError, OSError) as error:
        if isinstance(error, Refused):
            raise
        raise Refused(f"{path / PLAN} is damaged; begin the study in another folder") from None


def _read(file: Path) -> polars.DataFrame:
    import polars

    try:
        return polars.read_parquet(file)
    except (polars.exceptions.PolarsError, OSError):
        raise Refused(
            f"{file} is damaged; remove the folder {file.parent}, and the same command plays "
            "that part again"
        ) from None


def _safe(level: str) -> str:
    """Return a level as the name of a folder."""
    return level.replace(":", "_").replace("/", "_")


def _write(file: Path, content: bytes) -> None:
    """Write a file that is whole, or not there."""
    handle, name = tempfile.mkstemp(prefix=".", dir=file.parent)
    with os.fdopen(handle, "wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())
    Path(name).chmod(0o644)
    Path(name).replace(file)


__all__: Sequence[str] = ("StudyFolder", "read_plan")
