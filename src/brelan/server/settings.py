"""How the server is set up: from the command line, and from environment variables."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from brelan.errors import Refused

PREFIX = "BRELAN_"


def data_folder() -> Path:
    """Return where the server keeps its database, unless it is told otherwise."""
    if os.name == "nt":
        home = Path(os.environ.get("LOCALAPPDATA", Path.home()))
    else:
        home = Path(os.environ.get("XDG_DATA_HOME", Path.home() / ".local" / "share"))
    return home / "brelan"


@dataclass(frozen=True)
class Settings:
    """What may be set. Each field is read from an environment variable: BRELAN_HOST, BRELAN_PORT …

    A list is written with commas between its entries.
    """

    host: str = "127.0.0.1"
    port: int = 8080
    database: str = ""  # an address of SQLAlchemy; empty: a SQLite file in the data folder
    keys: tuple[str, ...] = ()  # that sign cookies, the newest first; empty: made and kept
    origins: tuple[str, ...] = ()  # besides the server's own, from which pages may connect
    secure_cookies: bool = False  # behind HTTPS
    trusted_proxies: str = "127.0.0.1"
    thinkers: int = field(default_factory=lambda: max(1, (os.cpu_count() or 2) - 1))
    max_message: int = 4096  # bytes of one message from a client
    max_body: int = 1_000_000  # bytes of one request: a match that is imported is the largest
    messages_per_second: float = 20.0  # of one socket, after a burst of five times as many
    requests_per_second: float = 20.0  # of one address, after a burst of ten times as many
    tables_per_hour: int = 120  # that one guest may open
    sockets_per_guest: int = 50
    expire_waiting: float = 24 * 3600.0  # seconds after which a table that nobody joined is closed
    expire_idle: float = 30 * 24 * 3600.0  # and one at which nobody has moved
    log_level: str = "info"

    @classmethod
    def from_environment(cls, **given: Any) -> Settings:
        """Return the settings of the environment, but for those that are given."""
        found = {name: value for name, value in given.items() if value is not None}
        for each in fields(cls):
            text = os.environ.get(PREFIX + each.name.upper())
            if text is not None and each.name not in found:
                found[each.name] = _parsed(each.name, str(each.type), text)
        return cls(**found)

    @property
    def database_url(self) -> str:
        """The address of the database, with the driver that the server uses."""
        if not self.database:
            folder = data_folder()
            folder.mkdir(parents=True, exist_ok=True)
            return f"sqlite+aiosqlite:///{folder / 'brelan.db'}"
        for short, full in (("sqlite", "sqlite+aiosqlite"), ("postgresql", "postgresql+asyncpg"),
                            ("postgres", "postgresql+asyncpg")):  # fmt: skip
            if self.database.startswith(f"{short}://"):
                return full + self.database[len(short) :]
        if self.database.startswith(("sqlite+aiosqlite://", "postgresql+asyncpg://")):
            return self.database
        raise Refused(
            f"database {self.database.split('@')[-1]!r} is not allowed; it may be "
            "sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME"
        )


def _parsed(name: str, kind: str, text: str) -> Any:
    """Return the value that a text stands for, or say what it may be."""
    try:
        if kind == "bool":
            return {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}[
                text.lower()
            ]
        if kind == "int":
            return int(text)
        if kind == "float":
            return float(text)
    except (ValueError, KeyError):
        wanted = {"bool": "true or false", "int": "a whole number", "float": "a number"}[kind]
        raise Refused(f"{PREFIX}{name.upper()}={text} is not allowed; it is {wanted}") from None
    if kind.startswith("tuple"):
        return tuple(part.strip() for part in text.split(",") if part.strip())
    return text
