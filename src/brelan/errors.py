"""The exceptions: each message is one line that says what is allowed."""

from __future__ import annotations


class Refused(ValueError):  # noqa: N818 - it is told to people, not a fault of the program
    """Something that is not allowed; the message says what is."""


class IllegalMove(Refused):
    """A move that the rules do not allow now; the match is unchanged."""


class Stopped(Exception):  # noqa: N818 - it is an answer
    """A search that has ended early, since nobody wants its answer any more."""


class BadSave(Refused):
    """A saved match that is damaged, altered, or of other rules."""
