"""`brelan verify`: whether an exported match was dealt and played as it says."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

if TYPE_CHECKING:
    from brelan.server.messages import Origin

FAILED = 1  # exit status when a match is not what it says


def verify(
    file: Path,
    /,
    *,
    json_: Annotated[bool, Parameter(name="--json", negative=(), show_default=False)] = False,
) -> int:
    """Check a match that a server exported: its deal, its moves and its result.

    Exit status 1 says that something does not agree.

    Parameters
    ----------
    file
        The exported match.
    json_
        Print what was found as JSON.
    """
    import msgspec

    from brelan.engine.saves import read_file
    from brelan.server.history import verified

    found = verified(read_file(file, "an exported match"))
    if json_:
        text = msgspec.json.format(msgspec.json.encode(found), indent=2).decode()
        sys.stdout.write(f"{text}\n")
    elif not found.verified:
        sys.stdout.write(f"{file}: not verified: {found.why}\n")
    else:
        assert found.names is not None
        assert found.result is not None
        scores = zip(found.names, found.result.scores, strict=True)
        points = ", ".join(f"{name or 'nobody'} {score}" for name, score in scores)
        nonces = ", ".join(f"seat {seat}: {nonce}" for seat, nonce in (found.nonces or {}).items())
        sys.stdout.write(
            f"{file}: verified: {found.variant}, {found.plies} moves; {points} "
            f"({found.result.reason})\n"
            f"commitment before the deal: {found.commitment}\n"
            f"nonces in the luck: {nonces or 'none'}\n"
            f"{_begins(found.origin)}"
        )
    return 0 if found.verified else FAILED


def _begins(origin: Origin | None) -> str:
    """Return what is said of a match that goes on from another one."""
    if origin is None:
        return ""
    cards = "as they lay there" if origin.as_dealt else "drawn again from what that seat knew"
    return (
        f"begins at the decision of seat {origin.seat} at ply {origin.ply} of {origin.table}, "
        f"hidden cards {cards}: not a sealed deal of the house\n"
    )
