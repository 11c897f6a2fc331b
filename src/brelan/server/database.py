"""The database of a server: brought up to date at the start, and asked for its own keys."""

from __future__ import annotations

import secrets
import time
from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from sqlalchemy.exc import SQLAlchemyError

from brelan.errors import Refused
from brelan.server.settings import Settings
from brelan.server.storage import Store, keys

MIGRATING = 0x6272656C616E  # the advisory lock of PostgreSQL that one process holds meanwhile


async def open_store(settings: Settings) -> tuple[Store, list[str]]:
    """Return the database, up to date, and the keys that sign cookies.

    Refused says that it cannot be opened.
    """
    store = Store(settings.database_url)
    try:
        await _upgrade(store)
        signing = list(settings.keys) or await _own_keys(store)
    except (SQLAlchemyError, OSError) as error:
        await store.close()
        why = str(getattr(error, "orig", None) or error).splitlines()[0]
        raise Refused(f"the database cannot be opened: {why}") from None
    return store, signing


async def _upgrade(store: Store) -> None:
    def run(connection: sa.Connection) -> None:
        if not store.is_sqlite:
            connection.execute(sa.text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": MIGRATING})
        config = Config()
        config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
        config.attributes["connection"] = connection
        command.upgrade(config, "head")

    async with store.engine.begin() as connection:
        await connection.run_sync(run)


async def _own_keys(store: Store) -> list[str]:
    """Return the keys that are kept in the database, the newest first; the first is made now."""
    rows = await store.fetch(sa.select(keys).order_by(keys.c.created.desc()))
    if not rows:
        row = {"key": secrets.token_hex(32), "created": time.time()}
        await store.change(sa.insert(keys).values(row))
        rows = await store.fetch(sa.select(keys).order_by(keys.c.created.desc()))
    return [row["key"] for row in rows]
