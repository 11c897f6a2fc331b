"""Run a search: try variants on some deals, then check the best ones on fresh ones."""

from __future__ import annotations

import importlib.metadata
import os
import threading
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from brelan.compiler.warmup import Progress
from brelan.i18n import LANGUAGES
from brelan.lab.tune.kept import Kept
from brelan.lab.tune.measure import Bench
from brelan.lab.tune.plan import FRESH, SEARCH, Job, TunePlan
from brelan.lab.tune.points import Front, candidates, distances_of, points, undominated
from brelan.lab.tune.search import is_whole, next_generation
from brelan.lab.tune.space import Values
from brelan.lab.tune.sums import Sums, added

Known = dict[Values, dict[str, dict[str, Sums]]]  # by variant, then by level


def tune(
    plan: TunePlan,
    *,
    file: Path | None = None,
    threads: int | None = None,
    command: str = "",
    preparing: Progress | None = None,
    searching: Progress | None = None,
    checking: Progress | None = None,
) -> Front:
    """Search, and check what was found; return the front.

    What is in the file is not played again. Ctrl-C ends it early, with what is known by then: if
    no variant was checked on fresh deals, with the figures of the search, and the front says so.
    """
    kept = Kept(plan, file)
    runner = _Runner(plan, kept, threads or os.cpu_count() or 1)
    Bench(plan).prepare(preparing)
    is_stopped, tried = False, {}
    try:
        tried = runner.search(searching)
        chosen = [plan.space.original, *candidates(plan, tried)]
        runner.check(chosen, checking)
    except KeyboardInterrupt:
        is_stopped = True
        tried = runner.tried()
        if plan.space.original not in tried:
            raise
        chosen = [plan.space.original, *candidates(plan, tried)]
    known = runner.known(FRESH, chosen, plan.levels)
    is_fresh = len(known) > 1 or not is_stopped
    levels = list(plan.levels) if is_fresh else [plan.level]
    if not is_fresh:
        known = runner.known(SEARCH, chosen, levels)
    return _front(plan, known, levels, len(tried), is_fresh, is_stopped, command, str(file or ""))


class _Runner:
    """Does jobs in threads: machine code does not hold Python's lock."""

    def __init__(self, plan: TunePlan, kept: Kept, threads: int) -> None:
        self.plan, self.kept, self.threads = plan, kept, threads
        self._own = threading.local()

    def search(self, progress: Progress | None) -> dict[Values, tuple[float, ...]]:
        """Try variants, by generations; return how far each is from each objective."""
        tried: dict[Values, tuple[float, ...]] = {}
        plan, parts = self.plan, len(self.plan.jobs(SEARCH, self.plan.level, ()))
        total = min(plan.trials, plan.space.size) if is_whole(plan) else plan.trials
        while generation := next_generation(plan, list(tried.items())):
            if is_whole(plan):
                total = len(generation)
            jobs = [job for values in generation for job in self._search_jobs(values)]
            self._run(jobs, progress, len(tried) * parts, total * parts)
            tried |= {values: self._distances(values) for values in generation}
        return tried

    def check(self, chosen: list[Values], progress: Progress | None) -> None:
        """Play variants on fresh deals; all of them advance together."""
        for level in self.plan.levels:
            by_variant = [self.plan.jobs(FRESH, level, values) for values in chosen]
            jobs = [job for batch in zip(*by_variant, strict=True) for job in batch]
            self._run(jobs, progress, 0, len(jobs))

    def tried(self) -> dict[Values, tuple[float, ...]]:
        """Return the variants that were tried as a whole, in no matter which generation."""
        found = dict.fromkeys(job.values for job in self.kept.done if job.stage == SEARCH)
        whole = (v for v in found if all(job in self.kept.done for job in self._search_jobs(v)))
        return {values: self._distances(values) for values in whole}

    def known(self, stage: str, chosen: Iterable[Values], levels: Iterable[str]) -> Known:
        """Return the sums of variants that have something at every level."""
        found: Known = {}
        for values in chosen:
            by_level = {level: self._sums(stage, level, values) for level in levels}
            if all(by_level.values()):
                found[values] = by_level
        return found

    def _search_jobs(self, values: Values) -> list[Job]:
        return self.plan.jobs(SEARCH, self.plan.level, values)

    def _distances(self, values: Values) -> tuple[float, ...]:
        return distances_of(self.plan, values, self._sums(SEARCH, self.plan.level, values))

    def _sums(self, stage: str, level: str, values: Values) -> dict[str, Sums]:
        jobs = self.plan.jobs(stage, level, values)
        return added(self.kept.done[job] for job in jobs if job in self.kept.done)

    def _run(self, jobs: list[Job], progress: Progress | None, before: int, total: int) -> None:
        left = [job for job in jobs if job not in self.kept.done]
        done = before + len(jobs) - len(left)
        if progress is not None:
            progress(done, total)
        pool = ThreadPoolExecutor(self.threads)
        try:
            waiting = {pool.submit(self._work, job): job for job in left}
            for future in as_completed(waiting):
                self.kept.add(waiting[future], future.result())
                done += 1
                if progress is not None:
                    progress(done, total)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)

    def _work(self, job: Job) -> dict[str, Sums]:
        if not hasattr(self._own, "bench"):
            self._own.bench = Bench(self.plan)
        found: dict[str, Sums] = self._own.bench.work(job)
        return found


def _front(
    plan: TunePlan,
    known: Known,
    levels: list[str],
    tried: int,
    is_fresh: bool,
    is_stopped: bool,
    command: str,
    file: str,
) -> Front:
    game = plan.space.base
    distances = {
        values: tuple(d for level in levels for d in distances_of(plan, values, by_level[level]))
        for values, by_level in known.items()
    }
    standing = {plan.space.original, *undominated(distances)}
    found, claims = points(plan, levels, known, standing)
    return Front(
        game=game.id,
        names={lang: game.folder.texts(lang)("game.name") for lang in LANGUAGES},
        players=game.players,
        variant=game.variant,
        over={name: list(values) for name, values in plan.space.choices},
        objectives=list(plan.objectives),
        levels=levels,
        size=plan.space.size,
        tried=tried,
        fallen=len(known) - len(found),
        claims=claims,
        is_fresh=is_fresh,
        is_stopped=is_stopped,
        seed=plan.seed,
        version=importlib.metadata.version("brelan"),
        rules_version=game.folder.version,
        command=command,
        file=file,
        points=found,
    )
