"""Warming up: machine code is made, or loaded, before it is needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from brelan.compiler.library import Function, MachineCode

Progress = Callable[[int, int], None]  # called with how much is done, and of how much
Call = tuple[Function, tuple[Any, ...]]  # a rule of a library, and arguments such as it will get


def warm_up(calls: Iterable[Call], progress: Progress | None = None) -> None:
    """Make the machine code of some calls ready; the rules are not run."""
    waiting = list(calls)
    for done, (rule, arguments) in enumerate(waiting):
        if progress is not None:
            progress(done, len(waiting))
        if isinstance(rule, MachineCode):
            rule.prepare(*arguments)
    if progress is not None:
        progress(len(waiting), len(waiting))
