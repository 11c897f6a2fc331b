"""What if, at a table: a match that is over goes on otherwise, from a decision of one of its seats.

A new table is opened with the same rules and bots; other people's seats get bots too. `beginnings`
says how its match begins.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa

from brelan.analysis.review import decision_plies
from brelan.server import beginnings, fairness, history
from brelan.server.house import BOT_NAMES, DEFAULT_BOT, House, checked_bot
from brelan.server.identity import hash_of, new_id, new_key
from brelan.server.messages import Beginning, Branch, Clock, Exported, Options, Refusal
from brelan.server.storage import events, seats, tables
from brelan.server.tables import Table


class Prepared(NamedTuple):
    """A match that may be opened: how it begins, its secret, and who sits where people sat."""

    beginning: Beginning
    secret: bytes
    bot: str


async def prepared(table: Table, wanted: Branch) -> Prepared:
    """Return how a match goes on otherwise; Refusal if it cannot. Nothing is stored."""
    source = history.exported(table)  # refuses a match that is not over
    bot = checked_bot(wanted.bot or DEFAULT_BOT, table.game)
    secret = table.secret if wanted.as_dealt else fairness.new_secret()
    beginning = await asyncio.to_thread(beginning_of, source, wanted, secret)
    return Prepared(beginning, secret, bot)


def beginning_of(source: Exported, wanted: Branch, secret: bytes) -> Beginning:
    """Return how a match goes on from a decision of another one: some tenths of a second.

    Refusal: there is no such decision, or the move is not allowed there.
    """
    match = history.replayed_file(source)
    if wanted.seat >= match.game.players:
        raise Refusal("no_such_seat", 404)
    plies = decision_plies(match, wanted.seat)
    if wanted.ply not in plies:
        raise Refusal("no_decision", 422, seat=wanted.seat, plies=plies)
    there = match.before(wanted.ply)
    if wanted.move is not None and wanted.move not in there.legal_numbers():
        raise Refusal("illegal_move", 422, move=wanted.move)
    if beginnings.depth(source) >= beginnings.MOST_DEEP:
        raise Refusal("too_many_branches", 409, allowed=beginnings.MOST_DEEP)
    position = None
    if not wanted.as_dealt:
        seed = fairness.deal_seed(secret, {})
        position = beginnings.drawn_position(match, wanted.seat, wanted.ply, seed)
    return Beginning(source, wanted.seat, wanted.ply, wanted.as_dealt, position)


async def open_branch(
    house: House, guest: str, name: str, table: Table, wanted: Branch, found: Prepared
) -> tuple[str, dict[str, str]]:
    """Open a table at which a match goes on otherwise; return its id and its links."""
    source, opened, now, key = found.beginning.source, new_id(), house.now(), new_key()
    rows = seats_of(table, wanted, found.bot, name)
    for row in rows:
        row |= {"table_id": opened, "nonce": None, "invitation": None, "key": None, "guest": None}
        if wanted.as_dealt:  # nonces are in the luck of the cards as they lay
            row["nonce"] = source.nonces.get(str(row["seat"]))
        if row["seat"] == wanted.seat:
            row |= {"guest": guest, "key": hash_of(key)}
        else:
            house.thinkers.prepare(table.game, row["bot"])
    added: dict[str, Any] = {
        "id": opened, "game": source.game, "rules": source.rules, "secret": found.secret,
        "knobs": json.dumps(source.knobs), "host": guest, "status": "playing",
        "options": msgspec.json.encode(options_of(table.options)).decode(),
        "created": now, "started": now, "beginning": beginnings.kept(found.beginning),
    }  # fmt: skip
    changes = [sa.insert(tables).values(added), sa.insert(seats).values(rows)]
    if wanted.move is not None:
        made = {"table_id": opened, "ply": 0, "kind": "move", "seat": wanted.seat}
        changes.append(sa.insert(events).values(made | {"number": wanted.move, "at": now}))
    await house.store.change(*changes)
    house.counted["tables_opened"] += 1
    return opened, {f"seat {wanted.seat}": key}


def options_of(options: Options) -> Options:
    """Return the options of the new table: whoever tries something out has time."""
    return msgspec.structs.replace(options, clock=Clock(), takeover=None, listed=False)


def seats_of(table: Table, wanted: Branch, bot: str, name: str) -> list[dict[str, Any]]:
    """Return who sits where: bots as before, oneself, and a bot where anybody else sat."""
    rows: list[dict[str, Any]] = []
    taken = {name, *(place["name"] for place in table.seats)}
    free = (each for each in BOT_NAMES if each not in taken)
    for place in table.seats:
        row = {"seat": place["seat"], "kind": "bot", "bot": place["bot"], "name": place["name"]}
        if place["seat"] == wanted.seat:
            row |= {"kind": "guest", "bot": None, "name": name}
        elif place["key"] is not None:
            row |= {"bot": bot, "name": next(free, bot)}
        rows.append(row)
    return rows
