"""Run a study: its jobs are done anywhere, kept in a folder, and summed up."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from brelan.compiler.warmup import Progress
from brelan.lab.study.course import Course
from brelan.lab.study.executors import Executor, Processes
from brelan.lab.study.figures import StudyFigures
from brelan.lab.study.folder import StudyFolder
from brelan.lab.study.plan import Plan
from brelan.lab.study.summary import level_figures


def run(
    plan: Plan,
    path: Path,
    *,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
    command: str = "",
) -> StudyFigures:
    """Do what is left of a study in a folder; return its figures.

    The figures do not depend on where, by how many workers and in which order jobs are done: a
    level is settled by the first batches that are enough, and no other batch counts.
    """
    folder = StudyFolder(path, plan)
    course = Course(folder)
    course.read()
    chosen = executor or Processes(workers or os.cpu_count() or 1)
    with contextlib.closing(chosen.run(plan, course.jobs())) as done:
        for job, tables in done:
            folder.add(job, tables)
            course.note(job)
            if progress is not None:
                progress(*course.reached)
            if course.is_over:
                break
    return figures(folder, command)


def figures(folder: StudyFolder, command: str = "") -> StudyFigures:
    """Return the figures of what a folder keeps."""
    course = Course(folder)
    course.read()
    plan, game = folder.plan, course.game
    texts = {lang: game.folder.texts(lang) for lang in ("fr", "en")}
    return StudyFigures(
        game=game.id,
        names={lang: each("game.name") for lang, each in texts.items()},
        variant=plan.variant,
        rules_version=game.folder.version,
        version=plan.version,
        players=game.players,
        knobs=dict(game.knobs),
        turned={
            name: value
            for name, value in game.knobs.items()
            if name != "players" and value != game.folder.knobs[name].default_for(game.players)
        },
        seed=plan.seed,
        command=command,
        levels=[
            level_figures(folder, game, name, course.counted(name), is_settled=level.is_settled)
            for name, level in course.levels.items()
            if course.counted(name)
        ],
    )
