"""Saved matches in files."""

from __future__ import annotations

import os
from pathlib import Path

from brelan.errors import BadSave, Refused
from brelan.table import Match, load

LARGEST = 1_000_000  # bytes; a match takes a few thousand


def read_match(file: Path) -> Match:
    """Return the match that a file holds, replayed and verified."""
    try:
        with file.expanduser().open("rb") as source:
            content = source.read(LARGEST + 1)
    except (OSError, RuntimeError) as error:  # RuntimeError: no such user's home
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise Refused(f"cannot read {file}: {why}; name a saved match") from None
    if len(content) > LARGEST:
        raise BadSave(f"{file}: this is not a saved match: it is longer than {LARGEST} bytes")
    try:
        return load(content.decode())
    except UnicodeDecodeError:
        raise BadSave(f"{file}: this is not a saved match: it is not text") from None
    except BadSave as error:
        raise BadSave(f"{file}: {error}") from None


def claim(file: Path) -> Path:
    """Return a file that a match may be saved in; one that holds something is refused."""
    try:
        file = file.expanduser()
        file.stat()
    except FileNotFoundError:
        return file
    except (OSError, RuntimeError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise Refused(f"cannot save in {file}: {why}; name a file to save in") from None
    if file.exists() and not file.is_file():
        raise Refused(f"cannot save in {file}: it is not a file; name a file to save in")
    if file.exists() and file.stat().st_size:
        raise Refused(f"{file} exists: name a new file, or go on with it by --resume {file}")
    return file


def keep(match: Match, file: Path) -> None:
    """Save a match in a file, whole or not at all."""
    place = file.resolve()
    part = place.with_name(f"{place.name}.part")
    try:
        part.write_text(match.save(), encoding="utf-8")
        os.replace(part, place)  # noqa: PTH105 - it is one step, so the file is never half written
    except OSError as error:
        raise Refused(f"cannot save in {file}: {error.strerror}") from None
