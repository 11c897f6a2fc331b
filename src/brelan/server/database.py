"""The database of a server: brought up to date at the start, and asked for its own keys."""

from __future__ import annotations

import secrets
import time
from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.util import CommandError

from brelan.errors import Refused
from brelan.server.settings import Settings
from brelan.server.storage import FAILURES, Store, keys, make_engine

MIGRATING = 0x6272656C616E  # the advisory lock of PostgreSQL that one process holds meanwhile


async def open_store(settings: Settings) -> tuple[Store, list[str]]:
    """Return the database, up to date, and the keys that sign cookies.

    Refused says that it cannot be opened.
    """
    try:
        own = await prepare(settings.database_url)
    except FAILURES as error:
        why = (str(getattr(error, "orig", None) or error) or type(error).__name__).splitlines()[0]
        raise Refused(f"the database cannot be opened: {why}") from None
    except CommandError as error:
        raise Refused(f"the database is of another version of Brelan: {error}") from None
    return Store(settings.database_url), list(settings.keys) or own


async def prepare(url: str) -> list[str]:
    """Bring a database up to date; return the keys that are kept in it, the newest first.

    All of it is one transaction, which one process makes at a time.
    """
    engine = make_engine(url, {"timeout": 10.0})
    try:
        async with engine.begin() as connection:
            return await connection.run_sync(_prepare)
    finally:
        await engine.dispose()


def _prepare(connection: sa.Connection) -> list[str]:
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        connection.execute(sa.text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": MIGRATING})
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
    newest = sa.select(keys.c.key).order_by(keys.c.created.desc(), keys.c.key)
    found = list(connection.execute(newest).scalars())
    if not found:
        found = [secrets.token_hex(32)]
        connection.execute(sa.insert(keys).values(key=found[0], created=time.time()))
    return found
