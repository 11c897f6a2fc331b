"""How the server is set up: from the command line, and from environment variables."""

from __future__ import annotations

import os
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import Any

from brelan.errors import Refused

PREFIX = "BRELAN_"
LOG_LEVELS = ("debug", "info", "warning", "error")


def data_folder() -> Path:
    """Return where the server keeps its database, unless it is told otherwise."""
    if os.name == "nt":
        home = Path(os.environ.get("LOCALAPPDATA", Path.home()))
    else:
        home = Path(os.environ.get("XDG_DATA_HOME", Path.home() / ".local" / "share"))
    return home / "brelan"


def _set(default: Any, what: str, **allowed: Any) -> Any:
    """Return a field that may be set: its default, what it is for, and which values it may have."""
    return field(default=default, metadata={"what": what, **allowed})


@dataclass(frozen=True)
class Settings:
    """What may be set. Each field is read from an environment variable: BRELAN_HOST, BRELAN_PORT …

    A list is written with commas between its entries.
    """

    host: str = _set("127.0.0.1", "the address to listen on")
    port: int = _set(8080, "the port to listen on", least=0, most=65535)
    database: str = _set("", "`sqlite:///FILE` or `postgresql://USER:PASSWORD@HOST/NAME`; "
                         "empty: a SQLite file in the data folder of the user")  # fmt: skip
    keys: tuple[str, ...] = _set(
        (), "secrets that sign cookies, the newest first; empty: made once, kept in the database"
    )
    origins: tuple[str, ...] = _set(
        (), "origins of pages, besides the server's own, that may use it: `https://cards.example`"
    )
    secure_cookies: bool = _set(
        False, "set it to `true` behind HTTPS: cookies, origins and headers are for HTTPS only then"
    )
    trusted_proxies: str = _set(
        "127.0.0.1", "addresses of proxies, whose `X-Forwarded-For` and `-Proto` are believed"
    )
    metrics_from: tuple[str, ...] = _set(
        ("127.0.0.0/8", "::1"), "networks of clients that may read `/metrics`"
    )
    thinkers: int = _set(
        max(1, (os.cpu_count() or 2) - 1), "threads on which bots search", least=1, most=256
    )
    max_message: int = _set(4096, "bytes of one message over a WebSocket", least=256)
    max_body: int = _set(1_000_000, "bytes of one request over HTTP", least=1000)
    messages_per_second: float = _set(
        20.0, "messages of one socket; five times as many may come at once", least=0.1
    )
    requests_per_second: float = _set(
        20.0, "requests of one address; ten times as many may come at once", least=0.1
    )
    tables_per_hour: int = _set(
        120, "tables that one guest may open; five times as many from one address", least=1
    )
    analyses_per_hour: int = _set(
        60, "analyses that one guest may begin; five times as many from one address", least=1
    )
    sockets_per_guest: int = _set(
        50, "open sockets of one guest; without a cookie, five times as many of one address",
        least=1,
    )  # fmt: skip
    expire_waiting: float = _set(
        24 * 3600.0, "seconds after which a table that is not full is closed", least=1
    )
    expire_idle: float = _set(
        30 * 24 * 3600.0, "seconds after which a match is closed in which nobody moves", least=1
    )
    lab_folder: str = _set(
        "", "the folder that keeps the studies of the lab; empty: `lab` beside the SQLite file, or "
        "in the data folder of the user"
    )  # fmt: skip
    lab_studies: int = _set(1, "studies that run at once, each on one core; 0: no lab", least=0)
    lab_seconds: float = _set(300.0, "seconds that a study may run", least=1)
    lab_megabytes: int = _set(100, "megabytes that a study may write while it runs", least=1)
    lab_kept: int = _set(1000, "studies whose figures are kept, the latest ones", least=1)
    lab_studies_per_hour: int = _set(
        30, "studies that one guest may begin; five times as many from one address", least=1
    )
    log_level: str = _set("info", "`debug`, `info`, `warning` or `error`", of=LOG_LEVELS)

    @classmethod
    def from_environment(cls, **given: Any) -> Settings:
        """Return the settings of the environment, but for those that are given."""
        found = {name: value for name, value in given.items() if value is not None}
        for each in fields(cls):
            text = os.environ.get(PREFIX + each.name.upper())
            if text is not None and each.name not in found:
                found[each.name] = _parsed(each.name, str(each.type), text)
            if each.name in found:
                _check(each, found[each.name])
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


def _check(setting: Field[Any], value: Any) -> None:
    """Refuse a value that is out of range."""
    least, most = setting.metadata.get("least"), setting.metadata.get("most")
    among = setting.metadata.get("of")
    if among is not None and value not in among:
        wanted = f"one of {', '.join(among)}"
    elif least is not None and not value >= least:  # nor is it no number at all
        wanted = f"{least} or more"
    elif most is not None and value > most:
        wanted = f"{most} or less"
    else:
        return
    variable = PREFIX + setting.name.upper()
    raise Refused(f"{variable}={value} is not allowed; it is {wanted}")


def table() -> str:
    """Return what may be set as a table in Markdown, for docs/operate.md."""
    rows = ["| variable | default | what it is |", "|---|---|---|"]
    for each in fields(Settings):
        default = each.default
        if isinstance(default, tuple):
            default = ",".join(default)
        elif isinstance(default, bool):
            default = str(default).lower()
        elif isinstance(default, float):
            default = f"{default:g}" if default < 1e6 else f"{default:.0f}"
        if each.name == "thinkers":
            default = "one less than there are CPUs"
        shown = f"`{default}`" if each.name != "thinkers" and default != "" else default
        rows.append(f"| `{PREFIX}{each.name.upper()}` | {shown} | {each.metadata['what']} |")
    return "\n".join(rows) + "\n"


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
