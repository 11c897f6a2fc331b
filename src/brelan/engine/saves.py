"""Saved matches: as JSON text, and in files."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from brelan.engine.folder import opened
from brelan.engine.game import game
from brelan.engine.match import Match
from brelan.errors import BadSave, Refused
from brelan.games import ids as games

SAVE_FORMAT = 1
LARGEST = 1_000_000  # bytes; a match takes a few thousand


def save(match: Match) -> str:
    """Return the match as JSON text, from which `brelan.load` replays it."""
    if match._set_up:
        raise Refused("a position set up by hand cannot be saved: it was never dealt")
    moves = []
    for ply, shown in enumerate(match._remember(None)[0]):
        if shown.seat is not None:
            moves.append(match._remember(shown.seat)[0][ply].notation)
    content: dict[str, Any] = {
        "brelan": SAVE_FORMAT,
        "game": match.game.id,
        "rules": match.game.folder.version,
        "knobs": match.game.knobs,
        "seed": match.seed,
        "cards": match.cards,
        "moves": moves,
        "resigned": match.resigned,
        "result": match.result,
    }
    content["digest"] = _digest(content)
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in content.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def load(text: str) -> Match:
    """Return a saved match, replayed and verified; a damaged one raises BadSave."""
    try:
        saved = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadSave(f"this is not a saved match: {error}") from None
    try:
        return _replay(saved)
    except BadSave:
        raise
    except (KeyError, TypeError, AttributeError, OverflowError) as error:
        raise BadSave(f"this is not a saved match: {type(error).__name__} {error}") from None
    except ValueError as error:
        raise BadSave(f"this saved match does not replay: {error}") from None


def _replay(saved: Mapping[str, Any]) -> Match:
    if saved["brelan"] is True or saved["brelan"] != SAVE_FORMAT:
        raise BadSave(f"saved in format {saved['brelan']}; this Brelan reads {SAVE_FORMAT}")
    if saved["digest"] != _digest(saved):
        raise BadSave("this saved match was altered: it does not agree with its digest")
    known = [*games(), *opened()]  # a path would import code that the file names
    if saved["game"] not in known:
        raise BadSave(f"unknown game {saved['game']!r}; there are: {', '.join(known)}")
    variant = game(saved["game"], **saved["knobs"])
    if saved["rules"] != variant.folder.version:
        raise BadSave(
            f"played by version {saved['rules']} of the rules of {variant.id}; "
            f"this Brelan has version {variant.folder.version}"
        )
    match = variant.deal(seed=saved["seed"], cards=saved["cards"])
    for move in saved["moves"]:
        match.play(str(move))
    if saved["resigned"] is not None:
        match.resign(saved["resigned"])
    if saved["result"] != (None if match.result is None else list(match.result)):
        raise BadSave("this saved match has another result than its moves lead to")
    return match


def _digest(content: Mapping[str, Any]) -> str:
    """Return a digest of all that a saved match says, by which a change to it is noticed."""
    said = {key: value for key, value in content.items() if key != "digest"}
    text = json.dumps(said, sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


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
