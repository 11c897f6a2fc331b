"""What has been played: lists of tables, a match told again, a match as one file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import msgspec

from brelan.engine.folder import open_folder
from brelan.engine.game import Game
from brelan.engine.match import Match
from brelan.errors import BadSave, Refused
from brelan.server import fairness, readers
from brelan.server.messages import Refusal
from brelan.server.tables import Table
from brelan.server.wire import words_of

EXPORT_FORMAT = 1


def listed(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a table as it stands in a list."""
    return {
        "table": row["id"],
        "game": row["game"],
        "rules": row["rules"],
        "knobs": json.loads(row["knobs"]),
        "status": row["status"],
        "created": row["created"],
        "ended": row["ended"],
        "result": None if row["result"] is None else json.loads(row["result"]),
        "rematch": row["rematch"],
    }


def told(table: Table, guest: str | None, seat: str | None) -> dict[str, Any]:
    """Return a match move by move, as a reader saw it.

    `seat` is one of the guest's own; when the match is over it may be any seat, or `all`: then
    the views of all seats are told side by side. Without it, it is told as spectators saw it.
    """
    if table.match is None:
        raise Refusal("not_started", 409)
    seats = range(len(table.seats))
    if seat == "all":
        chosen: list[int | None] = list(seats)
    elif seat is None:
        chosen = [None]
    elif seat.isdecimal() and int(seat) in seats:
        chosen = [int(seat)]
    else:
        raise Refusal("no_such_seat", 404)
    if not table.is_over:
        if chosen == [None] and table.options.spectators != "public":
            raise Refusal("no_spectators", 403)
        if any(each is not None and not _owns(table, guest, each) for each in chosen):
            raise Refusal("match_not_over", 403)
    match = table.match
    moved = match.transitions()
    first = moved[0].before if moved else match.record(None).tobytes()
    match.release()
    return {
        "table": table.info(guest),
        "readers": [
            {
                "seat": reader,
                "first": words_of(table.game.folder.layout.view(first, reader)),
                "steps": [readers.step(table.game, each, reader) for each in moved],
            }
            for reader in chosen
        ],
        "result": readers.result(match),
    }


def _owns(table: Table, guest: str | None, seat: int) -> bool:
    return guest is not None and table.seats[seat]["guest"] == guest


# ---------------------------------------------------------------- a match as one file


class LoggedEvent(msgspec.Struct, forbid_unknown_fields=True):
    """An event of a log, as it is exported."""

    kind: str
    seat: int
    number: int | None = None


class Exported(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A match that is over, with all that is needed to check it."""

    brelan_match: int
    table: str
    game: str
    rules: int
    knobs: dict[str, int | str]
    names: list[str]
    commitment: str
    secret: str
    nonces: dict[str, str]
    events: list[LoggedEvent]
    result: tuple[list[int], list[int], str]


def exported(table: Table) -> Exported:
    """Return a match that is over as one file."""
    if not table.is_over or table.match is None or table.match.result is None:
        raise Refusal("match_not_over", 409)
    return Exported(
        brelan_match=EXPORT_FORMAT,
        table=table.id,
        game=table.game.id,
        rules=table.game.folder.version,
        knobs=table.game.knobs,
        names=[seat["name"] for seat in table.seats],
        commitment=fairness.commitment(table.secret),
        secret=table.secret.hex(),
        nonces={str(seat["seat"]): seat["nonce"] for seat in table.seats if seat["nonce"]},
        events=[LoggedEvent(each.kind, each.seat, each.number) for each in table.log],
        result=table.match.result,
    )


def replayed(content: bytes | str) -> tuple[Exported, Match]:
    """Return an exported match, and the match that its secret and its moves lead to.

    BadSave says what does not agree.
    """
    try:
        file = msgspec.json.decode(content, type=Exported)
        secret = bytes.fromhex(file.secret)
        nonces = {int(seat): nonce for seat, nonce in file.nonces.items()}
    except (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError) as error:
        raise BadSave(f"this is not an exported match: {str(error).splitlines()[0]}") from None
    if file.brelan_match != EXPORT_FORMAT:
        raise BadSave(f"exported in format {file.brelan_match}; this Brelan reads {EXPORT_FORMAT}")
    if len(secret) != 32 or fairness.commitment(secret) != file.commitment:
        raise BadSave("the secret is not the one that was committed to before the match")
    match = _played(file, fairness.deal_seed(secret, nonces))
    if match.result != file.result:
        raise BadSave(f"the moves lead to another result: {match.result}")
    return file, match


def _played(file: Exported, seed: str) -> Match:
    """Deal the cards again and make the moves of a file."""
    try:
        folder = open_folder(file.game)
        if folder.version != file.rules:
            raise BadSave(
                f"played by version {file.rules} of the rules of {folder.id}; this Brelan has "
                f"version {folder.version}"
            )
        match = Match(Game(folder, folder.knobs.settle(file.knobs)), seed, None)
        for ply, event in enumerate(file.events):
            if event.kind == "move":
                if event.seat != match.turn or event.number not in match.legal_numbers():
                    raise BadSave(f"event {ply} is no legal move")
                match.play_unchecked(event.number)
            elif event.kind in ("resign", "timeout"):
                match.resign(event.seat)
            elif event.kind != "takeover":
                raise BadSave(f"event {ply} is of an unknown kind {event.kind!r}")
    except BadSave:
        raise
    except Refused as error:
        raise BadSave(f"this exported match does not replay: {error}") from None
    return match


def verified(content: bytes | str) -> dict[str, Any]:
    """Return what an exported match says, after all of it was worked out again."""
    try:
        file, match = replayed(content)
    except BadSave as error:
        return {"verified": False, "why": str(error)}
    assert match.result is not None
    return {
        "verified": True,
        "game": file.game,
        "names": file.names,
        "commitment": file.commitment,
        "plies": match.ply,
        "result": match.result._asdict(),
    }
