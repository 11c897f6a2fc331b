"""The studies of a server: begun in processes of their own, found by their ids, stopped."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import logging
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from sqlalchemy.engine import make_url

from brelan.engine.game import Game
from brelan.errors import Refused
from brelan.lab import compare, report
from brelan.lab.study.plan import plan
from brelan.server.identity import new_id
from brelan.server.lab.folder import ASKED, ID, STOP, Asked, Folder, studies
from brelan.server.lab.messages import (
    ComparisonInfo,
    ComparisonTold,
    LabInfo,
    SideInfo,
    Status,
    StudyInfo,
    StudyTold,
)
from brelan.server.messages import Refusal
from brelan.server.settings import Settings, data_folder

log = logging.getLogger("brelan.lab")
SEED = 1
PATIENCE = 150.0  # seconds without anybody who asks; pages in the background ask once a minute
LEAVING = 15.0  # seconds in which a process that is told to stop has gone
OVERTIME = 60.0  # seconds after its time in which a process has gone, or is killed
MEGABYTE = 1_000_000


def home_of(settings: Settings) -> Path:
    """Return where the studies of a server are kept."""
    if settings.lab_folder:
        return Path(settings.lab_folder)
    url = make_url(settings.database_url)
    is_file = url.drivername.startswith("sqlite") and url.database
    return (Path(str(url.database)).parent if is_file else data_folder()) / "lab"


def is_installed() -> bool:
    """Whether the lab can keep results."""
    return importlib.util.find_spec("polars") is not None


class Studies:
    """The studies that this process of a server has begun, and all that it finds."""

    def __init__(self, settings: Settings) -> None:
        self.settings, self.home = settings, home_of(settings)
        self._running: dict[str, asyncio.Task[None]] = {}
        self._of: dict[str, str] = {}  # the study that runs, by its guest
        self._taken = 0  # places, also of studies that are about to begin

    def info(self) -> LabInfo:
        """Return whether studies may be begun here."""
        places = self.settings.lab_studies
        why: Literal["closed", "not_installed"] | None = None
        if places == 0:
            why = "closed"
        elif not is_installed():
            why = "not_installed"
        return LabInfo(why is None, why, self.settings.lab_seconds, places, self._taken)

    async def begin(self, guest: str, make: Callable[[str], Asked]) -> str:
        """Begin what `make` says is asked for; what the same guest has running ends before."""
        why = self.info().why
        if why is not None:
            raise Refusal("no_lab", 503, why=why)
        before = self._of.get(guest)
        if before is not None and before in self._running:
            self.folder(before).sign(STOP)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(self._running[before]), LEAVING)
        if self._taken >= self.settings.lab_studies:
            raise Refusal("lab_busy", 503, places=self.settings.lab_studies)
        self._taken += 1
        try:
            study = new_id()
            folder = await asyncio.to_thread(self._make, study, make, guest)
            process = await self._start(folder)
        except BaseException:
            self._taken -= 1
            raise
        self._of[guest] = study
        self._running[study] = asyncio.create_task(self._wait(study, guest, folder, process))
        return study

    def _make(self, study: str, make: Callable[[str], Asked], guest: str) -> Folder:
        """Make the folder of a study, and room for it."""
        asked = make(guest)
        self._make_room()
        return Folder.make(self.home / study, asked)

    def study(self, game: Game, level: str | None, guest: str) -> Asked:
        """Return what a study of a variant is; Refusal if nobody plays so."""
        try:
            planned = plan(game, [level] if level else [], SEED)
        except Refused:
            raise Refusal("bad_bot", 422) from None
        (level,), (budget,) = planned.levels, planned.budgets
        side = _side(game, level)
        given = "".join(f" --set {name}={value}" for name, value in side.turned.items())
        players = f"--players {game.players}"
        command = f"brelan lab report {game.id} {players}{given} --level {level} --seed {SEED}"
        return self._asked(guest, game, [side], budget.precision, command, planned.as_dict())

    def comparison(self, a: compare.Side, b: compare.Side, guest: str) -> Asked:
        """Return what a comparison of two sides is."""
        course = compare.Course(a, b, SEED)
        sides = [_side(each.game, each.level) for each in (a, b)]
        command = compare.command_of((a, b), SEED)
        return self._asked(guest, a.game, sides, course.precision, command, None)

    def _asked(
        self,
        guest: str,
        game: Game,
        sides: list[SideInfo],
        precision: float,
        command: str,
        planned: dict[str, Any] | None,
    ) -> Asked:
        return Asked(
            guest=guest,
            game=game.id,
            rules=game.folder.version,
            players=game.players,
            sides=sides,
            seed=SEED,
            precision=precision,
            seconds=self.settings.lab_seconds,
            bytes=self.settings.lab_megabytes * MEGABYTE,
            patience=PATIENCE,
            plan=planned,
            command=command,
        )

    def _make_room(self) -> None:
        """Remove the oldest studies, if there are as many as are kept."""
        self.home.mkdir(parents=True, exist_ok=True)
        kept = [each for each in studies(self.home) if each.path.name not in self._running]
        for each in kept[: max(0, len(kept) + 1 - self.settings.lab_kept)]:
            shutil.rmtree(each.path, ignore_errors=True)

    async def _start(self, folder: Folder) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "brelan.server.lab.process", str(folder.path)),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env={**os.environ, "POLARS_MAX_THREADS": "1", "OMP_NUM_THREADS": "1"},
            start_new_session=True,
            creationflags=getattr(subprocess, "IDLE_PRIORITY_CLASS", 0),
        )

    async def _wait(
        self, study: str, guest: str, folder: Folder, process: asyncio.subprocess.Process
    ) -> None:
        """Wait until a study has ended; kill its process if it outstays its time."""
        said = b""
        end: Status = "killed"  # unless it has noted how it ended
        try:
            most = self.settings.lab_seconds + OVERTIME
            _, said = await asyncio.wait_for(process.communicate(), most)
        except TimeoutError:
            log.warning("the study %s has outstayed its time", study)
        except asyncio.CancelledError:
            end = "shut_down"
            raise
        finally:
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
            self._taken -= 1
            self._running.pop(study, None)
            if self._of.get(guest) == study:
                del self._of[guest]
            folder.end(end)
        if said.strip():
            log.warning("the study %s: %s", study, said.decode(errors="replace").strip()[-2000:])

    def folder(self, study: str) -> Folder:
        """Return the folder of a study; Refusal if there is none."""
        folder = Folder(self.home / study)
        if not ID.fullmatch(study) or not folder.path.is_dir():
            raise Refusal("no_such_study", 404)
        return folder

    def asked(self, study: str, *, compared: bool) -> Asked:
        """Return what a study is, or a comparison; Refusal if there is none such."""
        asked = self.folder(study).asked
        if asked is None or asked.is_comparison != compared:
            raise Refusal("no_such_study", 404)
        return asked

    def look(self, study: str, guest: str | None) -> StudyInfo:
        """Return how far a study is. Whoever asks keeps it running."""
        asked, folder = self.asked(study, compared=False), self.folder(study)
        (side,) = asked.sides
        return StudyInfo(
            study=study,
            game=asked.game,
            rules=asked.rules,
            variant=side.variant,
            players=asked.players,
            knobs=side.knobs,
            turned=side.turned,
            level=side.level,
            precision=asked.precision,
            most=asked.seconds,
            status=_status(folder),  # before the look: the last one is complete
            mine=guest == asked.guest,
            look=folder.look,
        )

    def compared(self, study: str, guest: str | None) -> ComparisonInfo:
        """Return how far a comparison is. Whoever asks keeps it running."""
        asked, folder = self.asked(study, compared=True), self.folder(study)
        a, b = asked.sides
        return ComparisonInfo(
            study=study,
            game=asked.game,
            rules=asked.rules,
            players=asked.players,
            a=a,
            b=b,
            precision=asked.precision,
            most=asked.seconds,
            status=_status(folder),
            mine=guest == asked.guest,
            look=folder.compared,
        )

    def stop(self, study: str, guest: str | None, *, compared: bool) -> None:
        """Let a study of a guest, or a comparison, end with what is known."""
        asked, folder = self.asked(study, compared=compared), self.folder(study)
        if guest != asked.guest:
            raise Refusal("not_your_study", 403)
        if folder.status == "running":
            folder.sign(STOP)

    def told(self, study: str, lang: str) -> StudyTold:
        """Return what the report of a study says first."""
        self.asked(study, compared=False)
        return self.folder(study).told.get(lang, StudyTold("", []))

    def comparison_told(self, study: str, lang: str) -> ComparisonTold:
        """Return what a comparison says first, and how its figures are called."""
        self.asked(study, compared=True)
        return self.folder(study).comparison_told.get(lang, ComparisonTold("", [], {}))

    def report(self, study: str, lang: str) -> str:
        """Return the report of a study, or of a comparison, as a page; Refusal if it is empty."""
        folder = self.folder(study)
        asked = folder.asked
        if asked is None:
            raise Refusal("no_such_study", 404)
        if asked.is_comparison and (found := folder.comparison) is not None:
            return compare.html(found, lang)
        if not asked.is_comparison and (figures := folder.figures) is not None:
            return report.html(figures, lang)
        raise Refusal("no_figures", 404)

    async def close(self) -> None:
        """End all studies that run here."""
        tasks = list(self._running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _side(game: Game, level: str) -> SideInfo:
    usual = {name: knob.default_for(game.players) for name, knob in game.folder.knobs.items()}
    turned = {
        name: value
        for name, value in game.knobs.items()
        if name != "players" and value != usual[name]
    }
    return SideInfo(game.variant, dict(game.knobs), turned, level)


def _status(folder: Folder) -> Status:
    """Return how a study stands; whoever asks keeps it running."""
    status = folder.status
    if status == "running":
        folder.sign(ASKED)
    return status
