"""A rule: an ordinary Python function on a state record, which can be linked and compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

TABLE = 98  # the table has the turn: it deals, reveals, scores
NOBODY = 99  # no seat at all; never -1, which would be the last seat


def rule(function: Function) -> Function:
    """Mark a function as a rule: plain Python here, machine code once it is linked."""
    function.__rule__ = True  # type: ignore[attr-defined]
    return function


def wrapping_rule(function: Function) -> Function:
    """Mark a rule whose words are meant to wrap around, of which Python would warn."""
    function.__wraps__ = True  # type: ignore[attr-defined]
    return rule(function)
