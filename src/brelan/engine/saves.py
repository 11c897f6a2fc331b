"""Saved matches: as JSON text, and in files."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from brelan.engine.folder import open_folder, opened
from brelan.engine.game import Game
from brelan.engine.match import Match
from brelan.errors import BadSave, Refused
from brelan.games import ids as games

SAVE_FORMAT = 1
LARGEST = 1_000_000  # bytes; a match takes a few thousand


class Saved(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """What a saved match says. `bots` are the names of those at the other seats, if it was kept."""

    brelan: int
    game: str
    rules: int
    knobs: dict[str, int | str]
    seed: int | str
    cards: list[int | str] | None
    moves: list[str]
    resigned: int | None
    result: tuple[list[int], list[int], str] | None
    bots: dict[str, str] | msgspec.UnsetType = msgspec.UNSET
    digest: str

    @property
    def content(self) -> dict[str, Any]:
        """All it says but its digest."""
        content = msgspec.to_builtins(self)
        del content["digest"]
        return dict(content)

    def digest_of_content(self) -> str:
        """Return the digest of all it says, by which a change to it is noticed."""
        text = json.dumps(self.content, sort_keys=True)
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def save(match: Match) -> str:
    """Return the match as JSON text, from which `brelan.load` replays it."""
    if match.why_not_saved:
        raise Refused(f"{match.why_not_saved} cannot be saved: it was never dealt")
    saved = Saved(
        brelan=SAVE_FORMAT,
        game=match.game.id,
        rules=match.game.folder.version,
        knobs=match.game.knobs,
        seed=match.seed,
        cards=match.cards,
        moves=match.notations(),
        resigned=match.resigned,
        result=match.result,
        bots={str(seat): name for seat, name in match.bots.items()} or msgspec.UNSET,
        digest="",
    )
    content = {**saved.content, "digest": saved.digest_of_content()}
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in content.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def load(text: str) -> Match:
    """Return a saved match, replayed and verified; a damaged one raises BadSave."""
    if not isinstance(text, str):
        raise BadSave(f"a saved match is JSON text, not {type(text).__name__}")
    try:
        saved = msgspec.json.decode(text, type=Saved)
        return _replayed(saved)
    except BadSave:
        raise
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise BadSave(f"this is not a saved match: {_first_line(error)}") from None
    except RecursionError:
        raise BadSave("this is not a saved match: it is nested too deep") from None
    except ValueError as error:
        raise BadSave(f"this saved match does not replay: {error}") from None


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__


def _replayed(saved: Saved) -> Match:
    if saved.brelan != SAVE_FORMAT:
        raise BadSave(f"saved in format {saved.brelan}; this Brelan reads {SAVE_FORMAT}")
    if saved.digest != saved.digest_of_content():
        raise BadSave("this saved match was altered: it does not agree with its digest")
    known = [*games(), *opened()]  # a path would import code that the file names
    if saved.game not in known:
        raise BadSave(f"unknown game {saved.game!r}; there are: {', '.join(known)}")
    folder = open_folder(saved.game)
    if saved.rules not in folder.replays:
        raise BadSave(
            f"played by version {saved.rules} of the rules of {folder.id}; "
            f"this Brelan has version {folder.version}"
        )
    match = Game(folder, folder.knobs.settle(saved.knobs)).deal(seed=saved.seed, cards=saved.cards)
    for move in saved.moves:
        match.play(move)
    if saved.resigned is not None:
        match.resign(saved.resigned)
    if _compared(saved.result, saved, match) != _compared(match.result, saved, match):
        raise BadSave("this saved match has another result than its moves lead to")
    if saved.bots is not msgspec.UNSET:
        match.bots = {_seat(seat, match): name for seat, name in saved.bots.items()}
    return match


def _compared(result: Sequence[Any] | None, saved: Saved, match: Match) -> Sequence[Any] | None:
    """Return the part of a result that must agree: all, or under other rules all but the scores.

    Other versions of the rules may report other scores; winners and reason must be the same.
    """
    if result is None or saved.rules == match.game.folder.version:
        return result
    return result[1:]


def _seat(text: str, match: Match) -> int:
    if text not in map(str, range(match.game.players)):
        raise BadSave(f"this saved match seats a bot at {text!r}, where no seat is")
    return int(text)


def read_match(file: Path) -> Match:
    """Return the match that a file holds, replayed and verified."""
    content = read_file(file, "a saved match")
    try:
        return load(content.decode())
    except UnicodeDecodeError:
        raise BadSave(f"{file}: this is not a saved match: it is not text") from None
    except BadSave as error:
        raise BadSave(f"{file}: {error}") from None


def read_file(file: Path, what: str) -> bytes:
    """Return the content of a file that should hold a match; a longer one is refused."""
    try:
        with file.expanduser().open("rb") as source:
            content = source.read(LARGEST + 1)
    except (OSError, RuntimeError) as error:  # RuntimeError: no such user's home
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise Refused(f"cannot read {file}: {why}; name {what}") from None
    if len(content) > LARGEST:
        raise BadSave(f"{file}: this is not {what}: it is longer than {LARGEST} bytes")
    return content


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
