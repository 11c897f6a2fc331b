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
from pathlib import Path
from typing import Literal

from sqlalchemy.engine import make_url

from brelan.engine.game import Game
from brelan.errors import Refused
from brelan.lab import report
from brelan.lab.report.sentences import BOLD, PLAIN
from brelan.lab.study.plan import plan
from brelan.server.identity import new_id
from brelan.server.lab.folder import ASKED, ID, STOP, Asked, Folder, studies
from brelan.server.lab.messages import LabInfo, NewStudy, Status, StudyInfo, StudyTold
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

    async def begin(self, guest: str, wanted: NewStudy, game: Game) -> str:
        """Begin a study; the one that the same guest has running ends before."""
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
            folder = await asyncio.to_thread(self._make, study, guest, wanted, game)
            process = await self._start(folder)
        except BaseException:
            self._taken -= 1
            raise
        self._of[guest] = study
        self._running[study] = asyncio.create_task(self._wait(study, guest, folder, process))
        return study

    def _make(self, study: str, guest: str, wanted: NewStudy, game: Game) -> Folder:
        """Make the folder of a study, and room for it."""
        try:
            asked = plan(game, [wanted.level] if wanted.level else [], SEED)
        except Refused:
            raise Refusal("bad_bot", 422) from None
        (level,), (budget,) = asked.levels, asked.budgets
        usual = {name: knob.default_for(game.players) for name, knob in game.folder.knobs.items()}
        turned = {
            name: value
            for name, value in game.knobs.items()
            if name != "players" and value != usual[name]
        }
        given = "".join(f" --set {name}={value}" for name, value in turned.items())
        players = f"--players {game.players}"
        command = f"brelan lab report {game.id} {players}{given} --level {level} --seed {SEED}"
        self._make_room()
        return Folder.make(
            self.home / study,
            Asked(
                guest=guest,
                game=game.id,
                rules=game.folder.version,
                variant=game.variant,
                players=game.players,
                knobs=dict(game.knobs),
                turned=turned,
                level=level,
                precision=budget.precision,
                seconds=self.settings.lab_seconds,
                bytes=self.settings.lab_megabytes * MEGABYTE,
                patience=PATIENCE,
                plan=asked.as_dict(),
                command=command,
            ),
        )

    def _make_room(self) -> None:
        """Remove the oldest studies, if there are as many as are kept."""
        self.home.mkdir(parents=True, exist_ok=True)
        kept = [each for each in studies(self.home) if each.path.name not in self._running]
        for each in kept[: max(0, len(kept) + 1 - self.settings.lab_kept)]:
            shutil.rmtree(each.path, ignore_errors=True)

    async def _start(self, folder: Folder) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "brelan.server.lab.process", str(folder.path)),
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

    def look(self, study: str, guest: str | None) -> StudyInfo:
        """Return how far a study is. Whoever asks keeps it running."""
        folder = self.folder(study)
        asked, status = folder.asked, folder.status  # before the look: the last one is complete
        if asked is None:
            raise Refusal("no_such_study", 404)
        if status == "running":
            folder.sign(ASKED)
        return StudyInfo(
            study=study,
            game=asked.game,
            rules=asked.rules,
            variant=asked.variant,
            players=asked.players,
            knobs=asked.knobs,
            turned=asked.turned,
            level=asked.level,
            precision=asked.precision,
            most=asked.seconds,
            status=status,
            mine=guest == asked.guest,
            look=folder.look,
        )

    def stop(self, study: str, guest: str | None) -> StudyInfo:
        """Let a study of a guest end with what is known."""
        info = self.look(study, guest)
        if not info.mine:
            raise Refusal("not_your_study", 403)
        if info.status == "running":
            self.folder(study).sign(STOP)
        return info

    def told(self, study: str, lang: str) -> StudyTold:
        """Return what the report of a study says first."""
        figures = self.folder(study).figures
        if figures is None:
            return StudyTold("", [])
        said = report.sentences(figures, lang)
        headline = next((each.headline for each in said if each.headline), "")
        marked = [each.marked.replace(BOLD, "**").replace(PLAIN, "**") for each in said]
        return StudyTold(headline, marked)

    def report(self, study: str, lang: str) -> str:
        """Return the report of a study, as a page; Refusal if nothing is known yet."""
        figures = self.folder(study).figures
        if figures is None:
            raise Refusal("no_figures", 404)
        return report.html(figures, lang)

    async def close(self) -> None:
        """End all studies that run here."""
        tasks = list(self._running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
