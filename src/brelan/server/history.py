"""What has been played: lists of tables, a match told again, a match as one file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import msgspec

from brelan import games
from brelan.engine.folder import open_folder
from brelan.engine.game import Game
from brelan.engine.match import Match, Transition
from brelan.errors import BadSave, Refused
from brelan.server import beginnings, fairness, readers
from brelan.server.messages import (
    Checked,
    Exported,
    Listed,
    ListedSeat,
    LoggedEvent,
    Refusal,
    ResultInfo,
    TableInfo,
    Telling,
    Told,
)
from brelan.server.readers import Reader
from brelan.server.tables import Table
from brelan.server.takebacks import CHANGING, TALK, standing
from brelan.server.wire import words_of

EXPORT_FORMAT = 2  # 1 had no seal


def listed(row: Mapping[str, Any], guest: str | None) -> Listed:
    """Return a table as it stands in a list that a guest reads."""
    return Listed(
        table=row["id"],
        game=row["game"],
        rules=row["rules"],
        knobs=json.loads(row["knobs"]),
        status=row["status"],
        seats=[ListedSeat(seat["kind"], seat["name"], seat["bot"]) for seat in row["seats"]],
        mine=[seat["seat"] for seat in row["seats"] if guest and seat["guest"] == guest],
        created=row["created"],
        ended=row["ended"],
        result=None if row["result"] is None else ResultInfo(*json.loads(row["result"])),
        rematch=row["rematch"],
        turn=row.get("turn"),
        origin=beginnings.origin(beginnings.glance(row["beginning"]), is_known=True),
    )


class Recording(NamedTuple):
    """A match as it stood when somebody asked for its history, and who is to read it."""

    table: TableInfo | None  # None: it comes from a file
    game: Game
    first: dict[Reader, list[int]]  # what each reader saw before the first move
    moved: list[Transition]
    resigned: int | None
    result: ResultInfo | None


def recorded(table: Table, guest: str | None, seat: str | None) -> Recording:
    """Return a match as a reader may have it told, by `told`; Refusal if it may not be.

    `seat` is one of the guest's own; when the match is over it may be any seat, or `all`: then
    the views of all seats are told side by side. Without it, it is told as spectators saw it.
    """
    if table.match is None:
        raise Refusal("not_started", 409)
    seats = range(len(table.seats))
    if seat == "all":
        chosen: list[Reader] = list(seats)
    elif seat is None:
        chosen = [None]
    elif seat in map(str, seats):
        chosen = [int(seat)]
    else:
        raise Refusal("no_such_seat", 404)
    check_readers(table, guest, chosen)
    return _recording(table.info(guest), table.match, chosen)


def check_readers(table: Table, guest: str | None, chosen: list[Reader]) -> None:
    """Refuse a guest who may not read a match as some seats, or as a spectator, saw it."""
    if table.is_over:
        return
    if chosen == [None] and table.options.spectators != "public":
        raise Refusal("no_spectators", 403)
    if any(each is not None and not _owns(table, guest, each) for each in chosen):
        raise Refusal("match_not_over", 403)


def _recording(table: TableInfo | None, match: Match, chosen: Iterable[Reader]) -> Recording:
    moved = match.transitions()
    match.release()
    first = {
        reader: words_of(
            match.game.folder.layout.view(moved[0].before, reader)
            if moved
            else match.record(reader)
        )
        for reader in chosen
    }
    result = readers.result(match)
    return Recording(table, match.game, first, moved, match.resigned, result)


def told(recording: Recording) -> Told:
    """Return a match move by move, as its readers saw it, side by side: it may take a second."""
    assert recording.table is not None
    return Told(recording.table, _tellings(recording), recording.resigned, recording.result)


def _tellings(recording: Recording) -> list[Telling]:
    return [
        Telling(
            reader, first, [readers.step(recording.game, each, reader) for each in recording.moved]
        )
        for reader, first in recording.first.items()
    ]


def _owns(table: Table, guest: str | None, seat: int) -> bool:
    return guest is not None and table.seats[seat]["guest"] == guest


# ---------------------------------------------------------------- a match as one file


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
        seal=table.seal or "",
        events=[LoggedEvent(each.kind, each.seat, each.number) for each in table.log],
        result=table.match.result,
        beginning=table.beginning or msgspec.UNSET,
    )


def replayed(content: bytes | str) -> tuple[Exported, Match]:
    """Return an exported match, and the match that its secret and its moves lead to.

    BadSave says what does not agree.
    """
    try:
        file = msgspec.json.decode(content, type=Exported)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise BadSave(f"this is not an exported match: {str(error).splitlines()[0]}") from None
    if beginnings.depth(file) > beginnings.MOST_DEEP:
        raise BadSave(f"more than {beginnings.MOST_DEEP} matches go on from each other")
    return file, replayed_file(file)


def replayed_file(file: Exported) -> Match:
    """Return the match that the secret and the moves of an exported match lead to."""
    try:
        secret = bytes.fromhex(file.secret)
        nonces = {int(seat): nonce for seat, nonce in file.nonces.items()}
    except ValueError as error:
        raise BadSave(f"this is not an exported match: {error}") from None
    if file.brelan_match != EXPORT_FORMAT:
        raise BadSave(f"exported in format {file.brelan_match}; this Brelan reads {EXPORT_FORMAT}")
    if len(secret) != 32 or fairness.commitment(secret) != file.commitment:
        raise BadSave("the secret is not the one that was committed to before the match")
    try:
        seed = fairness.deal_seed(secret, nonces)
    except (OverflowError, UnicodeError):
        raise BadSave("the nonces are not those of seats") from None
    if fairness.seal(seed) != file.seal:
        raise BadSave("the cards were dealt with another secret, or with other nonces")
    match = _played(file, seed)
    if match.result != file.result:
        raise BadSave(f"the moves lead to another result: {match.result}")
    return match


def _begun(file: Exported, game: Game, seed: str) -> Match:
    """Deal the cards again, or set up the position that follows from the match before."""
    beginning = file.beginning or None
    if beginning is not None:
        beginnings.check(file, beginning, seed, replayed_file(beginning.source))
    return beginnings.begun(game, seed, beginning)


def _played(file: Exported, seed: str) -> Match:
    """Begin the match of a file again, and make its moves."""
    try:
        if file.game not in games():  # `open_folder` would run the code of a folder named by path
            raise BadSave(f"unknown game {file.game[:40]!r}; there are: {', '.join(games())}")
        folder = open_folder(file.game)
        if file.rules not in folder.replays:
            raise BadSave(
                f"played by version {file.rules} of the rules of {folder.id}; this Brelan has "
                f"version {folder.version}"
            )
        match = _begun(file, Game(folder, folder.knobs.settle(file.knobs)), seed)
        known = (*CHANGING, *TALK, "takeback")
        for ply, event in enumerate(file.events):
            if event.kind not in known:
                raise BadSave(f"event {ply} is of an unknown kind {event.kind!r}")
        for ply, event in enumerate(standing(file.events)):
            if event.kind == "move":
                if event.seat != match.turn or event.number not in match.legal_numbers():
                    raise BadSave(f"event {ply} of those that stand is no legal move")
                match.play_unchecked(event.number)
            elif event.kind == "resign":
                match.resign(event.seat)
            elif event.kind == "timeout":
                match.resign(event.seat, "timeout")
            elif event.kind == "draw":
                match.agree_draw()
    except BadSave:
        raise
    except Refused as error:
        raise BadSave(f"this exported match does not replay: {error}") from None
    return match


def verified(content: bytes | str) -> Checked:
    """Return what an exported match says, after all of it was worked out again."""
    try:
        file, match = replayed(content)
    except BadSave as error:
        return Checked(False, why=str(error))
    return _checked(file, match)


def replay(content: bytes | str) -> Checked:
    """Return the same, with the match as each seat saw it; nothing of it is stored."""
    try:
        file, match = replayed(content)
    except BadSave as error:
        return Checked(False, why=str(error))
    seats = _tellings(_recording(None, match, range(match.game.players)))
    return msgspec.structs.replace(_checked(file, match), readers=seats)


def _checked(file: Exported, match: Match) -> Checked:
    return Checked(
        verified=True,
        game=file.game,
        rules=file.rules,
        variant=match.game.variant,
        knobs=match.game.knobs,
        names=file.names,
        commitment=file.commitment,
        nonces=file.nonces,
        plies=match.ply,
        resigned=match.resigned,
        result=readers.result(match),
        origin=beginnings.origin(file.beginning or None, is_known=True),
    )
