"""The process of a study: it plays at the lowest priority, within its budget, and is watched.

`python -m brelan.server.lab.process FOLDER` does what `begun.json` of the folder asks for. It ends
when the figures are settled, when its time or its disk is used up, when it is told to stop, when
nobody has watched it for a while, and when the server that started it is gone.
"""

from __future__ import annotations

import itertools
import os
import sys
import threading
import time
from collections import defaultdict, deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from brelan.engine.folder import open_folder
from brelan.engine.game import Game
from brelan.lab import compare
from brelan.lab.study.course import Course
from brelan.lab.study.figures import Figure, LevelFigures
from brelan.lab.study.folder import StudyFolder
from brelan.lab.study.plan import Job, Plan
from brelan.lab.study.run import figures
from brelan.lab.study.worker import work
from brelan.server.lab.folder import (
    ALIVE,
    ASKED,
    FIGURES,
    LOOK,
    STOP,
    TABLES,
    TOLD,
    Asked,
    Folder,
)
from brelan.server.lab.messages import (
    NO_COMPARISON,
    NO_LOOK,
    ChangeLook,
    ComparisonLook,
    DuelLook,
    Interval,
    Look,
    Status,
)
from brelan.server.lab.telling import comparison_told, told

NICE = 19
TICK = 0.25  # seconds between two looks at the signs
GRACE = 8.0  # seconds in which what is being played may come to its end
OFTEN = 0.7  # seconds between two looks at the figures, at least
LOOKING = 6  # so many times as long as a look takes lies between two


class Watch(threading.Thread):
    """Gives signs of life, and sees when the study must end."""

    def __init__(self, folder: Folder, asked: Asked) -> None:
        super().__init__(daemon=True)
        self.folder, self.asked = folder, asked
        self.ending: Status | None = None
        self.bytes = 0  # that the tables have
        self._begun, self._server = time.monotonic(), os.getppid()

    @property
    def seconds(self) -> float:
        """How long the study runs."""
        return time.monotonic() - self._begun

    def run(self) -> None:
        """Watch until the process ends; end it where its work does not."""
        late: float | None = None
        while True:
            self.folder.sign(ALIVE)
            if self.ending is None:
                self.ending = self._why()
            elif late is None:
                late = time.monotonic() + GRACE
            elif time.monotonic() > late:
                self.folder.end(self.ending)
                os._exit(0)
            time.sleep(TICK)

    def _why(self) -> Status | None:
        if (self.folder.path / STOP).exists():
            return "stopped"
        if os.getppid() != self._server:
            return "shut_down"
        if self.seconds > self.asked.seconds:
            return "time"
        if self.bytes > self.asked.bytes:
            return "disk"
        if self.folder.since(ASKED) > self.asked.patience:
            return "abandoned"
        return None


class Known(NamedTuple):
    """What is known at a look."""

    look: Look | ComparisonLook
    figures: Any = None  # all of them, as plain data; None: there are none yet
    told: Any = None  # what they say first, by language


class Eye:
    """Writes what is known, as often as that is worth its time."""

    def __init__(self, watch: Watch) -> None:
        self.watch = watch
        self.number, self._next = 0, 0.0

    def look(self, *, is_last: bool = False) -> None:
        """Look at the figures, if the last look was long enough ago."""
        begun = time.monotonic()
        if begun < self._next and not is_last:
            return
        self.number += 1
        known = self.known()
        if known.figures is not None:
            self.watch.folder.write(FIGURES, known.figures)
            self.watch.folder.write(TOLD, known.told)
        self.watch.folder.write(LOOK, known.look)
        now = time.monotonic()
        self._next = now + max(OFTEN, LOOKING * (now - begun))

    def known(self) -> Known:
        """Return what is known."""
        raise NotImplementedError


class StudyEye(Eye):
    """What is known of a study."""

    def __init__(self, watch: Watch, tables: StudyFolder, course: Course) -> None:
        super().__init__(watch)
        self.tables, self.course = tables, course

    def known(self) -> Known:
        """Return the figures of the study."""
        found = figures(self.tables, self.watch.asked.command)
        if not found.levels:
            return Known(self._look(None))
        return Known(self._look(found.levels[0]), found.as_dict(), told(found))

    def _look(self, level: LevelFigures | None) -> Look:
        done, total = self.course.reached
        seconds = self.watch.seconds
        if level is None:
            return msgspec.structs.replace(
                NO_LOOK, number=self.number, done=done, total=total, seconds=seconds
            )
        skill = level.choices.skill
        return Look(
            self.number,
            done,
            total,
            seconds,
            level.matches,
            [_interval(each.wins) for each in level.fairness.seats],
            [_interval(each.wins) for each in level.fairness.order],
            _interval(level.fairness.ties),
            _interval(level.length.minutes),
            _interval(level.length.decisions),
            _interval(level.choices.forced),
            _interval(skill.luck_share) if skill is not None and skill.luck_share.deals else None,
            _interval(level.scores.mean),
            _interval(level.scores.lead),
        )


class ComparisonEye(Eye):
    """What is known of a comparison."""

    def __init__(self, watch: Watch, course: compare.Course) -> None:
        super().__init__(watch)
        self.course = course

    def known(self) -> Known:
        """Return what has changed."""
        course, seconds = self.course, self.watch.seconds
        if not course.deals:
            none = msgspec.structs.replace(NO_COMPARISON, number=self.number, seconds=seconds)
            return Known(none)
        found = course.comparison(self.watch.asked.command)
        duel = found.duel
        look = ComparisonLook(
            number=self.number,
            done=course.deals,
            total=course.expected,
            seconds=seconds,
            matches=found.matches,
            changes=[_change(each) for each in found.changes],
            duel=None if duel is None else DuelLook(_interval(duel.wins), duel.is_significant),
        )
        return Known(look, found.as_dict(), comparison_told(found))


def in_turn(course: Course) -> Iterator[Job]:
    """Yield what is to be done: matches and each other kind of job in turn, so that all settle."""
    jobs = course.jobs()
    others: dict[str, deque[Job]] = defaultdict(deque)
    for job in itertools.islice(jobs, len(course.left)):  # those whose number is known come first
        others[job.kind].append(job)
    while True:
        played = next(jobs, None)
        if played is not None:
            yield played
        for line in others.values():
            if line:
                yield line.popleft()
        if played is None and not any(others.values()):
            return


def run(folder: Folder) -> None:
    """Play the study or the comparison of a folder until it ends."""
    asked = folder.asked
    if asked is None:
        return
    watch = Watch(folder, asked)
    watch.start()
    folder.end(_compare(watch) if asked.plan is None else _study(watch, asked.plan))


def _study(watch: Watch, planned: dict[str, Any]) -> Status:
    """Play a study; return how it has ended."""
    plan = Plan.from_dict(planned)
    tables = StudyFolder(watch.folder.path / TABLES, plan)
    course = Course(tables)
    eye = StudyEye(watch, tables, course)
    for job in in_turn(course):
        if watch.ending is not None:
            break
        done = work(plan, job)
        tables.add(job, done)
        watch.bytes += sum(len(content) for content in done.values())
        course.note(job)
        if course.is_over:
            break
        eye.look()
    eye.look(is_last=True)
    return watch.ending or "settled"


def _compare(watch: Watch) -> Status:
    """Play a comparison; return how it has ended."""
    asked, folder = watch.asked, open_folder(watch.asked.game)
    a, b = (compare.Side(Game(folder, folder.knobs.settle(e.knobs)), e.level) for e in asked.sides)
    course = compare.Course(a, b, asked.seed, asked.precision)
    table, eye = compare.Table(a, b, asked.seed), ComparisonEye(watch, course)
    for deals in course.batches:
        if watch.ending is not None:
            break
        course.add(table.play(deals))
        if course.is_over:
            break
        eye.look()
    eye.look(is_last=True)
    return watch.ending or ("settled" if course.is_settled else "all_played")


def main(path: str) -> None:
    """Run the study of a folder at the lowest priority; a fault is noted, and told on stderr."""
    folder = Folder(Path(path))
    if hasattr(os, "nice"):
        os.nice(NICE)
    try:
        run(folder)
    except BaseException:
        folder.end("failed")
        raise


def _interval(figure: Figure) -> Interval:
    return Interval(figure.mean, figure.low, figure.high)


def _change(change: compare.Change) -> ChangeLook:
    return ChangeLook(
        key=change.key,
        number=change.number,
        share=change.is_share,
        sure=change.is_significant,
        fairer=change.is_fairer,
        a=change.a.mean,
        b=change.b.mean,
        difference=_interval(change.difference),
    )


if __name__ == "__main__":
    main(sys.argv[1])
